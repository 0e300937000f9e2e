//! What HTML elements do to the text: how they lie on the page, and whether the reader sees them. Only tables.
//!
//! Follows the HTML standard (sections 13.2 and 15.3) as far as a mail's text depends on it.
//! Not covered: style sheets and classes; only an element's own `style` is looked at.

/// How an element lies on the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Within a line.
    Inline,
    /// Raised or lowered: set apart by a blank, so that a footnote's number does not join the number before it.
    Raised,
    /// On lines of its own.
    Block,
    /// Parted from its neighbours in the row.
    Cell,
    /// A table or a row of it.
    Row,
    /// Has no content.
    Void,
    /// Taken back by the writer.
    Struck,
    /// Content that is never shown.
    Dropped,
}

/// The kind of the element of this name, in lower case.
pub(super) fn kind(name: &str) -> Kind {
    match name {
        "s" | "strike" | "del" => Kind::Struck,
        "sup" | "sub" | "rt" | "rp" => Kind::Raised,
        "td" | "th" => Kind::Cell,
        "table" | "tr" | "tbody" | "thead" | "tfoot" | "caption" => Kind::Row,
        "br" | "hr" | "img" | "input" | "meta" | "link" | "wbr" | "col" | "area" | "base" | "embed" | "source"
        | "track" | "param" => Kind::Void,
        "style" | "script" | "title" | "template" | "textarea" | "iframe" | "noembed" | "noframes" | "select"
        | "datalist" => Kind::Dropped,
        "p" | "div" | "blockquote" | "li" | "ul" | "ol" | "dl" | "dt" | "dd" | "h1" | "h2" | "h3" | "h4" | "h5"
        | "h6" | "pre" | "center" | "address" | "article" | "aside" | "body" | "details" | "dir" | "fieldset"
        | "figcaption" | "figure" | "footer" | "form" | "header" | "hgroup" | "html" | "head" | "legend"
        | "listing" | "main" | "menu" | "nav" | "object" | "marquee" | "option" | "plaintext" | "section"
        | "summary" | "xmp" => Kind::Block,
        _ => Kind::Inline,
    }
}

/// Elements that keep the end tags inside them from closing what is outside (HTML, "has an element in scope").
pub(super) fn is_scope(name: &str) -> bool {
    matches!(name, "td" | "th" | "table" | "caption" | "template" | "object" | "marquee")
}

/// Whether a `style` attribute takes the text away from the reader's eyes, or strikes it out.
pub(super) fn hides(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let value = value.trim().trim_end_matches("!important").trim_end();
        match property.trim() {
            "display" => value == "none",
            "visibility" => matches!(value, "hidden" | "collapse"),
            "font-size" | "opacity" => is_zero(value),
            "text-decoration" | "text-decoration-line" => value.contains("line-through"),
            _ => false,
        }
    })
}

/// `0`, `0px`, `.0em` and so on, but not `0.8em`.
fn is_zero(value: &str) -> bool {
    let unit = value.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(value.len());
    value.get(..unit).and_then(|number| number.parse::<f32>().ok()) == Some(0.0)
}

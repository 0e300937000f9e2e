//! What HTML elements do to the text: how they lie on the page, and whether the reader sees them. Only tables.
//!
//! Follows the HTML standard (sections 13.2 and 15.3) as far as a mail's text depends on it.
//! What an element's own `style` adds is in `style`.

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
        | "datalist" | "audio" | "video" | "canvas" | "xml" => Kind::Dropped,
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

//! What an element's own `style` and colours do to its text: hide it, set it apart, or lay it out as something else.
//!
//! Reads CSS declarations one by one, without a style sheet's cascade. Whoever hides text on purpose is taken at his
//! word: text lost is asked about, text wrongly believed is not.
//! What will surprise you: a page is white and its text black until something says otherwise, and a colour that cannot
//! be read hides nothing. Not covered: style sheets, classes, `calc` and variables, a hidden element's visible child.

use super::elements::Kind;

/// Letters smaller than this many pixels or points are not read by anyone.
const SMALLEST_LETTER: f32 = 2.0;
/// Text moved out of the page by so many pixels is off the screen.
const OFF_SCREEN: f32 = -500.0;
/// Channels that differ by no more look alike.
const SAME_CHANNEL: u8 = 16;

/// Red, green, blue.
type Colour = [u8; 3];

/// The colours text is drawn with; `None` where they cannot be known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Paint {
    text: Option<Colour>,
    ground: Option<Colour>,
}

impl Default for Paint {
    fn default() -> Self {
        Self { text: Some([0; 3]), ground: Some([255; 3]) }
    }
}

impl Paint {
    /// Whether the text has the colour of what is behind it.
    pub(super) fn is_invisible(self) -> bool {
        self.text.zip(self.ground).is_some_and(|(text, ground)| {
            text.iter().zip(ground).all(|(text, ground)| text.abs_diff(ground) <= SAME_CHANNEL)
        })
    }

    /// With the `color` attribute of a `font`, or the `text` of a `body`.
    pub(super) fn set_text(&mut self, value: &str) {
        if !is_inherited(value) {
            self.text = colour(value);
        }
    }

    /// With the `bgcolor` attribute, or a background of any form; a picture's colours are unknown.
    pub(super) fn set_ground(&mut self, value: &str) {
        let value = value.trim();
        if is_transparent(value) {
            return;
        }
        if value.contains("url(") || value.contains("gradient") {
            self.ground = None;
        } else if let Some(found) = colour(value).or_else(|| value.split_whitespace().find_map(colour)) {
            self.ground = Some(found);
        } else if !is_inherited(value) {
            self.ground = None;
        }
    }
}

fn is_inherited(value: &str) -> bool {
    matches!(value.trim(), "" | "inherit" | "initial" | "unset" | "currentcolor" | "none" | "0")
}

/// `transparent`, or `rgba(0, 0, 0, 0)` as browsers paste it.
fn is_transparent(value: &str) -> bool {
    let mut channels = value.split(['(', ')', ',', '/', ' ']).filter(|word| !word.is_empty());
    value == "transparent"
        || channels.next().is_some_and(|name| name.starts_with("rgb"))
            && channels.nth(3).is_some_and(|alpha| alpha.trim_end_matches('%').parse() == Ok(0.0_f32))
}

/// What a `style` attribute asks for.
#[derive(Default)]
pub(super) struct Style {
    pub(super) is_hidden: bool,
    /// White space and line ends are kept.
    pub(super) is_pre: bool,
    /// No numbers before the items of a list.
    pub(super) is_unnumbered: bool,
    pub(super) layout: Option<Kind>,
    /// Something lies between this and its neighbours in the line.
    pub(super) is_apart: bool,
}

/// The style, and the colours written into `paint`.
pub(super) fn read(style: &str, paint: &mut Paint) -> Style {
    let lower = style.to_ascii_lowercase();
    let mut result = Style::default();
    let mut is_clipped = false;
    let mut has_no_room = false;
    for (property, value) in lower.split(';').filter_map(|declaration| declaration.split_once(':')) {
        let value = value.trim().trim_end_matches("!important").trim_end();
        match property.trim() {
            "display" => match value {
                "none" => result.is_hidden = true,
                "inline" | "contents" => result.layout = Some(Kind::Inline),
                "block" | "flex" | "grid" | "table" | "table-row" | "list-item" => result.layout = Some(Kind::Block),
                "table-cell" => result.is_apart = true,
                _ => {}
            },
            "visibility" => result.is_hidden |= matches!(value, "hidden" | "collapse"),
            "mso-hide" => result.is_hidden |= value == "all",
            "opacity" => result.is_hidden |= length(value) == Some((0.0, "")),
            "font-size" => result.is_hidden |= is_too_small(value),
            "text-decoration" | "text-decoration-line" => result.is_hidden |= value.contains("line-through"),
            // Shown from right to left, a number reads as another one.
            "unicode-bidi" => result.is_hidden |= value.contains("override"),
            "overflow" => is_clipped |= value == "hidden",
            "max-height" | "max-width" | "height" | "width" => {
                has_no_room |= length(value).is_some_and(|(number, _)| number == 0.0);
            }
            "text-indent" => result.is_hidden |= is_off_screen(value),
            "left" | "top" | "margin-left" | "margin-top" if is_off_screen(value) => result.is_hidden = true,
            "color" if is_transparent(value) => result.is_hidden = true,
            "color" => paint.set_text(value),
            "background" | "background-color" => paint.set_ground(value),
            "background-image" if value != "none" => paint.set_ground("url()"),
            "white-space" => result.is_pre = value.starts_with("pre") || value == "break-spaces",
            "list-style" | "list-style-type" => result.is_unnumbered = !value.contains("decimal"),
            "float" | "position" => {
                result.is_apart |= !matches!(value, "none" | "static" | "inherit" | "initial");
            }
            name if name.starts_with("margin") || name.starts_with("padding") => {
                result.is_apart |= value.split_whitespace().any(|word| length(word).is_some_and(|(n, _)| n != 0.0));
            }
            _ => {}
        }
    }
    result.is_hidden |= is_clipped && has_no_room;
    result
}

/// The number and the unit of a CSS length.
fn length(value: &str) -> Option<(f32, &str)> {
    let is_number = |character: char| character.is_ascii_digit() || matches!(character, '.' | '-' | '+');
    let (number, unit) = value.split_at_checked(value.find(|c| !is_number(c)).unwrap_or(value.len()))?;
    Some((number.parse().ok()?, unit.trim()))
}

fn is_too_small(value: &str) -> bool {
    length(value).is_some_and(|(number, unit)| match unit {
        "px" | "pt" => number < SMALLEST_LETTER,
        _ => number == 0.0,
    })
}

fn is_off_screen(value: &str) -> bool {
    length(value).is_some_and(|(number, _)| number <= OFF_SCREEN)
}

/// `#fff`, `#ffffff`, `rgb(255, 255, 255)`, or one of the names that mailers write.
fn colour(value: &str) -> Option<Colour> {
    let value = value.trim().to_ascii_lowercase();
    if let Some(digits) = value.strip_prefix('#') {
        return hex_colour(digits);
    }
    if let Some((_, inner)) =
        value.split_once("rgb").and_then(|(before, rest)| before.is_empty().then_some(rest.split_once('(')?))
    {
        let mut channels = inner.trim_end_matches(')').split([',', ' ', '/']).filter(|word| !word.is_empty());
        let mut channel = || channels.next()?.parse::<u8>().ok();
        return Some([channel()?, channel()?, channel()?]);
    }
    Some(match value.as_str() {
        "white" | "window" => [255, 255, 255],
        "black" | "windowtext" => [0, 0, 0],
        "red" => [255, 0, 0],
        "green" => [0, 128, 0],
        "blue" => [0, 0, 255],
        "navy" => [0, 0, 128],
        "yellow" => [255, 255, 0],
        "gray" | "grey" => [128, 128, 128],
        "silver" => [192, 192, 192],
        "snow" | "ivory" | "floralwhite" => [255, 250, 245],
        "whitesmoke" => [245, 245, 245],
        "maroon" => [128, 0, 0],
        "purple" => [128, 0, 128],
        "teal" => [0, 128, 128],
        "olive" => [128, 128, 0],
        "lime" => [0, 255, 0],
        "aqua" | "cyan" => [0, 255, 255],
        "fuchsia" | "magenta" => [255, 0, 255],
        "orange" => [255, 165, 0],
        "brown" => [165, 42, 42],
        // Written without its `#`, as in bgcolor=ffffff.
        digits => return hex_colour(digits),
    })
}

fn hex_colour(digits: &str) -> Option<Colour> {
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    match digits.len() {
        3 => {
            let [.., high, low] = number.to_be_bytes();
            Some([(high & 15) * 17, (low >> 4) * 17, (low & 15) * 17])
        }
        6 => Some([red, green, blue]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(style: &str) -> (Style, Paint) {
        let mut paint = Paint::default();
        let style = read(style, &mut paint);
        (style, paint)
    }

    #[test]
    fn what_a_style_takes_from_the_eye_is_hidden() {
        for style in [
            "display:none",
            "DISPLAY : None !important",
            "visibility: hidden",
            "font-size:0",
            "font-size:1px; color:red",
            "opacity: 0.0",
            "mso-hide:all",
            "max-height:0px; overflow:hidden",
            "position:absolute; left:-9999px",
            "text-indent:-1000em",
            "text-decoration: underline line-through",
            "color: transparent",
            "color: rgb(0 0 0 / 0%)",
            "unicode-bidi: bidi-override; direction: rtl",
        ] {
            assert!(painted(style).0.is_hidden, "{style}");
        }
        for style in
            ["font-size:0.8em", "font-size:10px", "opacity:0.5", "height:0", "margin-left:-2px", "color:red", ":", ""]
        {
            assert!(!painted(style).0.is_hidden, "{style}");
        }
    }

    #[test]
    fn a_colour_hides_text_only_on_the_same_ground() {
        for style in [
            "color:#fff",
            "color:White",
            "color:rgb(255, 255,250)",
            "color:#fefefe",
            "background:#000",
            "color:#123456;background-color:#123457",
        ] {
            assert!(painted(style).1.is_invisible(), "{style}");
        }
        for style in [
            "color:#eee",
            "color:white;background:navy",
            "color:#fff;background:url(x.png) no-repeat",
            "color:inherit",
            "color:var(--x)",
            "background:none",
            "background-color: rgba(0, 0, 0, 0)",
            "background: transparent none repeat",
            "color:#ffff",
        ] {
            assert!(!painted(style).1.is_invisible(), "{style}");
        }
    }

    #[test]
    fn only_a_real_distance_sets_apart() {
        assert!(painted("padding-left:20px").0.is_apart && painted("float:right").0.is_apart);
        assert!(!painted("margin:0px 0 0em;padding:0;position:static").0.is_apart);
    }
}

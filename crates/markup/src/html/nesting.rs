//! Which elements are open, as far as it decides how the next byte is read: in a drawing or not, as raw text or not.

use html5gum::State;

use super::Element;
use crate::MAX_SYNTAX_DEPTH;

/// Elements that never have content.
const VOID: &str = "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr";

/// Elements whose end tag may be left out: one of a row ends another of the same row that is open, unless an element
/// with an end tag stands between them. They are left out of the other rules for implied ends, which change no reading.
const IMPLIED_ENDS: &[&str] = &[
    "p",
    "li",
    "dt dd",
    "option",
    "optgroup",
    "rb rt rtc rp",
    "td th",
    "tr",
    "thead tbody tfoot",
    "colgroup",
    "caption",
];

/// Tags of HTML that end a drawing ("Any other start tag" in foreign content comes after these).
const BREAKOUT: &str = "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing \
    menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";

/// Tags that end a `select` in a table; but for `table`, they open nothing outside one.
const TABLE_PARTS: &str = "caption table tbody tfoot thead tr td th";

#[derive(Clone, Copy, PartialEq)]
enum Language {
    Html,
    Svg,
    MathMl,
}

/// What of HTML may begin inside a foreign element.
#[derive(Clone, Copy, PartialEq)]
enum Integration {
    Nothing,
    /// In `mi` and its like every tag but `mglyph` and `malignmark` is HTML.
    MathText,
    /// `foreignObject`, `desc` and `title` of SVG, and an `annotation-xml` that says so.
    Html,
}

/// An element that is open.
pub struct Open {
    name: String,
    language: Language,
    integration: Integration,
    /// The `script` or `style` whose text this is: its index in the page.
    pub wanted: Option<usize>,
    /// The text so far, where it is not read as raw text.
    pub text: Option<Vec<u8>>,
}

impl Open {
    fn is_html(&self) -> bool {
        self.language == Language::Html
    }

    /// Whether what stands directly in it is read as foreign content.
    fn is_foreign(&self) -> bool {
        !self.is_html() && self.integration == Integration::Nothing
    }
}

#[derive(Default)]
pub struct Nesting {
    open: Vec<Open>,
    /// Elements that ended and whose text is wanted.
    pub closed: Vec<Open>,
}

impl Nesting {
    /// Whether `<![CDATA[` begins a section here, and text is wanted as it is decoded.
    pub fn is_in_drawing(&self) -> bool {
        self.open.last().is_some_and(Open::is_foreign)
    }

    /// Where text is gathered that stands directly in a `script` or `style` of a drawing.
    pub fn gathered(&mut self) -> Option<&mut Vec<u8>> {
        self.open.last_mut()?.text.as_mut()
    }

    /// Opens the element of a start tag and says how its content is read; `None` where more would be open than is read.
    pub fn start(&mut self, element: &mut Element, index: usize, is_self_closing: bool) -> Option<State> {
        if self.is_in_select() {
            match element.name.as_str() {
                "option" | "optgroup" | "script" | "template" => {}
                "input" | "keygen" | "textarea" => self.end("select"),
                name if lists(TABLE_PARTS, name) && self.is_in_table() => self.end("select"),
                "select" => {
                    self.end("select");
                    return Some(State::Data);
                }
                _ => return Some(State::Data),
            }
        }
        let language = self.language(element);
        let name = element.name.as_str();
        if language == Language::Html {
            if name == "image" {
                "img".clone_into(&mut element.name);
                return Some(State::Data);
            }
            let is_misplaced = name != "table" && lists(TABLE_PARTS, name) && !self.is_in_table();
            if is_misplaced || lists(VOID, name) {
                return Some(State::Data);
            }
            self.end_implied(name);
        } else if is_self_closing {
            return Some(State::Data);
        }
        if self.open.len() == MAX_SYNTAX_DEPTH {
            return None;
        }
        let wanted = matches!(name, "script" | "style").then_some(index);
        let text = wanted.filter(|_| language != Language::Html).map(|_| Vec::new());
        let integration = integration(language, element);
        self.open.push(Open { name: name.to_owned(), language, integration, wanted, text });
        Some(match (language, name) {
            (Language::Html, "script") => State::ScriptData,
            (Language::Html, "title" | "textarea") => State::RcData,
            (Language::Html, "style" | "xmp" | "iframe" | "noembed" | "noframes") => State::RawText,
            (Language::Html, "plaintext") => State::PlainText,
            _ => State::Data,
        })
    }

    /// The language of a new element; a tag that ends a drawing ends it.
    fn language(&mut self, element: &Element) -> Language {
        let name = element.name.as_str();
        let Some(parent) = self.open.last().filter(|parent| !parent.is_html()) else { return outermost(name) };
        let is_foreign = match parent.integration {
            Integration::Nothing => !(name == "svg" && parent.name == "annotation-xml"),
            Integration::MathText => matches!(name, "mglyph" | "malignmark"),
            Integration::Html => false,
        };
        if !is_foreign {
            return outermost(name);
        }
        let is_font = name == "font" && ["color", "face", "size"].iter().any(|with| element.attribute(with).is_some());
        if lists(BREAKOUT, name) || is_font {
            self.leave_drawing();
            return outermost(name);
        }
        parent.language
    }

    /// Ends what an end tag of this name ends: nothing, where no such element is open or HTML does not let it be closed
    /// from here.
    pub fn end(&mut self, name: &str) {
        if self.open.last().is_some_and(|open| !open.is_html()) && matches!(name, "p" | "br") {
            self.leave_drawing();
        }
        if self.is_in_select() && !lists("option optgroup select template", name) && !lists(TABLE_PARTS, name) {
            return;
        }
        let mut is_html = false;
        for (index, open) in self.open.iter().enumerate().rev() {
            is_html |= open.is_html();
            if open.name == name && open.is_html() == is_html {
                self.close(index);
                return;
            }
            if is_html && open.integration != Integration::Nothing {
                return;
            }
        }
    }

    /// Whether the next tag stands in a `select`, where parse5 takes only few: the others open nothing, and what follows
    /// them is no raw text.
    fn is_in_select(&self) -> bool {
        let within = |open: &&Open| open.is_html() && matches!(open.name.as_str(), "option" | "optgroup" | "select");
        self.open.iter().rev().take_while(within).any(|open| open.name == "select")
    }

    fn is_in_table(&self) -> bool {
        self.open.iter().any(|open| open.is_html() && open.name == "table")
    }

    /// Ends everything, as the end of the page does.
    pub fn end_all(&mut self) {
        self.close(0);
    }

    fn end_implied(&mut self, name: &str) {
        let row = |name: &str| IMPLIED_ENDS.iter().find(|row| lists(row, name));
        let Some(own) = row(name) else { return };
        let between = |open: &&Open| open.is_html() && row(&open.name).is_some();
        let ended = self.open.iter().rev().take_while(between).position(|open| lists(own, &open.name));
        if let Some(back) = ended {
            self.close(self.open.len() - 1 - back);
        }
    }

    fn leave_drawing(&mut self) {
        let kept = self.open.iter().rposition(|open| !open.is_foreign()).map_or(0, |index| index + 1);
        self.close(kept);
    }

    fn close(&mut self, from: usize) {
        self.closed.extend(self.open.drain(from..).filter(|open| open.wanted.is_some()));
    }
}

/// Whether a list of names, parted by blanks, has this one.
fn lists(names: &str, name: &str) -> bool {
    names.split(' ').any(|each| each == name)
}

fn outermost(name: &str) -> Language {
    match name {
        "svg" => Language::Svg,
        "math" => Language::MathMl,
        _ => Language::Html,
    }
}

fn integration(language: Language, element: &Element) -> Integration {
    match (language, element.name.as_str()) {
        (Language::Svg, "foreignobject" | "desc" | "title") => Integration::Html,
        (Language::MathMl, "mi" | "mo" | "mn" | "ms" | "mtext") => Integration::MathText,
        (Language::MathMl, "annotation-xml") => {
            let holds =
                |with: &str| ["text/html", "application/xhtml+xml"].iter().any(|html| with.eq_ignore_ascii_case(html));
            if element.value("encoding").is_some_and(holds) { Integration::Html } else { Integration::Nothing }
        }
        _ => Integration::Nothing,
    }
}

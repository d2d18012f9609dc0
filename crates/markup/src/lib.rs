//! CSS and HTML, read for the addresses that stand in them (spec: vite-app.md §4, §6).
//!
//! Owns what a stylesheet names with `@import` and `url()`, and which elements with which attributes a page has. It
//! knows no policy: which address may stand where, and what it resolves to, is the kind's. Only this crate knows a CSS
//! or HTML tokenizer. Offsets are bytes of the text that was read. Invariants: total on every input, linear in its
//! length, and nothing recurses: what is open at once is a list of at most [`MAX_SYNTAX_DEPTH`].
//!
//! ```
//! use holdpoint_markup::{css, html};
//!
//! let text = "@import 'base.css'; a { background: url(a.png) }";
//! let found = css::read(text).unwrap();
//! assert_eq!(found.iter().map(|found| &text[found.span()]).collect::<Vec<_>>(), ["@import 'base.css';", "base.css", "a.png"]);
//!
//! let page = html::read(r#"<SCRIPT type=module src="/src/main.tsx"></SCRIPT>"#).unwrap();
//! assert_eq!((page[0].name.as_str(), page[0].value("src")), ("script", Some("/src/main.tsx")));
//! ```

pub mod css;
mod error;
pub mod html;
#[cfg(test)]
mod test;

pub use error::{SyntaxError, SyntaxErrorKind};

/// Brackets of CSS, or elements of HTML, that may be open at once (vite-app.md §1).
pub const MAX_SYNTAX_DEPTH: usize = 400;

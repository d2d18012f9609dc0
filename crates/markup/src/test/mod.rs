//! Tables of cases for both languages, and the laws that every text keeps.

mod css;
mod html;
mod laws;

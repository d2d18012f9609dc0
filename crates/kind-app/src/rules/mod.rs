//! What is looked at in each kind of file.

pub mod build;
pub mod code;
pub mod config;
pub mod css;
pub mod html;
pub mod json;
pub mod lock;
pub mod names;
pub mod package;
pub mod postcss;

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::Diagnostic;

use crate::resolve::Resolved;

/// What one file names: files of the project and packages.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "AppLinks"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AppLinks"))]
pub struct Links {
    pub local: BTreeSet<String>,
    pub packages: BTreeSet<String>,
}

/// What each file that was read names.
pub type Graph = BTreeMap<String, Links>;

impl Links {
    /// Notes what a specifier leads to; its fault, if it leads nowhere.
    pub fn note(&mut self, found: Resolved) -> Option<Diagnostic> {
        match found {
            Resolved::File(path) => {
                self.local.insert(path);
            }
            Resolved::Package(name) => {
                self.packages.insert(name);
            }
            Resolved::Unknown => {}
            Resolved::Fault(finding) => return Some(*finding),
        }
        None
    }
}

//! The text that an engine runs: the checked module with its metering (ifc-sdk.md §6.2 "Fuel").
//!
//! Owns what is put into a module, found in the syntax tree that the rules looked at, so that what runs is what was
//! checked: calls that charge for statements, accesses by value where engines keep caches by name, spellings that every
//! parser reads alike, and fields and loops in a form that engines get right. Invariants: the program means what it meant; lines stay where they were; no name in any
//! module can stand for a name of the metering.

mod arguments;
mod dates;
mod edits;
mod fields;
mod guards;
mod keys;
mod logical;
mod loops;
mod member_names;
mod names;
mod operands;
mod patterns;
mod places;
mod powers;
mod quotients;
mod returns;
mod static_blocks;
mod taken;
mod updates;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_ast::ast::Statement;

use crate::module::Module;
use crate::world::World;

pub use arguments::arguments_in_fields;
pub use member_names::unread_in_member_names;
pub use returns::{WaitsBeside, beside_returns};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metered {
    /// How every name of the metering begins. With `s` it is the function that charges for a block of so many
    /// statements, with `e` the same where a function is entered, with `d`, `g`, `i`, `k`, `o`, `c`, `t`, `h`, `p`,
    /// `q`, `x`, `y` and `z` what classes, loops, patterns, powers, quotients and dates ask the host, and with `_NAME`
    /// the export under which a host finds the top-level declaration of that name.
    pub prefix: String,
    pub texts: BTreeMap<String, String>,
    /// Path → where columns moved.
    pub moved: BTreeMap<String, Vec<Moved>>,
}

/// From this place on, until the next one, columns of a line are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moved {
    /// The line; the first is 1.
    pub line: u32,
    /// Column in the metered text, in code points from 1.
    pub column: u32,
    /// The column there in the module's own text.
    pub own: u32,
}

impl World<'_> {
    /// Puts the metering into every module that was read. `called` names, by module, the top-level declarations that a
    /// host calls, exported or not.
    pub fn metered(&self, called: &BTreeMap<String, BTreeSet<String>>) -> Metered {
        let prefix = unused(self);
        let mut metered = Metered { prefix, ..Metered::default() };
        for (path, module) in &self.modules {
            let mut edits = walk::edits(module, &metered.prefix);
            for name in called.get(*path).into_iter().flatten().filter(|name| binds(module, name)) {
                edits.append(&format!("\nexport {{ {name} as {}_{name} }};", metered.prefix));
            }
            let (text, moved) = edits.apply(module.source());
            metered.texts.insert((*path).to_owned(), text);
            metered.moved.insert((*path).to_owned(), moved);
        }
        metered
    }
}

/// Whether the module has a top-level declaration of that name.
fn binds(module: &Module<'_>, name: &str) -> bool {
    module.scoping().get_root_binding(oxc_str::Ident::from(name)).is_some()
}

/// A beginning that no name in any module has, however it is spelled.
fn unused(world: &World<'_>) -> String {
    let taken: BTreeSet<String> = world.modules.values().flat_map(names).collect();
    let free = |prefix: &String| {
        taken.range::<String, _>(prefix..).next().is_none_or(|name| !name.starts_with(prefix.as_str()))
    };
    let mut candidates = (0_u32..).map(|number| format!("${number}"));
    candidates.find(free).expect("a bundle has fewer names than there are numbers")
}

fn names(module: &Module<'_>) -> Vec<String> {
    let mut names: Vec<String> = module.nodes().iter().filter_map(|node| name(node.kind())).collect();
    for statement in &module.program.body {
        match statement {
            Statement::ExportNamedDeclaration(export) => {
                names.extend(export.specifiers.iter().map(|own| own.exported.name().to_string()));
            }
            Statement::ExportFromDeclaration(export) => {
                names.extend(export.specifiers.iter().map(|own| own.exported.name().to_string()));
            }
            Statement::ExportAllDeclaration(export) => {
                names.extend(export.exported.iter().map(|name| name.name().to_string()));
            }
            _ => {}
        }
    }
    names
}

fn name(kind: AstKind<'_>) -> Option<String> {
    let name = match kind {
        AstKind::IdentifierReference(name) => name.name.as_str(),
        AstKind::BindingIdentifier(name) => name.name.as_str(),
        AstKind::IdentifierName(name) => name.name.as_str(),
        AstKind::PrivateIdentifier(name) => name.name.as_str(),
        AstKind::LabelIdentifier(name) => name.name.as_str(),
        AstKind::StringLiteral(text) => text.value.as_str(),
        _ => return None,
    };
    name.starts_with('$').then(|| name.to_owned())
}

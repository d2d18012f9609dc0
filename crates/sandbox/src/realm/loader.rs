//! Resolves imports inside the bundle and nowhere else (spec: ifc-sdk.md §6.1).

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    rc::Rc,
};

use boa_engine::{
    Context, JsNativeError, JsResult, Module, Source,
    module::{ModuleLoader, ModuleRequest, Referrer},
};

use holdpoint_check::{Sentence, args};
use holdpoint_sdk::{codes::NO_MODULE, run::Program};

use crate::error::type_error;

/// The bundle's modules, parsed on first use and once.
#[derive(Debug)]
pub(crate) struct Loader {
    texts: BTreeMap<String, String>,
    parsed: RefCell<HashMap<String, Module>>,
}

impl Loader {
    pub(super) fn new(program: &Program) -> Self {
        Self { texts: program.modules.clone(), parsed: RefCell::default() }
    }

    /// Forgets every module, so that the realm which they hold is garbage after its call.
    pub(crate) fn forget(&self) {
        self.parsed.take();
    }

    /// A module of the bundle.
    pub(crate) fn module(&self, path: &str, context: &mut Context) -> JsResult<Module> {
        if let Some(module) = self.parsed.borrow().get(path) {
            return Ok(module.clone());
        }
        let Some(text) = self.texts.get(path) else {
            return Err(type_error(Sentence::of(&NO_MODULE, args! { path }), context));
        };
        let source = Source::from_bytes(text.as_bytes()).with_path(path.as_ref());
        let module = Module::parse(source, None, context)?;
        self.parsed.borrow_mut().insert(path.to_owned(), module.clone());
        Ok(module)
    }
}

impl ModuleLoader for Loader {
    async fn load_imported_module(
        self: Rc<Self>,
        referrer: Referrer,
        request: ModuleRequest,
        context: &RefCell<&mut Context>,
    ) -> JsResult<Module> {
        let specifier = request.specifier().to_std_string_escaped();
        let from = referrer.path().and_then(|path| path.to_str()).unwrap_or_default();
        let Some(path) = resolve(from, &specifier) else {
            let message = format!("`{specifier}` is no module of the bundle; import by a relative path with ending");
            return Err(JsNativeError::typ().with_message(message).into());
        };
        self.module(&path, &mut context.borrow_mut())
    }
}

/// The bundle path that a relative specifier means; `None` for every other specifier and outside the bundle.
fn resolve(from: &str, specifier: &str) -> Option<String> {
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return None;
    }
    let mut segments: Vec<&str> = from.split('/').collect();
    segments.pop();
    for segment in specifier.split('/') {
        match segment {
            "." | "" => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn resolves_inside_the_bundle_only() {
        let cases = [
            ("src/a.js", "./b.js", Some("src/b.js")),
            ("src/x/a.js", "../b.js", Some("src/b.js")),
            ("src/a.js", "../../b.js", None),
            ("src/a.js", "b.js", None),
            ("src/a.js", "/b.js", None),
            ("src/a.js", "https://example.org/b.js", None),
            ("src/a.js", "node:fs", None),
        ];
        for (from, specifier, want) in cases {
            assert_eq!(super::resolve(from, specifier).as_deref(), want, "{specifier}");
        }
    }
}

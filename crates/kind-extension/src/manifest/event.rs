//! Activation events (spec: ifc-extension.md §2.2).

use std::sync::LazyLock;

use serde_json::Value;

use crate::schemas;

/// An event as it is written in `activation`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActivationEvent<'t> {
    Startup,
    ModelLoad,
    SelectionChange,
    Command(&'t str),
    Lens(&'t str),
    Exporter(&'t str),
    IdsValidator(&'t str),
    Schema(&'t str),
    Slot(&'t str),
}

impl<'t> ActivationEvent<'t> {
    /// Reads an event; ids need not be declared.
    pub fn parse(text: &'t str) -> Option<Self> {
        let Some((name, suffix)) = text.split_once(':') else {
            return Some(match text {
                "onStartup" => Self::Startup,
                "onModelLoad" => Self::ModelLoad,
                "onSelectionChange" => Self::SelectionChange,
                _ => return None,
            });
        };
        Some(match name {
            _ if suffix.is_empty() => return None,
            "onCommand" => Self::Command(suffix),
            "onLens" => Self::Lens(suffix),
            "onExporter" => Self::Exporter(suffix),
            "onIdsValidator" => Self::IdsValidator(suffix),
            "onSchema" if SCHEMAS.iter().any(|schema| schema == suffix) => Self::Schema(suffix),
            "onSlot" if SLOTS.iter().any(|slot| slot == suffix) => Self::Slot(suffix),
            _ => return None,
        })
    }

    /// Whether it may be a key of `entry.triggers`: it carries no id.
    pub fn is_trigger(&self) -> bool {
        matches!(self, Self::Startup | Self::ModelLoad | Self::SelectionChange | Self::Schema(_))
    }
}

/// IFC schemas, as the manifest schema lists them.
pub static SCHEMAS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let manifest = schemas::manifest().source();
    texts(manifest.pointer("/$defs/fixture/else/properties/schema/enum"))
});

/// Slots of all kinds, as the manifest schema lists them.
pub static SLOTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let definitions = schemas::manifest().source().get("$defs").and_then(Value::as_object);
    definitions.into_iter().flatten().flat_map(|(_, item)| texts(item.pointer("/properties/slot/enum"))).collect()
});

fn texts(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events() {
        assert_eq!((SCHEMAS.len(), SLOTS.len()), (3, 11));
        assert_eq!(ActivationEvent::parse("onCommand:a.b"), Some(ActivationEvent::Command("a.b")));
        for text in ["onModelLoad", "onSchema:IFC4X3", "onSlot:statusBar.left", "onLens:x"] {
            assert!(ActivationEvent::parse(text).is_some(), "{text}");
        }
        for text in
            ["", "onHover", "onmodelload", "onCommand", "onCommand:", "onSchema:IFC5", "onSlot:x", "onStartup:x", "*"]
        {
            assert_eq!(ActivationEvent::parse(text), None, "{text}");
        }
        assert!(ActivationEvent::parse("onSchema:IFC4").unwrap().is_trigger());
        assert!(!ActivationEvent::parse("onLens:x").unwrap().is_trigger());
    }
}

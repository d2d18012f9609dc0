//! Which members of `sdk-v1.json` are built: the one list, so that the prompt can say it.
//!
//! Invariant: a member works exactly when it stands here; everything else throws `SDK_UNAVAILABLE` behind the gate.

use crate::{
    bim::{export, model, query, viewer},
    ctx::{commands, host, log, storage, ui},
    gate::{Answer, Call},
};

pub(crate) type Implementation = fn(&mut Call<'_>) -> Answer;

const BUILT: &[(&str, Implementation)] = &[
    ("ctx.can", host::can),
    ("ctx.notify", host::notify),
    ("ctx.t", host::translate),
    ("ctx.onDispose", host::on_dispose),
    ("ctx.log.debug", log::debug),
    ("ctx.log.info", log::info),
    ("ctx.log.warn", log::warn),
    ("ctx.log.error", log::error),
    ("ctx.storage.get", storage::get),
    ("ctx.storage.set", storage::set),
    ("ctx.storage.delete", storage::delete),
    ("ctx.storage.keys", storage::keys),
    ("ctx.commands.invoke", commands::invoke),
    ("ctx.ui.update", ui::update),
    ("ctx.ui.open", ui::open),
    ("ctx.ui.close", ui::close),
    ("bim.model.list", model::list),
    ("bim.model.active", model::active),
    ("bim.model.activeId", model::active_id),
    ("bim.query.all", query::all),
    ("bim.query.byType", query::by_type),
    ("bim.query.count", query::count),
    ("bim.query.entity", query::entity),
    ("bim.query.byGlobalId", query::by_global_id),
    ("bim.query.attributes", query::attributes),
    ("bim.query.properties", query::properties),
    ("bim.query.typeProperties", query::type_properties),
    ("bim.query.property", query::property),
    ("bim.query.quantities", query::quantities),
    ("bim.query.quantity", query::quantity),
    ("bim.query.classifications", query::classifications),
    ("bim.query.materials", query::materials),
    ("bim.query.documents", query::documents),
    ("bim.query.relationships", query::relationships),
    ("bim.query.related", query::related),
    ("bim.query.containedIn", query::contained_in),
    ("bim.query.contains", query::contains),
    ("bim.query.decomposedBy", query::decomposed_by),
    ("bim.query.decomposes", query::decomposes),
    ("bim.query.storey", query::storey),
    ("bim.query.path", query::path),
    ("bim.query.storeys", query::storeys),
    ("bim.query.selection", viewer::selection),
    ("bim.viewer.selection", viewer::selection),
    ("bim.viewer.select", viewer::select),
    ("bim.viewer.colorize", viewer::colorize),
    ("bim.viewer.colorizeAll", viewer::colorize_all),
    ("bim.viewer.resetColors", viewer::reset_colors),
    ("bim.export.csv", export::csv),
    ("bim.export.json", export::json),
    ("bim.export.download", export::download),
];

/// Members of `ctx` and `bim` that work, as dotted paths (`bim.query.byType`, `ctx.notify`), in the data's order.
pub fn members() -> impl Iterator<Item = &'static str> {
    BUILT.iter().map(|(path, _)| *path)
}

/// Whether a dotted path works.
pub fn is_built(path: &str) -> bool {
    implementation(path).is_some()
}

pub(crate) fn implementation(path: &str) -> Option<Implementation> {
    BUILT.iter().find(|(built, _)| *built == path).map(|(_, implementation)| *implementation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_sdk::members::{CtxKind, sdk};

    #[test]
    fn every_member_stands_in_the_data() {
        for path in members() {
            let known = match path.split('.').collect::<Vec<_>>()[..] {
                ["ctx", name] => sdk().ctx_member(name).is_some_and(|member| matches!(member.kind, CtxKind::Method(_))),
                ["ctx", group, name] => sdk().ctx_member(group).is_some_and(|member| member.method(name).is_some()),
                ["bim", namespace, name] => sdk().method(namespace, name).is_some(),
                _ => false,
            };
            assert!(known, "{path}");
        }
    }
}

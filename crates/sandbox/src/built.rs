//! What builds each member of `sdk-v1.json`.
//!
//! Invariant: every member of the data stands here, and nothing else.

use crate::{
    bim::{create, export, files, lens, model, mutate, query, schedule, store, viewer},
    ctx::{commands, fetch, host, log, storage, ui},
    gate::{Answer, Call},
};

pub(crate) type Implementation = fn(&mut Call<'_>) -> Answer;

const BUILT: &[(&str, Implementation)] = &[
    ("ctx.can", host::can),
    ("ctx.fetch", fetch::fetch),
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
    ("bim.model.loadIfc", model::load_ifc),
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
    ("bim.viewer.camera", viewer::camera),
    ("bim.viewer.select", viewer::select),
    ("bim.viewer.colorize", viewer::colorize),
    ("bim.viewer.colorizeAll", viewer::colorize_all),
    ("bim.viewer.resetColors", viewer::reset_colors),
    ("bim.viewer.hide", viewer::hide),
    ("bim.viewer.show", viewer::show),
    ("bim.viewer.isolate", viewer::isolate),
    ("bim.viewer.resetVisibility", viewer::reset_visibility),
    ("bim.viewer.flyTo", viewer::fly_to),
    ("bim.viewer.setCamera", viewer::set_camera),
    ("bim.viewer.section", viewer::section),
    ("bim.viewer.clearSection", viewer::clear_section),
    ("bim.mutate.setProperty", mutate::set_property),
    ("bim.mutate.deleteProperty", mutate::delete_property),
    ("bim.mutate.setAttribute", mutate::set_attribute),
    ("bim.mutate.undo", mutate::undo),
    ("bim.mutate.redo", mutate::redo),
    ("bim.store.addEntity", store::add_entity),
    ("bim.store.removeEntity", store::remove_entity),
    ("bim.store.setPositionalAttribute", store::set_positional_attribute),
    ("bim.store.addColumn", store::add_element),
    ("bim.store.addWall", store::add_element),
    ("bim.store.addSlab", store::add_element),
    ("bim.store.addRoof", store::add_element),
    ("bim.store.addPlate", store::add_element),
    ("bim.store.addBeam", store::add_element),
    ("bim.store.addMember", store::add_element),
    ("bim.store.addDoor", store::add_element),
    ("bim.store.addWindow", store::add_element),
    ("bim.store.addSpace", store::add_element),
    ("bim.create.project", create::project),
    ("bim.create.toIfc", create::to_ifc),
    ("bim.create.addIfcBuildingStorey", create::write),
    ("bim.create.createProfile", create::write),
    ("bim.create.getWorldPlacementId", create::write),
    ("bim.create.setColor", create::write),
    ("bim.create.addIfcWall", create::write),
    ("bim.create.addIfcSlab", create::write),
    ("bim.create.addIfcColumn", create::write),
    ("bim.create.addIfcBeam", create::write),
    ("bim.create.addIfcStair", create::write),
    ("bim.create.addIfcRamp", create::write),
    ("bim.create.addIfcRoof", create::write),
    ("bim.create.addIfcGableRoof", create::write),
    ("bim.create.addIfcMember", create::write),
    ("bim.create.addIfcPlate", create::write),
    ("bim.create.addIfcCurtainWall", create::write),
    ("bim.create.addIfcRailing", create::write),
    ("bim.create.addIfcDoor", create::write),
    ("bim.create.addIfcWindow", create::write),
    ("bim.create.addIfcFooting", create::write),
    ("bim.create.addIfcPile", create::write),
    ("bim.create.addIfcSpace", create::write),
    ("bim.create.addIfcFurnishingElement", create::write),
    ("bim.create.addIfcBuildingElementProxy", create::write),
    ("bim.create.addIfcCircularColumn", create::write),
    ("bim.create.addIfcHollowCircularColumn", create::write),
    ("bim.create.addIfcIShapeBeam", create::write),
    ("bim.create.addIfcRectangleHollowBeam", create::write),
    ("bim.create.addIfcLShapeMember", create::write),
    ("bim.create.addIfcTShapeMember", create::write),
    ("bim.create.addIfcUShapeMember", create::write),
    ("bim.create.addElement", create::write),
    ("bim.create.addAxisElement", create::write),
    ("bim.create.addIfcWallDoor", create::write),
    ("bim.create.addIfcWallWindow", create::write),
    ("bim.create.addIfcPropertySet", create::write),
    ("bim.create.addIfcElementQuantity", create::write),
    ("bim.create.addIfcMaterial", create::write),
    ("bim.create.addIfcTask", create::write),
    ("bim.create.addIfcWorkSchedule", create::write),
    ("bim.create.addIfcWorkPlan", create::write),
    ("bim.create.addIfcRelSequence", create::write),
    ("bim.create.addIfcRelAssignsToControl", create::write),
    ("bim.create.addIfcRelAssignsToProcess", create::write),
    ("bim.create.addIfcRelNests", create::write),
    ("bim.create.assignTasksToWorkSchedule", create::write),
    ("bim.create.assignSchedulesToWorkPlan", create::write),
    ("bim.create.assignProductsToTask", create::write),
    ("bim.create.nestTasks", create::write),
    ("bim.files.list", files::list),
    ("bim.files.text", files::text),
    ("bim.files.csv", files::csv),
    ("bim.files.csvColumns", files::csv_columns),
    ("bim.schedule.data", schedule::data),
    ("bim.schedule.tasks", schedule::tasks),
    ("bim.schedule.workSchedules", schedule::work_schedules),
    ("bim.schedule.sequences", schedule::sequences),
    ("bim.export.csv", export::csv),
    ("bim.export.json", export::json),
    ("bim.export.ifc", export::ifc),
    ("bim.export.download", export::download),
    ("bim.lens.presets", lens::presets),
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

    #[test]
    fn every_member_of_the_data_is_built() {
        let of_ctx = sdk().ctx.iter().map(|member| match &member.kind {
            CtxKind::Method(_) => 1,
            CtxKind::Group(methods) => methods.len(),
            CtxKind::Bim | CtxKind::Fields(_) => 0,
        });
        let of_bim = sdk().namespaces.iter().map(|namespace| namespace.methods.len());
        assert_eq!(members().count(), of_ctx.chain(of_bim).sum::<usize>());
    }
}

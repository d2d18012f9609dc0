//! The routes by which a package comes from a file (spec: crew-package.md §7 "Import"). They have no project yet, and no
//! alias.

use holdpoint_check::route::{Body, Errors, Home, Returns, Route, Shape, Table};
use holdpoint_check::routes;

use super::{READ, WRITE};
use crate::limits::MAX_ZIP_BYTES;
use crate::wire::projects::{ImportBody, Imported, NameChecked};

pub const TABLE: Table<Id> = Table::new("/packages/import", Errors::Envelope, ROUTES);

/// Bytes of a form: an archive, and what stands around it.
pub const MAX_FORM: u64 = MAX_ZIP_BYTES as u64 + (64 << 10);

routes! {
    Import => Route {
        path: "",
        home: Home::New,
        body: Body::Form(MAX_FORM),
        asks: Some(Shape::of::<ImportBody>()),
        does: "Makes a project of an archive: `multipart/form-data` with `file` and, if the project is to be called \
               otherwise, `custom_name`.",
        status: 201,
        answer: Returns::Json(Shape::of::<Imported>()),
        codes: &[
            "PKG_INVALID_FORMAT",
            "PKG_INVALID_ZIP",
            "PKG_TOO_LARGE",
            "PKG_VALIDATION_FAILED",
            "PKG_NAME_CONFLICT",
            "IDEMPOTENCY_CONFLICT",
        ],
        ..WRITE
    },
    CheckName => Route {
        path: "/check-name",
        home: Home::Account,
        does: "Says whether one has no project of that name.",
        query: &[("name", "1 to 200 characters.")],
        answer: Returns::Json(Shape::of::<NameChecked>()),
        ..READ
    },
}

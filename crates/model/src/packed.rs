//! IFCZIP: a ZIP archive that holds one IFC file (spec: ifc-sdk.md §7.1), for who has the whole file in memory. A page
//! unpacks piece by piece.

use std::io::{Cursor, Read as _};

use holdpoint_check::{Args, Code, Sentence, args};
use zip::ZipArchive;

use crate::InvalidModelError;
use crate::codes::{TOO_LONG, ZIP_BROKEN, ZIP_NONE, ZIP_SEVERAL};

/// Bytes of an unpacked file; [`crate::Model::open`] takes as many.
const MAX_BYTES: u64 = u32::MAX as u64;
/// How an archive begins, also one without files.
const BEGINNINGS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
const ENDING: &str = ".ifc";
/// What a Mac adds to an archive.
const OF_A_MAC: [&str; 2] = ["__MACOSX", "._"];

/// The one IFC file of an archive; anything else as it is. Errors: the archive is damaged or too large, or holds none or
/// several.
pub fn unpacked(bytes: Vec<u8>) -> Result<Vec<u8>, InvalidModelError> {
    if !BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning)) {
        return Ok(bytes);
    }
    let broken = |why: &dyn std::fmt::Display| invalid(&ZIP_BROKEN, args! { why: why.to_string() });
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|why| broken(&why))?;
    let is_model = |name: &&str| {
        let of_a_mac = name.split(['/', '\\']).any(|part| OF_A_MAC.iter().any(|begin| part.starts_with(begin)));
        name.to_ascii_lowercase().ends_with(ENDING) && !of_a_mac
    };
    let names: Vec<String> = archive.file_names().filter(is_model).map(str::to_owned).collect();
    let name = match names.as_slice() {
        [] => return Err(invalid(&ZIP_NONE, args! {})),
        [only] => only,
        several => return Err(invalid(&ZIP_SEVERAL, args! { names: several.join(", ") })),
    };
    let file = archive.by_name(name).map_err(|why| broken(&why))?;
    let mut model = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut model).map_err(|why| broken(&why))?;
    if model.len() as u64 > MAX_BYTES { Err(invalid(&TOO_LONG, args! {})) } else { Ok(model) }
}

fn invalid(code: &'static Code, args: Args<'_>) -> InvalidModelError {
    let Sentence { message, args, .. } = Sentence::of(code, args);
    InvalidModelError { line: 1, message, args }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn case(files: &[(&str, &str)]) -> String {
        unpacked(archive(files)).unwrap_err().args["case"].as_str().unwrap().to_owned()
    }

    #[test]
    fn the_one_model_of_an_archive_is_unpacked() {
        assert_eq!(unpacked(b"ISO".to_vec()).unwrap(), b"ISO", "no archive stays as it is");
        let one = [("__MACOSX/._tower.ifc", "x"), ("notes.txt", "y"), ("model/Tower.IFC", "ISO-10303-21;")];
        assert_eq!(unpacked(archive(&one)).unwrap(), b"ISO-10303-21;");
        assert_eq!(case(&[("notes.txt", "y")]), "ZIP_NONE");
        assert_eq!(case(&[("a.ifc", "x"), ("b.ifc", "y")]), "ZIP_SEVERAL");
        let mut cut = archive(&one);
        cut.truncate(cut.len() / 2);
        assert_eq!(unpacked(cut).unwrap_err().args["case"], "ZIP_BROKEN");
    }
}

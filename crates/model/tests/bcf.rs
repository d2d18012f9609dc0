//! BCF files: what is written comes back, and what others write is read.

use std::io::{Cursor, Write};

use holdpoint_model::bcf::{BcfVersion, TopicRequest, read, write};
use holdpoint_model::{Model, fixtures};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn model() -> Model {
    Model::open(fixtures::write("house-small").expect("a fixture"), "house-small.ifc").expect("a model")
}

fn topic(ids: Vec<u32>) -> TopicRequest {
    TopicRequest {
        guid: "8f1c0d53-5d6a-4b0e-9a53-0c7f6a4d2b11".to_owned(),
        viewpoint: "0b7e3f0a-2c55-4e3b-8b36-6f1a0e9c7d22".to_owned(),
        title: "Walls & \"doors\" <without> a name\u{1}".to_owned(),
        description: "Two of them".to_owned(),
        author: "ann@example.org".to_owned(),
        created: "2026-01-31T08:00:00Z".to_owned(),
        ids,
    }
}

#[test]
fn what_is_written_comes_back() {
    let model = model();
    let walls = model.by_type(&["IfcWall"]).expect("a class")[..2].to_vec();
    for version in [BcfVersion::V2_1, BcfVersion::V3_0] {
        let bytes = write(&model, &[topic(walls.clone()), topic(Vec::new())][..1], version).expect("an archive");
        let topics = read(&model, &bytes).expect("topics");
        assert_eq!(topics.len(), 1);
        assert_eq!(topics[0].title, "Walls & \"doors\" <without> a name");
        assert_eq!((&topics[0].ids, topics[0].global_ids.len()), (&walls, 2));
        assert_eq!(topics[0].author.as_deref(), Some("ann@example.org"));
        assert_eq!(topics[0].status.as_deref(), Some("Open"));
    }
}

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in files {
        archive.start_file(*path, SimpleFileOptions::default()).expect("a file");
        archive.write_all(text.as_bytes()).expect("its text");
    }
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn what_other_programs_write_is_read() {
    let model = model();
    let wall = model.by_type(&["IfcWall"]).expect("a class")[0];
    let id = model.entity(wall).and_then(|wall| wall.global_id).expect("a GlobalId");
    let markup = "\u{feff}<Markup><Topic Guid=\"a\" TopicStatus=\"Closed\"><Title> Crack </Title></Topic>\
        <Comment Guid=\"c\"><Date>2026-01-01T00:00:00Z</Date><Author>Bo</Author><Comment>Seen &amp; kept</Comment></Comment>\
        <Comment Guid=\"d\"><Date/><Author/><Comment/></Comment></Markup>";
    // 2.0 marks each component.
    let view = format!(
        "<VisualizationInfo><Components><Component IfcGuid=\"{id}\" Selected=\"true\"/><Component IfcGuid=\"other\" \
         Selected=\"false\"/></Components></VisualizationInfo>"
    );
    let bytes = archive(&[("a\\markup.bcf", markup), ("a/first.bcfv", &view), ("a/second.bcfv", &view)]);
    let topics = read(&model, &bytes).expect("topics");
    assert_eq!((topics[0].title.as_str(), &topics[0].ids), ("Crack", &vec![wall]));
    assert_eq!((topics[0].comments.len(), topics[0].comments[0].text.as_str()), (1, "Seen & kept"));
    assert_eq!(topics[0].description, None);
}

#[test]
fn what_is_no_bcf_says_why() {
    let model = model();
    let bomb = " ".repeat(65 << 20);
    let many: Vec<(String, &str)> = (0..20_001).map(|at| (format!("{at}/snapshot.png"), "")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    for (bytes, case) in [
        (b"no archive".to_vec(), "NO_ARCHIVE"),
        (archive(&[("bcf.version", "")]), "NO_TOPIC"),
        (archive(&[("a/markup.bcf", "<Markup")]), "NOT_XML"),
        (archive(&[("a/markup.bcf", "<!DOCTYPE a []><Markup/>")]), "NOT_XML"),
        (archive(&[("a/markup.bcf", &bomb)]), "TOO_LARGE"),
        (archive(&many), "TOO_MANY"),
    ] {
        let error = read(&model, &bytes).expect_err("no BCF");
        assert_eq!(error.args["case"], case, "BCF_INVALID {error}");
    }
}

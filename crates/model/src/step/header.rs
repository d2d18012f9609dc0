//! The head of a file: what it says of itself, apart from its schema.
//!
//! Invariant: what is written has the seven values that the standard wants, and says of the file nothing that nobody
//! said. A file that is made from another one keeps the date, the authors and the system of that one.

use super::Arg;

/// Says which program wrote the text.
const PREPROCESSOR: &str = "holdpoint-model";

/// Values of `FILE_DESCRIPTION` and `FILE_NAME`, as they were read; empty where a file has none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Header {
    pub(crate) description: Vec<Arg>,
    pub(crate) name: Vec<Arg>,
}

impl Header {
    /// Of a new file; `date` is ISO text.
    pub(crate) fn new(date: &str) -> Self {
        let by = || Arg::List(vec![Arg::text("Holdpoint")]);
        let description = Arg::List(vec![Arg::text("ViewDefinition [notYetAssigned]")]);
        let name = vec![Arg::Null, Arg::text(date), by(), by(), Arg::Null, Arg::text("Holdpoint")];
        Self { description: vec![description, Arg::text("2;1")], name }
    }

    /// `FILE_DESCRIPTION` and `FILE_NAME` of a file of this name.
    pub(crate) fn statements(&self, name: &str) -> String {
        let [level, date, system, authorization] =
            [(&self.description, 1, "2;1"), (&self.name, 1, ""), (&self.name, 5, ""), (&self.name, 6, "")].map(one);
        let [description, author, organization] =
            [(&self.description, 0), (&self.name, 2), (&self.name, 3)].map(|(values, at)| all(values.get(at)));
        let (name, program) = (Arg::text(name), Arg::text(PREPROCESSOR));
        format!(
            "FILE_DESCRIPTION({description},{level});\n\
             FILE_NAME({name},{date},{author},{organization},{program},{system},{authorization});\n"
        )
    }
}

/// A text at a place, or what stands for none.
fn one((values, at, otherwise): (&Vec<Arg>, usize, &str)) -> Arg {
    Arg::text(values.get(at).and_then(Arg::as_text).unwrap_or(otherwise))
}

/// Texts of a list; one empty text where there are none, because the standard wants one.
fn all(list: Option<&Arg>) -> Arg {
    let items = if let Some(Arg::List(items)) = list { items.as_slice() } else { &[] };
    let mut texts: Vec<Arg> = items.iter().filter_map(Arg::as_text).map(Arg::text).collect();
    if texts.is_empty() {
        texts.push(Arg::text(""));
    }
    Arg::List(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_of_itself_is_kept_and_nothing_is_added() {
        let name = vec![
            Arg::text("old.ifc"),
            Arg::text("2011-09-07T12:28:29"),
            Arg::List(vec![Arg::text("Åsa"), Arg::text("Bo")]),
            Arg::Null,
            Arg::text("The EXPRESS Data Manager"),
            Arg::text("Autodesk Revit"),
        ];
        let kept = Header { description: Vec::new(), name };
        assert_eq!(
            kept.statements("part.ifc"),
            "FILE_DESCRIPTION((''),'2;1');\nFILE_NAME('part.ifc','2011-09-07T12:28:29',('\\X2\\00C5\\X0\\sa','Bo'),\
             (''),'holdpoint-model','Autodesk Revit','');\n"
        );
        assert_eq!(
            Header::default().statements("none.ifc"),
            "FILE_DESCRIPTION((''),'2;1');\nFILE_NAME('none.ifc','',(''),(''),'holdpoint-model','','');\n"
        );
    }
}

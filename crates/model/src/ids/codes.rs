//! What reading an IDS file finds, and why an element does not do what one asks for.

use holdpoint_check::codes;

codes! {
    /// a file that is no IDS 1.0, or something in it that cannot be checked
    IDS_INVALID / TOO_LARGE: Error, "the file is longer than {limit} MiB: split it into several" [limit];
    IDS_INVALID / NOT_TEXT: Error, "the file is no text in UTF-8: save it as UTF-8";
    IDS_INVALID / DTD: Error, "the file has a document type, which is not read: take out `<!DOCTYPE …>`";
    IDS_INVALID / NOT_XML: Error, "this is no XML: {why}" [why];
    IDS_INVALID / OTHER_ROOT: Error,
        "this is no IDS 1.0: it does not begin with `ids` of `http://standards.buildingsmart.org/IDS`";
    IDS_INVALID / MISSING: Error, "`{parent}` has no `{name}`: add it" [parent, name];
    IDS_INVALID / UNKNOWN: Error, "`{parent}` cannot hold `{name}`: IDS 1.0 does not know it there" [parent, name];
    IDS_INVALID / WORD: Error, "`{name}` is `{found}`: it has to be one of {allowed}" [name, found, allowed];
    IDS_INVALID / COUNT: Error, "`{name}` is `{found}`: it has to be a whole number" [name, found];
    IDS_INVALID / BOUND: Error, "`{name}` is `{found}`: it has to be a number or a date" [name, found];
    IDS_INVALID / PATTERN: Error, "the pattern `{pattern}` cannot be read: {why}" [pattern, why];
    IDS_INVALID / NO_RESTRICTION: Error, "this restriction restricts nothing: add what is allowed";
    /// an element that does not do what a specification asks for
    IDS_FAILED / OTHER_CLASS: Error, "is {found}, not {allowed}" [found, allowed];
    IDS_FAILED / NO_PREDEFINED: Error, "has no predefined type, and {allowed} is asked for" [allowed];
    IDS_FAILED / OTHER_PREDEFINED: Error, "its predefined type is {found}, not {allowed}" [found, allowed];
    IDS_FAILED / NO_ATTRIBUTE: Error, "has no attribute {name}" [name];
    IDS_FAILED / EMPTY_ATTRIBUTE: Error, "{name} is empty" [name];
    IDS_FAILED / OTHER_ATTRIBUTE: Error, "{name} is {found}, not {allowed}" [name, found, allowed];
    IDS_FAILED / NO_SET: Error, "has no set {set}" [set];
    IDS_FAILED / NO_MEMBER: Error, "{set} has no {name}" [set, name];
    IDS_FAILED / EMPTY_MEMBER: Error, "{set} › {name} is empty" [set, name];
    IDS_FAILED / OTHER_TYPE: Error, "{set} › {name} is of type {found}, not {allowed}" [set, name, found, allowed];
    IDS_FAILED / OTHER_VALUE: Error, "{set} › {name} is {found}, not {allowed}" [set, name, found, allowed];
    IDS_FAILED / NOT_COMPARED: Error, "{set} › {name} is a {found}, which holds no value to compare" [set, name, found];
    IDS_FAILED / NO_CLASSIFICATION: Error, "has no class of {system}" [system];
    IDS_FAILED / OTHER_CLASSIFICATION: Error, "its class in {system} is {found}, not {allowed}" [system, found, allowed];
    IDS_FAILED / NO_MATERIAL: Error, "has no material";
    IDS_FAILED / OTHER_MATERIAL: Error, "its material is {found}, not {allowed}" [found, allowed];
    IDS_FAILED / NO_WHOLE: Error, "is part of nothing, and {allowed} is asked for" [allowed];
    IDS_FAILED / OTHER_WHOLE: Error, "is part of {found}, not of {allowed}" [found, allowed];
    IDS_FAILED / PROHIBITED: Error, "has what must not be there";
    IDS_FAILED / MUST_NOT_BE: Error, "must not be in the model";
    IDS_FAILED / NONE_FOUND: Error, "the model has nothing that it asks for";
    IDS_FAILED / OTHER_SCHEMA: Error, "it was written for {allowed}, and the model is {found}" [allowed, found];
}

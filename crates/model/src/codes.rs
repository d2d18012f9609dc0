//! What opening a file finds (spec: ifc-sdk.md §7.1): one code, a sentence for each thing that can be wrong.

use holdpoint_check::{Code, codes};

/// All codes of models, and of what is asked of them.
pub const ALL: &[&[&Code]] = &[CODES, crate::ids::codes::CODES, crate::bcf::codes::CODES];

codes! {
    /// a file that is no IFC model, or something in it that cannot be read
    MODEL_INVALID / TOO_LONG: Error, "the file is longer than 4 GiB: split the model";
    MODEL_INVALID / PACKED: Error, "this is a packed file: unpack it and open the .ifc file inside";
    MODEL_INVALID / ZIP_BROKEN: Error, "the packed file is damaged: {why}" [why];
    MODEL_INVALID / ZIP_NONE: Error, "there is no .ifc file in the packed file";
    MODEL_INVALID / ZIP_SEVERAL: Error, "there are several .ifc files in the packed file: unpack the one you mean ({names})" [names];
    MODEL_INVALID / XML: Error, "this is XML: export the model as IFC in the STEP format (.ifc)";
    MODEL_INVALID / NO_IFC: Error, "this is no IFC file: it does not begin with `ISO-10303-21;`";
    MODEL_INVALID / NO_INSTANCE: Error, "the file holds no complete instance: export the model again";
    MODEL_INVALID / NO_SCHEMA: Error,
        "the header names no FILE_SCHEMA: export the model as IFC2X3, IFC4 or IFC4X3";
    MODEL_INVALID / OTHER_SCHEMA: Error,
        "FILE_SCHEMA `{found}` is not supported: export the model as IFC2X3, IFC4 or IFC4X3" [found];
    MODEL_INVALID / HEADER_UNREAD: Warning, "{word} of the header cannot be read: {why}" [word, why];
    MODEL_INVALID / OUTSIDE_DATA: Warning,
        "an instance stands outside the DATA section; it is read all the same";
    MODEL_INVALID / CUT_OFF: Warning,
        "the file is cut off: `END-ISO-10303-21;` is missing at its end; what follows is lost";
    MODEL_INVALID / CUT_INSTANCE: Warning, "this instance is not complete: the file is cut off here";
    MODEL_INVALID / UNREAD: Warning, "this instance cannot be read and is left out: {why}" [why];
    MODEL_INVALID / NO_ENDSEC: Warning, "`ENDSEC;` is missing before the end of the file";
    MODEL_INVALID / STRANGE: Warning,
        "this is no instance and is left out: `#number=CLASS(…);` was expected";
    MODEL_INVALID / UNKNOWN_CLASS: Warning,
        "{name} is no class of {schema}: its instances have no attributes" [name, schema];
    MODEL_INVALID / TWICE: Warning, "#{id} is used twice: this instance is left out" [id];
    MODEL_INVALID / DANGLING: Warning, "#{id} refers to #{target}, which is not in the file" [id, target];
    MODEL_INVALID / FAR: Warning,
        "#{id} refers to #{target}, and instance numbers go from 1 to 4294967295: this reference is left out" [id, target];
    MODEL_INVALID / MORE: Warning, "… and {count} more places like these" [count];
    // Why an instance or a line of the header cannot be read.
    MODEL_INVALID / NO_END: Warning, "it has no end";
    MODEL_INVALID / NO_SEMICOLON: Warning, "`;` is missing after the instance";
    MODEL_INVALID / NO_EQUALS: Warning, "`=` is missing after the instance number";
    MODEL_INVALID / NO_BRACKET: Warning, "`(` is missing";
    MODEL_INVALID / NO_COMMA: Warning, "`,` or `)` is missing between values";
    MODEL_INVALID / TOO_DEEP: Warning, "values are nested too deep";
    MODEL_INVALID / NO_KEYWORD: Warning, "a keyword is missing";
    MODEL_INVALID / NO_NUMBER: Warning, "an instance number is missing";
    MODEL_INVALID / NUMBER_RANGE: Warning, "the instance number is not a whole number from 1 to 4294967295";
    MODEL_INVALID / NO_VALUE: Warning, "a value is missing";
    MODEL_INVALID / OPEN_TEXT: Warning, "a text has no closing quote";
    MODEL_INVALID / NOT_HEXADECIMAL: Warning, "a binary value holds something else than hexadecimal digits";
    MODEL_INVALID / OPEN_ITEM: Warning, "an enumeration item has no closing dot";
    MODEL_INVALID / NO_DIGITS: Warning, "a number has no digits";
    MODEL_INVALID / NO_EXPONENT: Warning, "a number has an exponent without digits";
    // What the page's reader says by itself.
    MODEL_INVALID / NOT_READ: Error,
        "The file could not be read to its end: it may be too large for this device.";
    MODEL_INVALID / NOT_OPEN: Error, "No model is open.";
    // What a parameter of `bim.create` must be; the sandbox says the sentence around it.
    SDK_ARGUMENT / MEMBERS: Error, "an object with {members}" [members];
    SDK_ARGUMENT / LENGTH: Error, "a finite number";
    SDK_ARGUMENT / SIZE: Error, "a number above 0";
    SDK_ARGUMENT / WHOLE: Error, "a whole number above 0";
    SDK_ARGUMENT / POSITION: Error, "a position `[x, y, z]` in metres";
    SDK_ARGUMENT / PAIR: Error, "a list of at least three points `[x, y]` in metres";
    SDK_ARGUMENT / STRING: Error, "a text";
    SDK_ARGUMENT / ITEM: Error, "an enumeration item such as `NOTDEFINED`";
    SDK_ARGUMENT / WAY: Error, "another point than the start";
    SDK_ARGUMENT / SLOPE: Error, "an angle in radians, less than upright";
    SDK_ARGUMENT / PLACEMENT: Error, "a position, or an object with a position and two directions";
    SDK_ARGUMENT / PROFILE: Error, "the number of a profile, or an object with its dimensions or its outline";
    SDK_ARGUMENT / CLASS: Error, "a class of elements in the file's schema";
    SDK_ARGUMENT / SCHEMA: Error, "`IFC2X3`, `IFC4` or `IFC4X3`";
    SDK_ARGUMENT / UNIT: Error, "`METRE`, `CENTIMETRE` or `MILLIMETRE`";
    SDK_ARGUMENT / CHANNELS: Error, "three numbers from 0 to 1";
    SDK_ARGUMENT / NAMED_VALUES: Error, "names with values: texts, numbers or booleans";
    SDK_ARGUMENT / NAMED_NUMBERS: Error, "names with numbers";
    SDK_ARGUMENT / TIME: Error, "a time as ISO text, such as `2026-01-31T08:00:00`";
    SDK_ARGUMENT / NO_TIMES: Error, "left out: IFC2X3 keeps the times of schedules, not of tasks";
    SDK_ARGUMENT / NUMBERS: Error, "a list of numbers of objects in this file";
    // What an argument of `bim.mutate` or `bim.store` must be.
    SDK_ARGUMENT / ATTRIBUTE: Error, "an attribute that the entity has: Name, Description, ObjectType, Tag or LongName";
    SDK_ARGUMENT / OBJECT: Error, "an object, such as an element, a space or a type";
    SDK_ARGUMENT / INSTANCE_CLASS: Error, "a class of the model's schema that has instances";
    SDK_ARGUMENT / ATTRIBUTES: Error, "an object with attributes of the class and values that fit them";
    SDK_ARGUMENT / INDEX: Error, "the position of an attribute, from 0";
    SDK_ARGUMENT / ATTRIBUTE_VALUE: Error, "a value that fits the attribute";
}

//! What can be wrong with a JSON file.

use crate::codes;

codes! {
    /// the text is no strict JSON
    INVALID_JSON / REST: Error, "Write strict JSON. Remove what stands behind the value.";
    INVALID_JSON / COMMENT: Error, "Write strict JSON. Remove the comment.";
    INVALID_JSON / NO_VALUE: Error, "Write strict JSON. A value is missing here.";
    INVALID_JSON / ENDS: Error, "Write strict JSON. The text ends too early.";
    INVALID_JSON / DEEP: Error, "Write strict JSON. Nest less deeply.";
    INVALID_JSON / WORD: Error, "Write strict JSON. Only true, false and null stand without quotes.";
    INVALID_JSON / KEY: Error, "Write strict JSON. A key in double quotes is missing here.";
    INVALID_JSON / COLON: Error, "Write strict JSON. A colon is missing here.";
    INVALID_JSON / BRACE: Error, "Write strict JSON. A comma or a closing brace is missing here.";
    INVALID_JSON / BRACKET: Error, "Write strict JSON. A comma or a closing bracket is missing here.";
    INVALID_JSON / ZEROS: Error, "Write strict JSON. A number has no leading zeros.";
    INVALID_JSON / LARGE: Error, "Write strict JSON. The number is too large.";
    INVALID_JSON / DIGIT: Error, "Write strict JSON. A digit is missing here.";
    INVALID_JSON / CONTROL: Error, "Write strict JSON. Escape control characters, such as a line break as \\n.";
    INVALID_JSON / QUOTES: Error, "Write strict JSON. The text ends inside quotes.";
    INVALID_JSON / ESCAPE: Error, "Write strict JSON. There is no such escape.";
    INVALID_JSON / NO_CHARACTER: Error, "Write strict JSON. This escape is no character.";
    /// a key that stands twice in an object
    DUPLICATE_KEY / TWICE: Error, "Keep this key once: two readers could read different values.";
}

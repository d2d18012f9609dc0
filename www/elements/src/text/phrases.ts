/**
 * The words that CodeMirror says by itself, in the language of the moment: for `EditorState.phrases`.
 *
 * A getter each, so that an editor that is open follows a change of language.
 */
import { type TextKey, t } from "./index.js";

const keys: Record<string, TextKey> = {
  "Fold line": "code.fold",
  "Unfold line": "code.unfold",
  "Folded lines": "code.folded",
  "Unfolded lines": "code.unfolded",
  to: "code.to",
  "folded code": "code.hidden",
  unfold: "code.unfold",
  Diagnostics: "code.findings",
  "No diagnostics": "code.clean",
  close: "app.close",
  "Selection deleted": "code.deleted",
  "Control character": "code.control",
};

export const phrases: Record<string, string> = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.entries(keys).map(([phrase, key]) => [phrase, { get: () => t(key), enumerable: true }]),
  ),
);

/** What of an open script follows from what stands in it: the panel in front, the words beside the composer. Pure. */
import type { FileId, VirtualFiles } from "@holdpoint/core/editor";
import { english, t } from "@holdpoint/elements";
import { examples, type ScriptView } from "@holdpoint/elements/script/view";
import type { Example } from "@holdpoint/elements/talk/view";

/** One panel at a time: two versions come before a comparison, that before a proposal. */
export function panelOf({
  two,
  compare,
  proposal,
  failed,
}: Pick<ScriptView, "two" | "compare" | "proposal" | "failed">): ScriptView["panel"] {
  if (two) return "versions";
  if (compare) return "compare";
  if (proposal) return "proposal";
  return failed ? "error" : null;
}

/** The selection that goes along with a question, in words. */
export function placeOf(lines: { from: number; to: number } | null, path: FileId): string {
  if (!lines) return "";
  const [from, to] = [String(lines.from), String(lines.to)];
  return from === to
    ? t("script.along.line", { from, path })
    : t("script.along.place", { from, to, path });
}

export function examplesOf(texts: VirtualFiles, empty: boolean): readonly Example[] {
  if (empty) return examples.empty;
  return texts["tool.py"].includes("Door report") ? examples.doors : examples.any;
}

/** An example is asked in English whatever the page speaks: so the scripted model knows it. */
export function known(text: string): string {
  const example = Object.values(examples)
    .flat()
    .find(({ key }) => t(key) === text);
  return example ? english(example.key) : text;
}

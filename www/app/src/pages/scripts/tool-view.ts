/** An open script as the page draws it: what its parts show, the panel in front, the words beside the composer. */
import { FILES, type FileId, type VirtualFiles } from "@holdpoint/core/editor";
import { english, t } from "@holdpoint/elements";
import { examples, type ScriptView } from "@holdpoint/elements/script/view";
import type { Example } from "@holdpoint/elements/talk/view";
import type { Around } from "./around.js";
import type { ScriptTool } from "./tool.js";

/** What no part of the script keeps: findings of the texts as they stand, the text in front, the look of diffs. */
interface Front {
  check: ScriptView["check"];
  last: FileId;
  layout: "split" | "uni";
}

export function viewOf(tool: ScriptTool, around: Around, front: Front): ScriptView {
  const { editors, proposing, running, saving, steps, talking, versions, drawer } = tool;
  const { check, last, layout } = front;
  const texts = editors.texts();
  const empty = FILES.every((path) => texts[path].trim() === "");
  const proposed = proposing.view(layout);
  const proposal = proposed && {
    ...proposed,
    examples: running.examples.verdict(proposed.print),
  };
  const failed = proposing.failed();
  const compare = versions.compare(layout);
  const two = saving.view(layout);
  const panel = panelOf({ two, compare, proposal, failed });
  const offline = !around.online();
  const late = saving.two ? t("script.off.ask.versions") : "";
  return {
    tool_id: saving.head.tool_id,
    title: saving.head.title,
    state: "ready",
    problem: null,
    saved: saving.saved(),
    front: tool.front === "panel" && !panel ? last : tool.front,
    ...{ panel, proposal, failed, compare, two, check, empty, drawer },
    applied: steps.applied,
    edited: saving.dirty(),
    python: around.facts !== null,
    undo: steps.view("undo"),
    redo: steps.view("redo"),
    chat: talking.view({
      ...{ offline, texts, empty },
      // Why nothing can be asked; empty while it can.
      off: offline ? t("composer.off.offline") : late,
      place: placeOf(editors.selected(last), last),
      beside: tool.front === "panel" && (panel === "proposal" || panel === "error"),
      examples: examplesOf(texts, empty, around.scripted()),
    }),
    run: tool.front === "run" ? running.view() : null,
    versions: drawer === "history" ? versions.view() : null,
  };
}

/** One panel at a time: two versions come before a comparison, that before a proposal. */
function panelOf({
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
function placeOf(lines: { from: number; to: number } | null, path: FileId): string {
  if (!lines) return "";
  const [from, to] = [String(lines.from), String(lines.to)];
  return from === to
    ? t("script.along.line", { from, path })
    : t("script.along.place", { from, to, path });
}

/** Of a script of one's own the scripted model knows nothing. */
function examplesOf(
  texts: VirtualFiles,
  empty: boolean,
  scripted: boolean | null,
): readonly Example[] {
  if (texts["tool.py"].includes("Door report")) return examples.doors;
  if (scripted !== false) return [];
  return empty ? examples.empty : examples.any;
}

/** An example is asked in English whatever the page speaks: so the scripted model knows it. */
export function known(text: string): string {
  const example = Object.values(examples)
    .flat()
    .find(({ key }) => t(key) === text);
  return example ? english(example.key) : text;
}

/** From the elements' events to the controller: one table, in the order of the page. */

import type { FileId } from "@holdpoint/core/editor";
import type { Range } from "@holdpoint/core/types";
import type { Front, Sample } from "@holdpoint/elements/script/view";
import { hearing, listenShell } from "../../shell-events.js";
import type { ScriptsApp } from "./app.js";
import type { ScriptsPage } from "./page.js";
import type { ScriptPane } from "./page-view.js";

interface Details {
  "hp-resize": { width: number };
  "hp-pane": { pane: ScriptPane };
  "hp-tools-again": undefined;
  "hp-open-tool": { tool_id: string };
  "hp-open-list": undefined;
  "hp-tool-menu": { tool_id: string; title: string; anchor: HTMLElement };
  "hp-create": { title: string; sample: Sample };
  "hp-file": { front: Front };
  "hp-drawer": { drawer: "chat" | "history" | null };
  "hp-step": { step: "undo" | "redo" };
  "hp-save": undefined;
  "hp-sample": undefined;
  "hp-open-source": { path: FileId; range?: Range };
  "hp-draft": { text: string };
  "hp-mode": { mode: "chat" | "edit" };
  "hp-ask": { text: string; mode: "chat" | "edit" };
  "hp-stop": undefined;
  "hp-clear": undefined;
  "hp-way": { way: string };
  "hp-hunk": { path: string; id: string; take: boolean };
  "hp-layout": { layout: "split" | "uni" };
  "hp-confirmed": { confirmed: boolean };
  "hp-show-place": { path: string; hunk: string | null };
  "hp-apply": undefined;
  "hp-discard": undefined;
  "hp-regenerate": undefined;
  "hp-preview-again": undefined;
  "hp-close-panel": undefined;
  "hp-show-change": undefined;
  "hp-applied-close": undefined;
  "hp-open-entry": { id: string };
  "hp-chosen": { ids: string[] };
  "hp-compare": { ids: string[] };
  "hp-more-entries": undefined;
  "hp-history-again": undefined;
  "hp-conversation-again": undefined;
  "hp-keep": { title: string };
  "hp-compare-with": { with: "now" | "before" };
  "hp-restore": undefined;
  "hp-two": { way: "save" | "copy" | "take" };
  "hp-foot-menu": { actions: { id: string; label: string }[]; anchor: HTMLElement };
}

export function listen(page: ScriptsPage, app: ScriptsApp): void {
  listenShell(page, app);
  const on = hearing<Details>(page);
  on("hp-resize", ({ width }) => app.settings({ chatWidth: width }));
  on("hp-pane", ({ pane }) => app.pane(pane));
  on("hp-tools-again", () => app.list.load());
  on("hp-open-tool", ({ tool_id }) => app.go(tool_id));
  on("hp-open-list", () => app.go(null));
  on("hp-tool-menu", ({ tool_id, title, anchor }) => app.toolMenu(tool_id, title, anchor));
  on("hp-create", ({ title, sample }) => app.create(title, sample));
  on("hp-file", ({ front }) => app.look(front));
  on("hp-drawer", ({ drawer }) => app.drawer(drawer));
  on("hp-step", ({ step }) => app.tool?.steps.take(step));
  on("hp-save", () => app.tool?.save());
  on("hp-sample", () => app.tool?.sample());
  on("hp-open-source", ({ path, range }) => app.place(path, range ?? null));
  on("hp-draft", ({ text }) => app.tool?.draft(text));
  on("hp-mode", ({ mode }) => app.tool?.mode(mode));
  on("hp-ask", ({ text, mode }) => app.tool?.talking.ask(text, mode));
  on("hp-stop", () => app.tool?.talking.session.stop());
  on("hp-clear", () => app.tool?.talking.clear());
  on("hp-way", ({ way }) => app.tool?.talking.way(way));
  on("hp-hunk", ({ path, id, take }) => app.tool?.take(path, id, take));
  on("hp-layout", ({ layout }) => app.tool?.layout(layout));
  on("hp-confirmed", ({ confirmed }) => {
    if (app.tool) app.tool.proposing.confirmed = confirmed;
    app.draw();
  });
  on("hp-show-place", ({ path, hunk }) => page.show(path, hunk));
  on("hp-apply", () => app.tool?.apply());
  on("hp-discard", () => app.tool?.discard());
  on("hp-regenerate", () => app.tool?.regenerate());
  on("hp-preview-again", () => app.tool?.proposing.again());
  on("hp-close-panel", () => app.tool?.closePanel());
  on("hp-show-change", () => app.showChange());
  on("hp-applied-close", () => {
    if (app.tool) app.tool.steps.applied = null;
    app.draw();
  });
  on("hp-open-entry", ({ id }) => app.version(id));
  on("hp-chosen", ({ ids }) => app.tool?.versions.tick(ids));
  on("hp-compare", ({ ids }) => app.compare(ids));
  on("hp-more-entries", () => app.tool?.versions.load(true));
  on("hp-history-again", () => app.tool?.versions.load());
  on("hp-conversation-again", () => app.tool?.talking.session.resume());
  on("hp-keep", ({ title }) => app.tool?.versions.keep(title));
  on("hp-compare-with", (detail) => app.tool?.versions.compareWith(detail.with));
  on("hp-restore", () => app.tool?.restore());
  on("hp-two", ({ way }) => app.tool?.settle(way));
  on("hp-foot-menu", ({ actions, anchor }) => app.twoMenu(actions, anchor));
}

/** From the elements' events to the controller: one table, in the order of the page. */
import type { BenchPane } from "@holdpoint/elements/crew/workbench/view";
import { hearing, listenShell } from "../../../shell-events.js";
import type { WorkbenchApp } from "./app.js";
import type { WorkbenchPage } from "./page.js";

interface Details {
  "hp-pane": { pane: BenchPane };
  "hp-open-again": undefined;
  "hp-show-file": { path: string };
  "hp-layout": { layout: "split" | "uni" };
  "hp-draft": { text: string };
  "hp-ask": { text: string };
  "hp-stop": undefined;
  "hp-retry": undefined;
  "hp-conversation-again": undefined;
  "hp-exclude": { object: string; out: boolean };
  "hp-context-again": undefined;
  "hp-act": { id: string };
  "hp-confirmed": { confirmed: boolean };
  "hp-conversations": { anchor: HTMLElement };
  "hp-foot-menu": { actions: { id: string; label: string }[]; anchor: HTMLElement };
}

export function listen(page: WorkbenchPage, app: WorkbenchApp): void {
  listenShell(page, app);
  const on = hearing<Details>(page);
  on("hp-pane", ({ pane }) => app.pane(pane));
  on("hp-open-again", () => app.bench?.open());
  on("hp-show-file", ({ path }) => app.show(path));
  on("hp-layout", ({ layout }) => app.layout(layout));
  on("hp-draft", ({ text }) => app.bench?.asking?.write(text));
  on("hp-ask", ({ text }) => app.bench?.asking?.ask(text));
  on("hp-stop", () => app.bench?.asking?.stop());
  on("hp-retry", () => app.bench?.asking?.again());
  on("hp-conversation-again", () => app.bench?.asking?.session.resume());
  on("hp-exclude", ({ object, out }) => app.bench?.exclude(object, out));
  on("hp-context-again", () => app.bench?.readContext());
  on("hp-act", ({ id }) => app.act(id));
  on("hp-confirmed", ({ confirmed }) => app.bench?.applying.tick(confirmed));
  on("hp-conversations", ({ anchor }) => app.conversations(anchor));
  on("hp-foot-menu", ({ actions, anchor }) => app.footMenu(actions, anchor));
}

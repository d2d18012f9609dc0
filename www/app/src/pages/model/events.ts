/** From the elements' events to the controller: one table, in the order of the page. */
import type { ColumnKey, Files, Json, ModelQuery, Plan, Range } from "@holdpoint/core/types";
import type {
  ChecksAsk,
  ContextSlot,
  DriftAsk,
  ExportAsk,
  FootAction,
  ModelsAsk,
  OfferKind,
  SavedAsk,
  View3dAct,
  Wanted,
  WrongField,
} from "@holdpoint/elements";
import type { Picked } from "@holdpoint/elements/dock/pick";
import type { PreviewAsk } from "@holdpoint/elements/dock/preview";
import { hearing } from "../../shell-events.js";
import { act } from "./acts.js";
import type { App } from "./app.js";
import { storeyClicked } from "./commands.js";
import { driftAct } from "./drift-acts.js";
import { pickedModels } from "./file-handles.js";
import { ENDING } from "./handing.js";
import { CHECKED } from "./ids.js";
import { modelsAct } from "./models-acts.js";
import type { Page } from "./page.js";
import type { Pane, Widths } from "./page-view.js";
import type { Layout } from "./view3d.js";

interface Details {
  "hp-token": { token: string };
  "hp-answer": { id: string };
  "hp-review-waiting": { id: string };
  "hp-ask": { text: string; mode: string };
  "hp-draft": { text: string };
  "hp-wanted": Wanted;
  "hp-tool": { name: "name" | "icon" | "category" | "key"; value: string };
  "hp-act": { id: string };
  "hp-plan-edit": { plan: Plan };
  "hp-plan-undo": undefined;
  "hp-plan-without": { text: string };
  "hp-grants": { granted: string[] };
  "hp-typed": { id: string };
  "hp-accept-weak": { name: string };
  "hp-open-source": { path: string; range?: Range };
  "hp-hand-edit": { files: Files };
  "hp-chosen": { ids: string[] };
  "hp-choose": { result_hash: string };
  "hp-beside": { result_hash: string };
  "hp-beside-front": { beside: boolean };
  "hp-open-entry": { id: string };
  "hp-undo": { id: string };
  "hp-undo-last": undefined;
  "hp-redo": { id: string };
  "hp-redo-last": undefined;
  "hp-extension": {
    id: string;
    action: string;
    dock?: string;
    command?: string;
    kind?: OfferKind;
    offer?: string;
  };
  "hp-command": { extension?: string; dock?: string; id: string; args?: Json };
  "hp-preview": PreviewAsk & { dock?: string };
  "hp-wishes": { text: string };
  "hp-pick": Picked;
  "hp-wrong": { name: WrongField; value: string };
  "hp-seen": { print: string; panel: string };
  "hp-dock-state": { dock: string; state: Json };
  "hp-entity": { value: Json };
  "hp-panel-menu": { id: string; dock: string; anchor: HTMLElement };
  "hp-panel-front": { dock: string };
  "hp-panel-close": { dock: string };
  "hp-examples": { open: boolean };
  "hp-example": { id: string };
  "hp-foot-menu": { actions: FootAction[]; anchor: HTMLElement };
  "hp-context": {
    slot: ContextSlot;
    event: MouseEvent;
    anchor: HTMLElement;
  };
  "hp-select": { ids: number[] };
  "hp-columns": { columns: ColumnKey[] };
  "hp-choosing": { open: boolean };
  "hp-columns-close": undefined;
  "hp-find": { query: ModelQuery };
  "hp-export": ExportAsk;
  "hp-storey": { id: number; name: string };
  "hp-storey-filters": undefined;
  "hp-palette": undefined;
  "hp-reset-colours": undefined;
  "hp-layout": { layout: Layout };
  "hp-view3d": { act: View3dAct };
  "hp-shown": { ids: number[] | null };
  "hp-no-webgl": undefined;
  "hp-checks": ChecksAsk;
  "hp-drift": DriftAsk;
  "hp-drift-sheet": { open: boolean };
  "hp-drift-close": undefined;
  "hp-open-file": { beside?: boolean } | undefined;
  "hp-models": ModelsAsk;
  "hp-saved": SavedAsk;
  "hp-from-file": undefined;
  "hp-open-sample": undefined;
  "hp-stop": undefined;
  "hp-clear": undefined;
  "hp-dismiss": { what: "menu" | "popover" | "toast" | "opening" | "problem" | "commands" };
  "hp-popover": { kind: "extensions"; anchor: HTMLElement };
  "hp-open-usage": undefined;
  "hp-account": { anchor: HTMLElement };
  "hp-theme": undefined;
  "hp-density": undefined;
  "hp-language": undefined;
  "hp-resize": { pane: keyof Widths; width: number };
  "hp-pane": { pane: Pane };
  "hp-pair": { pair: "dock" | "work" };
  "hp-drawer": undefined;
  "hp-filter-tree": undefined;
  "hp-again": undefined;
  "hp-toast-undo": undefined;
}

/** Asks for files with an ending. */
type Pick = (ending: string, take: (files: File[]) => void, several?: boolean) => void;

export function listen(page: Page, app: App, pick: Pick): void {
  const on = hearing<Details>(page);
  on("hp-token", ({ token }) => app.signIn(token));
  on("hp-answer", ({ id }) => app.answer(id));
  on("hp-review-waiting", ({ id }) => app.review(id));
  on("hp-ask", ({ text, mode }) => app.ask(text, mode));
  on("hp-draft", ({ text }) => app.draft(text));
  on("hp-wanted", (asked) =>
    app.changes.talk.send({ tool: !asked.again && !asked.once && !asked.target, ...asked }),
  );
  on("hp-tool", ({ name, value }) => app.changes.current?.promoting.write(name, value));
  on("hp-act", ({ id }) => act(app, id));
  on("hp-plan-edit", ({ plan }) => app.editPlan(plan));
  on("hp-plan-undo", () => app.changes.current?.plan.undo());
  on("hp-plan-without", ({ text }) => app.changes.current?.adjusts(true, text));
  on("hp-grants", ({ granted }) => app.changes.current?.signing.tick(granted));
  on("hp-typed", ({ id }) => {
    const signing = app.changes.current?.signing;
    if (signing) signing.typed = id;
    app.draw();
  });
  on("hp-accept-weak", ({ name }) => {
    app.changes.current?.signing.accept(name);
    app.draw();
  });
  on("hp-open-source", ({ path, range }) => app.openSource(path, range));
  on("hp-hand-edit", ({ files }) => app.editSource(files));
  on("hp-chosen", ({ ids }) => {
    app.changes.chosen = ids;
    app.draw();
  });
  on("hp-choose", ({ result_hash }) => {
    app.set({ beside: false });
    return app.changes.current?.versions.choose(result_hash);
  });
  on("hp-beside", ({ result_hash }) => app.changes.current?.versions.pick(result_hash));
  on("hp-beside-front", ({ beside }) => app.set({ beside }));
  on("hp-open-entry", ({ id }) => app.changes.open(id));
  on("hp-undo", ({ id }) => app.undo(id));
  on("hp-undo-last", () => {
    const change = app.changes.current;
    return change?.view.state === "installed"
      ? app.extension(change.signing.manifest?.id ?? "", "undo", {})
      : change?.plan.undo();
  });
  on("hp-redo", ({ id }) => app.redo(id));
  on("hp-redo-last", () => app.redo());
  on("hp-extension", ({ id, action, ...more }) => app.extension(id, action, more));
  on("hp-wishes", ({ text }) => app.wishes.write(text));
  on("hp-pick", (what) => (app.wrongPanel.view ? app.wrongPanel : app.wrong)?.pick(what));
  on("hp-wrong", ({ name, value }) => app.wrong?.write(name, value));
  on("hp-preview", (ask) => app.trying.asked(ask));
  on("hp-seen", ({ print, panel }) => app.preview.saw(print, panel));
  on("hp-command", ({ dock, extension, id, args }) => {
    if (app.preview.tries(dock)) return app.preview.command(dock, id, args);
    return extension ? app.installed.command(extension, id, args, dock) : app.command(id);
  });
  on("hp-dock-state", ({ dock, state }) => {
    app.preview.state(dock, state);
    const one = app.installed.docks.get(dock);
    if (one) one.state = state;
  });
  on("hp-entity", ({ value }) => app.entity(value));
  on("hp-panel-menu", ({ id, dock, anchor }) => app.panelMenu(id, dock, anchor));
  on("hp-panel-front", ({ dock }) => app.panels.show(dock));
  on("hp-panel-close", ({ dock }) => app.panels.close(dock));
  on("hp-examples", ({ open }) => app.examples.show(open));
  on("hp-example", ({ id }) => app.examples.review(id));
  on("hp-foot-menu", ({ actions, anchor }) => app.footMenu(actions, anchor));
  on("hp-context", ({ slot, event, anchor }) => app.contextMenu(slot, event, anchor));
  on("hp-select", ({ ids }) => app.select(ids));
  on("hp-columns", ({ columns }) => app.opening.choose(columns));
  on("hp-choosing", ({ open }) => app.set({ choosing: open }));
  on("hp-columns-close", () => app.set({ choosing: false }));
  on("hp-find", ({ query }) => app.opening.find(query));
  on("hp-export", (ask) => app.exports.ask(ask));
  on("hp-storey", (storey) => storeyClicked(app, storey));
  on("hp-storey-filters", () => app.set({ storeyFilters: !app.ui.storeyFilters }));
  on("hp-palette", () => app.set({ commanding: !app.ui.commanding }));
  on("hp-reset-colours", () => app.installed.resetColours());
  on("hp-layout", ({ layout }) => app.view3d.show(layout));
  on("hp-view3d", ({ act: what }) => app.view3d.act(what));
  on("hp-shown", ({ ids }) => app.view3d.filter(ids));
  on("hp-no-webgl", () => app.view3d.off());
  on("hp-checks", (ask) =>
    app.ids.needsFile(ask)
      ? pick(CHECKED, ([file]) => file && app.ids.takes(file, true))
      : app.ids.act(ask),
  );
  on("hp-drift", (ask) => driftAct(app, ask));
  on("hp-drift-sheet", ({ open }) => app.showDrift(open));
  on("hp-drift-close", () => app.drift.close());
  on("hp-open-file", async (ask) => {
    const files = await pickedModels();
    if (files) app.take(files, ask?.beside);
    else pick(".ifc,.ifczip", (all) => app.take(all, ask?.beside), true);
  });
  on("hp-saved", (ask) => app.saved.act(ask));
  on("hp-models", (ask) => modelsAct(app, ask));
  on("hp-from-file", () => {
    app.set({ popover: null });
    pick(ENDING, ([file]) => file && app.handing.open(file));
  });
  on("hp-open-sample", () => app.opening.sample());
  on("hp-stop", () =>
    app.opening.view?.state === "opening" ? app.opening.cancel() : act(app, "stop"),
  );
  on("hp-clear", () => app.clear());
  on("hp-dismiss", ({ what }) => {
    if (what === "popover") return app.set({ popover: null });
    if (what === "commands") return app.set({ commanding: false });
    // What was chosen in a menu is told after the menu has closed, and is still about its table.
    if (what === "menu") queueMicrotask(() => app.exports.closed());
    if (what !== "opening") return app.dismiss(what);
    app.opening.view = null;
    app.draw();
  });
  on("hp-popover", ({ kind, anchor }) =>
    app.set({ popover: app.ui.popover?.kind === kind ? null : { kind, anchor } }),
  );
  on("hp-open-usage", () =>
    app.set({
      popover: app.ui.popover?.kind === "budget" ? null : { kind: "budget", anchor: null },
    }),
  );
  on("hp-account", ({ anchor }) => app.account(anchor));
  on("hp-theme", () => app.theme());
  on("hp-density", () => app.density());
  on("hp-language", () => app.nextLanguage());
  on("hp-resize", ({ pane, width }) =>
    app.settings({ widths: { ...app.current.widths, [pane]: width } }),
  );
  on("hp-pane", ({ pane }) => app.pane(pane));
  on("hp-pair", ({ pair }) => app.set({ pair }));
  on("hp-drawer", () => app.set({ drawer: !app.ui.drawer }));
  on("hp-filter-tree", () => app.set({ filtering: !app.ui.filtering }));
  on("hp-again", () => app.setOffline(false));
  on("hp-toast-undo", () => app.undoToast());
}

/** What the commands of the page do: `do:` and what follows. */
import type { ColumnKey } from "@holdpoint/core/types";
import { placeOf } from "@holdpoint/elements/dock/open-panels";
import { isColumn } from "@holdpoint/elements/model/columns-said";
import { act } from "./acts.js";
import type { App } from "./app.js";

const acts: Record<string, (app: App, rest: string) => unknown> = {
  layout: (app, layout) =>
    layout === "table" || layout === "model" || layout === "both"
      ? app.view3d.show(layout)
      : undefined,
  search: (app) => inTable(app, (table) => table.focusSearch()),
  columns: (app) => inTable(app, () => app.set({ choosing: true })),
  "clear-filters": (app) => app.table?.clearFilters(),
  "storey-filters": (app) => app.set({ storeyFilters: true }),
  deselect: (app) => app.select([]),
  isolate: (app) => app.view3d.act("isolate"),
  hide: (app) => app.view3d.act("hide"),
  show: (app) => app.view3d.act("show"),
  sample: (app) => app.opening.sample(),
  open: (app) => app.page.emitOpen(),
  column: (app, rest) => {
    const shown: ColumnKey[] = app.opening.model.shown.map(({ set, name }) => ({ set, name }));
    const key = keyOf(rest);
    if (!shown.some((one) => isColumn(one, key))) return app.opening.choose([...shown, key]);
  },
  none: (app, rest) =>
    inTable(app, (table) => table.addFilter({ ...keyOf(rest), op: "none", value: null })),
  select: (app, id) => {
    app.set({ pane: "model" });
    return app.select([Number(id)]);
  },
  ask: (app, words) => app.goOn(words),
  run: (app, rest) => run(app, rest),
  wrong: (app, dock) => {
    app.leaveAside();
    app.wrongPanel.open(dock);
  },
};

/** Entries of menus: an action of a foot, a command of an extension, a place of a panel, what is done with one. */
const entries: typeof acts = {
  act: (app, id) => act(app, id),
  cmd: (app, rest) => {
    const [extension = "", command = ""] = rest.split("|");
    return app.installed.commandFromMenu(extension, command);
  },
  place: (app, rest) => {
    const [, place = "", dock = ""] = /^([a-z]+):([\s\S]*)$/.exec(rest) ?? [];
    return app.panels.move(dock, placeOf(`dock.${place}`));
  },
  ext: (app, rest) => {
    const [, action = "", id = ""] = /^([a-z]+):([\s\S]*)$/.exec(rest) ?? [];
    return app.extension(id, action, {});
  },
};

/** Whether an id is one of these; then it is done. */
export function perform(app: App, id: string): boolean {
  const [, name = "", rest = ""] = /^do:([a-z-]+):?([\s\S]*)$/.exec(id) ?? [];
  const [, entry = "", of = ""] = /^([a-z]+):([\s\S]*)$/.exec(id) ?? [];
  const done = acts[name]?.bind(null, app, rest) ?? entries[entry]?.bind(null, app, of);
  if (!done) return false;
  void done();
  return true;
}

/** A click on a storey of the tree filters the table, where that is asked for. */
export function storeyClicked(app: App, { id, name }: { id: number; name: string }): void {
  if (!app.ui.storeyFilters) return;
  const numbered = app.opening.model.rows.some((row) => row.storey_id !== undefined);
  inTable(app, (table) => table.showStorey(numbered ? id : name));
}

/** What is said of elements stands in the pane of the model, which a narrow page may not show. */
function inTable(app: App, act: (table: NonNullable<App["table"]>) => void): void {
  if (app.ui.pane !== "model") app.set({ pane: "model", drawer: false });
  requestAnimationFrame(() => {
    if (app.table) act(app.table);
  });
}

/** What a command answers stands in the list of extensions. */
async function run(app: App, rest: string): Promise<void> {
  const [extension = "", command = ""] = rest.split("|");
  await app.installed.commandFromList(extension, command);
}

function keyOf(text: string): ColumnKey {
  const [set = "", name = ""] = text.split("\n");
  return { set, name };
}

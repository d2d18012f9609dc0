/** What the commands of the page are, those of extensions among them, and what fits words besides. Pure. */
import { type ColumnChoice, expressIdOf, type ModelRow } from "@holdpoint/core/types";
import { type IconName, type MenuItem, t } from "@holdpoint/elements";
import { columnName, setName } from "@holdpoint/elements/model/columns-said";
import { kindIcon, numbered } from "@holdpoint/elements/model/kinds";
import type { PaletteGroup, PaletteItem } from "@holdpoint/elements/shell/palette";
import { pageItems } from "../../page-links.js";
import { exportItems } from "../../tables/export.js";
import type { PageView } from "./page-view.js";

/** Properties and elements that are listed. */
const MOST = 5;

/** A command of an extension. */
export interface ExtensionCommand {
  extension: string;
  command: string;
  title: string;
  /** Whose it is. */
  name: string;
  keys: string;
}

export function paletteGroups(
  view: Pick<PageView, "model" | "view3d" | "storeyFilters" | "saved" | "recent">,
  commands: readonly ExtensionCommand[],
): PaletteGroup[] {
  const { model, view3d, storeyFilters, saved, recent } = view;
  const there = model.facts !== null;
  const drawn = view3d.layout !== "table";
  const own: (PaletteItem | false)[] = [
    ...(["table", "model", "both"] as const).map(
      (layout) =>
        there &&
        layout !== view3d.layout &&
        item(`do:layout:${layout}`, t("palette.layout", { layout: t(`view.${layout}`) }), "table"),
    ),
    there && item("do:search", t("palette.search"), "search"),
    there && item("do:columns", t("palette.columns"), "rows"),
    there && item("do:clear-filters", t("model.clear_filters"), "funnel"),
    there && item("do:save-filter", t("saved.save"), "funnel"),
    ...(there ? saved : []).map(({ id, name }) => ({
      ...{ ...item(`do:filter:${id}`, name, "funnel"), sub: t("saved.title") },
    })),
    there && !storeyFilters && item("do:storey-filters", t("tree.filters"), "funnel"),
    ...(there ? exportItems().map(exporting) : []),
    model.selected.length > 0 && item("do:deselect", t("palette.deselect"), "cross", "Esc"),
    drawn && model.selected.length > 0 && item("do:isolate", t("view.isolate"), "isolate", "I"),
    drawn && model.selected.length > 0 && item("do:hide", t("view.hide"), "off", "H"),
    view3d.away > 0 && item("do:show", t("view.show_all"), "eye"),
    item("do:open", t("open.another"), "file"),
    there && item("do:add", t("models.add"), "plus"),
    there && { ...item("do:add-sample", t("models.add"), "plus"), sub: t("models.add.sample") },
    model.models.length > 1 && item("do:colour-models", t("models.colours"), "palette"),
    ...recent
      .filter(({ id }) => !model.models.some((one) => one.id === id))
      .map(({ id, name, handle }) => ({
        ...item(`do:recent:${id}`, t("recent.open", { name }), "clock"),
        sub: t(handle ? "recent.title" : "recent.again"),
      })),
    there && item("check", t("checks.open"), "test"),
    item("do:sample", t("open.sample"), "cube"),
    item("extensions", t("app.extensions"), "panel"),
    item("examples", t("examples.menu"), "rows"),
    item("act:wishes", t("wishes.title"), "pen"),
    item("theme", t("app.theme.label"), "sun"),
    item("density", t("app.density.label"), "rows"),
    item("language", t("app.language"), "globe"),
    ...pageItems("model").flatMap(plain),
  ];
  return [
    { title: t("palette.extensions"), of: "commands", items: commands.map(extending) },
    { title: t("palette.own"), of: "commands", items: own.filter((one) => one !== false) },
  ];
}

const item = (id: string, label: string, icon: IconName, keys?: string): PaletteItem => ({
  ...{ id, label, icon },
  ...(keys ? { keys } : {}),
});

const extending = (one: ExtensionCommand): PaletteItem => ({
  ...item(`do:run:${one.extension}|${one.command}`, one.title, "button", one.keys),
  sub: one.name,
});

function exporting(one: MenuItem): PaletteItem | false {
  if (one === "line" || "heading" in one) return false;
  return { ...item(one.id, t("export.table"), "down"), sub: one.label };
}

function plain(one: MenuItem): PaletteItem[] {
  return one === "line" || "heading" in one ? [] : [item(one.id, one.label, one.icon ?? "cr")];
}

/** Properties and elements that fit the words, and the words as a wish. */
export function paletteMore(
  { choices, rows }: { choices: readonly ColumnChoice[] | null; rows: readonly ModelRow[] },
  words: string,
): PaletteGroup[] {
  if (words === "") return [];
  return [
    { title: t("palette.properties"), of: "properties", items: properties(choices ?? [], words) },
    { title: t("palette.elements"), of: "elements", items: elements(rows, words) },
    {
      ...{ title: t("palette.ask"), of: "ask" },
      items: [
        {
          ...item(`do:ask:${words}`, t("palette.change", { text: words }), "mark"),
          sub: t("palette.change.sub"),
        },
      ],
    },
  ];
}

function properties(choices: readonly ColumnChoice[], words: string): PaletteItem[] {
  const text = words.toLowerCase();
  const fit = choices.filter((one) => columnName(one).toLowerCase().includes(text)).slice(0, MOST);
  return fit.flatMap((one): PaletteItem[] => {
    const key = `${one.set}\n${one.name}`;
    const name = columnName(one);
    const sub = setName(one);
    return [
      { ...item(`do:column:${key}`, t("palette.column", { name }), "rows"), sub },
      { ...item(`do:none:${key}`, t("palette.filter", { name }), "search"), sub },
    ];
  });
}

/** The first that fit; more of them are for the search of the table. */
function elements(rows: readonly ModelRow[], words: string): PaletteItem[] {
  const text = words.toLowerCase();
  const found: PaletteItem[] = [];
  for (const { id, name, type, storey, global_id } of rows) {
    if (found.length >= MOST) break;
    const own = name ?? numbered(id);
    if (!own.toLowerCase().includes(text) && global_id !== words && `#${expressIdOf(id)}` !== words)
      continue;
    const sub = [type, storey].filter((part) => part).join(" · ");
    found.push({ ...item(`do:select:${id}`, own, kindIcon(type)), sub });
  }
  return found;
}

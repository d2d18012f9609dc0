/** Entries of the page's menus, as values. Pure. */
import { type FootAction, type MenuItem, permission, t } from "@holdpoint/elements";
import { PLACES, type Place } from "@holdpoint/elements/dock/open-panels";
import { commandKey, type MenuEntry, type MenuGroup } from "./contributions.js";
import type { Live } from "./installed.js";

/** Entries of a group that stand in the menu itself; the rest in a submenu (ifc-extension.md §2.1). */
const GROUP_ENTRIES = 12;

/** What extensions offer for what was asked. */
export function menuItems(groups: MenuGroup[]): MenuItem[] {
  const several =
    new Set(groups.flatMap((group) => group.entries.map((entry) => entry.extension))).size > 1;
  const item = (entry: MenuEntry): MenuItem => ({
    id: `cmd:${commandKey(entry)}`,
    label: entry.title,
    ...(several ? { sub: entry.name } : {}),
    ...(entry.keys ? { value: entry.keys } : {}),
  });
  return groups.flatMap(({ name, entries }, i): MenuItem[] => {
    const [first, rest] = [entries.slice(0, GROUP_ENTRIES), entries.slice(GROUP_ENTRIES)];
    return [
      ...(i > 0 ? ["line" as const] : []),
      ...(name ? [{ heading: name }] : []),
      ...first.map(item),
      ...(rest.length
        ? [
            {
              id: `more:${name}`,
              label: t("menu.more", { n: rest.length }),
              value: "›",
              items: rest.map(item),
            },
          ]
        : []),
    ];
  });
}

/** What the account menu of the page has beside that of others. */
export const accountItems = (): MenuItem[] => [
  { id: "extensions", label: t("app.extensions"), icon: "panel" },
  { id: "examples", label: t("examples.menu"), icon: "rows" },
  { id: "check", label: t("checks.open"), icon: "test", sub: t("checks.open.sub") },
  { id: "act:wishes", label: t("wishes.title"), icon: "pen" },
];

/** Where a context menu opens: at the pointer; asked for by a key, in what it is about. */
export function placeFor(
  { clientX: x, clientY: y }: MouseEvent,
  anchor: HTMLElement,
): { x: number; y: number } {
  const box = anchor.getBoundingClientRect();
  return x || y ? { x, y } : { x: box.left + box.width / 4, y: box.bottom };
}

/** What can be done with a panel and its extension; `place` is where it stands, null where it cannot be moved. */
export function panelItems(
  { record, manifest, check }: Live,
  dock: string,
  place: Place | null,
): MenuItem[] {
  return [
    {
      heading: manifest.name,
      sub: check.capabilities.map((line) => permission(line)).join(" "),
    },
    "line",
    ...(place === null ? [] : moves(dock, place)),
    ...(record.enabled
      ? [
          {
            id: `do:wrong:${dock}`,
            label: t("wrong.open"),
            icon: "flag",
            testid: "hp-wrong",
          } as const,
        ]
      : []),
    { id: `ext:change:${record.id}`, label: t("hand.change"), icon: "pen" },
    { id: `ext:permissions:${record.id}`, label: t("hand.permissions"), icon: "lock" },
    { id: `ext:pack:${record.id}`, label: t("hand.pack"), icon: "file" },
    {
      id: `ext:${record.enabled ? "disable" : "enable"}:${record.id}`,
      label: t(record.enabled ? "ext.disable" : "ext.enable"),
      icon: "off",
    },
    {
      id: `ext:remove:${record.id}`,
      label: t("ext.remove"),
      icon: "trash",
      danger: true,
      testid: "hp-uninstall",
    },
  ];
}

function moves(dock: string, place: Place): MenuItem[] {
  const others = PLACES.filter((one) => one !== place);
  return [
    ...others.map((to) => ({ id: `place:${to}:${dock}`, label: t(`dock.move.${to}`) })),
    "line",
  ];
}

/** The actions of a foot that has no room for their buttons. */
export const footItems = (actions: FootAction[]): MenuItem[] =>
  actions.map((one) => ({
    id: `act:${one.id}`,
    label: one.label,
    ...(one.icon ? { icon: one.icon } : {}),
    ...(one.sub ? { sub: one.sub } : {}),
    danger: one.danger ?? false,
  }));

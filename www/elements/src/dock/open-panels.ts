/** Which panels are open, in which dock each stands, and which was seen last. It comes back after a reload. Pure. */
import type { PanelView } from "./widget-panel.js";

/** Where a dock is, in the order in which a page is read. */
export const PLACES = ["left", "bottom", "right"] as const;
export type Place = (typeof PLACES)[number];

export interface OpenPanels {
  /** In the order of their tabs. */
  readonly tabs: readonly { readonly dock: string; readonly place: Place }[];
  /** The one that was seen last comes first. */
  readonly seen: readonly string[];
}

/** A dock with something in it: its panels, and which of them is in front. */
export interface DockView {
  place: Place;
  tabs: PanelView[];
  front: string;
}

export const noPanels: OpenPanels = { tabs: [], seen: [] };

/** The place that a manifest names, such as `dock.left`. */
export const placeOf = (slot: string): Place =>
  PLACES.find((place) => slot === `dock.${place}`) ?? "right";

/** A panel comes to the front: where it stands already, or at `place`. */
export function opened({ tabs, seen }: OpenPanels, dock: string, place: Place): OpenPanels {
  const stands = tabs.some((one) => one.dock === dock);
  return {
    tabs: stands ? tabs : [...tabs, { dock, place }],
    seen: [dock, ...seen.filter((one) => one !== dock)],
  };
}

export function closed({ tabs, seen }: OpenPanels, dock: string): OpenPanels {
  return {
    tabs: tabs.filter((one) => one.dock !== dock),
    seen: seen.filter((one) => one !== dock),
  };
}

/** A panel goes to another dock, as the last of its tabs, and is in front there. */
export const moved = (open: OpenPanels, dock: string, place: Place): OpenPanels =>
  opened(closed(open, dock), dock, place);

/** The docks of panels that are there: one of an extension that is gone or off waits for it to come back. */
export function docksOf({ tabs, seen }: OpenPanels, panels: readonly PanelView[]): DockView[] {
  return PLACES.flatMap((place) => {
    const here = tabs
      .filter((one) => one.place === place)
      .flatMap(({ dock }) => panels.find((panel) => panel.dock === dock) ?? []);
    const [first] = here;
    if (!first) return [];
    const front = seen.find((dock) => here.some((panel) => panel.dock === dock));
    return [{ place, tabs: here, front: front ?? first.dock }];
  });
}

/** All of them in one dock, in front the panel that was seen last. */
export function together(docks: readonly DockView[], front: string | null): DockView[] {
  const tabs = docks.flatMap((dock) => dock.tabs);
  const [first] = tabs;
  return first ? [{ place: "right", tabs, front: front ?? first.dock }] : [];
}

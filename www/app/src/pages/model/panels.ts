/** The panels of installed extensions that are open: shown, closed, moved from dock to dock, back after a reload. */
import {
  closed,
  type DockView,
  docksOf,
  moved,
  type OpenPanels,
  opened,
  type Place,
  placeOf,
} from "@holdpoint/elements/dock/open-panels";
import { WIDE } from "./arrangement.js";
import type { Installed } from "./installed.js";
import type { PageView } from "./page-view.js";

/** Which panels are open, as the device keeps it, and the rest of the page. */
export interface Around {
  open(): OpenPanels;
  keep(panels: OpenPanels): void;
  set(ui: Partial<Pick<PageView, "pane" | "pair" | "popover">>): void;
}

export class Panels {
  constructor(
    private readonly installed: Installed,
    private readonly around: Around,
  ) {}

  /** What the device has open is in sight once its extensions are there. */
  restored(): void {
    for (const { dock } of this.around.open().tabs) this.installed.shown(dock);
  }

  /** Opens a panel where its manifest has it, or brings it to the front where it stands. */
  show(dock: string): void {
    const one = this.installed.docks.get(dock);
    this.around.keep(opened(this.around.open(), dock, placeOf(one?.slot ?? "")));
    this.around.set({ pane: "panels", pair: "dock", popover: null });
    this.installed.shown(dock);
    if (one && one.state === undefined) void this.installed.refresh(dock);
  }

  close(dock: string): void {
    const open = this.around.open();
    // An extension may close what nobody has open.
    if (!open.tabs.some((one) => one.dock === dock)) return;
    this.around.keep(closed(open, dock));
    if (!this.docks().length) this.around.set({ pane: "change", pair: "work" });
  }

  move(dock: string, place: Place): void {
    this.around.keep(moved(this.around.open(), dock, place));
  }

  /** Where a panel stands; null where it cannot be moved. */
  place(dock: string): Place | null {
    const here = this.around.open().tabs.find((one) => one.dock === dock);
    return innerWidth >= WIDE ? (here?.place ?? null) : null;
  }

  docks(): DockView[] {
    return docksOf(this.around.open(), this.installed.contributed.panels());
  }

  /** Of panels in front of their docks the one that was seen last. */
  front(docks: DockView[]): string | null {
    const fronts = docks.map((dock) => dock.front);
    return this.around.open().seen.find((dock) => fronts.includes(dock)) ?? fronts[0] ?? null;
  }
}

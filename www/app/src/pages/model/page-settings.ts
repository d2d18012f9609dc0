/** What the page keeps for its person, and what is open in it. */
import { noPanels, type OpenPanels } from "@holdpoint/elements/dock/open-panels";
import { type Looks, looks } from "../../shell.js";
import type { PageView, Widths } from "./page-view.js";

/** Where the change or the panels have room, not both (page.styles.ts). */
export const ALONE = matchMedia(
  "(max-width: 767px), (min-width: 768px) and (max-width: 1199px) and (max-height: 799px)",
);

/** What is open or in front; it does not outlive the page. */
export type Ui = Pick<
  PageView,
  | "pane"
  | "pair"
  | "beside"
  | "drawer"
  | "filtering"
  | "storeyFilters"
  | "choosing"
  | "commanding"
  | "popover"
  | "wide"
  | "dropping"
>;

export interface Settings extends Looks {
  widths: Partial<Widths>;
  panels: OpenPanels;
}

export const WIDTHS: Widths = {
  tree: 264,
  left: 336,
  bottom: 280,
  dock: 336,
  work: null,
};

export const fresh: Settings = { ...looks, widths: WIDTHS, panels: noPanels };

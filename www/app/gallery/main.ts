/** Draws one state of the page from fixtures: `gallery.html?state=plan&theme=dark&pane=change`. For pictures and axe. */
import "@holdpoint/elements/tokens.css";
import "@holdpoint/elements";
import "../src/page.css";
import "../src/page.js";
import type { Page } from "../src/page.js";
import type { Density, Pane, Theme } from "../src/page-view.js";
import { stateNames, viewOf } from "./states.js";

const query = new URLSearchParams(location.search);
const name = query.get("state") ?? "empty";
const view = viewOf(name);
const pane = query.get("pane") as Pane | null;
const page: Page = document.createElement("hp-page");
page.view = {
  ...view,
  theme: (query.get("theme") as Theme | null) ?? "light",
  density: (query.get("density") as Density | null) ?? "comfortable",
  pane: pane ?? view.pane,
};
page.id = "page";
document.body.append(page);
document.querySelector(".skip")?.addEventListener("click", () => page.skip());
Object.assign(window, { hpStates: stateNames });
document.title = `${name} – Holdpoint`;
document.documentElement.dataset["ready"] = name;

declare global {
  interface HTMLElementTagNameMap { "hp-page": Page }
}

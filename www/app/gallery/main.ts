/** Draws one state of the page from fixtures: `gallery.html?state=plan&theme=dark&lang=sv&pane=change`. For pictures and axe. */
import "@holdpoint/elements/tokens.css";
import { preferred, setLanguage } from "@holdpoint/elements";
import "../src/page.css";
import "../src/page.js";
import type { Page } from "../src/page.js";
import type { Density, Pane, Theme } from "../src/page-view.js";
import { stateNames, viewOf } from "./states.js";

const query = new URLSearchParams(location.search);
const pane = query.get("pane") as Pane | null;
const density = (query.get("density") as Density | null) ?? "comfortable";

/** A state is drawn by a new page element, so that nothing of the last one is left. */
async function show(name: string, theme: Theme, lang: string): Promise<void> {
  delete document.documentElement.dataset["ready"];
  document.querySelector("hp-page")?.remove();
  const language = preferred([lang]);
  setLanguage(language);
  const view = viewOf(name);
  const page: Page = document.createElement("hp-page");
  page.view = { ...view, theme, density, language, pane: pane ?? view.pane };
  page.id = "page";
  document.body.append(page);
  document.title = `${name} – Holdpoint`;
  await page.updateComplete;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  document.documentElement.dataset["ready"] = name;
}

document.querySelector(".skip")?.addEventListener("click", () => document.querySelector("hp-page")?.skip());
Object.assign(window, { hpStates: stateNames, hpShow: show });
void show(query.get("state") ?? "empty", (query.get("theme") as Theme | null) ?? "light", query.get("lang") ?? "en");

declare global {
  interface HTMLElementTagNameMap { "hp-page": Page }
}

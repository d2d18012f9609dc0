/**
 * Draws one state of the page from fixtures: `gallery.html?state=plan&theme=dark&lang=sv&pane=change`. For pictures and
 * axe.
 */
import "@holdpoint/elements/tokens.css";
import { type Language, preferred, setLanguage } from "@holdpoint/elements";
import "../src/page.css";
import "../src/pages/apps/page.js";
import "../src/pages/crew/page.js";
import "../src/pages/crew/profile/page.js";
import "../src/pages/crew/workbench/page.js";
import "../src/pages/model/page.js";
import "../src/pages/scripts/page.js";
import "../src/pages/usage/page.js";
import type { AppsPage } from "../src/pages/apps/page.js";
import type { AppPane } from "../src/pages/apps/page-view.js";
import type { CrewPage } from "../src/pages/crew/page.js";
import type { CrewPane } from "../src/pages/crew/page-view.js";
import type { ProfilePage } from "../src/pages/crew/profile/page.js";
import type { WorkbenchPage } from "../src/pages/crew/workbench/page.js";
import type { WorkbenchPageView } from "../src/pages/crew/workbench/page-view.js";
import type { Page } from "../src/pages/model/page.js";
import type { Pane } from "../src/pages/model/page-view.js";
import type { ScriptsPage } from "../src/pages/scripts/page.js";
import type { ScriptPane } from "../src/pages/scripts/page-view.js";
import type { UsagePage } from "../src/pages/usage/page.js";
import type { UsagePane } from "../src/pages/usage/page-view.js";
import type { Density, Theme } from "../src/shell-view.js";
import { appsStateNames, appsViewOf } from "./apps.js";
import { crewStateNames, crewViewOf } from "./crew.js";
import { profileStateNames, profileViewOf } from "./crew-profile.js";
import { workbenchStateNames, workbenchViewOf } from "./crew-workbench.js";
import { scriptStateNames, scriptViewOf } from "./scripts.js";
import { stateNames, viewOf } from "./states.js";
import { usageStateNames, usageViewOf } from "./usage.js";

const query = new URLSearchParams(location.search);
const pane = query.get("pane") as Pane | null;
const density = (query.get("density") as Density | null) ?? "comfortable";

/** A state is drawn by a new page element, so that nothing of the last one is left. */
async function show(name: string, theme: Theme, lang: string): Promise<void> {
  delete document.documentElement.dataset.ready;
  document.querySelector("#page")?.remove();
  const language = preferred([lang]);
  setLanguage(language);
  const page = drawn(name, theme, language);
  page.id = "page";
  document.body.append(page);
  document.title = `${name} – Holdpoint`;
  await page.updateComplete;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  document.documentElement.dataset.ready = name;
}

type Drawn = Page | AppsPage | ScriptsPage | CrewPage | WorkbenchPage | ProfilePage | UsagePage;

/** The pages of apps, scripts, crew and usage have elements of their own. */
function drawn(name: string, theme: Theme, language: Language): Drawn {
  const apps = appsViewOf(name);
  if (apps) {
    const page = document.createElement("hp-apps-page");
    const front = (pane as AppPane | null) ?? apps.pane;
    page.view = { ...apps, theme, density, language, pane: front };
    return page;
  }
  const bench = workbenchViewOf(name);
  if (bench) {
    const page = document.createElement("hp-workbench-page");
    const front = (pane as WorkbenchPageView["pane"] | null) ?? bench.pane;
    page.view = { ...bench, theme, density, language, pane: front };
    return page;
  }
  const own = profileViewOf(name);
  if (own) {
    const page = document.createElement("hp-profile-page");
    page.view = { ...own, theme, density, language };
    return page;
  }
  const crew = crewViewOf(name);
  if (crew) {
    const page = document.createElement("hp-crew-page");
    const front = (pane as CrewPane | null) ?? crew.pane;
    page.view = { ...crew, theme, density, language, pane: front };
    return page;
  }
  const script = scriptViewOf(name);
  if (script) {
    const page = document.createElement("hp-scripts-page");
    page.view = {
      ...script,
      theme,
      density,
      language,
      pane: (pane as ScriptPane | null) ?? script.pane,
    };
    return page;
  }
  const usage = usageViewOf(name);
  if (usage) {
    const page = document.createElement("hp-usage-page");
    const front = (pane as UsagePane | null) ?? usage.pane;
    page.view = { ...usage, theme, density, language, pane: front };
    return page;
  }
  const view = viewOf(name);
  const page = document.createElement("hp-page");
  page.view = { ...view, theme, density, language, pane: pane ?? view.pane };
  return page;
}

/** The same state in another language, as the page's own switch does it. */
function speak(lang: string): void {
  const language = preferred([lang]);
  setLanguage(language);
  const page = document.querySelector("hp-page");
  if (page) page.view = { ...page.view, language };
  const apps = document.querySelector("hp-apps-page");
  if (apps) apps.view = { ...apps.view, language };
  const scripts = document.querySelector("hp-scripts-page");
  if (scripts) scripts.view = { ...scripts.view, language };
  const bench = document.querySelector("hp-workbench-page");
  if (bench) bench.view = { ...bench.view, language };
  const own = document.querySelector("hp-profile-page");
  if (own) own.view = { ...own.view, language };
  const usage = document.querySelector("hp-usage-page");
  if (usage) usage.view = { ...usage.view, language };
  const crew = document.querySelector("hp-crew-page");
  if (crew) crew.view = { ...crew.view, language };
}

/** The same page goes from a state of the model page to another, as a change does. */
function go(name: string): void {
  const page = document.querySelector("hp-page");
  if (page)
    page.view = {
      ...viewOf(name),
      theme: page.view.theme,
      density: page.view.density,
      language: page.view.language,
    };
}

document
  .querySelector(".skip")
  ?.addEventListener("click", () => document.querySelector<Page | ScriptsPage>("#page")?.skip());
Object.assign(window, {
  hpStates: [
    ...stateNames,
    ...scriptStateNames,
    ...appsStateNames,
    ...workbenchStateNames,
    ...crewStateNames,
    ...profileStateNames,
    ...usageStateNames,
  ],
  hpShow: show,
  hpSpeak: speak,
  hpGo: go,
});
void show(
  query.get("state") ?? "empty",
  (query.get("theme") as Theme | null) ?? "light",
  query.get("lang") ?? "en",
);

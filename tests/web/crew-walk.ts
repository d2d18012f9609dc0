// The crew pages over an edge in memory, with the real check.

import type { Page } from "playwright-core";
import { claims } from "../../www/app/gallery/crew-package.ts";
import type { CrewApp } from "../../www/app/src/pages/crew/app.ts";
import { pagesOver } from "./edge/pages.ts";
import { ProjectsEdge } from "./edge/projects.ts";

declare global {
  interface Window {
    hpCrewApp: CrewApp;
  }
}

const { opened: walked, closed } = pagesOver({
  make: () => new ProjectsEdge(),
  mode: "walk",
  root: "/walk.html?page=crew",
  token: "hp_walk",
  ready: (page) => page.waitForSelector('html[data-ready="walk"]'),
});

export { closed };

/** Of the page that was opened last; it has the claims desk. */
export let edge: ProjectsEdge;

/** The project that is there when a walk begins. */
export const ID = "prj_0000000000000001";
const HOME = `/crew/${ID}`;

/** A page at an address below the claims desk; `/` is the desk itself, `list` the packages. */
export async function opened(at = "/", viewport = { width: 1440, height: 900 }): Promise<Page> {
  const path = at === "list" ? "/crew" : `${HOME}${at === "/" ? "" : at}`;
  const it = await walked({
    part: `&at=${encodeURIComponent(path)}`,
    viewport,
    given: (one) => void one.put("Claims desk", claims),
  });
  const { page } = it;
  edge = it.edge;
  if (at !== "list") await checked(page);
  return page;
}

/** The check has looked at what is there. */
export const checked = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => window.hpCrewApp.opened?.checked.state === "ready");

/** A file as the edge has it. */
export const stored = (path: string): string | undefined => edge.files(ID)[path];

/** The files as the page has them. */
export const now = (page: Page, path: string): Promise<string | undefined> =>
  page.evaluate((file) => window.hpCrewApp.opened?.files[file], path);

export const graph = async (page: Page) =>
  JSON.parse((await now(page, "workflows/1/workflow.graph.json")) ?? "{}");

/** What was changed or exported, each with the revision that it was made on. */
export const asked = (): string[] =>
  edge.asked
    .filter(({ method, path }) => method !== "GET" || path.endsWith("/export"))
    .map(({ method, path, headers }) => `${method} ${path} on ${headers["if-match"]}`);

/** Without a network, and with it again. */
export async function offline(page: Page, is: boolean): Promise<void> {
  edge.away = is;
  await page.evaluate((off) => window.hpCrewApp.setOffline(off), is);
}

/** Saves, and waits until nothing is left to save. */
export async function saved(page: Page): Promise<void> {
  await page.getByTestId("hp-save").click();
  await page.waitForFunction(() => window.hpCrewApp.opened?.edits().size === 0);
}

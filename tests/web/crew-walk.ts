// The crew pages over an edge in memory, with the real check.

import type { Page } from "playwright-core";
import type { FakeCrew } from "../../www/app/gallery/fake-crew.ts";
import type { CrewApp } from "../../www/app/src/pages/crew/app.ts";
import { walks } from "./walk.ts";

declare global {
  interface Window {
    hpCrew?: FakeCrew;
    hpCrewApp: CrewApp;
  }
}

const { opened: walked, closed } = walks();

export { closed };

/** The project that is there when a walk begins. */
export const ID = "prj_0000000000000001";
const HOME = `/crew/${ID}`;

/** A page at an address below the claims desk; `/` is the desk itself, `list` the packages. */
export async function opened(at = "/", viewport = { width: 1440, height: 900 }): Promise<Page> {
  const path = at === "list" ? "/crew" : `${HOME}${at === "/" ? "" : at}`;
  const page = await walked(`?page=crew&at=${encodeURIComponent(path)}`, { viewport });
  if (at !== "list") await checked(page);
  return page;
}

/** The check has looked at what is there. */
export const checked = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => window.hpCrewApp.opened?.checked.state === "ready");

/** The files as the edge has them. */
export const stored = (page: Page, path: string): Promise<string | undefined> =>
  page.evaluate(([id, file]) => window.hpCrew?.files(id)[file], [ID, path] as const);

/** The files as the page has them. */
export const now = (page: Page, path: string): Promise<string | undefined> =>
  page.evaluate((file) => window.hpCrewApp.opened?.files[file], path);

export const graph = async (page: Page) =>
  JSON.parse((await now(page, "workflows/1/workflow.graph.json")) ?? "{}");

export const asked = (page: Page) => page.evaluate(() => window.hpCrew?.asked ?? []);

/** Without a network, and with it again. */
export const offline = (page: Page, is: boolean): Promise<void> =>
  page.evaluate((off) => {
    if (window.hpCrew) window.hpCrew.offline = off;
    window.hpCrewApp.setOffline(off);
  }, is);

/** Saves, and waits until nothing is left to save. */
export async function saved(page: Page): Promise<void> {
  await page.getByTestId("hp-save").click();
  await page.waitForFunction(() => window.hpCrewApp.opened?.edits().size === 0);
}

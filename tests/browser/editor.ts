// Steps in the script editor, as a person takes them.

import type { Tool } from "@holdpoint/core/editor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { thrown } from "./road.ts";
import { edge, stack } from "./stack.ts";

const OPEN_MS = 60_000;

/** A request to the editor's routes as the person of the page. */
export const editor = <T>(method: string, path: string, body?: object): Promise<T> =>
  edge(method, `/api/v1/editor${path}`, body);

/** A script from the sample, and its stored texts. */
export const created = (title: string): Promise<Tool> =>
  editor("POST", "/tools", { title, sample: "door-report" });
export const storedTool = (tool: Tool): Promise<Tool> => editor("GET", `/tools/${tool.tool_id}`);

/** A page at a script; the token is in the address once, as in the link that is printed. */
export async function script(
  browser: Browser,
  tool: Tool | null,
  options: { context?: BrowserContext } = {},
): Promise<Page> {
  const context =
    options.context ??
    (await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" }));
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  thrown.set(page, errors);
  page.on("pageerror", (error: Error) => errors.push(String(error.stack ?? error)));
  await page.goto(
    `${stack.origin}/scripts${tool ? `/${tool.tool_id}` : ""}#token=${stack.user_token}`,
  );
  await (tool
    ? page.locator('.cm-content[data-file="tool.py"]')
    : page.locator("hp-tools")
  ).waitFor({ timeout: OPEN_MS });
  return page;
}

export async function askFor(page: Page, words: string, mode = "edit"): Promise<void> {
  await page.getByTestId(`hp-mode-${mode}`).click();
  await page.getByTestId("hp-ask").fill(words);
  await page.getByTestId("hp-send").click();
}

/** Waits until the proposal can be signed. */
export async function signable(page: Page): Promise<void> {
  await page.getByTestId("hp-apply").waitFor();
  await page.locator('[data-testid="hp-apply"]:not([disabled])').waitFor();
}

/** The text of an editor, as its lines in sight. */
export async function typed(page: Page, words: string): Promise<void> {
  await page.getByRole("tab", { name: "tool.py" }).click();
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type(words);
}

// Steps in the script editor, as a person takes them.

import { thrown } from "./road.mjs";
import { stack } from "./stack.mjs";

const OPEN_MS = 60_000;

/** A request to the editor's routes as the person of the page. */
export async function edge(method, path, body) {
  const response = await fetch(`${stack.origin}/api/v1/editor${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.user_token}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return response.status === 204 ? null : response.json();
}

/** A script from the sample, and its stored texts. */
export const created = (title) => edge("POST", "/tools", { title, sample: "door-report" });
export const storedTool = (tool) => edge("GET", `/tools/${tool.tool_id}`);

/** A page at a script; the token is in the address once, as in the link that is printed. */
export async function script(browser, tool, options = {}) {
  const context =
    options.context ??
    (await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" }));
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors = [];
  thrown.set(page, errors);
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  await page.goto(
    `${stack.origin}/scripts${tool ? `/${tool.tool_id}` : ""}#token=${stack.user_token}`,
  );
  await (tool
    ? page.locator('.cm-content[data-file="tool.py"]')
    : page.locator("hp-tools")
  ).waitFor({ timeout: OPEN_MS });
  return page;
}

export async function askFor(page, words, mode = "edit") {
  await page.getByTestId(`hp-mode-${mode}`).click();
  await page.getByTestId("hp-ask").fill(words);
  await page.getByTestId("hp-send").click();
}

/** Waits until the proposal can be signed. */
export async function signable(page) {
  await page.getByTestId("hp-apply").waitFor();
  await page.locator('[data-testid="hp-apply"]:not([disabled])').waitFor();
}

/** The text of an editor, as its lines in sight. */
export async function typed(page, words) {
  await page.getByRole("tab", { name: "tool.py" }).click();
  await page.locator('.cm-content[data-file="tool.py"]').click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type(words);
}

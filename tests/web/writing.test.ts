// What a person sees while the model writes: the files as they come, and how much of each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "./axe.ts";
import { replies } from "./doors.ts";
import { ask, pages } from "./edge/extensions.ts";

const { opened, closed } = pages();

test("files appear with their lines as the model writes them, and keep their names", async () => {
  const { page, edge } = await opened({ replies: replies() });
  let goOn = (): void => undefined;
  edge.holds = {
    behind: "const doors",
    until: new Promise<void>((resolve) => (goOn = resolve)),
  };
  await ask(page, "Make a panel that counts the doors");
  await page.getByTestId("hp-approve").click();
  const files = page.locator("hp-run-timeline .files > li");
  await files.nth(1).waitFor();
  const [manifest, code, ...more] = await files.allInnerTexts();
  assert.match(manifest ?? "", /^manifest\.json\s+\d\d lines$/);
  assert.match(code ?? "", /^src\/count\.js\s+2 lines$/);
  assert.deepEqual(more, []);
  assert.deepEqual(await violations(page), []);
  goOn();
  await page.getByTestId("hp-install").waitFor();
  await closed(page);
});

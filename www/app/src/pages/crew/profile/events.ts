/** From the elements' events to the controller: one table, in the order of the page. */
import type { LlmProfileBody } from "@holdpoint/core/crew";
import { hearing, listenShell } from "../../../shell-events.js";
import type { ProfileApp } from "./app.js";
import type { ProfilePage } from "./page.js";

interface Details {
  "hp-retry": undefined;
  "hp-save-profile": { body: LlmProfileBody };
  "hp-test-profile": { body: LlmProfileBody | null };
}

export function listen(page: ProfilePage, app: ProfileApp): void {
  listenShell(page, app);
  const on = hearing<Details>(page);
  on("hp-retry", () => app.load());
  on("hp-save-profile", ({ body }) => app.save(body));
  on("hp-test-profile", ({ body }) => app.test(body));
}

/** Boots the pages of apps: device, engine, clients, then the page. */
import { createAppsApi } from "@holdpoint/core/apps";
import { createApi, createChecks, loadCore, openDevice } from "../../core.js";
import type { Credential } from "../../credential.js";
import type { Booted } from "../../pages.js";
import { AppsApp } from "./app.js";
import { listen } from "./events.js";
import { KIND } from "./kind.js";
import "./page.js";

export async function boot(credential: Credential): Promise<Booted> {
  const page = document.createElement("hp-apps-page");
  const [core, store] = await Promise.all([loadCore(), openDevice(credential)]);
  const app = new AppsApp(page, {
    core,
    checks: createChecks(KIND),
    store,
    credential,
    api: createApi(credential.asker),
    apps: createAppsApi(credential.asker),
  });
  listen(page, app);
  return { page, app };
}

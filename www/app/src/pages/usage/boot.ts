/** Boots the usage page: device, clients, then the page. No engine is loaded here. */
import { createApi, openDevice } from "../../core.js";
import type { Credential } from "../../credential.js";
import type { Booted } from "../../pages.js";
import { UsageApp } from "./app.js";
import { createUsageApi } from "./client.js";
import { listen } from "./events.js";
import "./page.js";

export async function boot(credential: Credential): Promise<Booted> {
  const page = document.createElement("hp-usage-page");
  const app = new UsageApp(page, {
    store: await openDevice(credential),
    credential,
    api: createApi(credential.asker),
    usage: createUsageApi(credential.asker),
  });
  listen(page, app);
  return { page, app };
}

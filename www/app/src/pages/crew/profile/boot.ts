/** Boots the page of one's own model: device, client, then the page. No engine: nothing of a package is here. */
import { createProfileApi } from "@holdpoint/core/crew";
import { language } from "@holdpoint/elements";
import { createApi, openDevice } from "../../../core.js";
import type { Credential } from "../../../credential.js";
import type { Booted } from "../../../pages.js";
import { ProfileApp } from "./app.js";
import { listen } from "./events.js";
import "./page.js";

export async function boot(credential: Credential): Promise<Booted> {
  const page = document.createElement("hp-profile-page");
  const { asker } = credential;
  const app = new ProfileApp(page, {
    store: await openDevice(credential),
    credential,
    api: createApi(asker),
    profiles: createProfileApi(asker, language),
  });
  listen(page, app);
  return { page, app };
}

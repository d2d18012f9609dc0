/** Boots the workbench: device, engine, clients, then the page. */
import { createCrewApi, createSessions, loadCrew } from "@holdpoint/core/crew";
import { language } from "@holdpoint/elements";
import { createApi, loadCore, openDevice } from "../../../core.js";
import type { Credential } from "../../../credential.js";
import type { Booted } from "../../../pages.js";
import { WorkbenchApp } from "./app.js";
import { listen } from "./events.js";
import "./page.js";

export async function boot(credential: Credential): Promise<Booted> {
  const page = document.createElement("hp-workbench-page");
  const [core, store] = await Promise.all([loadCore(), openDevice(credential), loadCrew()]);
  const { asker } = credential;
  const app = new WorkbenchApp(page, {
    core,
    store,
    credential,
    api: createApi(asker),
    projects: createCrewApi(asker, language),
    sessions: (project) => createSessions(asker, language, project),
  });
  listen(page, app);
  return { page, app };
}

/** Boots the crew pages: device, engine, clients, then the page. The workbench has a page of its own. */
import { createCrewApi, loadCrew } from "@holdpoint/core/crew";
import { language } from "@holdpoint/elements";
import { createApi, createChecks, loadCore, openDevice } from "../../core.js";
import type { Credential } from "../../credential.js";
import type { Booted } from "../../pages.js";
import { CrewApp } from "./app.js";
import { listen } from "./events.js";
import { KIND } from "./kind.js";
import "./page.js";

/** Where a person talks about one part of a package (ai-sessions.md §11). */
const WORKBENCH = /^\/builder\/[^/]+\/ai-workbench\/?$/;
/** One's own model; no project has that id. */
const PROFILE = /^\/crew\/profile\/?$/;

export async function boot(credential: Credential): Promise<Booted> {
  if (WORKBENCH.test(location.pathname))
    return (await import("./workbench/boot.js")).boot(credential);
  if (PROFILE.test(location.pathname)) return (await import("./profile/boot.js")).boot(credential);
  const page = document.createElement("hp-crew-page");
  const [core, store] = await Promise.all([loadCore(), openDevice(credential), loadCrew()]);
  const app = new CrewApp(page, {
    core,
    checks: createChecks(KIND),
    store,
    credential,
    api: createApi(credential.asker),
    crew: createCrewApi(credential.asker, language),
  });
  listen(page, app);
  return { page, app };
}

/** The crew pages over the edge that serves them, with the real check: `walk.html?page=crew`. */
import "../src/pages/crew/page.js";
import { createChecks, loadCore } from "@holdpoint/core";
import { createCrewApi, loadCrew } from "@holdpoint/core/crew";
import type { Store } from "@holdpoint/core/types";
import type { Credential } from "../src/credential.js";
import { CrewApp } from "../src/pages/crew/app.js";
import { listen } from "../src/pages/crew/events.js";
import { KIND } from "../src/pages/crew/kind.js";
import * as f from "./fixtures.js";

/** Begins at an address: `?at=/crew/prj_…`. */
export async function crewWalk(credential: Credential, memory: Store): Promise<void> {
  await loadCrew();
  const query = new URLSearchParams(location.search);
  history.replaceState(null, "", query.get("at") ?? "/crew");
  const page = document.createElement("hp-crew-page");
  const api = {
    indicator: async () => f.indicator,
    model: async () => ({ model: "Scripted model", scripted: true }),
  };
  const app = new CrewApp(page, {
    core: await loadCore(),
    checks: createChecks(KIND),
    store: memory,
    credential,
    api: api as never,
    crew: createCrewApi(
      () => credential.token,
      () => "en",
    ),
  });
  listen(page, app);
  page.id = "page";
  await app.start();
  document.body.append(page);
  Object.assign(window, { hpCrewApp: app });
  document.documentElement.dataset.ready = "walk";
}

declare global {
  interface Window {
    hpCrewApp: CrewApp;
  }
}

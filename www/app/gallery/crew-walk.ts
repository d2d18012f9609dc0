/** The crew pages over an edge in memory, with the real check: `walk.html?page=crew`. */
import "../src/pages/crew/page.js";
import { createChecks, loadCore } from "@holdpoint/core";
import { loadCrew } from "@holdpoint/core/crew";
import type { Store } from "@holdpoint/core/types";
import type { Credential } from "../src/credential.js";
import { CrewApp } from "../src/pages/crew/app.js";
import { listen } from "../src/pages/crew/events.js";
import { KIND } from "../src/pages/crew/kind.js";
import { claims } from "./crew-package.js";
import { FakeCrew } from "./fake-crew.js";
import * as f from "./fixtures.js";

/** Begins at an address: `?at=/crew/prj_…`; the claims desk is project 1 unless `?empty`. */
export async function crewWalk(credential: Credential, memory: Store): Promise<void> {
  await loadCrew();
  const query = new URLSearchParams(location.search);
  const edge = window.hpCrew ?? new FakeCrew();
  const store = window.hpStore ?? memory;
  if (!window.hpCrew && !query.has("empty")) edge.put("Claims desk", claims);
  Object.assign(window, { hpCrew: edge, hpStore: store });
  history.replaceState(null, "", query.get("at") ?? "/crew");
  const page = document.createElement("hp-crew-page");
  const api = {
    indicator: async () => f.indicator,
    model: async () => ({ model: "Scripted model", scripted: true }),
  };
  const app = new CrewApp(page, {
    core: await loadCore(),
    checks: createChecks(KIND),
    store,
    credential,
    api: api as never,
    crew: edge,
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

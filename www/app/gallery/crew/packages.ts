/** The list of packages: empty, some, one that was refused, no network. */
import type { PackagesView } from "@holdpoint/elements/crew/view";
import { checkView } from "../../src/pages/crew/package-view.js";
import type { CrewBody, CrewPageView } from "../../src/pages/crew/page-view.js";
import { minute } from "../fixtures.js";
import { broken, none5, now, opened, page } from "./base.js";

const samples: PackagesView["samples"] = [
  { id: "nothing", holds: null },
  { id: "claims", holds: { workflows: 3, agents: 5, assets: 6 } },
  { id: "publishing", holds: { workflows: 2, agents: 4, assets: 5 } },
  { id: "incident", holds: { workflows: 1, agents: 3, assets: 4 } },
];

const line = (
  id: string,
  name: string,
  sub: string,
  more: Partial<PackagesView["packages"][number]> = {},
): PackagesView["packages"][number] => ({
  ...{ id, name, sub },
  check: { errors: 0, warnings: 0, where: "" },
  holds: { workflows: 2, agents: 4, assets: 5 },
  version: "1.2.0",
  at: minute(2),
  proposal: false,
  unsaved: false,
  ...more,
});

const packages = (over: Partial<PackagesView> = {}): CrewBody => ({
  is: "packages",
  view: {
    state: "ready",
    problem: null,
    packages: [
      line("1", "Claims desk", "Motor, water and complaints, from first call to letter", {
        check: { errors: 0, warnings: 4, where: "" },
        version: "0.4.0",
        proposal: true,
      }),
      line("2", "Press room", "Drafts a notice, has it reviewed twice, publishes it"),
      line("3", "Incident review", "Collects the timeline and writes the post-mortem", {
        unsaved: true,
        holds: { workflows: 1, agents: 3, assets: 4 },
      }),
      line("4", "Supplier audit", "", {
        check: { errors: 2, warnings: 0, where: "Site visit" },
        version: "0.1.0",
      }),
      line("5", "Not yet read", "", { check: null, holds: null, version: "" }),
    ],
    samples,
    offline: false,
    creating: false,
    importing: "",
    taken: null,
    refused: null,
    now,
    ...over,
  },
});

const refused = { code: "PKG_VALIDATION_FAILED", message: "Mend the errors of the package first." };

export const listStates: Record<string, () => CrewPageView> = {
  "crew-packages": () => page(packages()),
  "crew-packages-empty": () => page(packages({ packages: [] })),
  "crew-packages-failed": () => page(packages({ packages: [], state: "failed", problem: none5 })),
  "crew-packages-offline": () => page(packages({ offline: true }), { offline: true }),
  "crew-packages-taken": () =>
    page(packages({ taken: { name: "Claims desk", suggested: "Claims desk-imported" } })),
  "crew-packages-refused": () =>
    page(
      packages({
        refused: {
          name: "claims.zip",
          error: refused,
          findings: checkView(opened({ found: broken })).findings.map((one) => one.found),
        },
      }),
    ),
  "crew-sign-in": () =>
    page(packages(), { signIn: { reason: "missing", refused: "", sending: false } }),
};

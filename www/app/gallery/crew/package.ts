/** A package: its contents, findings, search, paths and versions. */
import { t } from "@holdpoint/elements";
import type { PackageView, PathsView } from "@holdpoint/elements/crew/view";
import type { Around } from "../../src/pages/crew/around.js";
import { checkView, contents } from "../../src/pages/crew/package-view.js";
import type { CrewBody, CrewPageView } from "../../src/pages/crew/page-view.js";
import { Walking } from "../../src/pages/crew/walking.js";
import { claims } from "../crew-package.js";
import { core } from "../loaded.js";
import { broken, type Drawn, ID, none5, now, opened, page, revisions } from "./base.js";

const walked = (): PathsView => {
  const hops = (titles: string[], mark = "") =>
    titles.map((title) => ({
      title,
      mark: title === mark ? ("warning" as const) : ("" as const),
    }));
  const way = ["Take the claim", "Check cover", "Is it covered?", "Assess damage", "How large?"];
  return {
    state: "ready",
    problem: null,
    workflows: [
      { id: "1", name: "Motor claim", findings: 2, count: 6, complete: true },
      { id: "2", name: "Water damage", findings: 1, count: 4, complete: true },
      { id: "3", name: "Complaint", findings: 0, count: 10_000, complete: false },
    ],
    chosen: "1",
    name: "Motor claim",
    figures: { count: 6, complete: true, shortest: 7, longest: 14, ends: 6, ms: 2 },
    findings: [
      {
        code: "PATH_VARIABLE_UNSET",
        severity: "warning",
        text: "Set `excess_amount` before `How large?` decides.",
        facts: [
          { what: "read", text: "How large?: over €5,000" },
          { what: "affects", text: t("crew.paths.of", { n: 5, of: 6 }) },
        ],
        way: hops(way, "How large?"),
        href: "/crew/1/workflows/1?node=size",
        improve: "/builder/1/ai-workbench",
      },
    ],
    paths: [
      {
        way: hops([
          ...way.slice(0, 3),
          "Explain refusal",
          "Bring together",
          "Write the letter",
          "Claim closed",
        ]),
        findings: 0,
      },
      {
        way: hops([...way, "Settle payment", "Bring together", "Claim closed"], "How large?"),
        findings: 1,
      },
    ],
    walk: null,
  };
};

/** The path of the example on which a variable is missing. */
const path = {
  nodes: ["collect", "cover", "covered", "assess", "size", "fraud", "join", "letter", "end"],
  edges: [0, 1, 2, 4, 6, 9, 11, 12],
};

/** A path that is walked, at one of its steps. */
function walking(at: number, drawn: Drawn = {}, paths = [path]): CrewBody {
  const open = opened(drawn);
  const [workflow] = open.pack.workflows;
  if (!workflow) throw new Error("The fixture has no workflow.");
  const around = { core, changed: () => undefined } as unknown as Around;
  const walk = new Walking("1", path, open, around);
  walk.to(at);
  return pack({ tab: "paths", paths: { ...walked(), walk: walk.view(workflow, paths) } });
}

const unread = { ...claims, "workflows/1/steps/assess.md": "---\ntitle: [\n---\n# A\n" };

const none = { on: false, what: "" };

function pack(over: Partial<PackageView> = {}, drawn: Drawn = {}): CrewBody {
  const open = opened(drawn);
  return {
    is: "package",
    view: {
      id: ID,
      name: "Claims desk",
      version: "0.4.0",
      revision: 31,
      saved: t("crew.version.saved", { n: 31, time: "14:02", who: t("crew.by.you") }),
      tab: "contents",
      contents: contents(open, revisions, { offline: false, naming: null }),
      check: checkView(open),
      paths: walked(),
      versions: null,
      search: null,
      proposal: "/builder/1/ai-workbench",
      unsaved: 0,
      exporting: false,
      undo: { on: true, what: t("crew.undo.last") },
      redo: none,
      now,
      ...over,
    },
  };
}

const versions = (): PackageView["versions"] => ({
  state: "ready",
  problem: null,
  offline: false,
  groups: [
    {
      title: "",
      entries: revisions.map(({ revision }) => ({
        id: String(revision),
        lead: "14:02",
        mark: null,
        title: t("crew.revision", { n: revision }),
        subs: ["workflows/1/workflow.graph.json"],
        signature: "",
        signed: false,
        print: "",
        tick: t("crew.revision.tick", { n: revision }),
        row: true,
        undo: null,
        blocked: "",
        full: "",
      })),
    },
  ],
  note: null,
  none: "crew.revision.none",
  more: true,
  chosen: null,
  ticked: ["31", "29"],
  keep: null,
  compare: { label: t("crew.revision.compare"), off: "" },
});

export const packageStates: Record<string, () => CrewPageView> = {
  "crew-package": () => page(pack()),
  "crew-package-errors": () => page(pack({ proposal: "" }, { found: broken })),
  "crew-package-empty": () => page(pack({ proposal: "", version: "" }, { files: {}, found: [] })),
  "crew-package-naming": () =>
    page(
      pack({
        contents: contents(opened(), revisions, {
          offline: false,
          naming: { what: "asset", error: t("crew.asset.path.bad") },
        }),
      }),
    ),
  "crew-package-checking": () => page(pack({ unsaved: 2 }, { found: [], state: "checking" })),
  "crew-package-search": () =>
    page(
      pack({
        search: {
          words: "excess",
          state: "ready",
          truncated: true,
          hits: [
            {
              place: "Motor claim, Assess damage",
              line: 8,
              text: "- assets/tables/excess-2025.json",
              href: "/crew/1/workflows/1?node=assess",
            },
          ],
        },
      }),
    ),
  "crew-package-delete": () =>
    page(pack(), {
      ask: {
        is: "delete",
        heading: t("crew.delete.package", { name: "Claims desk" }),
        text: t("crew.delete.package.text"),
        label: t("crew.delete.tick"),
        value: "",
        go: t("crew.delete"),
      },
    }),
  "crew-paths": () => page(pack({ tab: "paths" })),
  "crew-paths-none": () =>
    page(pack({ tab: "paths", paths: { ...walked(), figures: null, findings: [], paths: [] } })),
  "crew-walk": () => page(walking(3)),
  "crew-walk-missing": () => page(walking(4)),
  "crew-walk-end": () => page(walking(8)),
  "crew-walk-unread": () => page(walking(3, { files: unread })),
  "crew-walk-gone": () => page(walking(3, {}, [])),
  "crew-versions": () => page(pack({ tab: "versions", versions: versions() })),
  "crew-missing": () => page({ is: "away", view: { state: "missing", problem: null, back: null } }),
  "crew-failed": () =>
    page({
      is: "away",
      view: { state: "failed", problem: none5, back: { name: "Claims desk", href: "/crew/1" } },
    }),
};

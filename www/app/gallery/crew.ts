/** Each state of the crew pages (UI.md §12) as a `CrewPageView`: the page's own views of one package, and literals. */
import { type Bundle, openPackage, type Revision } from "@holdpoint/core/crew";
import type { Diagnostic } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type {
  EditorBase,
  PackagesView,
  PackageView,
  PathsView,
} from "@holdpoint/elements/crew/view";
import { AgentEditor } from "../src/pages/crew/agent.js";
import { AssetEditor } from "../src/pages/crew/asset.js";
import type { Opened } from "../src/pages/crew/opened.js";
import { checkView, contents } from "../src/pages/crew/package-view.js";
import type { CrewBody, CrewPageView } from "../src/pages/crew/page-view.js";
import { WorkflowEditor } from "../src/pages/crew/workflow.js";
import { claims } from "./crew-package.js";
import * as f from "./fixtures.js";
import { minute } from "./fixtures.js";

const now = minute(30);
const ID = "prj_0000000000000001";

const warning = (code: string, message: string, path: string, more: object = {}): Diagnostic =>
  ({ code, severity: "warning", message, path, ...more }) as Diagnostic;
const at = (line: number) => ({ start: { line, column: 1 }, end: { line, column: 2 } });

const findings: Diagnostic[] = [
  warning(
    "GRAPH_VARIABLE_UNSET",
    "Set `excess_amount` in a step's setsVariables or in the document's `variables`.",
    "workflows/1/workflow.graph.json",
    { pointer: "/edges/6/conditionExpr" },
  ),
  warning(
    "STEP_OUTPUT_PATH",
    "Begin the output with `artifacts/`: products of a run lie there.",
    "workflows/1/steps/assess.md",
    { pointer: "/outputs/0", range: at(11) },
  ),
  warning(
    "ASSET_REF_UNRESOLVED",
    "Add `assets/tables/excess-2024.json`, or take the citation out.",
    "workflows/2/steps/settle.md",
    { range: at(20) },
  ),
  warning("AGENT_FIELD_LONG", "Shorten it to 200 characters.", "agents.json", {
    pointer: "/agents/4/persona/communication_style",
  }),
];
const broken: Diagnostic[] = [
  {
    ...warning(
      "AGENT_NOT_FOUND",
      "Name an agent of the package instead of `clerk`.",
      "workflows/2/workflow.graph.json",
    ),
    severity: "error",
    pointer: "/nodes/0/agentId",
  },
  ...findings,
];

interface Drawn {
  files?: Bundle["files"];
  found?: Diagnostic[];
  state?: "checking" | "ready" | "trapped";
}

/** An open package, as far as views look at it. */
function opened({ files = claims, found = findings, state = "ready" }: Drawn = {}): Opened {
  return {
    id: ID,
    files,
    pack: openPackage(files, "Claims desk"),
    stored: { revision: 31, name: "Claims desk", files: claims },
    checked: { state, findings: found, at: minute(2), ms: 9 },
    edit: () => undefined,
  } as unknown as Opened;
}

const revisions: Revision[] = [31, 30, 29].map((revision, n) => ({
  revision,
  cause: n === 1 ? "apply" : "save",
  actor: "user:dev",
  at: minute(-40 * n),
  about: null,
  changed: ["workflows/1/workflow.graph.json", "workflows/1/steps/assess.md"],
  name: "Claims desk",
}));

function page(body: CrewBody, over: Partial<CrewPageView> = {}): CrewPageView {
  const open = body.is !== "packages" && body.is !== "away";
  return {
    signIn: null,
    indicator: f.indicator,
    offline: false,
    menu: null,
    toast: null,
    problem: null,
    theme: "light",
    density: "comfortable",
    language: "en",
    now,
    body,
    document: open ? { name: "Claims desk", version: "0.4.0" } : null,
    pane: "list",
    ask: null,
    budgetOpen: false,
    live: "",
    ...over,
  };
}

// ── packages ─────────────────────────────────────────────────────────────────────────────────────────────────────

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

// ── a package ────────────────────────────────────────────────────────────────────────────────────────────────────

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
      { id: "1", name: "Motor claim", findings: 2 },
      { id: "2", name: "Water damage", findings: 1 },
      { id: "3", name: "Complaint", findings: 0 },
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
  };
};

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

// ── editors ──────────────────────────────────────────────────────────────────────────────────────────────────────

const base = (foot: EditorBase["foot"] = clean, over: Partial<EditorBase> = {}) => ({
  package: { name: "Claims desk", href: `/crew/${ID}` },
  foot,
  conflict: null,
  undo: { on: true, what: t("crew.edit.move", { name: "Fraud review" }) },
  redo: none,
  versions: `/crew/${ID}/versions`,
  ...over,
});
const clean: EditorBase["foot"] = { state: "clean", files: 0, off: "", errors: 0 };
const edited: EditorBase["foot"] = { ...clean, state: "edited", files: 1 };

function workflow(
  foot = clean,
  node = "assess",
  over: Partial<EditorBase> = {},
  drawn: Drawn = {},
): CrewBody {
  const view = new WorkflowEditor("1", node, opened(drawn), () => undefined).view();
  if (!view) throw new Error("The fixture has no workflow 1.");
  return { is: "workflow", view: { ...view, ...base(foot, over) } };
}

function agent(id: string, foot = clean, drawn: Drawn = {}): CrewBody {
  const view = new AgentEditor(id, opened(drawn), () => undefined).view();
  if (!view) throw new Error(`The fixture has no agent ${id}.`);
  return { is: "agent", view: { ...view, ...base(foot) } };
}

function asset(path: string, foot = clean): CrewBody {
  const view = new AssetEditor(path, opened(), () => undefined).view();
  if (!view) throw new Error(`The fixture has no asset ${path}.`);
  return { is: "asset", view: { ...view, ...base(foot) } };
}

const talkative = {
  ...claims,
  "agents.json": (claims["agents.json"] ?? "").replace(
    "Short sentences and figures first.",
    "Short sentences and figures first. ".repeat(8),
  ),
};

const conflict = (): EditorBase["conflict"] => ({
  text: t("crew.conflict.text", {
    who: t("crew.by.you"),
    part: "Motor claim",
    time: "14:19",
    n: 32,
  }),
  files: [],
  left: t("crew.conflict.left", { n: 32 }),
  right: t("crew.conflict.right"),
});

function compare(): CrewBody {
  const old = {
    ...claims,
    "workflows/1/workflow.graph.json": (claims["workflows/1/workflow.graph.json"] ?? "")
      .replaceAll("over €5,000", "over €8,000")
      .replaceAll('"fraud"', '"police"')
      .replaceAll("Fraud review", "Ask the police"),
  };
  const [left, right] = [openPackage(old), openPackage(claims)];
  const names = new Map((right.agents ?? []).map((one) => [one.id, one.metadata.name]));
  const row = (name: string, was: string, is: string, strong = true) => ({
    ...{ name, strong },
    left: was,
    right: is,
  });
  return {
    is: "compare",
    view: {
      state: "ready",
      problem: null,
      left: { revision: 29, meta: "10 November" },
      right: { revision: 32, meta: "14:22" },
      counts: { added: 2, removed: 1, changed: 2 },
      workflows: [
        { id: "1", name: "Motor claim", changes: 3 },
        { id: "2", name: "Water damage", changes: 0 },
      ],
      chosen: "1",
      graphs: {
        left: left.workflows[0]?.graph ?? null,
        right: right.workflows[0]?.graph ?? null,
      },
      changed: new Set(["assess"]),
      objects: [
        {
          name: "Motor claim",
          how: "changed",
          members: [
            row(t("crew.cmp.edge"), "How large? · over €8,000 → Ask the police", ""),
            row(t("crew.cmp.edge"), "", "How large? · over €5,000 → Fraud review"),
          ],
        },
        {
          name: "Ask the police",
          how: "removed",
          members: [row(t("crew.nodes.type"), t("crew.type.subworkflow"), "")],
        },
        {
          name: "Assess damage",
          how: "changed",
          members: [
            row(t("crew.node.sets"), "loss_amount", "loss_amount, photos_ok"),
            row(
              t("crew.instructions"),
              t("crew.cmp.lines", { n: 9 }),
              t("crew.cmp.lines", { n: 10 }),
              false,
            ),
          ],
        },
        {
          name: "assets/tables/excess-by-vehicle.json",
          how: "added",
          members: [row(t("crew.size"), "", "17 bytes")],
        },
      ],
      agents: { left: names, right: names },
      back: { name: "Claims desk", href: `/crew/${ID}/versions` },
      restoring: false,
      offline: false,
    },
  };
}

const refused = { code: "PKG_VALIDATION_FAILED", message: "Mend the errors of the package first." };
const none5 = { code: "SERVICE_UNAVAILABLE", message: "The server is not ready." };

const states: Record<string, () => CrewPageView> = {
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
  "crew-versions": () => page(pack({ tab: "versions", versions: versions() })),
  "crew-workflow": () => page(workflow()),
  "crew-workflow-graph": () => page(workflow(edited), { pane: "graph" }),
  "crew-workflow-step": () => page(workflow(edited), { pane: "step" }),
  "crew-workflow-decision": () => page(workflow(edited, "size"), { pane: "step" }),
  "crew-workflow-queued": () =>
    page(workflow({ ...edited, state: "queued" }), { offline: true, pane: "step" }),
  "crew-workflow-conflict": () =>
    page(workflow({ ...edited, state: "conflict" }, "assess", { conflict: conflict() }), {
      pane: "step",
    }),
  "crew-workflow-unread": () =>
    page(
      workflow(
        edited,
        "assess",
        {},
        {
          files: { ...claims, "workflows/1/steps/assess.md": "---\ntitle: [\n---\n# A\n" },
        },
      ),
      { pane: "step" },
    ),
  "crew-agent": () => page(agent("loss-assessor")),
  "crew-agent-error": () =>
    page(
      agent(
        "loss-assessor",
        { ...edited, off: t("crew.agent.fix"), errors: 1 },
        { files: talkative },
      ),
    ),
  "crew-asset": () => page(asset("assets/guides/assessment.md")),
  "crew-asset-edited": () => page(asset("assets/tables/excess-by-vehicle.json", edited)),
  "crew-compare": () => page(compare()),
  "crew-missing": () => page({ is: "away", view: { state: "missing", problem: null, back: null } }),
  "crew-failed": () =>
    page({
      is: "away",
      view: { state: "failed", problem: none5, back: { name: "Claims desk", href: "/crew/1" } },
    }),
  "crew-sign-in": () =>
    page(packages(), { signIn: { reason: "missing", refused: "", sending: false } }),
};

export const crewStateNames = Object.keys(states);
export const crewViewOf = (name: string): CrewPageView | null => states[name]?.() ?? null;

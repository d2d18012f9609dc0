/** The editors of a workflow, an agent and an asset. */
import type { Diagnostic } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { EditorBase, MergePlace } from "@holdpoint/elements/crew/view";
import { AgentEditor } from "../../src/pages/crew/agent.js";
import { AssetEditor } from "../../src/pages/crew/asset.js";
import type { CrewBody, CrewPageView } from "../../src/pages/crew/page-view.js";
import { WorkflowEditor } from "../../src/pages/crew/workflow.js";
import { claims } from "../crew-package.js";
import { type Drawn, ID, opened, page } from "./base.js";
import * as graphs from "./graphs.js";

/** A node whose id does not fit. */
const LONG = "a-decision-with-an-identifier-that-goes-on-and-on-and-on";

const none = { on: false, what: "" };

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

/** The same with a menu, and a prompt that has no id yet. */
const talking = {
  ...claims,
  "agents.json": (claims["agents.json"] ?? "")
    .replace(
      '"prompts": [',
      '"menu": [{ "description": "Price a part", "exec": "price.md", "web-only": true, "key": 1 }],\n' +
        '"critical_actions": ["Read the photos first."],\n"prompts": [',
    )
    .replace('"id": "sum"', '"id": ""'),
};
const nameless: Diagnostic = {
  ...{ code: "PKG_SCHEMA_ERROR", severity: "error", path: "agents.json" },
  message: "Write at least 1 character.",
  pointer: "/agents/2/prompts/0/id",
};

/** What both changed: a member, lines, and a node that one of them deleted. */
const clashes: MergePlace[] = [
  {
    key: "title",
    place: "Assess damage, title",
    mine: 'title: "Put a figure on the damage"',
    theirs: 'title: "Assess the damage"',
    chosen: "mine",
  },
  {
    key: "line 21",
    place: "Assess damage, line 21",
    mine: "1. List each damaged part with its cost, twice.\n",
    theirs: "1. Name each damaged part.\n2. Price it from the list.\n",
    chosen: "",
  },
  {
    key: "nodes/fraud",
    place: "Graph, Fraud review",
    mine: null,
    theirs: '{\n  "id": "fraud",\n  "title": "Second look"\n}',
    chosen: "",
  },
];

const conflict = (places: MergePlace[] = []): EditorBase["conflict"] => ({
  text: t("crew.conflict.text", {
    who: "mia",
    part: "Motor claim",
    time: "14:19",
    n: 32,
  }),
  files: [],
  left: t("crew.conflict.left", { n: 32 }),
  right: t("crew.conflict.right"),
  merge: { places, open: places.filter(({ chosen }) => !chosen).length },
});

export const editorStates: Record<string, () => CrewPageView> = {
  "crew-workflow": () => page(workflow()),
  "crew-workflow-graph": () => page(workflow(edited), { pane: "graph" }),
  "crew-workflow-step": () => page(workflow(edited), { pane: "step" }),
  "crew-workflow-decision": () => page(workflow(edited, "size"), { pane: "step" }),
  "crew-workflow-one": () => page(workflow(clean, "start", {}, { files: graphs.one(), found: [] })),
  "crew-workflow-many": () =>
    page(workflow(clean, "n120", {}, { files: graphs.many(), found: [] }), { pane: "graph" }),
  "crew-workflow-long": () =>
    page(workflow(edited, LONG, {}, { files: graphs.long(), found: [] }), { pane: "step" }),
  "crew-workflow-long-graph": () =>
    page(workflow(edited, LONG, {}, { files: graphs.long(), found: [] }), { pane: "graph" }),
  "crew-workflow-queued": () =>
    page(workflow({ ...edited, state: "queued" }), { offline: true, pane: "step" }),
  "crew-workflow-conflict": () =>
    page(workflow({ ...edited, state: "conflict" }, "assess", { conflict: conflict() }), {
      pane: "step",
    }),
  "crew-workflow-merge": () =>
    page(workflow({ ...edited, state: "conflict" }, "assess", { conflict: conflict(clashes) }), {
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
  "crew-agent-more": () =>
    page(
      agent(
        "loss-assessor",
        { ...edited, off: t("crew.agent.fix"), errors: 1 },
        { files: talking, found: [nameless] },
      ),
    ),
  "crew-asset": () => page(asset("assets/guides/assessment.md")),
  "crew-asset-edited": () => page(asset("assets/tables/excess-by-vehicle.json", edited)),
};

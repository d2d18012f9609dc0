/** What states of the crew pages stand on: an open package as views look at it, its findings, and the page around it. */
import { type Bundle, openPackage, type Revision } from "@holdpoint/core/crew";
import type { Diagnostic } from "@holdpoint/core/types";
import type { Opened } from "../../src/pages/crew/opened.js";
import type { CrewBody, CrewPageView } from "../../src/pages/crew/page-view.js";
import { claims } from "../crew-package.js";
import * as f from "../fixtures.js";
import { minute } from "../fixtures.js";
import "../loaded.js";

export const now = minute(30);
export const ID = "prj_0000000000000001";

export const warning = (
  code: string,
  message: string,
  path: string,
  more: object = {},
): Diagnostic => ({ code, severity: "warning", message, path, ...more }) as Diagnostic;
export const at = (line: number) => ({ start: { line, column: 1 }, end: { line, column: 2 } });

export const findings: Diagnostic[] = [
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
export const broken: Diagnostic[] = [
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

export interface Drawn {
  files?: Bundle["files"];
  found?: Diagnostic[];
  state?: "checking" | "ready" | "trapped";
}

/** An open package, as far as views look at it. */
export function opened({ files = claims, found = findings, state = "ready" }: Drawn = {}): Opened {
  return {
    id: ID,
    files,
    pack: openPackage(files, "Claims desk"),
    stored: { revision: 31, name: "Claims desk", files: claims },
    checked: { state, findings: found, at: minute(2), ms: 9 },
    edit: () => undefined,
  } as unknown as Opened;
}

export const revisions: Revision[] = [31, 30, 29].map((revision, n) => ({
  revision,
  cause: n === 1 ? "apply" : "save",
  actor: "user:dev",
  at: minute(-40 * n),
  about: null,
  changed: ["workflows/1/workflow.graph.json", "workflows/1/steps/assess.md"],
  name: "Claims desk",
}));

export function page(body: CrewBody, over: Partial<CrewPageView> = {}): CrewPageView {
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

/** The edge is not ready. */
export const none5 = { code: "SERVICE_UNAVAILABLE", message: "The server is not ready." };

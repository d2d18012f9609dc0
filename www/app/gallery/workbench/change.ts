/** The change of the drawing: a second look for large claims, and the package around it. */

import { type Graph, openPackage } from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type {
  ChangeColumn,
  FileRow,
  GraphPair,
  NowView,
} from "@holdpoint/elements/crew/workbench/view";
import type { DiffFile } from "@holdpoint/elements/diff/view";
import type { Found } from "@holdpoint/elements/findings/view";
import type { Claim } from "@holdpoint/elements/review/claims";
import { nowOf } from "../../src/pages/crew/workbench/now.js";
import { claims as claimsDesk } from "../crew-package.js";
import { diff, hunk } from "../script-fixtures.js";
import "../loaded.js";

const row = (
  letter: FileRow["letter"],
  name: string,
  file: string,
  added: number,
  deleted: number,
): FileRow => ({ letter, name, file, added, deleted, unsaid: false, different: false });

export const change = (): ChangeColumn => ({
  proposal: 2,
  check: "passed",
  errors: 0,
  warnings: 1,
  files: [
    row("M", "Motor claim", "workflows/1/workflow.graph.json", 18, 4),
    row("M", "Assess damage", "workflows/1/steps/assess.md", 5, 4),
    row("A", "Second look", "workflows/1/steps/second-look.md", 31, 0),
    row("A", "Senior assessor", "agents/senior-assessor.json", 27, 0),
    row("D", "excess-2025.json", "assets/tables/excess-2025.json", 0, 41),
  ],
  selected: "workflows/1/steps/assess.md",
  impact: {
    objects: 5,
    risks: [
      t("wb.risk.delete", { what: t("wb.n.asset", { n: 1 }) }),
      t("wb.risk.cross-object", { n: 4 }),
      t("wb.risk.high-churn", { n: 5 }),
    ],
    kinds: [
      { type: "workflow", names: ["Motor claim"] },
      { type: "step", names: ["Assess damage", "Second look"] },
      { type: "agent", names: ["Senior assessor"] },
      { type: "asset", names: ["excess-2025.json"] },
    ],
    affected: [
      {
        name: "Settle payment",
        where: "Water damage",
        why: t("wb.affected.deleted"),
        href: "/crew/prj_1/workflows/2",
      },
    ],
  },
  unavailable: false,
});

const added = (lines: string): DiffFile["diff"] =>
  diff([
    hunk(
      0,
      1,
      lines.split("\n").map((line) => `+${line}`),
    ),
  ]);

export const files: readonly DiffFile[] = [
  {
    path: "workflows/1/steps/assess.md",
    diff: diff([
      hunk(7, 7, [
        " inputs:",
        "   - assets/guides/assessment.md".slice(1),
        "-  - assets/tables/⟦excess-2025⟧.json",
        "+  - assets/tables/⟦excess-by-vehicle⟧.json",
        " outputs:",
        "   - artifacts/assessment.md".slice(1),
        '-setsVariables: ["loss_amount", "photos_ok"]',
        '+setsVariables: ["loss_amount", "photos_ok"⟦, "excess_amount"⟧]',
        " ---",
      ]),
      hunk(23, 23, [
        " 1. List each damaged part with its cost.",
        "-2. Deduct the excess from `assets/tables/⟦excess-2025⟧.json`.",
        "-3. Write the sum to `loss_amount`.",
        "+2. Deduct the excess ⟦of the vehicle class ⟧from `assets/tables/⟦excess-by-vehicle⟧.json`.",
        "+3. Write the sum to `loss_amount`⟦ and the excess to `excess_amount`⟧.",
        " 4. Set `photos_ok` to true when every part is visible.",
        "+5. Over €5,000, name the two costliest parts for the second look.",
      ]),
    ]),
  },
  {
    path: "workflows/1/steps/second-look.md",
    status: "added",
    diff: added(
      '---\nschemaVersion: "1.1"\nnodeId: second-look\ntype: step\ntitle: Second look\n' +
        "agentId: senior-assessor\n---\n\n# Second look\n\n## Goal\n\nCheck the figure of a large claim.",
    ),
  },
];

export const claims = (): Claim[] => [
  {
    is: "unchanged",
    object: "asset:assets/templates/decision-letter.md",
    says: "“The decision letter now names the excess”",
    does: t("claims.not_in", { name: "assets/templates/decision-letter.md" }),
    file: "",
  },
  {
    is: "omitted",
    object: "agent:senior-assessor",
    says: "",
    does: t("claims.adds", { name: t("wb.the.agent", { name: "Senior assessor" }) }),
    file: "agents/senior-assessor.json",
  },
];

const error = (code: string, text: string, hint: string, place: string): Found => ({
  code,
  severity: "error",
  test: "",
  text,
  path: "",
  range: null,
  pointer: "",
  place,
  near: "",
  snippet: [],
  compared: null,
  texts: [],
  hint,
  fresh: false,
  fixable: false,
});

export const errors: readonly Found[] = [
  error(
    "AGENT_NOT_FOUND",
    "Second look names an agent that does not exist: `lead-assessor`",
    "Write `senior-assessor`, the agent that this change adds.",
    "operations[1].payload.stepMarkdown /agentId",
  ),
  error(
    "STEP_EMPTY_SECTION",
    "Instructions of Second look are empty",
    "Write what the agent has to do, in numbered lines.",
    "operations[1].payload.stepMarkdown",
  ),
  error(
    "GRAPH_CYCLE_NO_DECISION",
    "Second look leads back to Assess damage without a decision",
    "Put a decision into the loop, or lead on to Bring together.",
    "operations[0].payload.graph.nodes[1]",
  ),
];

const pack = openPackage(claimsDesk, "Claims desk");
/** The workflow as it is now: its nodes as a list. */
export const nodes: NowView = nowOf(
  {
    ...{ projectId: "prj_1", targetType: "workflow", targetId: "1", workflowId: 1 },
    ...{ mode: "optimize", sessionId: null, source: null, returnTo: null },
  },
  pack,
  { files: claimsDesk },
);

export const step: NowView = {
  is: "text",
  path: "workflows/1/steps/assess.md",
  text:
    '---\nschemaVersion: "1.1"\nnodeId: assess\ntype: step\ntitle: Assess damage\n---\n\n' +
    "# Assess damage\n\n## Goal\n\nFind out what the damage costs.\n",
};

const MANY = 100;

/** A hundred texts at once, some under names that are too long for their row. */
export const many = (): Pick<ChangeColumn, "files"> & { diffs: readonly DiffFile[] } => {
  const names = Array.from({ length: MANY }, (_, i) =>
    i % 7
      ? `guide-${i + 1}.md`
      : `Leitfaden-für-die-Ersteinschätzung-von-Haftpflichtschäden-mit-Drittbeteiligung-${i + 1}.md`,
  );
  return {
    files: names.map((name, i) =>
      row(i % 3 ? "M" : "A", name, `assets/guides/${name}`, i + 1, i % 5),
    ),
    diffs: names.map((name) => ({
      path: `assets/guides/${name}`,
      diff: diff([hunk(3, 3, [" ## Goal", "-Pay ⟦late⟧.", "+Pay ⟦on time⟧."])]),
    })),
  };
};

/** The graph of the drawing beside one in which a claim leads to the police. */
export function graphs(): readonly GraphPair[] {
  const path = "workflows/1/workflow.graph.json";
  const text = claimsDesk[path] ?? "";
  const old = text.replaceAll('"fraud"', '"police"').replaceAll("Fraud review", "Ask the police");
  const graph = (files: typeof claimsDesk): Graph | null =>
    openPackage(files).workflows[0]?.graph ?? null;
  const agents = new Map([["loss-assessor", "Loss assessor"]]);
  const [left, right] = [graph({ ...claimsDesk, [path]: old }), graph(claimsDesk)];
  return [{ name: "Motor claim", left, right, changed: new Set(["assess"]), agents }];
}

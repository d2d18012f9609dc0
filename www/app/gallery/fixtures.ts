/** A model, a plan, a bundle and a run to draw: as the real ones are shaped, and always the same. */
import type {
  AttemptView,
  BundleCheck,
  CapabilityDiff,
  CapabilityUse,
  DiffLine,
  ElementDetail,
  ExtensionRecord,
  FileDiff,
  Files,
  Finding,
  GatewayRun,
  Indicator,
  Manifest,
  ModelFacts,
  ModelRow,
  Plan,
  PlanView,
  Quote,
  Review,
  RunView,
  TestResult,
  TreeNode,
} from "@holdpoint/core/types";
import type { GrantView } from "@holdpoint/elements";

/** 21 November 2026, 13:58 in the zone that the pictures are taken in. */
export const NOON = new Date(2026, 10, 21, 13, 58).getTime();
export const minute = (n: number): number => NOON + n * 60_000;

const storeys: [string, number, number][] = [
  ["Basement", -3.2, 46],
  ["Ground floor", 0, 104],
  ["Level 1", 3.6, 126],
  ["Level 2", 6.8, 118],
  ["Roof", 10, 24],
];
const kinds: [string, string][] = [
  ["IfcWall", "Facade south"],
  ["IfcWall", "Partition"],
  ["IfcDoor", "Door"],
  ["IfcWindow", "Window"],
  ["IfcWall", "Stair core"],
  ["IfcColumn", "Column"],
  ["IfcSlab", "Slab"],
];
const ratings = ["EI 60", "EI 30", null, "EI 90", "EI 60"];

export const rows: ModelRow[] = storeys.flatMap(([storey, , count], level) =>
  Array.from({ length: count }, (_, i): ModelRow => {
    const [type, word] = kinds[(i * 3 + level) % kinds.length] ?? ["IfcWall", "Wall"];
    const id = 1000 * (level + 1) + i * 7;
    const long = i === 11 ? " between corridor and flat 1204, double plasterboard" : "";
    return {
      id,
      type,
      name:
        i === 17
          ? null
          : `${type.slice(3, 4)}-${level}.${String(i + 1).padStart(2, "0")} ${word}${long}`,
      global_id: `2O2Fr$t4X7Zf8NOew3F${String(id).padStart(4, "0").slice(-3)}`,
      storey,
    };
  }),
);
export const values = rows.map((_, i) => ratings[i % ratings.length] ?? null);
export const selected = rows
  .filter((row) => row.storey === "Level 1" && row.type === "IfcWall")
  .slice(2, 5)
  .map((row) => row.id);

export const facts: ModelFacts = {
  name: "Harbour House.ifc",
  schema: "IFC4",
  size: 6_214_003,
  elements: rows.length,
  opened_ms: 1_412,
  types: [],
  storeys: storeys.map(([name, elevation, count], i) => ({ id: 90 + i, name, elevation, count })),
  without_storey: 0,
  problems: [],
};

export const tree: TreeNode[] = [
  {
    id: 1,
    type: "IfcSite",
    name: "Harbour Site",
    children: [
      {
        id: 2,
        type: "IfcBuilding",
        name: "Harbour House",
        children: [...storeys].reverse().map(
          ([name, elevation], i): TreeNode => ({
            id: 90 + i,
            type: "IfcBuildingStorey",
            name,
            elevation,
            children: rows
              .filter((row) => row.storey === name)
              .map((row) => ({ id: row.id, type: row.type, name: row.name, children: [] })),
          }),
        ),
      },
    ],
  },
];

export const details: ElementDetail[] = selected.map((id, i) => {
  const row = rows.find((one) => one.id === id);
  return {
    id,
    type: row?.type ?? "IfcWall",
    name: row?.name ?? null,
    global_id: row?.global_id ?? "",
    storey: row?.storey ?? null,
    groups: [
      {
        name: "Pset_WallCommon",
        kind: "properties",
        values: [
          { name: "FireRating", value: i === 2 ? null : "EI 60" },
          { name: "IsExternal", value: i !== 1 },
          { name: "LoadBearing", value: true },
          { name: "ThermalTransmittance", value: i === 0 ? 0.18 : 0.22, unit: "W/(m²·K)" },
        ],
      },
      {
        name: "Quantities",
        kind: "quantities",
        values: [
          { name: "Length", value: 5.4 + i, unit: "m" },
          { name: "NetSideArea", value: 15.1 + i, unit: "m²" },
        ],
      },
    ],
  };
});

export const colours: [string | null, string][] = [
  ["EI 30", "#9cbfe6"],
  ["EI 60", "#3f74b5"],
  ["EI 90", "#6b4ba3"],
  [null, "#efac2a"],
];

export const plan: Plan = {
  summary: "A dock panel with the share of fire-rated walls on each storey",
  rationale:
    "Counts walls whose Pset_WallCommon.FireRating is set, storey by storey, and keeps the table up to date.",
  contributions: [
    {
      kind: "dock",
      id: "fire.coverage.dock",
      label: "Fire rating coverage",
      slot: "dock.right",
      widget: "widgets/coverage.json",
      refreshOn: ["onModelLoad", "onSelectionChange"],
    },
    { kind: "command", id: "fire.coverage.export", label: "Export CSV" },
  ],
  capabilities: ["model.read", "viewer.read", "export.create:csv"],
  triggers: [],
  widgets: [{ path: "widgets/coverage.json", description: "Table and button" }],
  tests: [
    {
      name: "coverage-per-storey",
      fixture: "house-small",
      contribution: "fire.coverage.rows",
      assertionSummary: "Coverage per storey: 3 of 7, 2 of 6",
    },
    {
      name: "empty-storey",
      fixture: "house-small",
      contribution: "fire.coverage.rows",
      assertionSummary: "A storey without walls shows 0 %",
    },
    {
      name: "csv-lines",
      fixture: "house-small",
      contribution: "fire.coverage.export",
      assertionSummary: "The CSV has one line a storey",
    },
  ],
  notes: "An empty rating counts as no rating.",
};
export const proposed: Plan = {
  ...plan,
  contributions: [
    ...plan.contributions,
    {
      kind: "toolbar",
      id: "fire.coverage.button",
      label: "Fire ratings",
      slot: "toolbar.right",
      command: "fire.coverage.rows",
    },
  ],
};

/** The export was unticked, and its test went with it. */
export const withoutExport: Plan = {
  ...plan,
  contributions: plan.contributions.slice(0, 1),
  tests: plan.tests.slice(0, 2),
};

const sentences: Record<string, [CapabilityUse["risk"], string]> = {
  "model.read": ["green", "Read the model: elements, properties, quantities and structure."],
  "viewer.read": ["green", "See what is selected, what is visible and where the camera is."],
  "export.create:csv": ["yellow", "Save CSV files to your computer."],
  "network.fetch:codes.example.org": [
    "red",
    "Send and receive data over the internet: codes.example.org.",
  ],
};
const line = (capability: string) => ({
  capability,
  risk: sentences[capability]?.[0] ?? ("green" as const),
  sentence: sentences[capability]?.[1] ?? capability,
});

export const planView: PlanView = {
  plan,
  plan_hash: "sha256:51d03b7e",
  ok: true,
  approved: false,
  diagnostics: [],
  capabilities: plan.capabilities.map(line),
  overall_risk: "yellow",
  estimate: {
    output_low: 2_400,
    output_high: 4_800,
    repair_output_max: 24_000,
    input_per_call_max: 32_000,
    calls_max: 5,
    hold_tokens: 316_800,
  },
  text: "",
  edits: 1,
  adjustments_left: 5,
};

export const code = `// Share of walls with a fire rating, storey by storey.
export default async function coverage(ctx) {
  const { query } = ctx.bim;
  const rows = [];
  for (const storey of query.storeys()) {
    const walls = query.contains(storey).filter((part) => part.type === "IfcWall");
    const rated = walls.filter((wall) =>
      query.property(wall, "Pset_WallCommon", "FireRating"));
    rows.push({
      storey: storey.name,
      walls: walls.length,
      rated: rated.length,
      share: walls.length ? rated.length / walls.length : 0,
    });
  }
  return { rows };
}
`;
export const files: Files = {
  "manifest.json":
    '{\n  "manifestVersion": 1,\n  "id": "fire.coverage",\n  "name": "Fire rating coverage",\n' +
    '  "version": "0.1.0"\n}\n',
  "src/coverage.js": code,
  "src/export.js":
    "export default function save(ctx, args) {\n  ctx.bim.export.csv(args.rows);\n}\n",
  "widgets/coverage.json": '{ "type": "Stack", "direction": "vertical", "children": [] }\n',
};

export const manifest: Manifest = {
  id: "fire.coverage",
  name: "Fire rating coverage",
  description: "Shows the share of fire-rated walls on each storey.",
  version: "0.1.0",
  engines: { ifcLiteSdk: ">=1.0.0" },
  capabilities: plan.capabilities,
  activation: [],
  entry: {},
};

const row = (kind: DiffLine["kind"], text: string, spans?: DiffLine["spans"]): DiffLine => ({
  kind,
  text,
  eol: "lf",
  ...(spans ? { spans } : {}),
});

const added = (path: string, text: string): FileDiff => {
  const lines = text.trimEnd().split("\n");
  return {
    path,
    status: "added",
    diff: {
      hunks: [
        {
          id: "1",
          old_start: 0,
          old_count: 0,
          new_start: 1,
          new_count: lines.length,
          lines: lines.map((one) => row("insert", one)),
        },
      ],
      stats: { added: lines.length, deleted: 0 },
      unified: "",
    },
  };
};
export const diff: FileDiff[] = Object.entries(files).map(([path, text]) => added(path, text));
export const changedDiff: FileDiff[] = [
  {
    path: "src/coverage.js",
    status: "modified",
    diff: {
      stats: { added: 3, deleted: 2 },
      unified: "",
      hunks: [
        {
          id: "a",
          old_start: 1,
          old_count: 4,
          new_start: 1,
          new_count: 5,
          lines: [
            row("delete", "// Share of walls with a fire rating, storey by storey.", [[18, 36]]),
            row("insert", "// Share of walls whose rating meets the code, storey by storey.", [
              [18, 45],
            ]),
            row("context", "export default async function coverage(ctx) {"),
            row("context", "  const { query } = ctx.bim;"),
            row("insert", "  const codes = await loadCodes(ctx);"),
            row("context", "  const rows = [];"),
          ],
        },
        {
          id: "b",
          old_start: 7,
          old_count: 3,
          new_start: 8,
          new_count: 3,
          lines: [
            row("context", "    const rated = walls.filter((wall) =>"),
            row("delete", '      query.property(wall, "Pset_WallCommon", "FireRating"));', []),
            row(
              "insert",
              '      meets(codes, query.property(wall, "Pset_WallCommon", "FireRating")));',
              [
                [6, 19],
                [70, 71],
              ],
            ),
            row("context", "    rows.push({"),
          ],
        },
      ],
    },
  },
];

const capabilities: CapabilityDiff = {
  added: [],
  removed: [],
  kept: [],
  narrowed: [],
  widened: [],
  requires_consent: true,
  confirmation: "click",
  risk_before: "green",
  risk_after: "yellow",
  consent: [],
};

export const review: Review = {
  base_hash: null,
  patch_id: "sha256:aa",
  result_hash: "sha256:7c1e90ab00",
  diff: { files: diff, stats: { added: 0, deleted: 0 }, capabilities, weakened_tests: [] },
  capabilities,
  weakened_tests: [],
  confirmation: "click",
  reasons: [],
  confirm_token: null,
  diagnostics: [],
};

export const uses: CapabilityUse[] = [
  {
    ...line("export.create:csv"),
    declared: "export.create:csv",
    required: true,
    places: [{ path: "src/export.js", line: 2, pointer: null, text: "export.csv" }],
  },
  {
    ...line("model.read"),
    declared: "model.read",
    required: true,
    places: [
      { path: "src/coverage.js", line: 5, pointer: null, text: "query.storeys" },
      { path: "src/coverage.js", line: 8, pointer: null, text: "query.property" },
    ],
  },
  {
    ...line("viewer.read"),
    declared: "viewer.read",
    required: false,
    places: [{ path: "src/coverage.js", line: 21, pointer: null, text: "viewer.selection" }],
  },
];
export const risky: CapabilityUse = {
  ...line("network.fetch:codes.example.org"),
  declared: "network.fetch:codes.example.org",
  required: true,
  places: [{ path: "src/codes.js", line: 4, pointer: null, text: "ctx.fetch" }],
};

export const tests: TestResult[] = [
  ["Coverage per storey: 3 of 7, 2 of 6", 210],
  ["A storey without walls shows 0 %", 90],
  ["The CSV has one line a storey", 100],
].map(([name, ms]) => ({ name: String(name), ok: true, diagnostics: [], ms: Number(ms) }));

export const grants: GrantView = {
  granted: plan.capabilities,
  uses,
  needing: {},
  added: plan.capabilities,
  taken: [],
  tests,
  running: null,
  fault: false,
};

const windowError: Finding = {
  stage: "check",
  code: "CODE_FORBIDDEN_GLOBAL",
  severity: "error",
  message: "Do it with `ctx`: there is no `window` in the sandbox.",
  path: "src/coverage.js",
  range: { start: { line: 6, column: 17 }, end: { line: 6, column: 23 } },
  snippet: [
    { number: 6, text: "  const cache = window.fireCache || {};", mark: { start: 17, end: 23 } },
  ],
};
const wildError: Finding = {
  stage: "plan",
  code: "PLAN_EXTRA_CAPABILITY",
  severity: "error",
  message: "Remove `export.create:*`: the approved plan does not hold it.",
  path: "manifest.json",
  pointer: "/capabilities/2",
  snippet: [],
};
const zeroError: Finding = {
  stage: "tests",
  code: "EXPECT_FAILED",
  severity: "error",
  message: "`equals` does not hold. Mend the code, or the test if it is wrong.",
  test: "A storey without walls shows 0 %",
  expected: { storey: "Roof", share: 0 },
  actual: { storey: "Roof", share: null },
  snippet: [],
};
const failing = tests.map((test, i) => (i === 1 ? { ...test, ok: false } : test));

type StepStates = [
  AttemptView["steps"][number]["status"],
  AttemptView["steps"][number]["status"],
  AttemptView["steps"][number]["status"],
];
export function attempt(
  number: number,
  verdict: AttemptView["verdict"],
  [write, check, test]: StepStates,
  more: Partial<AttemptView> = {},
): AttemptView {
  return {
    number,
    purpose: number ? "repair" : "generate",
    verdict,
    best: false,
    duration_ms: verdict === "running" ? null : 19_000,
    started_at: minute(3),
    steps: [
      { step: "write", status: write },
      { step: "check", status: check },
      { step: "test", status: test },
    ],
    changed: [{ path: "src/coverage.js", added: 9, deleted: 6, lines: 17 }],
    findings: [],
    autofixes: [],
    tests: [],
    ...more,
  };
}
export const first = attempt(0, "check-failed", ["passed", "failed", "not-run"], {
  findings: [windowError, wildError],
  duration_ms: 31_000,
  changed: Object.entries(files).map(([path, text]) => ({
    path,
    added: text.split("\n").length,
    deleted: 0,
    lines: text.split("\n").length,
  })),
});
export const second = attempt(1, "tests-failed", ["passed", "passed", "failed"], {
  findings: [zeroError],
  tests: failing,
  autofixes: [
    {
      path: "manifest.json",
      code: "CAPABILITY_UNUSED",
      message: "Remove `viewer.read`: nothing needs it.",
    },
  ],
});
export const third = attempt(2, "running", ["passed", "passed", "running"], {
  started_at: minute(4),
});
export const passed = attempt(2, "passed", ["passed", "passed", "passed"], {
  tests,
  best: true,
  autofixes: second.autofixes,
});

export const run: RunView = {
  kind: "ifc-extension",
  state: "idle",
  attempt: null,
  reason: null,
  best: null,
  request: "Add a panel that shows fire-rating coverage by storey",
  intent: null,
  plan: planView,
  attempts: [],
  files: {},
  base: {},
  edited: null,
  capabilities: [],
  tests: [],
  review: null,
  tokens: { held: 0, left: 0, calls: 0, input: 0, cached: 0, output: 0 },
  replies: [],
  answer: null,
  notices: [],
  pending: null,
  storage: null,
  asked_at: NOON,
  approved_at: null,
  total_deadline_at: null,
  updated_at: NOON,
};

export const quote: Quote = {
  tokens: { min: 38_000, max: 316_800 },
  cost: { min: 0, max: 0 },
  fits: true,
};
export const gateway: GatewayRun = {
  id: "run",
  state: "open",
  tokens: 316_800,
  cost: 0,
  spent_tokens: 61_200,
  spent_cost: 0,
  left_tokens: 255_600,
  left_cost: 0,
  returned_tokens: 0,
  returned_cost: 0,
  in_flight: 1,
  deadline: minute(9),
};
export const ended: GatewayRun = {
  ...gateway,
  state: "closed",
  spent_tokens: 96_400,
  left_tokens: 0,
  returned_tokens: 220_400,
  in_flight: 0,
};
export const indicator: Indicator = {
  payer: "platform",
  currency: "USD",
  state: "ok",
  today: { cost: 0, tokens: 96_400, requests: 4 },
  estimated: false,
  others: [],
  budget: {
    id: "month",
    scope: "user:ann",
    overrun: 0,
    unit: "tokens",
    period: "month",
    limit: 5_000_000,
    spent: 1_900_000,
    held: 0,
    remaining: 3_100_000,
    used_permille: 380,
    resets_at: new Date(2026, 11, 1).getTime(),
  },
};
export const record: ExtensionRecord = {
  id: "fire.coverage",
  version: "0.1.0",
  content_hash: "sha256:7c1e90ab00",
  granted: plan.capabilities,
  enabled: true,
  origin: "authored",
  installed_at: minute(9),
  sdk_version: "1.0.0",
  revision_id: "r1",
  can_undo: false,
  can_redo: false,
};
export const check: BundleCheck = {
  ok: false,
  manifest,
  capabilities: [],
  overall_risk: "yellow",
  summary: { contributions: {}, tests: 0, files: 0, bytes: 0, hosts: [], formats: [] },
  diagnostics: [
    {
      code: "CODE_FORBIDDEN_GLOBAL",
      severity: "error",
      message: "Do it with `ctx`: there is no `document` in the sandbox.",
      path: "src/coverage.js",
      range: { start: { line: 4, column: 3 }, end: { line: 4, column: 11 } },
    },
  ],
};

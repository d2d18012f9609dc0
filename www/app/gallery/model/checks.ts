/** Checks against IDS files and issues of BCF files, at each of their steps. */
import type {
  BcfTopic,
  IdsFailure,
  IdsReport,
  IdsSpecification,
  Sentence,
} from "@holdpoint/core/types";
import type { ChecksView, ReportView } from "@holdpoint/elements";
import type { PageView } from "../../src/pages/model/page-view.js";
import * as f from "../fixtures.js";
import { page } from "./base.js";

const fails = (name: string, message: string, args: Record<string, unknown> = {}): Sentence => ({
  code: "IDS_FAILED",
  message,
  args: { case: name, ...args },
});

const doors = f.rows.filter((row) => row.type === "IfcDoor");
const walls = f.rows.filter((row) => row.type === "IfcWall");

const failing = (rows: typeof doors, reason: Sentence): IdsFailure[] =>
  rows.map(({ id, type, name, global_id }) => ({ id, type, name, global_id, reason }));

const missing = fails("NO_MEMBER", "Pset_DoorCommon has no FireRating", {
  set: "Pset_DoorCommon",
  name: "FireRating",
});
const other = fails(
  "OTHER_VALUE",
  'Pset_DoorCommon › FireRating is "EI-30", not "EI 30" | "EI 60" | "EI 90"',
  {
    set: "Pset_DoorCommon",
    name: "FireRating",
    found: '"EI-30"',
    allowed: '"EI 30" | "EI 60" | "EI 90"',
  },
);
const unrated = [...failing(doors.slice(0, 11), missing), ...failing(doors.slice(11, 13), other)];
const bare = failing(
  walls.slice(4, 18),
  fails("NO_MEMBER", "Pset_WallCommon has no ThermalTransmittance", {
    set: "Pset_WallCommon",
    name: "ThermalTransmittance",
  }),
);

const passing = (name: string, applicable: number): IdsSpecification => ({
  name,
  occurs: "required",
  status: "passed",
  applicable,
  failed: [],
  requirements:
    applicable === 0
      ? []
      : [
          {
            facet: { kind: "attribute", name: '"Name"' },
            occurs: "required",
            passed: applicable,
            failed: [],
            failures: [],
          },
        ],
});

const rated: IdsSpecification = {
  name: "Doors carry a fire rating",
  identifier: "FS-01",
  description: "Doors of escape routes and of fire compartments.",
  instructions: "Rate every door of the escape route before issue.",
  occurs: "required",
  status: "failed",
  applicable: doors.length,
  failed: unrated.map((one) => one.id),
  requirements: [
    {
      facet: {
        kind: "property",
        set: '"Pset_DoorCommon"',
        name: '"FireRating"',
        data_type: "IFCLABEL",
        value: '"EI 30" | "EI 60" | "EI 90"',
      },
      occurs: "required",
      passed: doors.length - unrated.length,
      failed: unrated.map((one) => one.id),
      failures: unrated,
    },
    {
      facet: { kind: "attribute", name: '"Name"' },
      occurs: "required",
      passed: doors.length,
      failed: [],
      failures: [],
    },
  ],
};

const report: IdsReport = {
  title: "Fire safety",
  specifications: [
    passing("Walls carry a fire rating class", 36),
    rated,
    {
      name: "Load-bearing walls give a U-value",
      occurs: "required",
      status: "failed",
      applicable: 58,
      failed: bare.map((one) => one.id),
      requirements: [
        {
          facet: {
            kind: "property",
            set: '"Pset_WallCommon"',
            name: '"ThermalTransmittance"',
            value: "> 0 & ≤ 0.3",
          },
          occurs: "required",
          passed: 58 - bare.length,
          failed: bare.map((one) => one.id),
          failures: bare,
        },
      ],
    },
    {
      ...passing("A site is georeferenced", 0),
      status: "failed",
      reason: fails("NONE_FOUND", "the model has nothing that it asks for"),
    },
    passing("Spaces have a long name", 12),
    passing("Stairs are classified", 4),
    { ...passing("Dampers carry a fire rating", 0), occurs: "optional" },
  ],
};

const shown: ReportView = {
  state: "report",
  name: "Fire safety.ids",
  report,
  at: f.minute(38),
  ms: 1_100,
  since: "same",
  version: "3.0",
  exporting: false,
};

const topics: BcfTopic[] = [
  {
    guid: "5f2c1f0e-9f0a-4d47-8a3c-0e1b2c3d4e5f",
    title: "Door swings into the escape route",
    description: "The leaf narrows the corridor to 0.84 m. Turn it, or move the frame.",
    status: "Open",
    author: "anna.lind@nordbau.example",
    created: "2026-11-19T09:12:00Z",
    comments: [
      {
        author: "per.ek@nordbau.example",
        date: "2026-11-20T13:40:00Z",
        text: "Turned in revision C.",
      },
    ],
    global_ids: doors.slice(0, 2).flatMap((one) => one.global_id ?? []),
    ids: doors.slice(0, 2).map((one) => one.id),
  },
  {
    guid: "0a4b7c1d-2222-4b47-9a3c-0e1b2c3d4e60",
    title: "Wall and duct clash",
    description: null,
    status: "Closed",
    author: null,
    created: null,
    comments: [],
    global_ids: ["2O2Fr$t4X7Zf8NOew3F000", "1hqIFTRjfV6AWq_bMtnZwI"],
    ids: walls.slice(0, 1).map((one) => one.id),
  },
  {
    guid: "0a4b7c1d-3333-4b47-9a3c-0e1b2c3d4e61",
    title: "Which revision is the base of the tender?",
    description: null,
    status: null,
    author: "Holdpoint",
    created: "2026-11-20T08:00:00Z",
    comments: [],
    global_ids: [],
    ids: [],
  },
];

const failed = new Set(report.specifications.flatMap((one) => one.failed));
const over = (ids: ChecksView, more: Partial<PageView["model"]> = {}): PageView => ({
  ...page,
  ids,
  pane: "panels",
  model: { ...page.model, ...more },
});
const all = (specifications: IdsSpecification[]): ChecksView => ({
  ...shown,
  report: { title: "Fire safety", specifications },
});
const note = fails(
  "OTHER_SCHEMA",
  "it is for IFC2X3, and the model is IFC4: checked nevertheless",
  {
    allowed: "IFC2X3",
    found: "IFC4",
  },
);

export const checks: Record<string, () => PageView> = {
  ids: () =>
    over(shown, {
      selected: unrated.slice(0, 11).map((one) => one.id),
      colouring: {
        name: "Fire safety.ids",
        groups: [{ value: "Fails", color: "#c8442f", ids: [...failed] }],
      },
    }),
  "ids-running": () => over({ state: "running", kind: "ids", name: "Fire safety.ids" }),
  "ids-cancelled": () => over({ state: "cancelled", kind: "ids", name: "Fire safety.ids" }),
  "ids-changed": () => over({ ...shown, since: "changed", ms: 8_400 }),
  "ids-invalid": () =>
    over({
      state: "failed",
      kind: "ids",
      name: "Fire safety.ids",
      error: {
        code: "IDS_INVALID",
        message: "`restriction` cannot hold `minInclusive2`: IDS 1.0 does not know it there",
        args: { case: "UNKNOWN", parent: "restriction", name: "minInclusive2" },
        details: { line: 41, column: 17 },
      },
    }),
  "ids-passed": () => over(all([passing("Spaces have a long name", 12), passing("Dampers", 0)])),
  "ids-needless": () => over(all([{ ...passing("Dampers carry a fire rating", 0), note }])),
  "ids-empty": () => over(all([])),
  bcf: () => over({ state: "topics", name: "Coordination week 47.bcf", topics }),
  "bcf-invalid": () =>
    over({
      state: "failed",
      kind: "bcf",
      name: "Coordination week 47.bcf",
      error: { code: "BCF_INVALID", message: "this is no ZIP archive" },
    }),
};

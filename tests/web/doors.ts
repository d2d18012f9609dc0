// A small extension as a model writes it, and the plan for it.

const command = "doors.count";

/** Counts doors in a panel; selects and colours them where it may. */
const code = `export default function count(ctx) {
  const doors = ctx.bim.query.byType("IfcDoor");
  if (ctx.can("viewer.select")) ctx.bim.viewer.select(doors);
  if (ctx.can("viewer.colorize")) ctx.bim.viewer.colorize(doors, "#C0392B");
  return { doors: doors.length, red: ctx.can("viewer.colorize"), shown: ctx.can("viewer.select") };
}
`;

export const plan = {
  summary: "A panel that counts the doors",
  rationale: "Doors are counted when the model opens.",
  contributions: [
    { kind: "command", id: command, label: "Count doors" },
    {
      kind: "dock",
      id: "doors.panel",
      label: "Doors",
      slot: "dock.right",
      widget: "widgets/doors.json",
    },
  ],
  capabilities: ["model.read", "viewer.select", "viewer.colorize"],
  triggers: [],
  widgets: [{ path: "widgets/doors.json", description: "The number of doors." }],
  tests: [
    { name: "counts", fixture: "house-small", contribution: command, assertionSummary: "7 doors" },
    {
      name: "colours",
      fixture: "house-small",
      contribution: command,
      assertionSummary: "The doors are red",
    },
  ],
};

const manifest = (version: string, tests: object[]) => ({
  manifestVersion: 1,
  id: "doors.count",
  name: "Door count",
  description: "Counts the doors of the model.",
  version,
  engines: { ifcLiteSdk: "^1.0.0" },
  capabilities: plan.capabilities,
  activation: [],
  entry: { commands: { [command]: "src/count.js" } },
  contributes: {
    commands: [{ id: command, title: "Count doors" }],
    dock: [
      {
        id: "doors.panel",
        title: "Doors",
        widget: "widgets/doors.json",
        slot: "dock.right",
        data: command,
      },
    ],
  },
  tests: [
    {
      name: "counts",
      command,
      fixture: "house-small",
      expect: { at: { "$.doors": { equals: 7 } } },
    },
    {
      name: "colours",
      command,
      fixture: "house-small",
      expect: { at: { "$.red": { equals: true } } },
    },
    ...tests,
  ],
});

const fence = (info: string, text: string): string => `\`\`\`${info}\n${text.trimEnd()}\n\`\`\`\n`;

/** A further test, which fails where the doors are not selected: only running it shows that. */
export const selects = {
  name: "selects",
  command,
  fixture: "house-small",
  expect: { at: { "$.shown": { equals: true } } },
};
/** One that says so itself. */
export const expectsSelection = {
  ...selects,
  expect: { viewer: { some: { op: "select" } } },
};

/** The model's answers: the plan, then the bundle. */
export const replies = (version = "0.1.0", ...tests: object[]): string[] => [
  fence("hp:plan", JSON.stringify(plan)),
  fence('hp:file path="manifest.json"', JSON.stringify(manifest(version, tests), null, 2)) +
    fence('hp:file path="src/count.js"', code) +
    fence(
      'hp:file path="widgets/doors.json"',
      JSON.stringify({ type: "Text", text: "$.doors", variant: "heading" }),
    ),
];

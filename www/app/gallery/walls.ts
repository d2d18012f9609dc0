/** An extension that counts, colours, selects and marks walls of the open models, for walks over several. */
import type { Files } from "@holdpoint/core/types";

const manifest = {
  manifestVersion: 1,
  id: "walk.walls",
  name: "Walls",
  description: "Counts walls model by model.",
  version: "0.1.0",
  engines: { ifcLiteSdk: "^1.0.0" },
  capabilities: [
    "model.mutate:Walk.Mark",
    "model.read",
    "viewer.colorize",
    "viewer.read",
    "viewer.select",
  ],
  activation: ["onModelLoad", "onSelectionChange"],
  entry: {
    commands: {
      "walls.table": "src/table.js",
      "walls.colour": "src/colour.js",
      "walls.mark": "src/mark.js",
      "walls.last": "src/last.js",
    },
    triggers: { onModelLoad: "src/loaded.js", onSelectionChange: "src/selected.js" },
  },
  contributes: {
    commands: [
      { id: "walls.table", title: "Count walls" },
      { id: "walls.colour", title: "Colour walls" },
      { id: "walls.mark", title: "Mark walls" },
      { id: "walls.last", title: "Last wall" },
    ],
    toolbar: [
      { command: "walls.colour", slot: "toolbar.right" },
      { command: "walls.mark", slot: "toolbar.right" },
      { command: "walls.last", slot: "toolbar.right" },
    ],
    dock: [
      {
        ...{ id: "walls", title: "Walls", slot: "dock.right", widget: "widgets/walls.json" },
        ...{ data: "walls.table", refreshOn: ["onSelectionChange"] },
      },
    ],
    idsValidators: [{ id: "walls.named", name: "Walls have marks", handler: "src/named.js" }],
  },
  tests: [
    { command: "walls.table", expect: { at: { "$.rows[0].walls": { equals: 13 } } } },
    { command: "walls.colour", expect: { viewer: 1 } },
    { command: "walls.mark", expect: { mutations: 13 } },
    { command: "walls.last", expect: { viewer: 1 } },
    { trigger: "onModelLoad", expect: { noEffect: true } },
    { trigger: "onSelectionChange", expect: { noEffect: true } },
    { idsValidator: "walls.named", expect: { count: 13 } },
  ].map((one, n) => ({ name: `test ${n}`, fixture: "house-small", ...one })),
};

const widget = {
  type: "Stack",
  direction: "vertical",
  children: [
    { type: "Text", text: "$.heard" },
    {
      type: "Table",
      data: "$.rows",
      columns: [
        { title: "Model", field: "model" },
        { title: "Walls", field: "walls", format: "integer" },
        { title: "Marked", field: "marked", format: "integer" },
      ],
    },
    // As it was written when one model was open: a number without its model.
    { type: "EntityList", data: "$.first", idField: "id", labelField: "label" },
  ],
};

export const walls: Files = {
  "manifest.json": JSON.stringify(manifest),
  "widgets/walls.json": JSON.stringify(widget),
  "src/heard.js": "export const heard = { text: 'Nothing yet.' };\n",
  "src/table.js": `import { heard } from "./heard.js";
export default function run(ctx) {
  const { model, query } = ctx.bim;
  const walls = query.byType("IfcWall");
  const rows = model.list().map(({ id, name }) => {
    const own = walls.filter((one) => one.ref.modelId === id);
    const marked = own.filter((one) => query.property(one, "Walk", "Mark") !== null).length;
    return { model: name, walls: own.length, marked, refs: own.map((one) => one.ref) };
  });
  const first = walls.find((one) => one.ref.modelId === model.activeId());
  return {
    rows,
    heard: heard.text,
    first: first ? [{ id: first.ref.expressId, label: "First wall of the active model" }] : [],
  };
}
`,
  "src/colour.js": `export default function run(ctx) {
  const { model, query, viewer } = ctx.bim;
  const colours = ["#c0392b", "#2980b9"];
  viewer.colorizeAll(model.list().map(({ id }, n) => ({
    entities: query.byType("IfcWall").filter((one) => one.ref.modelId === id),
    color: colours[n % 2],
  })));
}
`,
  "src/mark.js": `export default function run(ctx) {
  for (const wall of ctx.bim.query.byType("IfcWall")) ctx.bim.mutate.setProperty(wall, "Walk", "Mark", true);
}
`,
  "src/last.js": `export default function run(ctx) {
  ctx.bim.viewer.select([ctx.bim.query.byType("IfcWall").at(-1)]);
}
`,
  "src/loaded.js": `import { heard } from "./heard.js";
export default function run(ctx, args) {
  const name = ctx.bim.model.list().find((one) => one.id === args.modelId)?.name;
  heard.text = "Loaded " + name + ".";
}
`,
  "src/selected.js": `import { heard } from "./heard.js";
export default function run(ctx, args) {
  const name = ctx.bim.model.list().find((one) => one.id === args.modelId)?.name;
  heard.text = "Selected " + args.selection.length + " of " + name + ".";
}
`,
  "src/named.js": `export default function run(ctx, args) {
  const walls = args.entities.filter((one) => one.type.startsWith("IfcWall"));
  return walls.map((one) => ({
    ref: one.ref,
    ok: ctx.bim.query.property(one, "Walk", "Mark") === true,
  }));
}
`,
};

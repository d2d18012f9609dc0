// `bundle.check` as Wasm beside what a page would build from packages for the same reading: JSON.parse and ajv for the
// documents, acorn and eslint-scope for the modules. The peer stops where reading stops: it has no rules.
//
// Usage: node check.mjs FOLDER_WITH_PEERS. Prints a JSON array.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [peers] = process.argv.slice(2);
const need = createRequire(join(resolve(peers), "package.json"));
const Ajv = need("ajv/dist/2020.js").default;
const acorn = need("acorn");
const scopes = await import(pathToFileURL(need.resolve("eslint-scope")));

const WASM = resolve("www/core/wasm/check-extension");
const SIZES = [10_000, 50_000, 110_000];
const WARM_MS = 700;
const TIME_MS = 3_000;
const RUNS = 101;

/** A command as people ask for: rows by storey, helpers of its own, text for people. */
const module = (number) => `// Doors and walls of each storey, sorted by how many there are.
const LIMIT_${number} = ${(number % 7) + 3};

function counted(rows, storey) {
  const known = rows.find((row) => row.storey === storey.name);
  if (known) return known;
  const fresh = { storey: storey.name, doors: 0, walls: 0, height: 0, names: [] };
  rows.push(fresh);
  return fresh;
}

const isLong = (name) => typeof name === "string" && name.trim().length > LIMIT_${number};

export function summed(rows) {
  return rows.reduce(
    (sum, { doors, walls }) => ({ doors: sum.doors + doors, walls: sum.walls + walls }),
    { doors: 0, walls: 0 },
  );
}

export default async function listed(ctx, args) {
  const { bim } = ctx;
  const rows = [];
  const least = args?.least ?? 0;
  for (const door of bim.query.byType("IfcDoor")) {
    const storey = bim.query.storey(door);
    if (storey === null) continue;
    const row = counted(rows, storey);
    row.doors += 1;
    if (isLong(door.name)) row.names = [...row.names, door.name];
  }
  for (const wall of bim.query.byType("IfcWall")) {
    const storey = bim.query.storey(wall);
    if (storey === null) continue;
    counted(rows, storey).walls += 1;
  }
  rows.sort((one, other) => other.doors - one.doors || other.walls - one.walls);
  const shown = rows.filter((row) => row.doors + row.walls >= least);
  const total = summed(shown);
  const words = shown.map((row, index) => \`\${index + 1}. \${row.storey}: \${row.doors} of \${total.doors} doors\`);
  return { rows: shown, summary: words.join("\\n"), total };
}
`;

const widget = JSON.stringify(
  {
    type: "Group",
    children: [
      { type: "Text", text: "$.summary", variant: "heading" },
      {
        type: "Table",
        data: "$.rows",
        columns: ["storey", "doors", "walls"].map((field) => ({ title: field, field })),
      },
    ],
  },
  null,
  2,
);

/** A bundle of about that many bytes. */
function bundle(bytes) {
  const files = { "widgets/main.json": widget };
  const numbers = Array.from({ length: Math.max(1, Math.round(bytes / 1_850)) }, (_, index) => index);
  for (const number of numbers) files[`src/list-${number}.js`] = module(number);
  const id = (number) => `doors.list-${number}`;
  files["manifest.json"] = JSON.stringify(
    {
      manifestVersion: 1,
      id: "bench.doors",
      name: "Doors",
      description: "Doors and walls of each storey.",
      version: "0.1.0",
      engines: { ifcLiteSdk: "^1.0.0" },
      capabilities: ["model.read"],
      activation: [],
      entry: { commands: Object.fromEntries(numbers.map((number) => [id(number), `src/list-${number}.js`])) },
      contributes: {
        commands: numbers.map((number) => ({ id: id(number), title: `List ${number}` })),
        dock: [{ id: "doors.panel", title: "Doors", widget: "widgets/main.json", slot: "dock.right", data: id(0) }],
      },
      tests: numbers.map((number) => ({
        name: `lists ${number}`,
        command: id(number),
        fixture: "house-small",
        expect: { type: "object", noEffect: true },
      })),
    },
    null,
    2,
  );
  return files;
}

const schema = (name) => JSON.parse(readFileSync(`crates/sdk/schemas/ifc/${name}.schema.json`, "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const validators = { manifest: ajv.compile(schema("manifest")), widget: ajv.compile(schema("widget")) };

/** What the packages read of a bundle; answers how many names and faults they found. */
function read(files) {
  let names = 0;
  let faults = 0;
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith(".json")) {
      const valid = path === "manifest.json" ? validators.manifest : validators.widget;
      if (!valid(JSON.parse(text))) faults += valid.errors.length;
      continue;
    }
    const tree = acorn.parse(text, { ecmaVersion: 2022, sourceType: "module", locations: true, ranges: true });
    const manager = scopes.analyze(tree, { ecmaVersion: 2022, sourceType: "module" });
    for (const scope of manager.scopes) names += scope.references.length;
  }
  return { names, faults };
}

function median(work) {
  const warmed = performance.now() + WARM_MS;
  while (performance.now() < warmed) work();
  const times = [];
  const begun = performance.now();
  while (times.length < RUNS && (times.length < 3 || performance.now() - begun < TIME_MS)) {
    const started = performance.now();
    work();
    times.push(performance.now() - started);
  }
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
}

const check = await import(pathToFileURL(join(WASM, "check-extension.js")));
check.initSync({ module: readFileSync(join(WASM, "check-extension_bg.wasm")) });

const utf8 = new TextEncoder();
const rows = SIZES.map((size) => {
  const files = bundle(size);
  const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const ask = () =>
    JSON.parse(check.call("bundle.check", utf8.encode(JSON.stringify({ kind: "ifc-extension", files }))));
  const answer = ask();
  const { names, faults } = read(files);
  const ours = median(ask);
  const theirs = median(() => read(files));
  // Either side that refuses the bundle has not read all of it.
  const valid = answer.ok === true && faults === 0 && names > 0;
  return { bytes, files: Object.keys(files).length, valid, ours, theirs };
});
console.log(JSON.stringify(rows));

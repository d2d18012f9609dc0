// How crew pages read and change the texts of a package: fields of a step, the graph, citations.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as crew from "@holdpoint/core/crew";
import { core } from "../../www/core/src/core.ts";
import { initSync } from "../../www/core/wasm/core/core.js";
import {
  ABOUT,
  hasField,
  ITEMS,
  OWN,
  withMember,
} from "../../www/elements/src/crew/agent-fields.ts";
import { Arranging, layout, NODE } from "../../www/elements/src/crew/graph-layout.ts";
import { apart } from "../../www/elements/src/crew/graph-room.ts";
import "../crew-engine.ts";

initSync({
  module: readFileSync(new URL("../../www/core/wasm/core/core_bg.wasm", import.meta.url)),
});

const step = (head: string, body = "\n# Assess\n\n## Goal\n\nDo it.\n"): string =>
  `---\n${head}---\n${body}`;

test("a field is written and every other byte stays", () => {
  const cases: [string, string, crew.FieldValue, string][] = [
    // head, member, value -> head
    ["title: Old # why\nnodeId: a\n", "title", "New", 'title: "New" # why\nnodeId: a\n'],
    ["nodeId: a\n", "title", "New", 'nodeId: a\ntitle: "New"\n'],
    ["title:\nnodeId: a\n", "title", "New", 'title: "New"\nnodeId: a\n'],
    ["agentId: b\nnodeId: a\n", "agentId", null, "nodeId: a\n"],
    ["nodeId: a\n", "agentId", null, "nodeId: a\n"],
    ["inputs: []\nnodeId: a\n", "inputs", ["x", "y"], 'inputs: ["x", "y"]\nnodeId: a\n'],
    [
      "inputs:\n  - 'x'  # kept\n  - y\nnodeId: a\n",
      "inputs",
      ["x", "z"],
      "inputs:\n  - 'x'  # kept\n  - \"z\"\nnodeId: a\n",
    ],
    [
      "inputs:\n  - x\n\n# a note\nnodeId: a\n",
      "inputs",
      [],
      "inputs: []\n\n# a note\nnodeId: a\n",
    ],
    ["title: >-\n  two\n  lines\nnodeId: a\n", "title", "One", 'title: "One"\nnodeId: a\n'],
    ["title: a\r\nnodeId: b\r\n", "agentId", "c", 'title: a\r\nnodeId: b\r\nagentId: "c"\r\n'],
  ];
  for (const [head, key, value, want] of cases)
    assert.equal(crew.writeField(step(head), key, value), step(want), `${key} in ${head}`);
});

test("what is written is read again", () => {
  const odd = 'a: "b" # c';
  const text = crew.writeField(step("nodeId: n\n"), "setsVariables", [odd, "ä"]);
  assert.deepEqual(crew.readStep(text).fields?.setsVariables, [odd, "ä"]);
});

test("a head that is no mapping is no form, and is not changed", () => {
  for (const text of ["# no head\n", "---\n- a\n---\n", "---\ntitle: [\n---\n", "---\nopen\n"]) {
    assert.equal(crew.readStep(text).fields, null, text);
    assert.equal(crew.writeField(text, "title", "x"), text);
  }
  assert.equal(crew.readStep("---\na: 1\na: 2\n---\n").fields, null, "a member that stands twice");
});

test("the body and the line on which it begins", () => {
  const { body, bodyLine } = crew.readStep(step("nodeId: a\ntype: step\n", "# A\n"));
  assert.deepEqual([body, bodyLine], ["# A\n", 5]);
});

const graph = (): crew.Graph => ({
  schemaVersion: "1.1",
  entryNodeId: "a",
  nodes: ["a", "b", "c"].map((id) => ({ id, type: "step", file: `workflows/1/steps/${id}.md` })),
  edges: [{ from: "a", to: "b", label: "next" }],
});

test("of several exits one is the default; of one none", () => {
  const two = crew.withEdge(graph(), "a", "c");
  assert.deepEqual(
    two.edges.map(({ to, label, isDefault }) => [to, label, isDefault]),
    [
      ["b", "next", true],
      ["c", "branch-2", undefined],
    ],
  );
  assert.equal(crew.defaultEdge(two, 1).edges[0]?.isDefault, undefined);
  assert.deepEqual(crew.withoutEdge(two, 1).edges, graph().edges);
  assert.deepEqual(crew.withoutNode(two, "c").edges, graph().edges);
});

test("a rule is read as a formula, with brackets where an operator binds less", () => {
  const loss = { var: "loss" };
  const cases: [unknown, string][] = [
    [{ ">": [{ "-": [loss, { var: ["excess", 0] }] }, 5000] }, "loss - excess > 5000"],
    [{ "*": [{ "+": [loss, 1] }, 2] }, "(loss + 1) * 2"],
    [
      { and: [{ "==": [loss, "a b"] }, { or: [{ var: "x.y" }, true] }] },
      'loss == "a b" and (x.y or true)',
    ],
    [{ "!": [{ "==": [loss, null] }] }, "not (loss == null)"],
    [{ "-": [1, { "-": [2, 3] }] }, "1 - (2 - 3)"],
    [{ "<": [1, loss, 9] }, "1 < loss < 9"],
    [{ missing: ["a", "b"] }, 'missing("a", "b")'],
    [{ a: 1, b: 2 }, '{"a":1,"b":2}'],
    [{ var: "" }, '{"var":""}'],
  ];
  for (const [rule, want] of cases) assert.equal(crew.formula(rule), want);
  const deep = Array.from({ length: 5_000 }).reduce<unknown>((rule) => ({ "!": [rule] }), loss);
  assert.match(crew.formula(deep), /^not not/);
  assert.deepEqual(crew.variablesOf({ and: [{ "<": [loss, { var: "x.y" }] }, null] }), [
    "x",
    "loss",
  ]);
});

test("a rule that compares a variable with a value has fields, and no other has", () => {
  for (const text of ["5000", "true", "null", "covered", '"5000"', "a b", ""]) {
    const rule = crew.comparisonRule({ variable: "v", sign: "<=", value: crew.literal(text) });
    const read = crew.comparison(rule);
    assert.deepEqual(read && [read.variable, read.sign, crew.literalText(read.value)], [
      "v",
      "<=",
      text,
    ]);
  }
  const none = [
    { "==": [{ var: ["v", 1] }, 2] },
    { "==": [{ var: "v" }, { var: "w" }] },
    { "==": [{ var: "v" }, [1]] },
    { "===": [{ var: "v" }, 1] },
    { "<": [{ var: "v" }, 1, 2] },
    "v",
    null,
  ];
  for (const rule of none) assert.equal(crew.comparison(rule), null, JSON.stringify(rule));
});

test("a node that goes takes its edges, its place and the start with it", () => {
  const moved = crew.placed(graph(), "a", { x: 10.4, y: 2 });
  assert.deepEqual(moved.metadata, { positions: { a: { x: 10, y: 2 } } });
  const without = crew.withoutNode(moved, "a");
  assert.deepEqual([without.entryNodeId, without.edges, without.metadata], ["b", [], undefined]);
});

test("an id is made of words, and no node has it", () => {
  assert.equal(crew.freeId(graph(), "Größe prüfen!"), "gro-e-pru-fen");
  assert.equal(crew.freeId(graph(), "A"), "a-2");
  assert.equal(crew.freeId(graph(), "你好"), "step");
});

test("assets are cited by inputs and by bodies", () => {
  const files = {
    "bmad.json": JSON.stringify({
      name: "P",
      entry: { workflow: "workflows/1/workflow.md", graph: "workflows/1/workflow.graph.json" },
      workflows: [
        { id: "1", workflow: "workflows/1/workflow.md", graph: "workflows/1/workflow.graph.json" },
      ],
    }),
    "workflows/1/workflow.md":
      "# Work\nSee @pkg/assets/b.md. Not xassets/c.md, not assets/d.exe.\n",
    "workflows/1/workflow.graph.json": JSON.stringify(graph()),
    "workflows/1/steps/a.md": step("nodeId: a\ninputs:\n  - assets/a.md\n", "Read assets/b.md.\n"),
    "assets/a.md": "é",
    "assets/logo.png": "base64:aGVq",
  };
  const pack = crew.openPackage(files);
  const cited = crew.citedBy(pack);
  assert.deepEqual([...cited.keys()].sort(), ["assets/a.md", "assets/b.md"]);
  assert.deepEqual(
    cited.get("assets/b.md")?.map((at) => [at.nodeId, at.line]),
    [
      ["", 2],
      ["a", 6],
    ],
  );
  assert.deepEqual(pack.assets, [
    { path: "assets/a.md", bytes: 2, binary: false },
    { path: "assets/logo.png", bytes: 3, binary: true },
  ]);
});

test("a finding belongs to the part that it is about", () => {
  const files = {
    "bmad.json": JSON.stringify({
      name: "P",
      entry: { workflow: "w.md", graph: "g.json", agents: "agents.json" },
      workflows: [{ id: "7", workflow: "w.md", graph: "g.json" }],
    }),
    "g.json": JSON.stringify(graph()),
    "agents.json": JSON.stringify({ agents: [{ id: "x" }, { id: "y" }] }),
  };
  const pack = crew.openPackage(files);
  const at = (path: string, pointer = "") =>
    crew.about(pack, { code: "C", severity: "warning", message: "", path, pointer });
  assert.equal(at("g.json", "/edges/0/conditionExpr").nodeId, "a");
  assert.equal(at("g.json", "/nodes/2").nodeId, "c");
  assert.equal(at("workflows/1/steps/b.md").nodeId, "b");
  assert.equal(at("agents.json", "/agents/1/metadata/name").agentId, "y");
  assert.equal(at("assets/a.md").asset, "assets/a.md");
  const odd = crew.openPackage({
    ...files,
    "g.json": JSON.stringify({ ...graph(), nodes: [7, {}, ...graph().nodes] }),
    "agents.json": JSON.stringify({ agents: [null, { id: "x" }] }),
  });
  const seen = (path: string, pointer: string) =>
    crew.about(odd, { code: "C", severity: "warning", message: "", path, pointer });
  assert.equal(seen("g.json", "/nodes/2/title").nodeId, "a", "what is left out keeps its place");
  assert.equal(seen("g.json", "/nodes/0").nodeId, "");
  assert.equal(seen("agents.json", "/agents/1").agentId, "x");
});

test("a package whose documents are broken is shown as far as it can be read", () => {
  const files = {
    "bmad.json": JSON.stringify({
      entry: { workflow: "w.md", graph: "g.json", agents: "agents.json" },
      workflows: [
        { id: "7", workflow: "w.md", graph: "g.json" },
        { id: "8", graph: "h.json" },
      ],
    }),
    "g.json": JSON.stringify(graph()).replace('"nodes"', '"nodes": [], "nodes"'),
    "h.json": JSON.stringify(graph()),
    "agents.json": "{",
    "workflows/1/steps/a.md": "---\na: &x [*x, *x]\n---\nRead assets/a.md.\n",
  };
  const pack = crew.openPackage(files, "Draft");
  assert.deepEqual(
    [pack.name, pack.agents, pack.workflows.map(({ graph }) => graph?.nodes.length ?? null)],
    ["Draft", null, [null, 3]],
    "a member that stands twice is read by nobody",
  );
  assert.equal(crew.citedBy(pack).get("assets/a.md")?.[0]?.nodeId, "a");
  assert.equal(crew.openPackage({}, "None").workflows.length, 0);
});

test("an archive of the page is read by another program", async () => {
  const files = {
    "b/ä.md": "# Text\n".repeat(400),
    "a.json": "{}\n",
    "assets/x.png": "base64:aGVq",
  };
  const zip = Buffer.from(await (await crew.zipped(files)).arrayBuffer());
  const script = [
    "import io, json, sys, zipfile",
    "z = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))",
    "assert z.testzip() is None",
    "print(json.dumps([[n, z.read(n).decode()[:4], z.getinfo(n).date_time[0]] for n in z.namelist()]))",
  ].join("\n");
  const { stdout } = spawnSync("python3", ["-c", script], { input: zip, encoding: "utf8" });
  assert.deepEqual(JSON.parse(stdout), [
    ["a.json", "{}\n", 1980],
    ["assets/x.png", "hej", 1980],
    ["b/ä.md", "# Te", 1980],
  ]);
});

test("a file is called as its package, without what a disk refuses", () => {
  assert.equal(crew.archiveName("Claims: north/south."), "Claims- north-south.zip");
  assert.equal(crew.archiveName("  "), "Untitled.zip");
});

test("two edits of a file are put together, and what both changed is asked", () => {
  const head = '---\ntitle: "A"\nagentId: "x"\n---\n';
  const base = `${head}# A\n\n1. one\n2. two\n3. three\n`;
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
  const graph = (a: string, ...more: object[]) =>
    json({ nodes: [{ id: "a", title: a }, { id: "b" }, ...more], edges: [{ from: "a", to: "b" }] });
  const cases: [string, crew.MergedAs, crew.ThreeTexts, string | null, string[]][] = [
    [
      "members of a head and lines below, each of one side",
      "head",
      {
        base,
        mine: base.replace('"A"', '"B"').replace("1. one", "1. uno"),
        theirs: base.replace('"x"', '"y"').replace("3. three", "3. tres"),
      },
      base
        .replace('"A"', '"B"')
        .replace('"x"', '"y"')
        .replace("one", "uno")
        .replace("three", "tres"),
      [],
    ],
    [
      "the same line of both",
      "head",
      { base, mine: base.replace("two", "due"), theirs: base.replace("two", "zwei\n2b. more") },
      base.replace("two", "zwei\n2b. more"),
      ["line 3"],
    ],
    [
      "lines that touch are one place",
      "lines",
      { base: "a\nb\nc\n", mine: "A\nb\nc\n", theirs: "a\nB\nc\n" },
      "a\nB\nc\n",
      ["line 0"],
    ],
    [
      "nodes of a graph by their ids",
      "json",
      { base: graph("A"), mine: graph("A2", { id: "c" }), theirs: graph("A", { id: "d" }) },
      graph("A2", { id: "d" }, { id: "c" }),
      [],
    ],
    [
      "a member of a node that both changed",
      "json",
      { base: graph("A"), mine: graph("A2"), theirs: graph("A3") },
      graph("A3"),
      ["nodes/a/title"],
    ],
    ["a file that one deleted", "lines", { base: "x", mine: null, theirs: "y" }, "y", [""]],
    [
      "a file that one deleted and nobody else touched",
      "lines",
      { base: "x", mine: null, theirs: "x" },
      null,
      [],
    ],
    [
      "both wrote the same",
      "head",
      { base, mine: base.replace("one", "I"), theirs: base.replace("one", "I") },
      base.replace("one", "I"),
      [],
    ],
  ];
  const lines: crew.Lines = (before, after) =>
    crew.lineChanges(core.textDiff(before, after, 0), after);
  for (const [what, as, texts, want, keys] of cases) {
    const { text, clashes } = crew.mergedFile(texts, as, () => undefined, lines);
    assert.equal(text, want, what);
    assert.deepEqual(
      clashes.map(({ key }) => key),
      keys,
      what,
    );
    if (!clashes.length) continue;
    assert.equal(crew.mergedFile(texts, as, () => "mine", lines).text, texts.mine, `${what}, mine`);
  }
});

test("the variables of a head are read in a line and in a block; the first heading is not in code", () => {
  const names = (head: string) => crew.namesIn(`---\n${head}---\n`, "variables");
  assert.deepEqual(names('variables: {"a": {"b": 1}, c: [1]}\n'), ["a", "c"]);
  assert.deepEqual(names("variables:\n  a: 1\n  b:\n    c: 2\nmore: 1\n"), ["a", "b"]);
  assert.deepEqual(names("more: 1\n"), []);
  assert.equal(crew.headingOf("```\n# no\n```\n## no\n# Yes #\n"), "Yes");
  assert.equal(crew.withHeading("\r\n# A\r\nx", "A", "B"), "\r\n# B\r\nx");
});

test("no node is put down on another", () => {
  const others = [0, 1, 2].flatMap((x) => [0, 1].map((y) => ({ x: x * 190, y: y * 62 })));
  assert.deepEqual(apart({ x: 700, y: 0 }, others, NODE.width), { x: 700, y: 0 });
  for (const at of [others[0], others[3], { x: 95, y: 31 }] as { x: number; y: number }[]) {
    const put = apart(at, others, NODE.width);
    const free = ({ x, y }: { x: number; y: number }) =>
      Math.abs(x - put.x) >= NODE.width || Math.abs(y - put.y) >= NODE.height;
    assert.ok(others.every(free), JSON.stringify([at, put]));
  }
});

test("every member of an agent has a field, as the schema has it", () => {
  type Schema = {
    type?: string;
    minLength?: number;
    $ref?: string;
    items?: Schema;
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const file = new URL("../../crates/kind-crew/schemas/crew/agents.schema.json", import.meta.url);
  const { agent } = JSON.parse(readFileSync(file, "utf8")).$defs as { agent: Required<Schema> };
  const sample: Record<string, unknown> = {
    ...{ critical_actions: [""], prompts: [{}], menu: [{}] },
    ...{ discussion: true, webskip: false, systemPrompt: "", userPromptTemplate: "" },
  };
  const without = Object.keys(agent.properties).filter((name) => !hasField(name, sample[name]));
  assert.deepEqual(without, ["conversational_knowledge"], "open objects stay as they are");
  const held = (
    list: readonly { name: string; kind: string; needed?: true }[],
    schema?: Schema,
  ) => {
    for (const [name, { type }] of Object.entries(schema?.properties ?? {})) {
      if (type === "array") continue;
      const field = list.find((one) => one.name === name);
      assert.equal(field?.kind === "tick", type === "boolean", name);
      assert.equal(field?.needed ?? false, schema?.required?.includes(name) ?? false, name);
    }
    assert.ok(list.every(({ name }) => schema?.properties?.[name]));
  };
  held(ITEMS.prompts, agent.properties.prompts?.items);
  held(ITEMS.menu, agent.properties.menu?.items);
  const { name: _n, title: _t, icon: _i, ...about } = agent.properties.metadata?.properties ?? {};
  held(ABOUT, { properties: about });
});

test("what is empty and not needed goes from an agent, what is needed stays", () => {
  const [id, description] = ITEMS.prompts;
  assert.deepEqual(withMember({ id: "a", description: "b", more: 1 }, description, ""), {
    id: "a",
    more: 1,
  });
  assert.deepEqual(withMember({ id: "a", more: 1 }, id, ""), { id: "", more: 1 });
  assert.deepEqual(withMember({ webskip: true }, OWN[3], false), {});
  assert.equal(hasField("prompts", ["a"]), false, "a list of texts is no list of prompts");
  assert.equal(hasField("constructor", []), false);
});

test("a drawing: choices stand right below their node, at the right; what leads back covers nothing", () => {
  const { width, height } = NODE;
  const long = "photos of the damage are missing";
  const edges: crew.GraphEdge[] = [
    { from: "a", to: "b", label: "yes", isDefault: true },
    { from: "a", to: "c", label: "no" },
    { from: "b", to: "d", label: "next" },
    { from: "d", to: "e", label: "go on", isDefault: true },
    { from: "d", to: "a", label: long },
    { from: "c", to: "e", label: "next" },
  ];
  const nodes = ["a", "b", "c", "d", "e"].map((id) => ({ id, type: "step" as const, file: "" }));
  for (const order of [edges, [...edges].reverse()]) {
    const all = { ...graph(), nodes, edges: order };
    const drawn = layout(all, { width, fixed: new Map() });
    const [a, b, c, d, e] = nodes.map(({ id }) => drawn.nodes.get(id) ?? { x: 0, y: 0 });
    assert.equal(b.y, c.y, "both choices stand on one height");
    assert.ok(c.x > b.x && e.y > d.y && b.x === a.x);
    const back = drawn.edges.find(({ edge }) => edge.label === long)?.label?.at;
    const half = (long.length * 6.6) / 2;
    for (const node of [a, b, c, d, e])
      assert.ok(
        (back?.x ?? 0) + half < node.x ||
          (back?.y ?? 0) < node.y ||
          (back?.y ?? 0) > node.y + height,
      );
    assert.ok(drawn.box.left < (back?.x ?? 0));
  }
});

test("a graph of two hundred nodes is laid out once: a node that is moved only moves", () => {
  const id = (n: number): string => `n${n}`;
  const nodes = Array.from({ length: 200 }, (_, n) => ({
    ...{ id: id(n), file: "" },
    type: "step" as const,
  }));
  const edges = nodes
    .slice(1)
    .flatMap((node, n): crew.GraphEdge[] => [
      { from: id(n), to: node.id, label: "next", isDefault: true },
      ...(n % 5 ? [] : [{ from: id(n), to: id(Math.min(199, n + 4)), label: "skip" }]),
    ]);
  const [arranging, all] = [new Arranging(), { ...graph(), entryNodeId: "n0", nodes, edges }];
  const timed = (graph: crew.Graph, fixed: [string, crew.Point][]) => {
    const begun = process.cpuUsage();
    const drawn = layout(graph, { width: NODE.width, fixed: new Map(fixed) }, arranging);
    return { drawn, took: process.cpuUsage(begun).user };
  };
  const first = timed(all, []);
  const moved = timed(structuredClone(all), [["n7", { x: 900, y: 5 }]]);
  assert.deepEqual(moved.drawn.nodes.get("n7"), { id: "n7", x: 900, y: 5 });
  assert.deepEqual(moved.drawn.nodes.get("n8"), first.drawn.nodes.get("n8"));
  assert.ok(moved.took < first.took / 3, `${moved.took} of ${first.took}`);
  const [, ...fewer] = edges;
  const other = timed({ ...all, edges: fewer }, []).drawn.nodes.get("n1");
  assert.notDeepEqual(other, first.drawn.nodes.get("n1"), "other edges are laid out again");
});

test("edges that lead back: a loop of one node is seen, and a row with others in it is passed below", () => {
  const nodes = ["a", "b", "c"].map((id) => ({ id, type: "step" as const, file: "" }));
  const edges: crew.GraphEdge[] = [
    { from: "a", to: "b", label: "yes", isDefault: true },
    { from: "a", to: "c", label: "no" },
    { from: "a", to: "a", label: "again" },
    { from: "c", to: "a", label: "next" },
  ];
  const drawn = layout({ ...graph(), nodes, edges }, { width: NODE.width, fixed: new Map() });
  const at = (id: string) => drawn.nodes.get(id) ?? { x: 0, y: 0 };
  const line = (label: string) => drawn.edges.find(({ edge }) => edge.label === label)?.line ?? "";
  const points = (text: string) =>
    [...text.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({
      x: Number(x),
      y: Number(y),
    }));
  const loop = points(line("again"));
  assert.notEqual(loop[0]?.y, loop.at(-1)?.y);
  assert.ok(at("c").x > at("b").x);
  const lowest = Math.max(...points(line("next")).map(({ y }) => y));
  assert.ok(lowest > at("b").y + NODE.height, "below the node that stands in the way");
});

/** A crew package of the drawing: a claims desk with three workflows, five agents, six assets and four findings. */
import type { Files } from "@holdpoint/core/types";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

interface Node {
  id: string;
  type?: string;
  title: string;
  agent?: string;
  inputs?: string[];
  outputs?: string[];
  sets?: string[];
  body?: string;
}

type Edge = [from: string, to: string, label?: string, more?: object];

const agent = (id: string, name: string, role: string, more: object = {}) => ({
  id,
  metadata: { name, title: name, icon: name.slice(0, 2) },
  persona: {
    role,
    identity: "Twenty years in claims. Knows what a part costs and what a repair hides.",
    communication_style: "Short sentences and figures first.",
    principles: ["Every figure has a source.", "Doubt is written down, not averaged away."],
  },
  ...more,
});

const agents = [
  agent("intake-clerk", "Intake clerk", "Takes the claim, asks for what is missing"),
  agent("cover-checker", "Cover checker", "Compares the claim with the policy"),
  agent("loss-assessor", "Loss assessor", "Puts a figure on the damage", {
    prompts: [{ id: "sum", content: "Add it up." }],
    tools: {
      fs: { enabled: true, maxReadBytes: 65536, maxWriteBytes: 65536 },
      mcp: { enabled: true, allowedServers: ["parts-price-list"] },
    },
  }),
  agent("fraud-reviewer", "Fraud reviewer", "Looks for signs of fraud"),
  agent("letter-writer", "Letter writer", "Writes the decision in plain words", {
    tools: { fs: { enabled: false } },
  }),
];

function step({
  id,
  type = "step",
  title,
  agent: by,
  inputs = [],
  outputs = [],
  ...node
}: Node): string {
  const list = (items: string[]): string =>
    items.length ? `\n${items.map((item) => `  - ${item}`).join("\n")}` : " []";
  const head = [
    'schemaVersion: "1.1"',
    `nodeId: ${id}`,
    `type: ${type}`,
    `title: ${JSON.stringify(title)}`,
    ...(by ? [`agentId: ${by}`] : []),
    `inputs:${list(inputs)}`,
    `outputs:${list(outputs)}`,
    `setsVariables: ${JSON.stringify(node.sets ?? [])}`,
  ];
  const body =
    node.body ?? "## Goal\n\nDo what the title says.\n\n## Instructions\n\n1. Follow the guide.\n";
  return `---\n${head.join("\n")}\n---\n# ${title}\n\n${body}`;
}

function workflow(id: string, nodes: Node[], edges: Edge[], variables: object = {}): Files {
  const folder = `workflows/${id}/`;
  const graph = {
    schemaVersion: "1.1",
    entryNodeId: nodes[0]?.id ?? "",
    nodes: nodes.map((node) => ({
      id: node.id,
      type: node.type ?? "step",
      file: `${folder}steps/${node.id}.md`,
      title: node.title,
      ...(node.agent ? { agentId: node.agent } : {}),
    })),
    edges: edges.map(([from, to, label = "next", more = {}]) => ({ from, to, label, ...more })),
  };
  const document = [
    "---",
    'schemaVersion: "1.1"',
    "workflowType: workflow",
    'currentNodeId: ""',
    "stepsCompleted: []",
    `variables: ${JSON.stringify(variables)}`,
    "---",
    "# Work",
    "",
    "See the graph.",
    "",
  ];
  return {
    [`${folder}workflow.md`]: document.join("\n"),
    [`${folder}workflow.graph.json`]: json(graph),
    ...Object.fromEntries(nodes.map((node) => [`${folder}steps/${node.id}.md`, step(node)])),
  };
}

const assess = `## Goal

Estimate the loss from the photos, the report and the invoice, so that a figure can be paid or questioned.

## Instructions

1. List each damaged part with its cost.
2. Deduct the excess from \`assets/tables/excess-2025.json\`.
3. Write the sum to \`loss_amount\`.
4. Set \`photos_ok\` to true when every part is visible.

## Completion

\`artifacts/assessment.md\` holds the list and the sum.
`;

const motor = workflow(
  "1",
  [
    { id: "collect", title: "Take the claim", agent: "intake-clerk", sets: ["claim_id"] },
    {
      id: "cover",
      title: "Check cover",
      agent: "cover-checker",
      inputs: ["assets/policies/motor-cover-2026.md"],
    },
    { id: "covered", type: "decision", title: "Is it covered?" },
    {
      id: "assess",
      title: "Assess damage",
      agent: "loss-assessor",
      inputs: ["assets/guides/assessment.md", "assets/tables/excess-2025.json"],
      outputs: ["assessment.md"],
      sets: ["loss_amount", "photos_ok"],
      body: assess,
    },
    { id: "decline", title: "Explain refusal", agent: "letter-writer" },
    { id: "size", type: "decision", title: "How large?" },
    { id: "settle", title: "Settle payment", agent: "loss-assessor" },
    { id: "fraud", type: "subworkflow", title: "Fraud review" },
    { id: "join", type: "merge", title: "Bring together" },
    {
      id: "letter",
      title: "Write the letter",
      agent: "letter-writer",
      inputs: ["assets/templates/decision-letter.md"],
    },
    { id: "end", type: "end", title: "Claim closed" },
  ],
  [
    ["collect", "cover"],
    ["cover", "covered"],
    ["covered", "assess", "covered", { isDefault: true }],
    ["covered", "decline", "not covered"],
    ["assess", "size"],
    ["size", "settle", "up to €5,000", { isDefault: true }],
    [
      "size",
      "fraud",
      "over €5,000",
      {
        conditionExpr: { ">": [{ "-": [{ var: "loss_amount" }, { var: "excess_amount" }] }, 5000] },
      },
    ],
    ["size", "collect", "photos missing", { conditionText: "photos_ok is false" }],
    ["settle", "join"],
    ["fraud", "join"],
    ["decline", "join"],
    ["join", "letter"],
    ["letter", "end"],
  ],
);

const water = workflow(
  "2",
  [
    { id: "collect", title: "Take the claim", agent: "intake-clerk" },
    { id: "visit", title: "Visit the flat", agent: "loss-assessor" },
    {
      id: "settle",
      title: "Settle payment",
      agent: "loss-assessor",
      inputs: ["assets/policies/water-cover-2026.md"],
      body: "## Goal\n\nPay what is due.\n\n## Instructions\n\n1. Use `assets/tables/excess-2024.json`.\n",
    },
    { id: "letter", title: "Write the letter", agent: "letter-writer" },
    { id: "end", type: "end", title: "Claim closed" },
  ],
  [
    ["collect", "visit"],
    ["visit", "settle"],
    ["settle", "letter"],
    ["letter", "end"],
  ],
);

const complaint = workflow(
  "3",
  [
    { id: "read", title: "Read the complaint", agent: "intake-clerk" },
    { id: "answer", title: "Answer it", agent: "letter-writer" },
    { id: "end", type: "end", title: "Answered" },
  ],
  [
    ["read", "answer"],
    ["answer", "end"],
  ],
);

const listed = (id: string, displayName: string) => ({
  id,
  workflow: `workflows/${id}/workflow.md`,
  graph: `workflows/${id}/workflow.graph.json`,
  displayName,
});

const guide = [
  "# Assessing a motor claim",
  "",
  "Read the photos before the invoice. What the invoice lists",
  "and no photo shows is a question, not a cost.",
  "",
  "## Order",
  "",
  "1. Identify the vehicle and its class.",
  "2. List each damaged part once.",
  "3. Price each part from the price list, not from the invoice.",
  "4. Add labour by the hours in the table below.",
  "5. Deduct the excess last.",
  "",
];

export const claims: Files = {
  "bmad.json": json({
    schemaVersion: "1.1",
    name: "Claims desk",
    version: "0.4.0",
    description: "Motor, water and complaints, from first call to letter",
    entry: {
      workflow: "workflows/1/workflow.md",
      graph: "workflows/1/workflow.graph.json",
      agents: "agents.json",
    },
    workflows: [listed("1", "Motor claim"), listed("2", "Water damage"), listed("3", "Complaint")],
  }),
  "agents.json": json({ schemaVersion: "1.1", agents }),
  ...motor,
  ...water,
  ...complaint,
  "assets/guides/assessment.md": guide.join("\n"),
  "assets/policies/motor-cover-2026.md": "# Motor cover 2026\n",
  "assets/policies/water-cover-2026.md": "# Water cover 2026\n",
  "assets/tables/excess-2025.json": json({ small: 300, large: 600 }),
  "assets/tables/excess-by-vehicle.json": json({ car: 300 }),
  "assets/templates/decision-letter.md": "# Decision\n",
};

/** What differs of two states of a package, by object and member, as people read it. Pure. */
import {
  type Agent,
  type CrewPackage,
  type GraphEdge,
  readStep,
  titleOf,
  type Workflow,
} from "@holdpoint/core/crew";
import type { Files } from "@holdpoint/core/types";
import { format, t } from "@holdpoint/elements";
import type { ComparedObject, Difference } from "@holdpoint/elements/crew/view";

export interface Side {
  files: Files;
  pack: CrewPackage;
}

type Members = Record<string, string>;

interface Named {
  name: string;
  members: Members;
}

/** Objects of one workflow, or, with none, agents and assets. */
export interface Differences {
  workflows: Map<string, ComparedObject[]>;
  others: ComparedObject[];
}

export function differences(left: Side, right: Side): Differences {
  const ids = new Set([...left.pack.workflows, ...right.pack.workflows].map((one) => one.id));
  const workflows = new Map([...ids].map((id) => [id, workflowObjects(id, left, right)] as const));
  const others = [
    ...compared(agents(left.pack), agents(right.pack)),
    ...compared(assets(left), assets(right)),
  ];
  return { workflows, others };
}

function workflowObjects(id: string, left: Side, right: Side): ComparedObject[] {
  const [a, b] = [left, right].map(({ pack }) => pack.workflows.find((one) => one.id === id));
  return [
    ...compared(whole(left, a), whole(right, b)),
    ...compared(nodes(left, a), nodes(right, b)),
  ];
}

/** The workflow itself: its name, its document, its edges. */
function whole({ files }: Side, workflow: Workflow | undefined): Map<string, Named> {
  if (!workflow) return new Map();
  const { graph, name, id, document } = workflow;
  const title = (to: string): string => titleOf(graph?.nodes.find((node) => node.id === to)) || to;
  const edges = Object.fromEntries(
    (graph?.edges ?? []).map((one) => [edgeKey(one), edgeText(one, title)]),
  );
  const body = lines(files[document] ?? "");
  const members = { [t("crew.name")]: name, [t("crew.cmp.document")]: body, ...edges };
  return new Map([[id, { name, members }]]);
}

/** What makes an edge the same one; it is not shown. */
const edgeKey = ({ from, label, to }: GraphEdge): string =>
  `${t("crew.cmp.edge")}\u0000${from} ${to} ${label}`;

function edgeText({ from, label, to, conditionText, isDefault }: GraphEdge, title: Titled): string {
  const more = [conditionText ?? "", isDefault ? t("crew.graph.default") : ""].filter(Boolean);
  return [`${title(from)} · ${label} → ${title(to)}`, ...more].join(" · ");
}
type Titled = (id: string) => string;

function nodes({ files }: Side, workflow: Workflow | undefined): Map<string, Named> {
  return new Map(
    (workflow?.graph?.nodes ?? []).map((node) => {
      const { fields, body } = readStep(files[node.file] ?? "");
      const members: Members = {
        [t("crew.nodes.type")]: t(`crew.type.${node.type}`),
        [t("crew.node.agent")]: node.agentId ?? "",
        [t("crew.node.inputs")]: fields?.inputs.join(", ") ?? "",
        [t("crew.node.outputs")]: fields?.outputs.join(", ") ?? "",
        [t("crew.node.sets")]: fields?.setsVariables.join(", ") ?? "",
        [t("crew.instructions")]: lines(body),
      };
      return [node.id, { name: titleOf(node), members }];
    }),
  );
}

function agents({ agents: list }: CrewPackage): Map<string, Named> {
  return new Map(
    (list ?? []).map((agent: Agent) => {
      const { metadata, persona, tools } = agent;
      const principles = [persona.principles].flat().join(" · ");
      const servers = tools?.mcp?.enabled ? (tools.mcp.allowedServers ?? []).join(", ") : "";
      const rest = Object.keys(agent).filter(
        (key) => !["id", "metadata", "persona", "tools"].includes(key),
      );
      const members: Members = {
        [t("crew.agent.name")]: metadata.name,
        [t("crew.agent.title")]: metadata.title,
        [t("crew.agent.mark")]: metadata.icon,
        [t("crew.agent.role")]: persona.role,
        [t("crew.agent.identity")]: persona.identity,
        [t("crew.agent.style")]: persona.communication_style,
        [t("crew.agent.principles")]: principles,
        [t("crew.agent.files.read")]: String(tools?.fs?.maxReadBytes ?? ""),
        [t("crew.agent.files.write")]: String(tools?.fs?.maxWriteBytes ?? ""),
        [t("crew.agent.servers")]: servers,
        ...Object.fromEntries(rest.map((key) => [key, JSON.stringify(agent[key])])),
      };
      return [agent.id, { name: metadata.name || agent.id, members }];
    }),
  );
}

function assets({ pack, files }: Side): Map<string, Named> {
  return new Map(
    pack.assets.map(({ path, bytes, binary }) => {
      const content = files[path] ?? "";
      const text: Members = binary ? {} : { [t("crew.asset.text")]: lines(content) };
      return [path, { name: path, members: { [t("crew.size")]: format.bytes(bytes), ...text } }];
    }),
  );
}

/** A text in a cell is its lines, with what tells two of the same number apart. */
function lines(text: string): string {
  const n = text.trim() === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return `${t("crew.cmp.lines", { n })}\u0000${text}`;
}

const shown = (value: string): string => value.split("\u0000")[0] ?? "";

function compared(left: Map<string, Named>, right: Map<string, Named>): ComparedObject[] {
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  return keys.flatMap((key) => {
    const [a, b] = [left.get(key), right.get(key)];
    const names = [
      ...new Set([...Object.keys(a?.members ?? {}), ...Object.keys(b?.members ?? {})]),
    ];
    const members = names
      .map((name) => ({ name, was: a?.members[name] ?? "", now: b?.members[name] ?? "" }))
      .filter(({ was, now }) => was !== now)
      .map(({ name, was, now }) => member(name, was, now));
    if (!members.length && a && b) return [];
    return [{ name: (b ?? a)?.name ?? key, how: how(a, b), members }];
  });
}

function member(name: string, was: string, now: string) {
  const [left, right] = [shown(was), shown(now)];
  const same = left === right && left !== "";
  return {
    name: shown(name),
    left,
    right: same ? t("crew.cmp.other", { text: right }) : right,
    strong: !same,
  };
}

function how(a: Named | undefined, b: Named | undefined): Difference {
  if (!a) return "added";
  return b ? "changed" : "removed";
}

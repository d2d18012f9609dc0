/** Objects of a package by the names that people gave them. Pure. */
import {
  type ChangedText,
  type CrewPackage,
  type TargetType,
  titleOf,
  type Workflow,
} from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type { Named } from "@holdpoint/elements/crew/workbench/view";
import { agentPage, projectPage, workflowEditor } from "./ways.js";

/** What stands before and behind the first colon: `step:second-look`. */
export function split(key: string): { type: TargetType; id: string } {
  const at = key.indexOf(":");
  return { type: key.slice(0, at) as TargetType, id: key.slice(at + 1) };
}

/** The order in which objects are listed (ai-sessions.md §11). */
export const ORDER: readonly TargetType[] = ["workflow", "step", "agent", "asset"];

export class Names {
  /** `workflow`: where a step is looked for first. */
  constructor(
    private readonly project: string,
    private readonly pack: CrewPackage | null,
    private readonly workflow: number | null,
    private readonly changed: readonly ChangedText[] = [],
  ) {}

  of(key: string): string {
    return this.named(key).name;
  }

  /** A name and, where it has one, the place that it is in. */
  placed(key: string): string {
    const { name, where } = this.named(key);
    return where ? t("wb.in", { name, where }) : name;
  }

  /** A name with what it is: the agent Senior assessor. */
  kind(key: string): string {
    return t(`wb.the.${split(key).type}`, { name: this.of(key) });
  }

  named(key: string): Named {
    const { type, id } = split(key);
    switch (type) {
      case "workflow":
        return this.#workflow(id);
      case "step":
        return this.#step(id);
      case "agent":
        return { name: this.#agent(id), where: "", href: agentPage(this.project, id) };
      default:
        return { name: base(id), where: "", href: projectPage(this.project) };
    }
  }

  /** A file by the name of what it is part of; a name is said once for all files of a workflow. */
  file(path: string): string {
    const row = this.changed.find(({ file }) => file === path);
    if (row) return this.of(row.object);
    const step = this.pack?.workflows
      .flatMap(({ graph }) => graph?.nodes ?? [])
      .find(({ file }) => file === path);
    if (step) return titleOf(step);
    if (path === this.pack?.agentsFile) return t("wb.part.agents");
    const [, workflow] = /^workflows\/(\d+)\//.exec(path) ?? [];
    return workflow ? this.of(`workflow:${workflow}`) : base(path);
  }

  #workflow(id: string): Named {
    const found = this.pack?.workflows.find((one) => one.id === id);
    const name = found?.name || t("wb.type.workflow", { id });
    return { name, where: "", href: workflowEditor(this.project, Number(id)) };
  }

  #step(id: string): Named {
    const flow = this.#flowOf(id);
    const text = this.changed.find(({ object }) => object === `step:${id}`);
    const written = titleIn(text?.after ?? text?.before ?? "");
    const node = flow?.graph?.nodes.find((one) => one.id === id);
    return {
      name: written || node?.title || id,
      where: flow?.name ?? "",
      href: flow ? workflowEditor(this.project, Number(flow.id)) : null,
    };
  }

  #flowOf(node: string): Workflow | undefined {
    const has = (one: Workflow) => one.graph?.nodes.some(({ id }) => id === node) ?? false;
    const flows = this.pack?.workflows ?? [];
    return flows.find((one) => Number(one.id) === this.workflow && has(one)) ?? flows.find(has);
  }

  #agent(id: string): string {
    const text = this.changed.find(({ object }) => object === `agent:${id}`);
    const known = this.pack?.agents?.find((one) => one.id === id)?.metadata.name;
    return nameIn(text?.after ?? text?.before ?? "") || known || id;
  }
}

/** The last part of a path. */
export const base = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The title in the head of a step file. */
function titleIn(text: string): string {
  const [, said = ""] = /^title:[ \t]*(.+)$/m.exec(text.slice(0, 4_000)) ?? [];
  return said.trim().replace(/^(["'])(.*)\1$/, "$2");
}

function nameIn(text: string): string {
  try {
    const agent = JSON.parse(text) as { metadata?: { name?: unknown } } | null;
    return typeof agent?.metadata?.name === "string" ? agent.metadata.name : "";
  } catch {
    return "";
  }
}

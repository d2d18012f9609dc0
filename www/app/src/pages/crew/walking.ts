/** A path of a workflow that a person steps through: where they are, and what the step there would be. */
import {
  exits,
  titleOf,
  type WalkedFile,
  type WalkedPath,
  type WalkedStep,
  type Workflow,
  walkPath,
} from "@holdpoint/core/crew";
import type { Files } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { Hop, WalkFile, WalkStepView, WalkView } from "@holdpoint/elements/crew/view";
import { assetAt, nodeInGraph } from "./address.js";
import type { Around } from "./around.js";
import { KIND } from "./kind.js";
import type { Opened } from "./opened.js";

export class Walking {
  /** The step that is looked at, from 0. */
  at = 0;
  /** The steps of the path for the files that they were read from. */
  #read: { files: Files; steps: readonly WalkedStep[] } | null = null;
  readonly #tokens = new Map<string, number>();

  /** `path`: as it was when it was chosen; it is found again by its nodes. */
  constructor(
    readonly workflow: string,
    readonly path: WalkedPath,
    private readonly opened: Opened,
    private readonly around: Around,
  ) {}

  to(at: number): void {
    this.at = Math.min(Math.max(at, 0), this.path.nodes.length - 1);
    this.around.changed();
  }

  /** `paths`: those that there are now; the one that is walked may be gone. */
  view(workflow: Workflow, paths: readonly WalkedPath[]): WalkView {
    const key = this.path.nodes.join("\n");
    const n = paths.findIndex(({ nodes }) => nodes.join("\n") === key);
    const steps = n < 0 ? [] : this.#steps(workflow);
    const step = steps[this.at];
    const tokens = steps.map((one) => this.#promptTokens(one));
    return {
      name: workflow.name,
      path: n + 1,
      of: paths.length,
      at: this.at,
      way: steps.map(
        (one): Hop => ({ title: titleOf(one.node), mark: lacks(one) ? "warning" : "" }),
      ),
      step: step ? this.#step(workflow, step) : null,
      soFar: sum(tokens.slice(0, this.at + 1)),
      all: sum(tokens),
    };
  }

  #steps(workflow: Workflow): readonly WalkedStep[] {
    const { files, pack } = this.opened;
    if (this.#read?.files !== files)
      this.#read = { files, steps: walkPath(workflow, pack, files, this.path) };
    return this.#read.steps;
  }

  #step(workflow: Workflow, step: WalkedStep): WalkStepView {
    const { node, agent, takes, text } = step;
    const agentId = node.agentId?.trim() ?? "";
    const { graph } = workflow;
    const to = graph?.nodes.find((one) => one.id === takes?.to);
    const several = graph ? exits(graph, node.id).length > 1 : false;
    return {
      title: titleOf(node),
      type: node.type,
      agent: agent ? agent.metadata.name || agent.id : "",
      gone: !agent && agentId ? agentId : "",
      href: nodeInGraph(this.opened.id, workflow.id, node.id),
      isRead: text !== null,
      files: step.files.map((file) => this.#file(file)),
      variables: step.variables,
      writes: step.writes,
      sets: step.sets,
      takes: takes ? { label: several ? takes.label : "", to: titleOf(to) || takes.to } : null,
      prompt: step.prompt,
      tokens: this.#promptTokens(step),
    };
  }

  #file(file: WalkedFile): WalkFile {
    const isAsset = file.is === "asset";
    return {
      ...file,
      href: isAsset ? assetAt(this.opened.id, file.path) : "",
      tokens: isAsset ? this.#count([{ content: this.opened.files[file.path] ?? "" }]) : null,
    };
  }

  #promptTokens({ prompt }: WalkedStep): number {
    return prompt.length ? this.#count(prompt) : 0;
  }

  /** As the edge estimates them; a text is counted once. */
  #count(messages: readonly { role?: string; content: string }[]): number {
    const key = JSON.stringify(messages);
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const [only] = messages;
    const input = only && !only.role ? { text: only.content } : { messages };
    const { tokens } = this.around.core.call<{ tokens: number }>("tokens.estimate", {
      kind: KIND,
      ...input,
    });
    this.#tokens.set(key, tokens);
    return tokens;
  }
}

/** Whether something that a step reads is not there on its path. */
const lacks = ({ files, variables, text }: WalkedStep): boolean =>
  text === null || [...files, ...variables].some(({ is }) => is === "missing");

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);

/** What a person hears who does not look. */
export function walkSaid({ step, at, way }: WalkView): string {
  if (!step) return t("crew.walk.gone");
  return t("crew.walk.live", { n: at + 1, of: way.length, title: step.title });
}

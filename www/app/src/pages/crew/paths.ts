/**
 * The ways through the workflows of a package, as the engine walks them (`crew.paths`); again when the files change.
 */
import { titleOf, type Workflow } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { Diagnostic, ErrorShape, Files } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { Hop, PathFinding, PathsView, WalkView } from "@holdpoint/elements/crew/view";
import { found } from "@holdpoint/elements/findings/view";
import { nodeInGraph } from "./address.js";
import type { Around } from "./around.js";
import type { Opened } from "./opened.js";
import { improving } from "./package-view.js";
import { Walking, walkSaid } from "./walking.js";

interface WalkedFinding extends Diagnostic {
  node: string;
  edge: number | null;
  set_at: string[];
  way: string[];
  affects: number;
}

/** What `crew.paths` answers of a workflow. */
interface Walked {
  id: string | null;
  name: string | null;
  graph: string;
  ends: number;
  count: number;
  complete: boolean;
  shortest: string[];
  longest: string[];
  paths: { nodes: string[]; edges: number[]; findings: number[] }[];
  findings: WalkedFinding[];
}

export class Paths {
  #of: Files | null = null;
  #walked: Walked[] = [];
  #state: PathsView["state"] = "walking";
  #problem: ErrorShape | null = null;
  #ms = 0;
  #chosen = "";
  #walking: Walking | null = null;

  constructor(
    private readonly opened: Opened,
    private readonly around: Around,
  ) {}

  choose(id: string): void {
    this.#chosen = id;
    this.around.changed();
  }

  /** Begins at the first step of a listed path of the chosen workflow. */
  begin(path: number): void {
    const chosen = this.#shown();
    const listed = chosen && this.#walkedOf(chosen)?.paths[path];
    if (listed) this.#walking = new Walking(chosen.id, listed, this.opened, this.around);
    this.around.changed();
  }

  stepTo(at: number): void {
    this.#walking?.to(at);
  }

  leave(): void {
    this.#walking = null;
    this.around.changed();
  }

  /** What a person hears who does not look; empty where nothing is walked. */
  get said(): string {
    const walk = this.#walk();
    return walk ? walkSaid(walk) : "";
  }

  #shown(): Workflow | undefined {
    const { workflows } = this.opened.pack;
    return workflows.find((one) => one.id === this.#chosen) ?? workflows[0];
  }

  #walkedOf = (workflow: Workflow): Walked | undefined =>
    this.#walked.find((one) => one.graph === workflow.graphFile);

  /** While the paths are walked anew the one that is stepped through stands as it was. */
  #walk(): WalkView | null {
    const walking = this.#walking;
    const workflow = this.opened.pack.workflows.find((one) => one.id === walking?.workflow);
    if (!walking || !workflow) return null;
    return walking.view(workflow, this.#walkedOf(workflow)?.paths ?? []);
  }

  /** Walks what is there now, once. */
  async walk(): Promise<void> {
    const { files } = this.opened;
    if (this.#of === files) return;
    this.#of = files;
    const begun = performance.now();
    try {
      const { workflows } = await this.around.checks.call<{ workflows: Walked[] }>("crew.paths", {
        files,
      });
      if (this.#of !== files) return;
      this.#walked = workflows;
      this.#state = "ready";
      this.#ms = performance.now() - begun;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (this.#of !== files) return;
      this.#state = "failed";
      this.#problem = error;
    }
    this.around.changed();
  }

  view(): PathsView {
    const { workflows } = this.opened.pack;
    const of = this.#walkedOf;
    const chosen = this.#shown();
    const walked = chosen && of(chosen);
    return {
      state: this.#state,
      problem: this.#problem,
      workflows: workflows.map((one) => ({
        id: one.id,
        name: one.name,
        findings: of(one)?.findings.length ?? 0,
        ...counted(of(one)),
      })),
      chosen: chosen?.id ?? "",
      name: chosen?.name ?? "",
      figures: walked ? this.#figures(walked) : null,
      findings: walked ? walked.findings.map((one) => this.#finding(chosen, walked, one)) : [],
      paths: walked ? walked.paths.map((one) => this.#path(chosen, walked, one)) : [],
      walk: this.#walk(),
    };
  }

  #figures({ count, complete, shortest, longest, ends }: Walked): PathsView["figures"] {
    return {
      ...{ count, complete, ends },
      shortest: shortest.length,
      longest: longest.length,
      ms: this.#ms,
    };
  }

  #finding(workflow: Workflow, walked: Walked, one: WalkedFinding): PathFinding {
    const { id } = this.opened;
    const { text } = found(one);
    const node = name(workflow, one.node);
    const label = one.edge === null ? "" : (workflow.graph?.edges[one.edge]?.label ?? "");
    const where = label ? `${node}: ${label}` : node;
    const set = one.set_at.map((set_at) => name(workflow, set_at)).join(", ");
    const facts: PathFinding["facts"][number][] = [
      { what: "read", text: where },
      ...(set ? [{ what: "set" as const, text: set }] : []),
      { what: "affects", text: t("crew.paths.of", { n: one.affects, of: walked.count }) },
    ];
    return {
      ...{ code: one.code, severity: one.severity, text, facts },
      way: one.way.map((at): Hop => {
        return { title: name(workflow, at), mark: at === one.node ? one.severity : "" } as Hop;
      }),
      href: nodeInGraph(id, workflow.id, one.node),
      improve: improving(id, { targetType: "workflow", targetId: workflow.id }, workflow.id),
    };
  }

  #path(workflow: Workflow, walked: Walked, { nodes, findings }: Walked["paths"][number]) {
    const marked = new Map(
      findings.map((n) => [walked.findings[n]?.node ?? "", walked.findings[n]?.severity] as const),
    );
    const seen = new Set<string>();
    const way = nodes.map((at): Hop => {
      const again = seen.has(at);
      seen.add(at);
      const severity = marked.get(at);
      if (severity && !again) return { title: name(workflow, at), mark: severity as Hop["mark"] };
      return { title: name(workflow, at), mark: again ? "again" : "" };
    });
    return { way, findings: findings.length };
  }
}

const counted = (walked: Walked | undefined) => ({
  count: walked?.count ?? 0,
  complete: walked?.complete ?? true,
});

const name = ({ graph }: Workflow, id: string): string =>
  titleOf(graph?.nodes.find((node) => node.id === id)) || id;

/** The editor of an agent: the form's members, and those that have no field. Its limits are those of a form. */
import { type Agent, isRecord, jsonText, record, worksIn } from "@holdpoint/core/crew";
import type { Diagnostic } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { LONGEST, NEEDED } from "@holdpoint/elements/crew/agent";
import type { AgentView } from "@holdpoint/elements/crew/view";
import { found } from "@holdpoint/elements/findings/view";
import { workflowAt } from "./address.js";
import type { Opened } from "./opened.js";
import { counts, improving } from "./package-view.js";

/** Members that have a field. */
const SHOWN = ["id", "metadata", "persona", "tools"];

type Finding = AgentView["findings"][number];

export class AgentEditor {
  /** What stands in the field of the other members, while it is no object. */
  #broken: string | null = null;

  constructor(
    readonly id: string,
    private readonly opened: Opened,
    private readonly changed: () => void,
  ) {}

  get agent(): Agent | undefined {
    return this.opened.pack.agents?.find((one) => one.id === this.id);
  }

  /** Its place in the file, where also entries stand that no form can show. */
  get #list(): { document: Record<string, unknown>; agents: unknown[]; at: number } {
    const { files, pack } = this.opened;
    const document = record(files[pack.agentsFile]) ?? { schemaVersion: "1.1" };
    const agents = Array.isArray(document.agents) ? document.agents : [];
    return { document, agents, at: agents.findIndex((one) => isRecord(one) && one.id === this.id) };
  }

  change(agent: Agent): void {
    this.#write(agent);
  }

  #write(agent: Record<string, unknown>): void {
    const { document, agents, at } = this.#list;
    if (at < 0) return;
    const next = agents.map((one, n) => (n === at ? agent : one));
    const what = t("crew.edit.field", { name: this.agent?.metadata.name || this.id });
    const path = this.opened.pack.agentsFile;
    this.opened.edit({ [path]: jsonText({ ...document, agents: next }) }, what, `agent ${this.id}`);
  }

  changeMore(text: string): void {
    const more = record(text || "{}");
    this.#broken = more ? null : text;
    const { agents, at } = this.#list;
    const was = agents[at];
    if (more && isRecord(was)) {
      const kept = Object.fromEntries(
        SHOWN.flatMap((key) => (key in was ? [[key, was[key]]] : [])),
      );
      const added = Object.fromEntries(
        Object.entries(more).filter(([key]) => !SHOWN.includes(key)),
      );
      this.#write({ ...kept, ...added });
    } else this.changed();
  }

  #more(): { text: string; members: number } {
    const { agents, at } = this.#list;
    const was = agents[at];
    const rest = isRecord(was)
      ? Object.fromEntries(Object.entries(was).filter(([key]) => !SHOWN.includes(key)))
      : {};
    const members = Object.keys(rest).length;
    return { text: this.#broken ?? (members ? JSON.stringify(rest, null, 2) : ""), members };
  }

  /** What the form says of its own fields: errors here, where the check of the package would only warn. */
  #form(agent: Agent): Finding[] {
    const out: Finding[] = [];
    for (const pointer of NEEDED) {
      const [, group, name] = pointer.split("/");
      const value = (agent as unknown as Record<string, Record<string, unknown>>)[group ?? ""]?.[
        name ?? ""
      ];
      const text = typeof value === "string" ? value : "";
      const max = LONGEST[pointer] ?? Number.POSITIVE_INFINITY;
      const n = [...text].length;
      const how = pointer === "/persona/communication_style" ? "crew.fix.short" : "crew.fix.long";
      if (text === "") out.push({ pointer, text: t("crew.fix.missing"), severity: "error" });
      else if (n > max) out.push({ pointer, text: t(how, { n, max }), severity: "error" });
    }
    if (!agent.persona.principles.length || agent.persona.principles === "")
      out.push({ pointer: "/persona/principles", text: t("crew.fix.missing"), severity: "error" });
    if (this.#broken !== null)
      out.push({ pointer: "/more", text: t("crew.agent.more.broken"), severity: "error" });
    return out;
  }

  /** Why it cannot be saved; empty where it can. */
  off(): string {
    const { agent } = this;
    return agent && this.#form(agent).length ? t("crew.agent.fix") : "";
  }

  errors(): number {
    return this.agent ? this.#form(this.agent).length : 0;
  }

  view(): Omit<AgentView, "package" | "foot" | "conflict" | "undo" | "redo" | "versions"> | null {
    const { agent } = this;
    if (!agent) return null;
    const { pack, stored, checked, id } = this.opened;
    const { at } = this.#list;
    const prefix = `/agents/${at}`;
    const own = checked.findings.filter(
      (one) =>
        one.path === pack.agentsFile &&
        (one.pointer === prefix || one.pointer?.startsWith(`${prefix}/`)),
    );
    const form = this.#form(agent);
    const more = this.#more();
    return {
      agent,
      check: { ...counts(own), state: checked.state },
      fresh: !isStored(stored.files[pack.agentsFile], this.id),
      taken: (pack.agents ?? []).map((one) => one.id).filter((one) => one !== this.id),
      more: more.text,
      members: more.members,
      findings: [...form, ...own.map((one) => told(one, prefix)).filter(unlike(form))],
      works: worksIn(pack.workflows, this.id).map(({ workflow, nodeId, title }) => ({
        title,
        workflow: workflow.name,
        href: workflowAt(id, workflow.id, nodeId),
      })),
      improve: improving(id, { targetType: "agent", targetId: this.id }, "", "agent-editor"),
    };
  }
}

const told = (one: Diagnostic, prefix: string): Finding => {
  const pointer = (one.pointer ?? "").slice(prefix.length);
  return { pointer, text: found(one).text, severity: one.severity };
};

/** The form says it already. */
const unlike =
  (form: readonly Finding[]) =>
  ({ pointer }: Finding): boolean =>
    !form.some((one) => one.pointer === pointer || pointer.startsWith(`${one.pointer}/`));

function isStored(file: string | undefined, id: string): boolean {
  const list = record(file)?.agents;
  return Array.isArray(list) && list.some((one) => isRecord(one) && one.id === id);
}

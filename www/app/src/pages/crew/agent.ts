/** The editor of an agent: the form's members, and those that have no field. Its limits are those of a form. */
import { type Agent, isRecord, jsonText, record, worksIn } from "@holdpoint/core/crew";
import type { Diagnostic } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { LONGEST, NEEDED } from "@holdpoint/elements/crew/agent";
import { hasField } from "@holdpoint/elements/crew/agent-fields";
import type { AgentView } from "@holdpoint/elements/crew/view";
import { found } from "@holdpoint/elements/findings/view";
import { workflowAt } from "./address.js";
import type { Opened } from "./opened.js";
import { counts, improving } from "./package-view.js";

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
      const kept = Object.entries(was).filter(([key, value]) => hasField(key, value));
      const added = Object.entries(more).filter(([key]) => !kept.some(([one]) => one === key));
      this.#write(Object.fromEntries([...kept, ...added]));
    } else this.changed();
  }

  #more(): { text: string; members: number } {
    const { agents, at } = this.#list;
    const was = agents[at];
    const rest = isRecord(was)
      ? Object.fromEntries(Object.entries(was).filter(([key, value]) => !hasField(key, value)))
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

  /** What the check of the package says of the file, and what of it is this agent's. */
  #checked(): { all: readonly Diagnostic[]; own: readonly Diagnostic[]; prefix: string } {
    const { pack, checked } = this.opened;
    const prefix = `/agents/${this.#list.at}`;
    const all = checked.findings.filter((one) => one.path === pack.agentsFile);
    const is = ({ pointer = "" }: Diagnostic): boolean =>
      pointer === prefix || pointer.startsWith(`${prefix}/`);
    return { all, own: all.filter(is), prefix };
  }

  /** What stands at the fields: the form's own words first, then those of the check. */
  #findings(agent: Agent): Finding[] {
    const form = this.#form(agent);
    const { own, prefix } = this.#checked();
    return [...form, ...own.map((one) => told(one, prefix)).filter(unlike(form))];
  }

  /** Why it cannot be saved; empty where it can. The file is stored as a whole, so errors of other agents count. */
  off(): string {
    const n = this.errors();
    const { agent } = this;
    if (!n || !agent) return "";
    return this.#findings(agent).some(isError) ? t("crew.agent.fix") : t("crew.edit.fix", { n });
  }

  errors(): number {
    const { agent } = this;
    if (!agent) return 0;
    const { all, own } = this.#checked();
    const others = all.filter((one) => isError(one) && !own.includes(one)).length;
    return this.#findings(agent).filter(isError).length + others;
  }

  view(): Omit<AgentView, "package" | "foot" | "conflict" | "undo" | "redo" | "versions"> | null {
    const { agent } = this;
    if (!agent) return null;
    const { pack, stored, checked, id } = this.opened;
    const { own } = this.#checked();
    const more = this.#more();
    return {
      agent,
      check: { ...counts(own), state: checked.state },
      fresh: !isStored(stored.files[pack.agentsFile], this.id),
      taken: (pack.agents ?? []).map((one) => one.id).filter((one) => one !== this.id),
      more: more.text,
      members: more.members,
      findings: this.#findings(agent),
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

const isError = ({ severity }: Pick<Diagnostic, "severity">): boolean => severity === "error";

/** The form says it already. */
const unlike =
  (form: readonly Finding[]) =>
  ({ pointer }: Finding): boolean =>
    !form.some((one) => one.pointer === pointer || pointer.startsWith(`${one.pointer}/`));

function isStored(file: string | undefined, id: string): boolean {
  const list = record(file)?.agents;
  return Array.isArray(list) && list.some((one) => isRecord(one) && one.id === id);
}

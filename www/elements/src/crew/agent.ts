/**
 * The form of an agent, by its schema: who it is, how it works, what it may use; its other members in their fold.
 * A finding stands under its field. UI.md §12; crew-package.md §3.
 */
import type { Agent } from "@holdpoint/core/crew";
import { readNumber } from "@holdpoint/core/numbers";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { HpElement } from "../base/element.js";
import { entry } from "../base/entry.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import { locale, type TextKey, t } from "../text/index.js";
import "./agent-more.js";
import { isBad, toldAt } from "./agent-told.js";
import "./conflict.js";
import { column, fields, scrolling } from "./crew.styles.js";
import "./edit-foot.js";
import { going } from "./going.js";
import { stepButton } from "./steps.js";
import "./texts.js";
import "./tokens.js";
import type { AgentView } from "./view.js";

/** The longest texts of a form, in characters (crew-package.md §6 `AGENT_FIELD_LONG`, §7 "Form limits"). */
export const LONGEST: Readonly<Record<string, number>> = {
  "/metadata/name": 100,
  "/metadata/title": 100,
  "/metadata/icon": 20,
  "/persona/role": 200,
  "/persona/communication_style": 200,
};
/** What must not be empty. */
export const NEEDED: readonly string[] = [...Object.keys(LONGEST), "/persona/identity"];

const own = css`
  .short { max-width: 140px; }
  .s-h .end { margin-inline-start: auto; }
  .lift { margin-top: var(--s-3); }
  @media (min-width: 1200px) {
    .two:has(hp-crew-agent-more[open]) { grid-template-columns: minmax(0, 1fr) 440px; }
    .two:has(hp-crew-agent-more[open]) > .side { position: static; }
  }
`;

type Text = "name" | "title" | "icon" | "role" | "identity" | "communication_style";

@customElement("hp-crew-agent")
export class CrewAgent extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, scrolling, column, fields, own];
  @property({ attribute: false }) view!: AgentView;

  protected override get state(): string {
    return this.view.foot.state;
  }

  override render() {
    const { agent, conflict } = this.view;
    const name = agent.metadata.name || agent.id;
    return html`<div class="all scroll" tabindex="0" role="group" aria-label=${t("app.scrolls", { name })}>
        <div class="in mid">
          ${this.#head(name)}${
            conflict ? html`<hp-crew-conflict .view=${conflict}></hp-crew-conflict>` : nothing
          }
          <div class="two">
            <form aria-label=${t("crew.agent.form")} @submit=${(event: Event) => event.preventDefault()}>
              ${this.#who()}${this.#how()}${this.#may()}
            </form>
            <div class="side">${this.#works()}<hp-crew-agent-more .view=${this.view}></hp-crew-agent-more></div>
          </div>
        </div>
      </div>
      <hp-crew-foot .view=${this.view.foot}></hp-crew-foot>`;
  }

  #head(name: string) {
    const { package: back, agent, fresh, improve, undo, redo } = this.view;
    return html`<div class="head">
      <div>
        <p class="crumb">
          <a href=${back.href} translate="no" @click=${(event: MouseEvent) => going(event, back.href, this)}
            >${back.name}</a
          >
        </p>
        <h1 translate="no">${name}</h1>
        <p class="meta">
          <span class="mono" translate="no">${agent.id}</span>${
            fresh ? nothing : html` · ${t("crew.agent.fixed")}`
          }
        </p>
      </div>
      <div class="flex end wrap">
        ${stepButton(this, "undo", undo)}${stepButton(this, "redo", redo)}<a class="btn" href=${improve}
          >${t("crew.improve.ai")}</a
        ><button
          class="btn quiet icon"
          aria-haspopup="menu"
          aria-label=${t("crew.agent.commands")}
          @click=${(event: Event) =>
            this.emit("hp-part-menu", {
              what: "agent",
              key: agent.id,
              anchor: event.currentTarget,
            })}
        >
          ${icon("more")}
        </button>
      </div>
    </div>`;
  }

  #who() {
    const { metadata } = this.view.agent;
    const mark = { look: "short", hint: "crew.agent.mark.hint" } as const;
    return html`<section class="sheet" aria-labelledby="h-1">
      <div class="s-h"><h2 id="h-1">${t("crew.who")}</h2></div>
      <div class="frm wide">
        ${this.#text("metadata", "name", "crew.agent.name", metadata.name)}
        ${this.#text("metadata", "title", "crew.agent.title", metadata.title)}
        ${this.#text("metadata", "icon", "crew.agent.mark", metadata.icon, mark)}
      </div>
    </section>`;
  }

  #how() {
    const { persona } = this.view.agent;
    return html`<section class="sheet" aria-labelledby="h-2">
      <div class="s-h"><h2 id="h-2">${t("crew.how.works")}</h2></div>
      <div class="frm wide">
        ${this.#text("persona", "role", "crew.agent.role", persona.role)}
        ${this.#text("persona", "identity", "crew.agent.identity", persona.identity, { rows: 3 })}
        ${this.#text("persona", "communication_style", "crew.agent.style", persona.communication_style, { rows: 5 })}
        ${this.#principles(persona.principles)}
      </div>
    </section>`;
  }

  #text(
    group: "metadata" | "persona",
    name: Text,
    label: TextKey,
    value: string,
    { rows = 0, look = "", hint }: { rows?: number; look?: string; hint?: TextKey } = {},
  ) {
    const pointer = `/${group}/${name}`;
    const told = toldAt(this.view.findings, pointer);
    const described = [told ? `e-${name}` : "", hint ? `h-${name}` : ""].filter(Boolean).join(" ");
    const write = (event: Event): void =>
      this.#change({
        [group]: { ...this.view.agent[group], [name]: (event.target as HTMLInputElement).value },
      });
    const field = rows
      ? html`<textarea
          class="input"
          id=${name}
          rows=${rows}
          aria-invalid=${isBad(this.view.findings, pointer)}
          aria-describedby=${described || nothing}
          .value=${live(value)}
          @input=${write}
        ></textarea>`
      : html`<input
          class="input ${look}"
          id=${name}
          aria-invalid=${isBad(this.view.findings, pointer)}
          aria-describedby=${described || nothing}
          .value=${live(value)}
          @input=${write}
        />`;
    return html`<label for=${name}>${t(label)}</label>
      <div>
        ${field}${hint ? html`<p class="hint" id="h-${name}">${t(hint)}</p>` : nothing}${
          told ? html`<div id="e-${name}">${told}</div>` : nothing
        }
      </div>`;
  }

  #principles(value: string | string[]) {
    const list = typeof value === "string" ? [value] : value;
    const write = (next: string[]): void => {
      // One text stays one text, until there is a second.
      const [only = ""] = next;
      const kept = typeof value === "string" && next.length === 1 ? only : next;
      this.#change({ persona: { ...this.view.agent.persona, principles: kept } });
    };
    return html`<span class="fl">${t("crew.agent.principles")}</span>
      <div>
        <hp-crew-texts
          .items=${list}
          label=${t("crew.agent.principles")}
          word="crew.agent.principle"
          @hp-items=${(event: CustomEvent<{ items: string[] }>) => write(event.detail.items)}
        ></hp-crew-texts>
        ${toldAt(this.view.findings, "/persona/principles") ?? nothing}
      </div>`;
  }

  #may() {
    const { fs = {}, mcp = {} } = this.view.agent.tools ?? {};
    const tools = (change: Agent["tools"]): void =>
      this.#change({ tools: { ...this.view.agent.tools, ...change } });
    const files = fs.enabled !== false;
    const servers = mcp.enabled === true;
    return html`<section class="sheet" aria-labelledby="h-3">
      <div class="s-h"><h2 id="h-3">${t("crew.may")}</h2></div>
      <div class="frm wide">
        <span class="fl">${t("crew.agent.files")}</span>
        <div>
          <label class="opt"
            ><input
              type="checkbox"
              class="check"
              .checked=${live(files)}
              @change=${() => tools({ fs: { ...fs, enabled: !files } })}
            /><span>${t("crew.agent.files.may")}</span></label
          >
          <div class="two-in">
            ${this.#number("maxReadBytes", "crew.agent.files.read", fs, files)}
            ${this.#number("maxWriteBytes", "crew.agent.files.write", fs, files)}
          </div>
        </div>
        <span class="fl">${t("crew.agent.servers")}</span>
        <div>
          <label class="opt"
            ><input
              type="checkbox"
              class="check"
              .checked=${live(servers)}
              @change=${() => tools({ mcp: { ...mcp, enabled: !servers } })}
            /><span>${t("crew.agent.servers.may")}</span></label
          >
          <hp-crew-tokens
            class="lift"
            ?off=${!servers}
            .items=${mcp.allowedServers ?? []}
            label=${t("crew.agent.servers")}
            add=${t("crew.agent.servers.add")}
            @hp-items=${(event: CustomEvent<{ items: string[] }>) =>
              tools({ mcp: { ...mcp, allowedServers: event.detail.items } })}
          ></hp-crew-tokens>
          ${toldAt(this.view.findings, "/tools") ?? nothing}
        </div>
      </div>
    </section>`;
  }

  /** Empty: no limit is named. What is no number stays in the field and is not taken over. */
  #number(
    name: "maxReadBytes" | "maxWriteBytes",
    label: TextKey,
    fs: NonNullable<NonNullable<Agent["tools"]>["fs"]>,
    on: boolean,
  ) {
    return html`<div>
      <label for=${name} class="meta">${t(label)}</label
      ><input
        class="input"
        id=${name}
        inputmode="numeric"
                ?disabled=${!on}
        .value=${entry(fs[name] === undefined ? "" : String(fs[name]))}
        @change=${(event: Event) => {
          const field = event.target as HTMLInputElement;
          const { [name]: _, ...rest } = fs;
          const said = readNumber(field.value, locale().numbers, true);
          const n = "value" in said && said.value > 0 ? said.value : null;
          const empty = field.value.trim() === "";
          field.setCustomValidity(n === null && !empty ? t("crew.fix.number") : "");
          if (!field.reportValidity()) return;
          const value = empty ? {} : { [name]: n ?? 0 };
          this.#change({ tools: { ...this.view.agent.tools, fs: { ...rest, ...value } } });
        }}
      />
    </div>`;
  }

  #works() {
    const { works } = this.view;
    return html`<section class="sheet" aria-labelledby="h-4">
      <div class="s-h">
        <h2 id="h-4">${t("crew.works")}</h2>
        <span class="end meta">${t("crew.steps.n", { n: works.length })}</span>
      </div>
      ${works.length ? nothing : html`<p class="none">${t("crew.agent.unused")}</p>`}
      <ul class="rows">
        ${works.map(
          ({ title, workflow, href }) =>
            html`<li>
              <div>
                <p>
                  <a href=${href} translate="no" @click=${(event: MouseEvent) => going(event, href, this)}
                    >${title}</a
                  >
                </p>
                <p class="sub" translate="no">${workflow}</p>
              </div>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #change(change: Partial<Agent>): void {
    this.emit("hp-agent", { agent: { ...this.view.agent, ...change } });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-crew-agent": CrewAgent;
  }
}

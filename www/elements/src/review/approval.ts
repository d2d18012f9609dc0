/** The foot: the one place where a person signs, stops or saves. States: waits, closed, sending, plain. UI.md §5. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { type IconName, icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { styles } from "./approval.styles.js";

export interface FootAction {
  /** The event's `id`; `hp-act {id}` is emitted. */
  id: string;
  label: string;
  icon?: IconName;
  danger?: boolean;
  testid?: string;
  sub?: string;
  off?: boolean;
  /** On a narrow page it is in the menu. */
  alt?: boolean;
  /** Without an edge, or with one; by itself one that hides or is off has one. */
  quiet?: boolean;
}

export interface Signature extends FootAction {
  look: "sign" | "primary" | "plain";
  /** Beside the label: the fingerprint, or a sum in words. */
  print?: string;
  mono?: boolean;
  /** For the pointer: what it will ask. */
  title?: string;
}

export interface FootView {
  /** `waits`: hatched, can be given. `closed`: grey, with the reason. `plain`: no signature here. `done`: given. */
  state: "waits" | "closed" | "sending" | "plain" | "done";
  reason: string;
  reasonIcon?: IconName;
  reasonLook?: string;
  /** Leads to what the reason is about. */
  reasonAction?: FootAction;
  main: Signature;
  /** Before the main one, in a foot that is one row. */
  before?: FootAction[];
  beside?: FootAction;
  second?: FootAction[];
}

@customElement("hp-approval")
export class Approval extends HpElement {
  static override styles = [ground, buttons, styles];
  @property({ attribute: false }) view?: FootView;
  /** Reason and actions in one row, where there is room. */
  @property({ type: Boolean, reflect: true }) bar = false;

  protected override get state(): string {
    return this.view?.state ?? "plain";
  }

  override render() {
    const view = this.view;
    if (!view) return nothing;
    const second = view.second ?? [];
    const before = view.before ?? [];
    const hidden = [...before.filter((action) => action.alt), view.beside, ...second].filter(
      (action) => action !== undefined,
    );
    const menu = second.length > 0 || before.some((action) => action.alt);
    const given = view.state === "done" ? "done" : "off";
    return html`<div class="approve ${view.state === "waits" ? "" : given}">
      <p class="why" id="why">${this.#reason(view)}</p>
      <div class="acts">
        ${repeat(before, idOf, (action) => this.#action(action, look(action)))}${this.#main(view)}
        ${view.beside ? this.#action(view.beside, `btn ${second.length ? "alt" : ""}`) : nothing}
        ${repeat(second, idOf, (action) =>
          this.#action(action, `btn quiet s alt ${action.danger ? "danger" : ""}`),
        )}
        ${
          menu
            ? html`<button
                class="btn icon more"
                aria-haspopup="menu"
                aria-label="${t("app.more")}: ${hidden.map((action) => action.label).join(", ")}"
                @click=${(event: Event) =>
                  this.emit("hp-foot-menu", { actions: hidden, anchor: event.currentTarget })}
              >
                ${icon("more")}
              </button>`
            : nothing
        }
      </div>
    </div>`;
  }

  #reason(view: FootView) {
    if (view.state === "waits")
      return html`<span class="mk" aria-hidden="true">${icon("mark", "s")}</span
        ><span><span class="strong head">${t("plan.hold.point")}</span> ${view.reason}</span>`;
    if (view.state === "sending") return html`${icon("spin", "spin")}<span>${view.reason}</span>`;
    const { reasonAction: action } = view;
    const lead = action
      ? html` <button class="link" @click=${() => this.emit("hp-act", { id: action.id })}>
          ${action.label}
        </button>`
      : nothing;
    return html`${icon(view.reasonIcon ?? "lock", view.reasonLook ?? "")}<span
        >${prose(view.reason)}${lead}</span
      >`;
  }

  #main(view: FootView) {
    const { main } = view;
    const closed = view.state === "closed" || view.state === "sending";
    const look = main.look === "plain" ? "" : main.look;
    // Keyed: a second click on Approve must not land on the Stop that stands there next.
    return keyed(
      main.id,
      html`<button
        id="main"
        class="btn ${look} ${view.beside ? "first" : ""}"
        data-testid=${main.testid ?? nothing}
        ?disabled=${closed}
        title=${main.title ?? nothing}
        aria-describedby=${closed ? "why" : nothing}
        @click=${() => this.emit("hp-act", { id: main.id })}
      >
        ${closed || !main.icon ? nothing : icon(main.icon)}<span>${main.label}</span>${
          main.print
            ? html`<span class="fp ${main.mono ? "" : "sum"}">${main.print}</span>`
            : nothing
        }
      </button>`,
    );
  }

  #action(action: FootAction, look: string) {
    return html`<button
      class=${look}
      data-testid=${action.testid ?? nothing}
      ?disabled=${action.off === true}
      aria-describedby=${action.off ? "why" : nothing}
      @click=${() => this.emit("hp-act", { id: action.id })}
    >
      ${action.icon ? icon(action.icon, "s") : nothing}<span
        >${action.label}${
          action.sub ? html` <span class="sub">${action.sub}</span>` : nothing
        }</span
      >
    </button>`;
  }

  /** Mod Enter focuses the button and never presses it. */
  focusMain(): void {
    this.renderRoot.querySelector<HTMLButtonElement>("#main")?.focus();
  }
}

/** A button is one action as long as it stands: what is pressed while others come or go is not another one. */
const idOf = ({ id }: FootAction): string => id;

/** What stands before the main one. */
const look = ({ alt = false, off = false, quiet = !alt && !off }: FootAction): string =>
  ["btn", alt ? "alt" : "", quiet ? "quiet" : ""].filter(Boolean).join(" ");

/** The plan, editable: parts, permissions, tests, assumptions. States: clean, edited, invalid, approved. UI.md §3. */

import type {
  Diagnostic,
  Plan,
  PlanContribution,
  PlannedCapability,
  PlanTest,
  PlanView,
} from "@holdpoint/core/types";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets } from "../base/sheets.js";
import { badges, buttons, forms, ground } from "../base/styles.js";
import "../findings/findings.js";
import type { Findings } from "../findings/findings.js";
import { found } from "../findings/view.js";
import { riskBadge } from "../review/badges.js";
import { has, t } from "../text/index.js";
import { permission } from "../text/said.js";
import { styles } from "./plan-card.styles.js";
import {
  hanging,
  noted,
  samePart,
  sameTest,
  setText,
  tested,
  toggledTest,
  toggledTrigger,
  withheld,
  withoutPart,
  withoutPermission,
  withPart,
} from "./plan-edit.js";

/** Where a part may stand, by its kind. */
const slots: Partial<Record<PlanContribution["kind"], readonly string[]>> = {
  dock: ["dock.left", "dock.right", "dock.bottom"],
  toolbar: ["toolbar.left", "toolbar.center", "toolbar.right"],
};
const fixtures = ["house-small", "office-fire", "empty-model"] as const;

/** Pointers of findings that stand at a row, or under the list that they are about. */
const ROWS =
  /^\/((contributions|capabilities|triggers|tests)\/\d+(\/.*)?|contributions|capabilities)$/;

/** What the person is editing in place: a JSON Pointer into the plan. */
type Editing = string | null;

@customElement("hp-plan-card")
export class PlanCard extends HpElement {
  static override styles = [ground, buttons, badges, forms, sheets, styles];
  @property({ attribute: false }) view?: PlanView;
  /** The model's own plan: what was taken out of it stays on the card, struck through. */
  @property({ attribute: false }) proposed: Plan | null = null;
  /** The permissions of that plan in words. */
  @property({ attribute: false }) planned: PlannedCapability[] = [];
  @property({ type: Boolean }) closed = false;
  @state() private editing: Editing = null;

  protected override get state(): string {
    if (!this.view) return "empty";
    if (this.view.approved) return "approved";
    if (!this.view.ok) return "invalid";
    return this.view.edits > 0 ? "edited" : "clean";
  }

  override render() {
    const view = this.view;
    if (!view) return nothing;
    const plan = view.plan;
    const proposed = this.proposed ?? plan;
    return html`<article class="sheet" aria-labelledby="h">
      <div class="s-h">
        <h3 id="h">${t("plan.title")}</h3>
        ${view.edits ? this.#edits(view.edits, !view.approved) : nothing}
      </div>
      <p class="s-b strong first">${plan.summary}</p>
      <p class="s-b small">${plan.rationale}</p>
      ${this.#adds(view, proposed)} ${this.#may(view, proposed)}
      ${proposed.triggers.length ? this.#starts(plan, proposed) : nothing}
      <div class="lab"><span>${t("plan.tested")}</span><span>${plan.tests.length}</span></div>
      <ul class="rows">
        ${proposed.tests.map((test) => this.#test(plan, proposed, test))}
      </ul>
      ${plan.notes || this.editing === "/notes" ? this.#assumes(plan) : nothing}
      ${this.#list(this.#open().filter(({ pointer }) => !ROWS.test(pointer ?? "")))}
    </article>`;
  }

  /** Brings the first thing that keeps the plan from being approved into sight. */
  showFinding(): void {
    const first = this.renderRoot.querySelector<Findings>("hp-findings[data-first]");
    if (first) return void first.showError();
    const withheld = this.renderRoot.querySelector<HTMLElement>(".row-finding");
    withheld?.scrollIntoView({ block: "center" });
    withheld?.focus({ preventScroll: true });
  }

  #edits(n: number, open: boolean) {
    return html`<span class="badge plain"
        >${icon("pen", "s")}<span>${t("plan.edits", { n })}</span></span
      >${
        open
          ? html`<button
              class="btn quiet s end"
              data-testid="hp-undo"
              @click=${() => this.emit("hp-plan-undo")}
            >
              ${icon("undo", "s")}<span>${t("plan.undo")}</span>
            </button>`
          : nothing
      }`;
  }

  #adds(view: PlanView, proposed: Plan) {
    const { plan } = view;
    const [n, of] = [plan.contributions.length, proposed.contributions.length];
    return html`<div class="lab">
        <span>${t("plan.adds")}</span><span>${t("plan.of", { n, of })}</span>
      </div>
      <ul class="rows">
        ${proposed.contributions.map((part) => this.#part(view, proposed, part))}
      </ul>
      ${this.#findings("/contributions", true)}`;
  }

  #may(view: PlanView, proposed: Plan) {
    const none = html`<li class="c-off">
      ${icon("dash")}<span class="grow">${t("review.none.any")}</span>
    </li>`;
    const lines = proposed.capabilities.map((name) => this.#capability(view, name));
    return html`<div class="lab">
        <span>${t("plan.may")}</span
        ><span>${t("plan.at_most", { risk: t(`risk.lower.${view.overall_risk}`) })}</span>
      </div>
      <ul class="rows">
        ${lines.length ? lines : none}
      </ul>
      ${this.#findings("/capabilities", true)}`;
  }

  #starts(plan: Plan, proposed: Plan) {
    return html`<div class="lab"><span>${t("plan.starts")}</span></div>
      <ul class="rows">
        ${proposed.triggers.map((name) => this.#trigger(plan, proposed, name))}
      </ul>`;
  }

  #trigger(plan: Plan, proposed: Plan, name: string) {
    const at = plan.triggers.indexOf(name);
    const id = `e-${name}`;
    return html`<li class=${at < 0 ? "off" : ""}>
      <input
        class="check"
        type="checkbox"
        id=${id}
        .checked=${at >= 0}
        ?disabled=${this.closed}
        @change=${() => this.#changed(toggledTrigger(plan, proposed, name))}
      />
      <div class="grow">
        <label for=${id}><span class="txt">${trigger(name)}</span></label>${this.#removed(at)}
        ${at >= 0 ? this.#findings(`/triggers/${at}`) : nothing}
      </div>
    </li>`;
  }

  #removed(at: number) {
    return at < 0 ? html`<span class="sub"> · ${t("plan.removed")}</span>` : nothing;
  }

  #assumes(plan: Plan) {
    return html`<div class="lab"><span>${t("plan.assumes")}</span></div>
      <p class="s-b small">${this.#text(plan, "/notes", plan.notes ?? "", t("plan.assumes"))}</p>`;
  }

  #part(view: PlanView, proposed: Plan, part: PlanContribution) {
    const { plan } = view;
    const at = plan.contributions.findIndex((other) => samePart(other, part));
    const shown = plan.contributions[at] ?? part;
    const kind = t(`plan.kind.${shown.kind}`);
    const label = partName(shown);
    const id = `c-${part.kind}-${part.id}`;
    if (at < 0)
      return html`<li class="off">
        <input
          class="check"
          type="checkbox"
          id=${id}
          ?disabled=${this.closed}
          @change=${() => this.#changed(withPart(plan, proposed, part))}
        />
        <div class="grow">
          <label for=${id}
            ><span class="txt">${label}</span
            ><span class="sub"> · ${t("plan.removed")}</span></label
          >${this.#hanging(view, part)}
        </div>
      </li>`;
    return html`<li>
      <input
        class="check"
        type="checkbox"
        checked
        id=${id}
        aria-label=${label}
        ?disabled=${this.closed}
        @change=${() => this.#changed(withoutPart(plan, part))}
      />
      <div class="grow">
        <span class="txt"
          >${kind}
          ${this.#text(
            plan,
            `/contributions/${at}/label`,
            shown.label,
            t("plan.name", { label }),
          )}</span
        >
        <div class="sub">
          ${this.#slot(plan, shown, at, label)}${(shown.refreshOn ?? []).map(
            (event) =>
              html` ·
              ${
                event === "onModelLoad" || event === "onSelectionChange"
                  ? t(`plan.refresh.${event}`)
                  : event
              }`,
          )}${shown.key ? html` · <span class="mono">${shown.key}</span>` : nothing}
        </div>
        ${this.#findings(`/contributions/${at}`)}
      </div>
    </li>`;
  }

  #slot(plan: Plan, part: PlanContribution, at: number, label: string) {
    const choices = slots[part.kind] ?? [];
    if (choices.length === 0 || part.slot === undefined)
      return part.slot ? slotName(part.slot) : nothing;
    return html`<select
      class="select plainsel"
      aria-label=${t("plan.slot", { label })}
      ?disabled=${this.closed}
      .value=${part.slot}
      @change=${(event: Event) =>
        this.#edit(plan, (copy) => {
          const mine = copy.contributions[at];
          if (mine) mine.slot = (event.target as HTMLSelectElement).value;
        })}
    >
      ${choices.map(
        (slot) =>
          html`<option value=${slot} ?selected=${slot === part.slot}>${slotName(slot)}</option>`,
      )}
    </select>`;
  }

  #capability(view: PlanView, name: string) {
    const { plan } = view;
    const at = plan.capabilities.indexOf(name);
    const is = (other: PlannedCapability) => other.capability === name;
    const line = view.capabilities.find(is) ?? this.planned.find(is);
    const words = line ? permission(line).replace(/\.$/, "") : name;
    const risk = line ? riskBadge(line.risk) : nothing;
    const needed = view.capabilities.find(is)?.needed_by ?? [];
    if (needed.length)
      return html`<li>
        ${icon("lock", "c-off")}<span class="vh">${t("review.locked")}</span>
        <div class="grow">
          <span class="txt">${words}</span>
          <div class="sub">${t("plan.needed", { label: this.#named(plan, needed) })}</div>
          ${this.#findings(`/capabilities/${at}`)}
        </div>
        ${risk}
      </li>`;
    const id = `p-${name}`;
    const toggle = () =>
      this.#edit(plan, (copy) => {
        if (at >= 0) copy.capabilities.splice(at, 1);
        else copy.capabilities.push(name);
      });
    return html`<li class=${at < 0 ? "off" : ""}>
      <input
        class="check"
        type="checkbox"
        id=${id}
        .checked=${at >= 0}
        ?disabled=${this.closed}
        @change=${toggle}
      />
      <div class="grow">
        <label for=${id}><span class="txt">${words}</span></label>${this.#removed(at)}
        ${at >= 0 ? this.#findings(`/capabilities/${at}`) : this.#withheld(plan, name, words)}
      </div>
      ${risk}
    </li>`;
  }

  /** The parts and events at some pointers, in words. */
  #named(plan: Plan, pointers: string[]): string {
    const named = pointers.map((pointer) => {
      const [, list, index] = pointer.split("/");
      if (list === "triggers") return trigger(plan.triggers[Number(index)] ?? "");
      const part = plan.contributions[Number(index)];
      return part ? partName(part) : pointer;
    });
    return named.join(", ");
  }

  /** The model planned its code with it: that plan is asked for anew, in words. */
  #withheld(plan: Plan, name: string, words: string) {
    if (this.closed || !withheld(plan, this.proposed ?? plan).includes(name)) return nothing;
    const without = () => this.emit("hp-plan-without", { text: t("plan.without.text", { words }) });
    return html`<p class="row-finding c-hold" tabindex="-1">
        ${icon("info", "s")}<span>${t("plan.withheld")}</span>
      </p>
      <button class="btn s" @click=${without}>${t("plan.without")}</button>`;
  }

  /** What a part that went leaves behind is offered to go with it. */
  #hanging(view: PlanView, part: PlanContribution) {
    if (this.closed) return nothing;
    const { plan } = view;
    const { parts, permissions } = hanging(plan, this.proposed ?? plan, part, {
      now: view.capabilities,
      planned: this.planned,
    });
    if (!parts.length && !permissions.length) return nothing;
    const also = (words: string, without: Plan) =>
      html`<button class="btn s" @click=${() => this.#changed(without)}>
        ${icon("skip", "s")}<span>${words}</span>
      </button>`;
    return html`<div class="also" role="group" aria-label=${t("plan.also")}>
      <span class="sub">${t("plan.also")}</span>
      ${parts.map((other) => also(partName(other), withoutPart(plan, other)))}${permissions.map(
        (one) => also(permission(one).replace(/\.$/, ""), withoutPermission(plan, one.capability)),
      )}
    </div>`;
  }

  #test(plan: Plan, proposed: Plan, planned: PlanTest) {
    const i = plan.tests.findIndex((other) => sameTest(other, planned));
    const test = plan.tests[i];
    if (!test) return this.#testOff(plan, proposed, planned);
    const label = test.name;
    const choices = fixtures.some((id) => id === test.fixture)
      ? fixtures
      : [test.fixture, ...fixtures];
    return html`<li>
      <input
        class="check"
        type="checkbox"
        checked
        aria-label=${test.assertionSummary}
        ?disabled=${this.closed}
        @change=${() => this.#changed(toggledTest(plan, proposed, planned))}
      />
      <div class="grow">
        ${this.#text(
          plan,
          `/tests/${i}/assertionSummary`,
          test.assertionSummary,
          t("plan.test.text", { label }),
        )}
        <div class="sub">
          ${label} ·
          <select
            class="select plainsel"
            aria-label=${t("plan.fixture", { label })}
            ?disabled=${this.closed}
            .value=${test.fixture}
            @change=${(event: Event) =>
              this.#edit(plan, (copy) => {
                const mine = copy.tests[i];
                if (mine) mine.fixture = (event.target as HTMLSelectElement).value;
              })}
          >
            ${choices.map(
              (id) =>
                html`<option value=${id} ?selected=${id === test.fixture}>
                  ${fixtureName(id)}
                </option>`,
            )}
          </select>
        </div>
        ${this.#findings(`/tests/${i}`)}
      </div>
    </li>`;
  }

  /** A test that was taken out; one whose part is not there comes back with it and not alone. */
  #testOff(plan: Plan, proposed: Plan, test: PlanTest) {
    const part = tested(plan, test) ? undefined : tested(proposed, test);
    const label = part && partName(part);
    const id = `t-${test.name}`;
    return html`<li class="off">
      <input
        class="check"
        type="checkbox"
        id=${id}
        ?disabled=${this.closed || label !== undefined}
        @change=${() => this.#changed(toggledTest(plan, proposed, test))}
      />
      <label for=${id} class="grow"
        ><span class="txt">${test.assertionSummary}</span
        ><span class="sub"> · ${label ? t("plan.test.with", { label }) : t("plan.removed")}</span>
      </label>
    </li>`;
  }

  /** A text that is edited in place: a button until it is pressed, then a field. Enter keeps, Esc leaves it. */
  #text(plan: Plan, pointer: string, value: string, label: string) {
    if (this.closed) return html`<span>${value}</span>`;
    if (this.editing !== pointer)
      return html`<button class="edit inplace" title=${label} @click=${() => this.#begin(pointer)}>
        ${value}<span class="vh">, ${label}</span>
      </button>`;
    const keep = (event: Event) => {
      const text = (event.target as HTMLInputElement).value.trim();
      this.editing = null;
      if (text && text !== value) this.#edit(plan, (copy) => setText(copy, pointer, text));
    };
    return html`<input
      class="input"
      id="field"
      .value=${value}
      aria-label=${label}
      maxlength="500"
      @blur=${keep}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === "Enter") (event.target as HTMLElement).blur();
        if (event.key === "Escape") {
          event.stopPropagation();
          this.editing = null;
        }
      }}
    />`;
  }

  #begin(pointer: string): void {
    this.editing = pointer;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLInputElement>("#field")?.select(),
    );
  }

  #open(): Diagnostic[] {
    return this.view?.diagnostics ?? [];
  }

  #findings(pointer: string, exact = false) {
    const mine = this.#open().filter((finding) => {
      const at = finding.pointer ?? "";
      return exact ? at === pointer : at === pointer || at.startsWith(`${pointer}/`);
    });
    return this.#list(mine);
  }

  #list(findings: Diagnostic[]) {
    if (!findings.length) return nothing;
    const first = this.#open().find((finding) => finding.severity === "error");
    return html`<hp-findings
      look="line"
      ?data-first=${first !== undefined && findings.includes(first)}
      .findings=${findings.map(found)}
    ></hp-findings>`;
  }

  #edit(plan: Plan, change: (copy: Plan) => void): void {
    const copy = structuredClone(plan);
    change(copy);
    this.#changed(copy);
  }

  #changed(plan: Plan): void {
    const proposed = this.proposed ?? this.view?.plan ?? plan;
    this.emit("hp-plan-edit", { plan: noted(plan, proposed) });
  }
}

const partName = (part: PlanContribution): string => `${t(`plan.kind.${part.kind}`)} ${part.label}`;

function slotName(slot: string): string {
  const key = `plan.slot.${slot}`;
  return has(key) ? t(key) : slot;
}

function fixtureName(id: string): string {
  const key = `plan.fixture.${id}`;
  return t("plan.fixture.on", { fixture: has(key) ? t(key) : id });
}

function trigger(name: string): string {
  const key = `plan.trigger.${name}`;
  return has(key) ? t(key) : name;
}

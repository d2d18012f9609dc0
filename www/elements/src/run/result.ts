/**
 * What came of one run: how it ended, what was printed, its outputs. Pictures are drawn from their bytes as images,
 * never as markup.
 */
import type { Cell, FileOutput, Output, OutputDifference } from "@holdpoint/core/python-run";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { bytes, decimal, elapsed, listed } from "../base/format.js";
import { type IconName, icon } from "../base/icons.js";
import { calls, sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../shell/copy.js";
import { t } from "../text/index.js";
import { result } from "./run.styles.js";
import type { RunColumn, RunError } from "./view.js";

type Look = "pass" | "fail" | "hold" | "run" | "plain";
const LOOKS: Record<RunColumn["state"], [Look, IconName]> = {
  waits: ["plain", "clock"],
  starting: ["run", "spin"],
  running: ["run", "spin"],
  done: ["pass", "ok"],
  failed: ["fail", "bad"],
  stopped: ["plain", "stop"],
  time: ["fail", "bad"],
  memory: ["fail", "bad"],
  print: ["fail", "bad"],
  broken: ["fail", "bad"],
};
const NONE: OutputDifference = { differs: false, lines: new Set() };

@customElement("hp-run-result")
export class RunResult extends HpElement {
  static override styles = [ground, badges, buttons, sheets, calls, tables, result];
  @property({ attribute: false }) view!: RunColumn;
  /** Beside another one: it says which it is. */
  @property({ type: Boolean }) beside = false;
  readonly #urls = new Map<FileOutput, string>();

  protected override get state(): string {
    return this.view.state;
  }

  override render() {
    const { view } = this;
    const { outputs, differs, printed, error, state } = view;
    const over = !["waits", "starting", "running"].includes(state);
    const bare = over && state === "done" && !outputs.length && !printed;
    return html`${this.#top()}${error ? this.#error(error) : nothing}${
      printed
        ? this.#text("", t("script.run.printed"), printed, differs?.printed ?? NONE, false)
        : nothing
    }${outputs.map((one, i) =>
      joined(outputs, i) ? nothing : this.#output(one, differs?.outputs[i] ?? NONE, i),
    )}${
      view.leftOut.length
        ? html`<p class="meta">${t("script.run.left.out", { names: listed(view.leftOut) })}</p>`
        : nothing
    }${bare ? html`<p class="meta">${t("script.run.none")}</p>` : nothing}`;
  }

  #top() {
    const { side, print, state, ms } = this.view;
    const [look, mark] = LOOKS[state];
    const words =
      state === "waits"
        ? t("script.run.waits")
        : t(`script.run.state.${state}`, { time: elapsed(ms) });
    return html`<div class="top">
      <h3>${t(this.beside ? `script.run.which.${side}` : "script.run.result")}</h3>
      ${print ? html`<span class="fp-chip" data-testid="hp-run-print">${print}</span>` : nothing}
      <span class="badge ${look}" data-testid="hp-run-state"
        >${icon(mark, mark === "spin" ? "s spin" : "s")}<span>${words}</span></span
      >
    </div>`;
  }

  #error({ title, text, line, source, linked, trace }: RunError) {
    const show = () =>
      this.emit("hp-open-source", {
        path: "tool.py",
        range: { start: { line, column: 1 }, end: { line, column: 1 } },
      });
    const { side, state } = this.view;
    const calm = state === "stopped";
    return html`<section
      class="call ${calm ? "" : "fail"}"
      role=${calm ? "status" : "alert"}
      data-testid="hp-run-error"
      aria-labelledby="h-e"
    >
      <h3 id="h-e">${title}</h3>
      ${text ? html`<p>${text}</p>` : nothing}
      ${
        line === null
          ? nothing
          : html`<div class="src" tabindex="0" role="group" aria-label=${t("script.run.error.line", { n: line })}>
              ${
                linked
                  ? html`<button class="link nowrap" data-testid="hp-run-line" @click=${show}>
                      ${t("script.run.error.show", { n: line })}
                    </button>`
                  : html`<span class="meta nowrap">${t("script.run.error.line", { n: line })}</span>`
              }<code translate="no">${source.trim()}</code>
            </div>`
      }
      ${
        trace
          ? html`<details>
              <summary>${t("script.run.error.trace")}</summary>
              <pre class="scroll" tabindex="0" translate="no"><span>${trace}</span></pre>
            </details>`
          : nothing
      }
      ${
        calm
          ? nothing
          : html`<div class="flex wrap acts-c">
              <button
                class="btn s"
                data-testid="hp-run-ask"
                @click=${() => this.emit("hp-run-ask", { side })}
              >
                ${icon("chat", "s")}<span>${t("script.run.error.ask")}</span></button
              >${trace ? html`<hp-copy .text=${trace}></hp-copy>` : nothing}
            </div>`
      }
    </section>`;
  }

  #output(one: Output, differs: OutputDifference, at: number) {
    const next = this.view.outputs[at + 1];
    const save =
      next?.is === "file" && joined(this.view.outputs, at + 1) ? this.#save(next) : nothing;
    if (one.is === "text")
      return this.#text(
        one.name,
        one.name || t("script.run.text"),
        one.text,
        differs,
        one.cut,
        save,
      );
    if (one.is === "file") return this.#file(one, differs);
    if (one.is === "facts")
      return this.#sheet(
        t("script.run.facts"),
        differs,
        nothing,
        html`<dl class="facts">
          ${one.rows.map(
            ([name, value], i) =>
              html`<dt class=${differs.lines.has(i) ? "d" : ""}>${name}</dt>
                <dd class=${differs.lines.has(i) ? "d on" : ""}>${mark(differs, i)}${cell(value)}</dd>`,
          )}
        </dl>`,
      );
    const name = one.name || t("script.run.table");
    const shown = one.rows.length;
    const count =
      shown < one.total
        ? t("script.run.table.cut", { n: one.total, shown })
        : t("script.run.table.rows", { n: shown });
    const numeric = (one.rows[0] ?? []).map((_, at) =>
      one.rows.every((row) => row[at] === null || typeof row[at] === "number"),
    );
    return this.#sheet(
      name,
      differs,
      html`<span class="meta">${count}</span>${save}`,
      html`<div class="tab scroll" tabindex="0" role="group" aria-label=${t("app.scrolls", { name })}>
        <table class="t">
          ${
            one.columns
              ? html`<thead>
                  <tr>
                    ${one.columns.map(
                      (title, at) =>
                        html`<th scope="col" class=${numeric[at] ? "num" : ""}>${title}</th>`,
                    )}
                  </tr>
                </thead>`
              : nothing
          }
          <tbody>
            ${one.rows.map(
              (row, i) =>
                html`<tr class=${differs.lines.has(i) ? "d" : ""}>
                  ${row.map(
                    (value, at) =>
                      html`<td class=${numeric[at] ? "num" : ""}>
                        ${at === 0 ? mark(differs, i) : nothing}${cell(value)}
                      </td>`,
                  )}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`,
    );
  }

  #text(
    id: string,
    name: string,
    text: string,
    differs: OutputDifference,
    cut: boolean,
    save: unknown = nothing,
  ) {
    const lines = text.replace(/\n$/, "").split("\n");
    return this.#sheet(
      name,
      differs,
      save,
      html`<pre
          class="scroll"
          tabindex="0"
          role="group"
          aria-label=${t("app.scrolls", { name })}
          data-testid=${id ? "hp-run-text" : "hp-run-printed"}
          translate="no"
        >${lines.map(
          (line, i) =>
            html`<span class=${differs.lines.has(i) ? "d" : ""}>${mark(differs, i)}${line}</span>`,
        )}</pre>
        ${cut ? html`<p class="s-f meta">${t("script.run.text.cut")}</p>` : nothing}`,
    );
  }

  #save({ name, bytes: data }: FileOutput) {
    return html`<button
      class="btn s"
      data-testid="hp-run-save"
      @click=${() => this.emit("hp-run-save", { name, bytes: data })}
    >
      ${icon("down", "s")}<span class="vh">${t("script.run.file.save", { name })}</span
      ><span>${bytes(data.length)}</span>
    </button>`;
  }

  #file(one: FileOutput, differs: OutputDifference) {
    return this.#sheet(
      one.name || t("script.run.file"),
      differs,
      this.#save(one),
      one.picture
        ? html`<figure>
            <img src=${this.#url(one)} alt=${one.name || t("script.run.picture")} />
          </figure>`
        : nothing,
    );
  }

  #sheet(name: string, differs: OutputDifference, end: unknown, body: unknown) {
    return html`<div class="sheet" role="group" aria-label=${name}>
      <div class="s-h">
        <h4>${name}</h4>
        ${
          differs.differs
            ? html`<span class="badge hold" data-testid="hp-run-differs"
                >${icon("diff", "s")}<span>${t("script.run.differs")}</span></span
              >`
            : nothing
        }<span class="end flex">${end}</span>
      </div>
      ${body}
    </div>`;
  }

  #url(one: FileOutput): string {
    const known = this.#urls.get(one);
    if (known) return known;
    const url = URL.createObjectURL(new Blob([one.bytes], { type: one.picture }));
    this.#urls.set(one, url);
    return url;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    for (const [one, url] of this.#urls)
      if (!this.view.outputs.includes(one)) {
        URL.revokeObjectURL(url);
        this.#urls.delete(one);
      }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const url of this.#urls.values()) URL.revokeObjectURL(url);
    this.#urls.clear();
  }
}

/** A file that stands already as the text or table before it: only its button is drawn there. */
function joined(outputs: readonly Output[], at: number): boolean {
  const [before, one] = [outputs[at - 1], outputs[at]];
  return one?.is === "file" && !one.picture && before?.is !== "file" && before?.name === one.name;
}

/** Never by colour alone. */
const mark = ({ lines }: OutputDifference, i: number) =>
  lines.has(i) ? html`<i class="vh">${t("script.run.differs.line")}</i>` : nothing;

function cell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "boolean") return t(value ? "script.run.yes" : "script.run.no");
  return typeof value === "number" ? decimal(value) : value;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-run-result": RunResult;
  }
}

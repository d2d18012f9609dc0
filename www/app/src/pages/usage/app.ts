/** The controller of the usage page: month, parts, questions; gives the page one value. */
import type { Api, BudgetShown, Store } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import { withRoom } from "@holdpoint/elements/shell/ask-more";
import type { QuestionView } from "@holdpoint/elements/shell/question";
import { kindOf, nameOf } from "@holdpoint/elements/usage/amounts";
import type { Grouping, SumsView } from "@holdpoint/elements/usage/view";
import type { Credential } from "../../credential.js";
import { type Looks, looks, Shell } from "../../shell.js";
import type { Around } from "./around.js";
import { Audit } from "./audit.js";
import { Budgets } from "./budgets.js";
import { Calls } from "./calls.js";
import type { UsageApi } from "./client.js";
import type { KeyAction } from "./events.js";
import { KeyRing } from "./keys.js";
import { dayLines, sumLines } from "./lines.js";
import { dayOf, type Month, months, named, span } from "./months.js";
import type { UsagePage } from "./page.js";
import type { UsagePageView, UsagePane } from "./page-view.js";
import { Part } from "./part.js";
import { Requests } from "./requests.js";
import type { UsageAnswer } from "./wire.js";

export type PartName =
  | "budgets"
  | "days"
  | "sums"
  | "models"
  | "calls"
  | "keys"
  | "requests"
  | "changes";

export interface Parts {
  api: Api;
  usage: UsageApi;
  store: Store;
  credential: Credential;
}

export class UsageApp extends Shell<Looks> {
  readonly budgets: Budgets;
  readonly calls: Calls;
  readonly keys: KeyRing;
  readonly requests: Requests;
  readonly audit: Audit;
  readonly #days: Part<UsageAnswer>;
  readonly #sums: Part<UsageAnswer>;
  readonly #models: Part<UsageAnswer>;
  readonly #around: Around;
  #month: Month;
  /** Null: by person for operators, by what a call was for everybody else. */
  #by: Grouping | null = null;
  #pane: UsagePane = "usage";
  #budgetOpen = false;
  #question: { view: QuestionView; answer(id: string): void } | null = null;

  constructor(
    private readonly page: UsagePage,
    private readonly parts: Parts,
  ) {
    super(parts, looks);
    this.#around = {
      api: parts.usage,
      online: () => !this.offline,
      changed: () => this.draw(),
      failed: (error) => this.failed(error),
      refused: (error) => this.refused("usage.problem", error),
      toast: (text) => {
        this.toast(text);
        this.done();
      },
      ask: (view, opener) => this.#ask(view, opener),
      own: () => this.#own(),
      account: () => this.#account(),
      budgets: () => [...(this.budgets.all.value ?? []), ...this.#own()],
      labels: () => this.keys.labels,
      moved: () => void this.#moved(),
    };
    this.budgets = new Budgets(this.#around);
    this.calls = new Calls(this.#around, () => this.#month);
    this.keys = new KeyRing(this.#around);
    this.requests = new Requests(this.#around);
    this.audit = new Audit(this.#around);
    this.#days = new Part(this.#around);
    this.#sums = new Part(this.#around);
    this.#models = new Part(this.#around);
    this.#month = this.#months()[0] as Month;
  }

  /** The page can be shown when this is done; what it shows comes after. */
  async start(): Promise<void> {
    await this.restore();
    this.#addressed();
    this.page.view = this.#view();
    if (this.parts.credential.token) void this.#load();
    void this.poll();
    this.watch();
    this.calls.watch(() => this.parts.credential.token !== undefined);
  }

  protected override get ticks(): boolean {
    return false;
  }

  /** The name of the account, where a report has said it. */
  #account(): string {
    return this.#days.value?.account ?? "";
  }

  /** `/usage?budget=ID&ask=N`: a refusal leads here, to ask for more. */
  #addressed(): void {
    const query = new URLSearchParams(location.search);
    const budget = query.get("budget");
    if (budget === null) return;
    const amount = Number(query.get("ask"));
    const known = Number.isSafeInteger(amount) && amount > 0;
    this.requests.form(budget, known ? withRoom(amount) : null);
    void this.page.updateComplete.then(() => this.page.open("hp-budget-requests"));
  }

  protected override async online(): Promise<void> {
    if (!this.parts.credential.token) return;
    await Promise.all([this.poll(), this.#load()]);
  }

  /** Every part by itself: one that fails leaves the others. */
  async #load(): Promise<void> {
    void this.calls.load();
    void this.requests.load();
    void this.#spans(false);
    await this.#whole();
  }

  /** What only operators may read is asked for after it is known that they are one. */
  async #whole(): Promise<void> {
    await this.budgets.load();
    void this.again("sums");
    if (!this.budgets.operator) return;
    void this.keys.load();
    void this.audit.load();
  }

  /** What is summed over the month; `fresh`: it is another month. */
  async #spans(fresh: boolean): Promise<void> {
    const asked = [
      this.#days.load(() => this.#summedBy(["day"]), fresh),
      this.#models.load(() => this.#summedBy(["model"]), fresh),
    ];
    if (fresh) asked.push(this.#sums.load(() => this.#summedBy([this.#grouping()]), true));
    await Promise.all(asked);
  }

  #summedBy(by: ("day" | Grouping)[]): Promise<UsageAnswer> {
    return this.parts.usage.usage(span(this.#month), by);
  }

  again(part: PartName): Promise<void> {
    const asks: Record<PartName, () => Promise<void>> = {
      budgets: () => this.#whole(),
      days: () => this.#days.load(() => this.#summedBy(["day"])),
      sums: () => this.#sums.load(() => this.#summedBy([this.#grouping()])),
      models: () => this.#models.load(() => this.#summedBy(["model"])),
      calls: () => this.calls.load(),
      keys: () => this.keys.load(),
      requests: () => this.requests.load(),
      changes: () => this.audit.load(),
    };
    return asks[part]();
  }

  async #moved(): Promise<void> {
    await Promise.all([
      this.poll(),
      this.budgets.load(),
      this.budgets.operator && this.audit.load(),
    ]);
  }

  #own(): BudgetShown[] {
    const { budget = null, others = [] } = this.indicator ?? {};
    return budget ? [budget, ...others] : [];
  }

  // ── what a person chooses ──────────────────────────────────────────────────────────────────────────────────────

  #months = (): Month[] => months(Date.now());

  async month(id: string): Promise<void> {
    this.#month = this.#months().find((one) => one.id === id) ?? this.#month;
    await Promise.all([this.#spans(true), this.calls.turn()]);
  }

  group(by: Grouping): Promise<void> {
    this.#by = by;
    return this.#sums.load(() => this.#summedBy([by]), true);
  }

  #grouping = (): Exclude<Grouping, "model"> => {
    const by = this.#by ?? (this.budgets.operator ? "user" : "tag");
    return by === "model" ? "tag" : by;
  };

  /** The newest calls, and what they took of the budgets. */
  async refresh(): Promise<void> {
    await Promise.all([this.calls.refresh(), this.poll(), this.budgets.load()]);
  }

  pane(pane: UsagePane): void {
    this.#pane = pane;
    this.draw();
    void this.page.updateComplete.then(() => this.page.top());
  }

  /** The form to ask for more of a budget stands on the first pane. */
  request(budget: string | null): void {
    this.#pane = "usage";
    this.requests.form(budget);
    void this.page.open("hp-budget-requests");
  }

  save(): Promise<void> {
    return this.calls.save(`${t("usage.csv.name")}-${this.#month.id}.csv`);
  }

  key(action: KeyAction, id: string, opener: HTMLElement | null): unknown {
    if (action === "new") return this.keys.form({ kind: "new" });
    if (action === "close") return this.keys.form(null);
    if (action === "kept") return this.keys.kept();
    if (action === "edit" || action === "replace") return this.keys.about(action, id);
    if (action === "revoke") return this.keys.revoke(id, opener);
    const name = this.keys.labels.get(id) ?? "";
    return this.menu({
      label: t("usage.key.actions", { name }),
      anchor: opener,
      items: [
        { id: `key:edit:${id}`, label: t("usage.key.edit"), icon: "pen" },
        { id: `key:replace:${id}`, label: t("usage.key.replace"), icon: "again" },
        { id: `key:revoke:${id}`, label: t("usage.key.revoke"), icon: "lock", danger: true },
      ],
    });
  }

  account(anchor: HTMLElement | null): void {
    this.accountMenu("usage", anchor);
  }

  command(id: string): unknown {
    this.menu(null);
    if (this.accountCommand(id)) return;
    const [what, action, key = ""] = id.split(":");
    if (what === "key" && (action === "edit" || action === "replace" || action === "revoke"))
      return this.key(action, key, null);
  }

  budget(open = !this.#budgetOpen): void {
    this.#budgetOpen = open;
    this.draw();
  }

  // ── questions ──────────────────────────────────────────────────────────────────────────────────────────────────

  #ask(view: QuestionView, opener: HTMLElement | null): Promise<string> {
    return new Promise((resolve) => {
      this.#question = {
        view,
        answer: (id) => {
          this.#question = null;
          this.draw();
          resolve(id);
          void this.page.focusAgain(opener);
        },
      };
      this.draw();
    });
  }

  override async answer(id: string): Promise<void> {
    if (this.#question) this.#question.answer(id);
    else await super.answer(id);
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  protected override redraw(): void {
    this.page.view = this.#view();
    document.title = `${t("app.page.usage")} – ${t("app.name")}`;
  }

  #view(): UsagePageView {
    const shell = this.shown();
    const { now } = shell;
    const currency = this.indicator?.currency ?? "";
    const operator = this.budgets.operator;
    const calls = this.calls.view(currency, now);
    const people = this.#people();
    const present = this.#month.id === this.#months()[0]?.id;
    return {
      ...shell,
      pane: this.#pane,
      budgetOpen: this.#budgetOpen,
      question: this.#question?.view ?? null,
      account: this.#account(),
      operator,
      months: this.#months().map((one) => ({ id: one.id, name: named(one) })),
      month: this.#month.id,
      saving: this.calls.saving,
      budgets: this.budgets.view(this.indicator, { running: calls.running.length, people, now }),
      chart: {
        ...this.#days.view,
        days: dayLines(this.#month, this.#days.value),
        today: present ? dayOf(now) : null,
        currency,
      },
      sums: this.#summed(this.#grouping(), this.#sums, currency),
      models: this.#summed("model", this.#models, currency),
      speed: this.#speed(),
      calls,
      requests: this.requests.view(operator === true, currency, now),
      keys: operator ? this.keys.view(people, now) : null,
      changes: operator ? this.audit.view(now) : null,
    };
  }

  #summed(by: Grouping, part: Part<UsageAnswer>, currency: string): SumsView {
    const answer = part.value;
    const choices: Grouping[] = this.budgets.operator ? ["user", "key", "tag"] : ["tag", "key"];
    const known = answer?.group_by.includes(by) ? answer : null;
    return {
      ...part.view,
      by,
      choices: by === "model" ? ["model"] : choices,
      lines: known ? sumLines(by, known, this.#around.budgets(), this.keys.labels) : [],
      totals: known && {
        ...known.totals,
        cached:
          known.totals.cache_hit_permille === null ? null : known.totals.cache_hit_permille / 1000,
      },
      cut: known?.truncated ?? false,
      currency,
    };
  }

  #speed(): UsagePageView["speed"] {
    const speed = this.#models.value?.speed;
    return speed ? { rows: speed.rows, first: speed.first_byte_ms, total: speed.total_ms } : null;
  }

  /** Names that keys and budgets already have. */
  #people(): string[] {
    const names = [
      ...(this.keys.part.value ?? []).map((row) => row.user_id),
      ...this.#around
        .budgets()
        .filter(({ scope }) => kindOf(scope) === "user")
        .map(({ scope }) => nameOf(scope)),
    ];
    return [...new Set(names)].sort();
  }
}

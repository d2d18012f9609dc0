/**
 * What all pages have around their content: who is signed in, the network, the budget, menu and toast, looks and
 * language.
 *
 * Knows no content: a page says what is due when the network is there and what it draws.
 */
import { isRefusal } from "@holdpoint/core/session";
import type { Api, ErrorShape, Indicator, Store } from "@holdpoint/core/types";
import {
  type Failing,
  type Language,
  language,
  languages,
  type MenuItem,
  preferred,
  setLanguage,
  type TextKey,
  t,
} from "@holdpoint/elements";
import { openDevice } from "./core.js";
import { type Credential, isUnknown } from "./credential.js";
import { Device } from "./device.js";
import { pageItems } from "./page-links.js";
import { type PageName, pageAt } from "./pages.js";
import type { Density, Problem, ShellView, SignInView, Theme } from "./shell-view.js";
import { version } from "./version.js";

/** The indicator is asked for at most once a minute, and after each call. */
const INDICATOR_MS = 60_000;
const TICK_MS = 1_000;

/** `language` null: the first of the browser's languages that there is. */
export interface Looks {
  theme: Theme;
  density: Density;
  language: Language | null;
}
export const looks: Looks = { theme: "system", density: "comfortable", language: null };

/** What a code says of the token, for the sign-in. */
const REFUSED: Record<string, "expired" | "missing"> = {
  AUTH_TOKEN_EXPIRED: "expired",
  KEY_EXPIRED: "expired",
  AUTH_MISSING_TOKEN: "missing",
};

export interface ShellParts {
  api: Api;
  store: Store;
  credential: Credential;
}

export abstract class Shell<Settings extends Looks> {
  protected signing: SignInView | null = null;
  protected indicator: Indicator | null = null;
  protected offline = !navigator.onLine;
  protected problem: Problem | null = null;
  #settings: Settings;
  #drawn = false;
  #menu: ShellView["menu"] = null;
  #toast: { text: string; sub: string; undo: (() => unknown) | null; over: () => unknown } | null =
    null;
  #polled = 0;
  #polling: ReturnType<typeof setTimeout> | undefined;
  readonly #device: Device;

  constructor(
    private readonly shell: ShellParts,
    fresh: Settings,
  ) {
    this.#settings = fresh;
    this.offline ||= shell.credential.offline;
    this.#device = new Device(shell.credential, {
      changed: () => this.draw(),
      again: () => location.reload(),
      saved: (file) => this.toast(t("device.saved.file", { file })),
      refused: (error) => this.refused("device.problem", error),
    });
  }

  /** What is due when the network, or the person, is there again. */
  protected abstract online(): Promise<void>;
  /** What waited for a token goes on. */
  protected signedIn(): void {}
  /** Gives the page what it shows now. */
  protected abstract redraw(): void;
  /** Whether something that is drawn counts seconds. */
  protected abstract get ticks(): boolean;

  /** From now on seconds are drawn where they count, and the budget is asked for. */
  protected watch(): void {
    setInterval(() => {
      if (this.ticks) this.draw();
    }, TICK_MS);
    setInterval(() => void this.poll(), INDICATOR_MS);
  }

  /** Both pages keep their settings in one record: what one of them does not know stays. */
  protected async restore(): Promise<void> {
    this.#settings = {
      ...this.#settings,
      ...(await this.shell.store.get<Settings>("settings", "page")),
    };
    this.#speak();
    const { token, refused } = this.shell.credential;
    if (refused) this.#unknown(refused.error, refused.token);
    // Without a network nobody can sign in, and what the device has is shown to whose it is.
    else if (!token && !this.offline) this.#missing();
    await this.#device.look();
  }

  #missing(): void {
    this.signing = { reason: "missing", refused: "", sending: false };
  }

  #unknown(error: ErrorShape, token: string): void {
    const reason = REFUSED[error.code] ?? "unknown";
    this.signing = { reason, refused: token, sending: false };
  }

  /** Once for many changes. */
  draw(): void {
    if (this.#drawn) return;
    this.#drawn = true;
    queueMicrotask(() => {
      this.#drawn = false;
      this.#speak();
      this.redraw();
    });
  }

  /** The language of what is drawn: one that all of it is in. The sign-in is in every one. */
  #speak(): void {
    const among = this.#alone() ? languages : pageAt(location.pathname).languages;
    const { language: chosen } = this.#settings;
    setLanguage(chosen && among.includes(chosen) ? chosen : preferred(navigator.languages, among));
  }

  /** The part of what is shown that all pages have. */
  protected shown(): ShellView {
    const { theme, density } = this.#settings;
    return {
      signIn: this.#alone(),
      indicator: this.indicator,
      offline: this.offline,
      theme,
      density,
      language: language(),
      problem: this.problem,
      menu: this.#menu,
      toast: this.#toast && {
        text: this.#toast.text,
        sub: this.#toast.sub,
        undo: this.#toast.undo !== null,
      },
      now: Date.now(),
    };
  }

  /** What stands in the place of the page. */
  #alone(): ShellView["signIn"] {
    const question = this.#device.view;
    return question ? { question } : this.signing;
  }

  /** A person answers the question that stands in the place of the page. */
  answer(id: string): Promise<void> {
    return this.#device.answer(id);
  }

  /** Opens a menu, or closes the one that is open. */
  menu(menu: ShellView["menu"]): void {
    this.#menu = menu;
    this.draw();
  }

  /** Says what was done; `undo` takes it back, `over` hears that nobody can any more. */
  toast(
    text: string,
    sub = "",
    undo: (() => unknown) | null = null,
    over: () => unknown = () => undefined,
  ): void {
    this.dismiss("toast");
    this.#toast = { text, sub, undo, over };
    this.draw();
  }

  /** Takes back what the toast says. */
  undoToast(): unknown {
    const undo = this.#toast?.undo;
    this.#toast = null;
    this.draw();
    return undo?.();
  }

  dismiss(what: "menu" | "toast" | "problem"): void {
    if (what === "menu") this.#menu = null;
    if (what === "toast") {
      const over = this.#toast?.over;
      this.#toast = null;
      void over?.();
    }
    if (what === "problem") this.problem = null;
    this.draw();
  }

  // ── the network ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Asks for the budget; whoever answers is there again. */
  protected async poll(): Promise<void> {
    if (!this.shell.credential.token) return;
    this.#polled = Date.now();
    try {
      this.indicator = await this.shell.api.indicator();
      if (this.offline) this.setOffline(false);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.failed(error);
    }
    this.draw();
  }

  /** The same, once for what happens within a moment: what came last is in the answer. */
  protected async pollAgain(): Promise<void> {
    const wait = this.#polled + TICK_MS - Date.now();
    if (wait <= 0) return this.poll();
    clearTimeout(this.#polling);
    this.#polling = setTimeout(() => void this.poll(), wait);
  }

  setOffline(offline: boolean): void {
    this.offline = offline;
    if (!offline && this.problem?.error.code === "OFFLINE") this.problem = null;
    this.draw();
    if (!offline) void this.#back();
  }

  /** The network is there: a key from the address is asked about, and who has none is asked for it. */
  async #back(): Promise<void> {
    const { credential } = this.shell;
    if (!credential.token && !(await credential.reached())) {
      this.offline = true;
      return this.draw();
    }
    if (await credential.ask()) return location.reload();
    if (credential.other) this.#device.link();
    if (credential.refused && !credential.token)
      this.#unknown(credential.refused.error, credential.refused.token);
    else if (!credential.token && !this.signing) this.#missing();
    this.draw();
    await this.online();
  }

  /** A failure that concerns the whole page. */
  protected failed(error: ErrorShape): null {
    if (error.code === "OFFLINE") this.offline = true;
    if (/^(AUTH_|KEY_)/.test(error.code)) {
      // Once a token was refused there is none: what was asked meanwhile says only that.
      if (this.signing && REFUSED[error.code] === "missing") return null;
      this.#unknown(error, this.shell.credential.token ?? "");
      this.shell.credential.forget();
    }
    this.draw();
    return null;
  }

  /** What was wanted was not done: it is said above the page until something is. */
  refused(heading: TextKey, error: Failing, name = ""): void {
    this.problem = { heading, name, error };
    this.draw();
  }

  /** Something was done, or a person has read it. */
  done(): void {
    this.problem = null;
    this.draw();
  }

  async signIn(token: string): Promise<void> {
    this.signing = { reason: this.signing?.reason ?? "missing", refused: "", sending: true };
    this.draw();
    try {
      const nobody = this.shell.credential.principal === null;
      // The store of another person is opened by a page that begins anew.
      if (await this.shell.credential.take(token)) {
        if (nobody) await this.#bringLooks();
        return location.reload();
      }
      this.signing = null;
      this.offline = false;
      this.signedIn();
      await this.#device.look();
      await this.online();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (isUnknown(error)) this.#unknown(error, token);
      else this.signing = { reason: "offline", refused: "", sending: false };
    }
    this.draw();
  }

  /** What was chosen before anybody signed in holds for who then did, unless they chose before. */
  async #bringLooks(): Promise<void> {
    const chosen = await this.shell.store.get<Settings>("settings", "page");
    if (!chosen) return;
    const store = await openDevice(this.shell.credential);
    await store.update<Settings>("settings", "page", (now) => now ?? chosen);
  }

  signOut(): Promise<void> {
    return this.#device.leave();
  }

  // ── looks ──────────────────────────────────────────────────────────────────────────────────────────────────────

  get current(): Settings {
    return this.#settings;
  }

  settings(change: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...change };
    this.#speak();
    void this.shell.store.put("settings", "page", this.#settings);
    this.draw();
  }

  theme(): void {
    const dark =
      this.#settings.theme === "dark" ||
      (this.#settings.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
    this.#look({ theme: dark ? "light" : "dark" });
  }

  density(): void {
    this.#look({ density: this.#settings.density === "compact" ? "comfortable" : "compact" });
  }

  /** Of those that the page is in. */
  nextLanguage(): void {
    const all = pageAt(location.pathname).languages;
    this.#look({ language: all[(all.indexOf(language()) + 1) % all.length] ?? "en" });
  }

  #look(change: Partial<Looks>): void {
    this.settings(change as Partial<Settings>);
  }

  // ── the account menu ───────────────────────────────────────────────────────────────────────────────────────────

  protected accountMenu(
    page: PageName,
    anchor: HTMLElement | null,
    more: { sub?: string; items?: MenuItem[] } = {},
  ): void {
    const { theme, density } = this.#settings;
    this.menu({
      label: t("app.account"),
      anchor,
      items: [
        { heading: t("app.account"), sub: more.sub ?? "" },
        "line",
        ...pageItems(page),
        "line",
        ...(more.items ?? []),
        { id: "theme", label: t("app.theme.label"), icon: "sun", value: t(`app.theme.${theme}`) },
        {
          id: "density",
          label: t("app.density.label"),
          icon: "rows",
          value: t(`app.density.${density}`),
        },
        {
          id: "language",
          label: t("app.language"),
          icon: "globe",
          value: t(`app.language.${language()}`),
        },
        "line",
        { id: "sign-out", label: t("app.sign_out"), icon: "lock" },
        "line",
        { heading: t("app.name"), sub: t("app.version", { version }) },
      ],
    });
  }

  /** Does what an entry of the account menu says; false when it is none of its. */
  protected accountCommand(id: string): boolean {
    if (id.startsWith("page:")) location.assign(id.slice("page:".length));
    else if (id === "theme") this.theme();
    else if (id === "density") this.density();
    else if (id === "language") this.nextLanguage();
    else if (id === "sign-out") void this.signOut();
    else return false;
    return true;
  }
}

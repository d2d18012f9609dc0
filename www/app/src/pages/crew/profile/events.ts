/** From the elements' events to the controller: one table, in the order of the page. */
import type { LlmProfileBody } from "@holdpoint/core/crew";
import type { ProfileApp } from "./app.js";
import type { ProfilePage } from "./page.js";

interface Details {
  "hp-token": { token: string };
  "hp-account": { anchor: HTMLElement };
  "hp-theme": undefined;
  "hp-density": undefined;
  "hp-language": undefined;
  "hp-open-usage": undefined;
  "hp-command": { id: string };
  "hp-dismiss": { what: "menu" | "toast" | "budget" | "problem" };
  "hp-again": undefined;
  "hp-retry": undefined;
  "hp-save-profile": { body: LlmProfileBody };
  "hp-test-profile": { body: LlmProfileBody | null };
}

export function listen(page: ProfilePage, app: ProfileApp): void {
  const on = <K extends keyof Details>(type: K, act: (detail: Details[K]) => unknown): void =>
    page.addEventListener(type, (event) => void act((event as CustomEvent<Details[K]>).detail));
  on("hp-token", ({ token }) => app.signIn(token));
  on("hp-account", ({ anchor }) => app.account(anchor));
  on("hp-theme", () => app.theme());
  on("hp-density", () => app.density());
  on("hp-language", () => app.nextLanguage());
  on("hp-open-usage", () => app.budget());
  on("hp-command", ({ id }) => app.command(id));
  on("hp-dismiss", ({ what }) => (what === "budget" ? app.budget(false) : app.dismiss(what)));
  on("hp-again", () => app.setOffline(false));
  on("hp-retry", () => app.load());
  on("hp-save-profile", ({ body }) => app.save(body));
  on("hp-test-profile", ({ body }) => app.test(body));
}

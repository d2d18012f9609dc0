/** From the events of a page's elements to its controller: how they are heard, and those that every page has. */

/** Hears an event of `Details` by its type. */
export type Hear<Details> = <K extends keyof Details & string>(
  type: K,
  act: (detail: Details[K]) => unknown,
) => void;

/** Hears the events of a page, each with what it brings. */
export const hearing =
  <Details>(page: HTMLElement): Hear<Details> =>
  (type, act) =>
    page.addEventListener(
      type,
      (event) => void act((event as CustomEvent<Details[typeof type]>).detail),
    );

interface ShellDetails {
  "hp-token": { token: string };
  "hp-answer": { id: string };
  "hp-account": { anchor: HTMLElement };
  "hp-theme": undefined;
  "hp-density": undefined;
  "hp-language": undefined;
  "hp-open-usage": undefined;
  "hp-command": { id: string };
  "hp-dismiss": { what: "menu" | "toast" | "budget" | "problem" };
  "hp-again": undefined;
  "hp-toast-undo": undefined;
}

/** What the controller of a page does of them. */
interface Shelled {
  signIn(token: string): unknown;
  answer(id: string): unknown;
  account(anchor: HTMLElement): unknown;
  theme(): void;
  density(): void;
  nextLanguage(): void;
  budget(open?: boolean): void;
  command(id: string): unknown;
  dismiss(what: "menu" | "toast" | "problem"): void;
  setOffline(offline: boolean): void;
  undoToast(): unknown;
}

/** What the bar, the notices and the menus of a page tell. */
export function listenShell(page: HTMLElement, app: Shelled): void {
  const on = hearing<ShellDetails>(page);
  on("hp-token", ({ token }) => app.signIn(token));
  on("hp-answer", ({ id }) => app.answer(id));
  on("hp-account", ({ anchor }) => app.account(anchor));
  on("hp-theme", () => app.theme());
  on("hp-density", () => app.density());
  on("hp-language", () => app.nextLanguage());
  on("hp-open-usage", () => app.budget());
  on("hp-command", ({ id }) => app.command(id));
  on("hp-dismiss", ({ what }) => (what === "budget" ? app.budget(false) : app.dismiss(what)));
  on("hp-again", () => app.setOffline(false));
  on("hp-toast-undo", () => app.undoToast());
}

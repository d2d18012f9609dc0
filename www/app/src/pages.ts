/** The table of pages: the one place that names them. The folder of a page is loaded when its address is. */
import type { IconName, Language, TextKey } from "@holdpoint/elements";
import type { Credential } from "./credential.js";
import type { PageElement } from "./page-element.js";
import type { ShellView } from "./shell-view.js";

/** A page that can be shown: its element, and what fills it. */
export interface Booted {
  page: PageElement<ShellView>;
  app: { start(): Promise<void>; setOffline(offline: boolean): void };
}

interface PageRow {
  name: "model" | "scripts" | "crew" | "apps" | "usage";
  href: string;
  /** Other addresses that are this page's. */
  also?: string;
  title: TextKey;
  icon: IconName;
  /** Those that all its texts are in. */
  languages: readonly Language[];
  load(): Promise<{ boot(credential: Credential): Promise<Booted> }>;
}
export type PageName = PageRow["name"];

const both: readonly Language[] = ["en", "sv"];

const model: PageRow = {
  name: "model",
  href: "/",
  title: "app.page.model",
  icon: "cube",
  languages: both,
  load: () => import("./pages/model/boot.js"),
};

export const pages: readonly PageRow[] = [
  model,
  {
    name: "scripts",
    href: "/scripts",
    title: "script.page",
    icon: "code",
    languages: both,
    load: () => import("./pages/scripts/boot.js"),
  },
  {
    name: "crew",
    href: "/crew",
    also: "/builder",
    title: "crew.page",
    icon: "crew",
    languages: [...both, "zh"],
    load: () => import("./pages/crew/boot.js"),
  },
  {
    name: "apps",
    href: "/apps",
    title: "app.page.apps",
    icon: "app",
    languages: both,
    load: () => import("./pages/apps/boot.js"),
  },
  {
    name: "usage",
    href: "/usage",
    title: "app.page.usage",
    icon: "chart",
    languages: both,
    load: () => import("./pages/usage/boot.js"),
  },
];

/** The language of most that a page says: English where it has no texts in the one that is wanted. */
export const saidIn = (name: PageName, wanted: Language): Language =>
  pages.some((page) => page.name === name && page.languages.includes(wanted)) ? wanted : "en";

/** Whether an address is that of a page. */
export const isPage = (path: string): boolean =>
  path === "/" || path === "/index.html" || pageAt(path) !== model;

/** The page of an address; what no other page has is the model's. */
export const pageAt = (path: string): PageRow =>
  pages.find((page) => page.href !== "/" && isOf(path, page)) ?? model;

const isOf = (path: string, { href, also = href }: PageRow): boolean =>
  [href, also].some((root) => `${path}/`.startsWith(`${root}/`));

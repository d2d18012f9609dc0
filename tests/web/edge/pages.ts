// The built page in a browser over an edge in memory.

import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { type Site, serve } from "../site.ts";
import { type Settings, tabs } from "../tabs.ts";
import { type Edge, principalOf, whoAsks } from "./edge.ts";

/** A page of the product, and the edge that it talks to. */
interface Kind<E extends Edge> {
  make(): E;
  /** Which build of the page. */
  mode?: string;
  /** The content policy that it is served with. */
  policy?: string;
  /** Where the page begins, and which part of it is opened if a test does not say. */
  root: string;
  part?: string;
  /** Whose key is used if a test does not say. */
  token?: string;
  /** The page is there. */
  ready(page: Page): Promise<unknown>;
}

export interface Opening<E extends Edge> extends Settings {
  /** What follows the page's own address. */
  part?: string;
  /** Of the person: `hp_ann` and `hp_ann_2` are keys of one. */
  token?: string;
  replies?: string[];
  /** What the edge has before the page comes. */
  given?(edge: E): void;
}

/** For the top of a test file: pages over an edge of their own, closed once nothing was thrown in them. */
export function pagesOver<E extends Edge>({
  make,
  mode = "page",
  policy,
  root,
  part: own = "",
  token: key = "hp_web",
  ready,
}: Kind<E>) {
  const { opened, closed } = tabs();
  let site: Site;
  /** What each person has, by the name that the edge gives them. */
  let people = new Map<string, E>();
  const edgeOf = (who: string): E => {
    const edge = people.get(who) ?? make();
    people.set(who, edge);
    return edge;
  };

  before(
    async () => {
      site = await serve(mode, (_, request, response) => {
        if (policy) response.setHeader("content-security-policy", policy);
        return edgeOf(whoAsks(request.headers)).serve(request, response);
      });
    },
    { timeout: 180_000 },
  );

  after(() => site?.stop());

  const page = async (token: string, part: string, settings?: Settings): Promise<Page> => {
    const shown = await opened(`${site.origin}${root}${part}#token=${token}`, settings);
    await ready(shown);
    return shown;
  };

  return {
    closed,

    /** A fresh person at the page, over a fresh edge. */
    async opened({ part, token = key, replies = [], given, ...settings }: Opening<E> = {}) {
      people = new Map();
      const edge = edgeOf(principalOf(token));
      edge.replies.push(...replies);
      given?.(edge);
      return { page: await page(token, part ?? own, settings), edge };
    },

    /** Somebody else at the same, in a browser of their own. */
    other(edge: E, part = own, token = "hp_bea"): Promise<Page> {
      people.set(principalOf(token), edge);
      return page(token, part);
    },

    /** What another person of this test has. */
    edgeOf: (token: string): E => edgeOf(principalOf(token)),

    /** Another address of the page in the same tab, or in a new one of the same browser. */
    url: (path = "/"): string => site.origin + path,
  };
}

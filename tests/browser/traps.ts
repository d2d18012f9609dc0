// Workers that break off, without a door for it in the product: what a page loads as a worker's script begins with
// lines that let its Wasm instance trap where a test says. What follows them is the product's own script, unchanged.

import type { Page } from "playwright-core";

/** The smallest module whose only function ends in `unreachable`: a trap as the engine makes it. */
const TRAP = `const trap = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11,
]))).exports.t;
`;

/** Calls of the checks whose input holds these words trap, in every worker. */
const inCall = (words: string): string => `
const { Instance } = WebAssembly;
WebAssembly.Instance = function (module, imports) {
  const { exports } = new Instance(module, imports);
  const marked = (at, length) =>
    new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length)).includes(${JSON.stringify(words)});
  const call = (...texts) => {
    if (marked(...texts.slice(2))) trap();
    return exports.call(...texts);
  };
  return { exports: { ...exports, call } };
};
`;

/** The clock of a run traps when a model's answer has come whole: the event that it would become is never kept. */
const AT_REPLY = `
let whole = false;
const { fetch } = self;
self.fetch = async (...asked) => {
  const answer = await fetch(...asked);
  if (!answer.url.endsWith("/v1/chat/completions") || !answer.ok) return answer;
  const reader = answer.body.getReader();
  const body = new ReadableStream({
    type: "bytes",
    async pull(sink) {
      const { done, value } = await reader.read();
      if (!done) return sink.enqueue(value);
      whole = true;
      sink.close();
      sink.byobRequest?.respond(0);
    },
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
};
const { now } = Date;
Date.now = () => (whole ? trap() : now());
`;

/**
 * Puts lines before workers' scripts, of those that have `mark` in them, from now on; the answer counts those
 * that start.
 */
async function before(
  page: Page,
  scripts: RegExp,
  lines: (nth: number) => string,
  mark = "",
): Promise<Started> {
  const started = { count: 0 };
  await page.context().route(scripts, async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    if (!script.includes(mark)) return route.fulfill({ response });
    started.count += 1;
    // In a block: a name of these lines must not stand before one that the product's own script means.
    return route.fulfill({ response, body: `{${TRAP}${lines(started.count)}}\n${script}` });
  });
  return started;
}

/** How many workers have started. */
export interface Started {
  readonly count: number;
}

/** Calls of the checks whose input holds `words` trap in each of their workers that starts from now on. */
export const trapInCalls = (page: Page, words: string): Promise<Started> =>
  before(page, /\/assets\/worker-extension-[^/]+\.js$/, () => inCall(words));

/** The first `times` workers of a run that start from now on trap at a model's answer. */
export const trapAtReplies = (page: Page, times: number): Promise<Started> =>
  before(
    page,
    /\/assets\/worker-[^/]+\.js$/,
    (nth) => (nth <= times ? AT_REPLY : ""),
    '"signed_in"',
  );

/**
 * One request of an extension, sent as ifc-sdk.md §2 promises: no cookies, no credentials, no referrer, only to the
 * host that it names, cut at its limits.
 *
 * Refuses to know who asks and whether they may. Invariant: every request is answered, and none throws.
 */

/** Bytes of an answer's body. */
const MAX_ANSWER_BYTES = 5 << 20;
/** Nobody waits longer, whatever was asked for. */
const MAX_TIMEOUT_MS = 30_000;
/** What a server sends a cookie in; pages never see it, other places do. */
const COOKIES = "set-cookie";

/** What is sent (`NetworkRequest` of the SDK). */
export interface NetworkRequest {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string | null;
  timeoutMs: number;
}
/** Why there is no answer (`NoAnswer` of the sandbox). */
export type NoAnswer =
  | "unreachable"
  | "late"
  | "redirected"
  | "tooLarge"
  | "tooMany"
  | "held"
  | "cutOff";
/** What became of a request, as the sandbox takes it. */
export type Came =
  | { response: { status: number; headers: Record<string, string>; body: string } }
  | { failure: NoAnswer };

/**
 * Redirects are not followed. A browser that follows tells only afterwards where to, when another host has already been
 * asked; one that does not follow tells no address at all. So another host is never asked, and extensions are told.
 */
const PRIVATE = {
  credentials: "omit",
  referrerPolicy: "no-referrer",
  redirect: "manual",
  cache: "no-store",
  mode: "cors",
} as const;

/** Sends it; `ended` takes it back. */
export async function send(
  { url, method, headers, body, timeoutMs }: NetworkRequest,
  ended: AbortSignal,
  ask: (url: string, init: RequestInit) => Promise<Response> = (url, init) => fetch(url, init),
): Promise<Came> {
  const stop = new AbortController();
  let late = false;
  const clock = setTimeout(
    () => {
      late = true;
      stop.abort();
    },
    Math.min(timeoutMs, MAX_TIMEOUT_MS),
  );
  const cut = () => stop.abort();
  ended.addEventListener("abort", cut);
  try {
    if (ended.aborted) return { failure: "cutOff" };
    const answer = await ask(url, { ...PRIVATE, method, headers, body, signal: stop.signal });
    if (isRedirect(answer)) return { failure: "redirected" };
    const text = await textOf(answer);
    if (text === null) return { failure: "tooLarge" };
    const told = [...answer.headers].filter(([name]) => name !== COOKIES);
    return {
      response: { status: answer.status, headers: Object.fromEntries(told), body: text },
    };
  } catch {
    if (late) return { failure: "late" };
    return { failure: ended.aborted ? "cutOff" : "unreachable" };
  } finally {
    clearTimeout(clock);
    ended.removeEventListener("abort", cut);
    // What is left of an answer that was not read to its end does not come any more.
    stop.abort();
  }
}

/** A page sees nothing of a redirect but that it is one; other places see its status. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(status);

/** Null: it is longer than an answer may be. */
async function textOf({ body }: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) return null;
    text += decoder.decode(value, { stream: true });
  }
}

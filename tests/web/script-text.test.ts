// The texts of the script editor without a page: line endings, smallest changes, one group over all files, the stream
// reader, the client.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  type ApiError,
  type EngineDiff,
  FILES,
  type FileId,
  type PreviewRequest,
  type VirtualFiles,
} from "@holdpoint/core/editor";
import { EdgeDriver, Session } from "@holdpoint/core/session";
import { ScriptRoutes } from "../../www/app/src/pages/scripts/turns.ts";
import { modules } from "./source.ts";

let endings: typeof import("../../www/core/src/editor/endings.ts");
let changes: typeof import("../../www/core/src/editor/changes.ts");
let http: typeof import("../../www/core/src/http.ts");
let client: typeof import("../../www/core/src/editor/client.ts");
let document: typeof import("../../www/elements/src/script/document.ts");
let groups: typeof import("../../www/elements/src/script/group.ts");

before(async () => {
  [document, groups, endings, changes, http, client] = await modules<
    [typeof document, typeof groups, typeof endings, typeof changes, typeof http, typeof client]
  >(
    "script/document.ts",
    "script/group.ts",
    "../../core/src/editor/endings.ts",
    "../../core/src/editor/changes.ts",
    "../../core/src/http.ts",
    "../../core/src/editor/client.ts",
  );
});

const texts = [
  "",
  "\n",
  "a",
  "a\n",
  "a\r\nb\r\n",
  "a\r\nb\nc\r\n",
  "a\nb\r\nc\nd",
  "\r\r\n\n",
  "a\rb\nc",
  "\uFEFFa\r\nb",
  "😀\r\n😀\n",
  "\n\r\n",
  "\r\n\n",
];

/** The same numbers every time. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state % n;
  };
}

function madeUp(rnd: (n: number) => number): string {
  const parts = ["alpha", "beta gamma", "x = 1", "", " ", "\tq", "é😀", "# c\rr"];
  return (
    Array.from(
      { length: rnd(9) },
      () => parts[rnd(parts.length)] + ["\n", "\n", "\r\n"][rnd(3)],
    ).join("") + (rnd(2) ? parts[rnd(parts.length)] : "")
  );
}

test("a text comes back byte for byte from the editor, whatever its line endings", () => {
  const rnd = random(7);
  for (const text of [...texts, ...Array.from({ length: 500 }, () => madeUp(rnd))]) {
    const taken = endings.editor(text);
    assert.equal(endings.exact(taken), text, JSON.stringify(text));
    const at = endings.offsets(taken);
    for (let i = 0; i <= taken.doc.length; i += 1)
      assert.equal(at.toEditor(at.toExact(i)), i, `${JSON.stringify(text)} at ${i}`);
  }
});

test("the dominant ending is the more frequent one; on a tie that of the first line; LF where there is none", () => {
  for (const [text, want] of [
    ["", "\n"],
    ["a", "\n"],
    ["a\r\nb", "\r\n"],
    ["a\nb\r\n", "\n"],
    ["a\r\nb\n", "\r\n"],
    ["a\r\nb\r\nc\n", "\r\n"],
  ])
    assert.equal(endings.editor(text).dominant, want, JSON.stringify(text));
});

test("offsets count CRLF as one in the editor and as two outside; between CR and LF is before the break", () => {
  const at = endings.offsets(endings.editor("ab\r\nc\r\n"));
  assert.deepEqual(
    [0, 2, 3, 4, 5].map((i) => at.toExact(i)),
    [0, 2, 4, 5, 7],
  );
  assert.deepEqual(
    [2, 3, 4, 5, 6, 7].map((i) => at.toEditor(i)),
    [2, 2, 3, 4, 4, 5],
  );
});

test("without a diff a change is cut at both ends, never through a character or CRLF", () => {
  const rnd = random(11);
  for (let i = 0; i < 500; i += 1) {
    const [before, after] = [madeUp(rnd), madeUp(rnd)];
    const made = changes.changes(before, after, null);
    assert.equal(changes.replaced(before, made), after);
    for (const { from, to } of made)
      for (const at of [from, to])
        assert.equal(
          /^[\uDC00-\uDFFF]/.test(before.slice(at)) ||
            (before[at - 1] === "\r" && before[at] === "\n"),
          false,
          JSON.stringify([before, after, made]),
        );
  }
});

test("with a diff only the changed words of a changed line are replaced", () => {
  const before = "one\nreturn rating\nthree\n";
  const after = "one\nreturn text + 1\nthree\nfour\n";
  const diff: EngineDiff = {
    unified: "",
    stats: { added: 2, deleted: 1 },
    hunks: [
      {
        id: "a",
        old_start: 2,
        old_count: 1,
        new_start: 2,
        new_count: 1,
        lines: [
          { kind: "delete", text: "return rating", eol: "lf", spans: [[7, 13]] },
          { kind: "insert", text: "return text + 1", eol: "lf", spans: [[7, 15]] },
        ],
      },
      {
        id: "b",
        old_start: 3,
        old_count: 0,
        new_start: 4,
        new_count: 1,
        lines: [{ kind: "insert", text: "four", eol: "lf" }],
      },
    ],
  };
  assert.deepEqual(changes.changes(before, after, diff), [
    { from: 11, to: 17, insert: "text + 1" },
    { from: 24, to: 24, insert: "four\n" },
  ]);
  assert.equal(
    changes.replaced(
      before,
      changes.changes(before, after, { ...diff, hunks: diff.hunks.slice(0, 1) }),
    ),
    after,
    "a diff that does not fit is not trusted",
  );
});

test("edits, undo and redo keep the endings of a text that mixes them", () => {
  const bare = new document.Bare("a\r\nb\nc\r\nd\n");
  const put = (text: string) =>
    bare.dispatch(
      document.replacing(bare.state, changes.changes(document.textOf(bare.state), text, null)),
    );
  const steps = ["a\r\nb\nc\r\nd\n", "a\r\nd\n", "a\r\nX\r\nd\n", "\n\r\n\n", "a\nb\nc\n", ""];
  for (const text of steps) {
    put(text);
    assert.equal(document.textOf(bare.state), text);
  }
  for (const text of [...steps].reverse().slice(1)) {
    document.native(bare, "undo");
    assert.equal(document.textOf(bare.state), text, `back to ${JSON.stringify(text)}`);
  }
  for (const text of steps.slice(1)) {
    document.native(bare, "redo");
    assert.equal(document.textOf(bare.state), text, `again ${JSON.stringify(text)}`);
  }
});

test("a break that is typed takes the text's own ending", () => {
  const bare = new document.Bare("a\r\nb\r\n");
  bare.dispatch({ changes: { from: 1, insert: "\n" } });
  assert.equal(document.textOf(bare.state), "a\r\n\r\nb\r\n");
});

function held(files: Partial<VirtualFiles>) {
  const all = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, new document.Bare(text)]),
  ) as Record<FileId, InstanceType<typeof document.Bare>>;
  const made = new groups.Groups(
    (path) => all[path],
    (from, to) => changes.changes(from, to, null),
  );
  return {
    all,
    made,
    text: (path: FileId) => document.textOf(all[path].state),
    type: (path: FileId, insert: string) =>
      all[path].dispatch({ changes: { from: 0, insert }, userEvent: "input.type" }),
  };
}

const group = {
  patch_id: "p",
  before: { "tool.py": "a\n", "entrypoint.txt": "run\n" },
  after: { "tool.py": "b\n", "entrypoint.txt": "main\n" },
  places: 2,
  at: 0,
};

test("a group goes into all its files and out of all of them; others are not touched", () => {
  const { all, made, text } = held({
    "tool.py": "a\n",
    "entrypoint.txt": "run\n",
    "usage_instructions.md": "u\n",
  });
  const untouched = all["usage_instructions.md"].state;
  made.apply(group);
  assert.deepEqual([text("tool.py"), text("entrypoint.txt")], ["b\n", "main\n"]);
  assert.equal(all["usage_instructions.md"].state, untouched);
  assert.equal(made.owns("tool.py", "undo"), true);
  made.step("undo");
  assert.deepEqual([text("tool.py"), text("entrypoint.txt")], ["a\n", "run\n"]);
  made.step("redo");
  assert.deepEqual([text("tool.py"), text("entrypoint.txt")], ["b\n", "main\n"]);
  assert.equal(
    document.depth(all["tool.py"].state, "undo"),
    1,
    "one entry of the native history a file",
  );
});

test("what was typed before a group is reached behind it; what was typed after blocks it", () => {
  const { all, made, text, type } = held({ "tool.py": "\n", "entrypoint.txt": "run\n" });
  type("tool.py", "a");
  made.apply(group);
  type("entrypoint.txt", "x");
  assert.deepEqual(made.blocked("undo"), ["entrypoint.txt"]);
  assert.equal(made.step("undo"), null);
  assert.equal(text("tool.py"), "b\n", "nothing moved, in no file");
  assert.equal(
    made.owns("entrypoint.txt", "undo"),
    false,
    "the newest entry there is what was typed",
  );
  document.native(all["entrypoint.txt"], "undo");
  made.step("undo");
  document.native(all["tool.py"], "undo");
  assert.equal(text("tool.py"), "\n");
});

test("an applied transaction carries its patch", () => {
  const bare = new document.Bare("a\n");
  const transaction = bare.state.update(
    document.replacing(bare.state, [{ from: 0, to: 1, insert: "b" }], { patch: "sha256:1" }),
  );
  assert.equal(transaction.annotation(document.appliedPatch), "sha256:1");
  assert.equal(transaction.isUserEvent("holdpoint.apply"), true);
});

/** A body that comes in pieces of `size` bytes. */
const pieces = (text: string, size: number): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(to) {
      for (let at = 0; at < bytes.length; at += size) to.enqueue(bytes.subarray(at, at + size));
      to.close();
    },
  });
};

test("the stream reader takes CRLF, several data lines, comments and any cut of the bytes", async () => {
  const stream =
    'event: meta\r\ndata: {"a":1}\r\n\r\n: ping\n\nevent: delta\ndata: one\ndata: två\n\n' +
    "data: bare\n\nevent: cut\ndata: never closed\n";
  const want = [
    { event: "meta", data: '{"a":1}' },
    { event: "delta", data: "one\ntvå" },
    { event: "message", data: "bare" },
  ];
  for (let size = 1; size < 40; size += 1) {
    const got: unknown[] = [];
    for await (const { event = "message", data } of http.events(pieces(stream, size)))
      got.push({ event, data });
    assert.deepEqual(got, want, `pieces of ${size}`);
  }
});

const asked: Omit<PreviewRequest, "tool_id"> = {
  active_file: "tool.py",
  virtual_files: {
    "tool.py": "",
    "entrypoint.txt": "",
    "settings_schema.json": "",
    "input_schema.json": "",
    "usage_instructions.md": "",
  },
  ops: [],
};

test("the client names the correlation, carries the token, and tells a refusal from no answer", async () => {
  const seen: Parameters<typeof fetch>[] = [];
  const api = (answer: () => Response) =>
    client.createEditorApi(
      () => "hp_x",
      async (url, init) => {
        seen.push([url, init]);
        return answer();
      },
    );
  const ok = api(() => new Response(JSON.stringify({ ok: true })));
  await ok.preview({ ...asked, tool_id: "a b" }, "id-1");
  assert.equal(seen[0][0], "/api/v1/editor/edit-ops/preview");
  assert.deepEqual(seen[0][1]?.headers, {
    authorization: "Bearer hp_x",
    "content-type": "application/json",
    "x-correlation-id": "id-1",
  });
  await ok.tool("a/b");
  assert.equal(seen[1][0], "/api/v1/editor/tools/a%2Fb");
  const refused = api(
    () =>
      new Response(
        JSON.stringify({
          error: {
            code: "CONFLICT",
            message: "m",
            args: { path: "tool.py" },
            details: { reason: "base_changed" },
          },
        }),
        { status: 409 },
      ),
  );
  await assert.rejects(refused.save("a", "r", {}), {
    code: "CONFLICT",
    status: 409,
    args: { path: "tool.py" },
    details: { reason: "base_changed" },
  });
  await assert.rejects(
    api(() => {
      throw new TypeError("fetch failed");
    }).tools(),
    { code: "OFFLINE" },
  );
  await assert.rejects(api(() => new Response("<html>", { status: 502 })).tools(), {
    code: "ODD_ANSWER",
  });
  const waits = async (headers: Record<string, string>): Promise<number | undefined> => {
    const busy = '{"error":{"code":"REQUEST_IN_FLIGHT","message":"m"}}';
    const refused = api(() => new Response(busy, { status: 409, headers })).tools();
    return refused.then(
      () => assert.fail("it was refused"),
      (error: ApiError) => error.retryMs,
    );
  };
  assert.deepEqual(
    [
      await waits({ "retry-after": "2" }),
      await waits({ "retry-after": "2", "retry-after-ms": "1500" }),
      await waits({ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }),
      await waits({ "retry-after": "soon" }),
      await waits({}),
    ],
    [2_000, 1_500, 0, undefined, undefined],
  );
});

test("whoever aborts gets the abort back, before the answer and in the middle of it", async () => {
  const abort = new AbortController();
  const stopped = new DOMException("stopped", "AbortError");
  const asking = (answer: () => Response) =>
    http
      .createHttp(
        () => undefined,
        async () => answer(),
      )
      .send("GET", "/x", { signal: abort.signal });
  abort.abort(stopped);
  const never = () => {
    throw stopped;
  };
  await assert.rejects(asking(never), { name: "AbortError" });
  const cut = new ReadableStream({ start: (to) => to.error(stopped) });
  await assert.rejects(
    asking(() => new Response(cut)),
    { name: "AbortError" },
  );
});

/** An answer whose body is these chunks; then it breaks off, or closes. */
const chatting = (chunk: string, breaks: boolean) =>
  client.createEditorApi(
    () => undefined,
    async () =>
      new Response(
        new ReadableStream({
          start: (to) => to.enqueue(new TextEncoder().encode(chunk)),
          pull: (to) => (breaks ? to.error(new TypeError("network")) : to.close()),
        }),
      ),
  );

test("unknown events of a chat are passed over", async () => {
  const api = chatting(
    'event: meta\ndata: {"enabled":true}\n\nevent: new\ndata: 1\n\n' +
      'event: delta\ndata: {"text":"a"}\n\n',
    false,
  );
  const heard: string[] = [];
  const signal = new AbortController().signal;
  for await (const { event } of api.chat("t", { message: "m" }, signal)) heard.push(event);
  assert.deepEqual(heard, ["meta", "delta"]);
});

for (const [name, breaks, state] of [
  ["ends without `done` keeps what came and has failed", false, "failed"],
  ["breaks off keeps what came and is cancelled", true, "cancelled"],
] as const)
  test(`a chat that ${name}`, async () => {
    const api = chatting('event: delta\ndata: {"text":"a"}\n\n', breaks);
    const session = new Session(new EdgeDriver(new ScriptRoutes(api, "t")));
    const files = Object.fromEntries(FILES.map((path) => [path, ""])) as VirtualFiles;
    const more = { active: "tool.py", texts: files, location: {} } as const;
    await session.send({ text: "m", mode: "chat", ...more });
    const { messages, turn } = session.view;
    assert.deepEqual(
      [messages.map(({ text, state }) => [text, state]), turn],
      [
        [
          ["m", "done"],
          ["a", state],
        ],
        null,
      ],
    );
  });

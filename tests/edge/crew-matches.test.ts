// Writes by hand with and without `If-Match`, and who saved what meanwhile (crew-package.md §7 "HTTP", §10.1).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Revision } from "@holdpoint/core/crew";
import { type Person, startCrew } from "./crew.ts";
import { asset, edit, Session } from "./proposals.ts";

let ada: Person;
let stop: () => Promise<void>;

before(async () => {
  const crew = await startCrew();
  ({ ada, stop } = crew);
});
after(() => stop?.());

interface Conflict {
  saved: Revision[];
  revision: number;
  objects: string[];
}

const conflict = async (asked: ReturnType<Person["ask"]>): Promise<Conflict> => {
  const { status, error, raw } = await asked;
  assert.deepEqual([status, error?.code], [409, "CONFLICT"], raw);
  return error.details as unknown as Conflict;
};

test("every write of a project goes with the revision that was seen, or without one", async () => {
  const project = await ada.furnished("Seen");
  const at = `/projects/${project}`;
  const now = async () => (await ada.show(project)).revision;
  const stale = await now();
  await ada.good("PUT", at, { body: { name: "Seen again" } });
  const writes: [string, string, object | undefined][] = [
    ["POST", "/duplicate", { name: "Copy" }],
    ["POST", "/undo", undefined],
    ["POST", "/redo", undefined],
    ["DELETE", "", undefined],
  ];
  const projects = async () => (await ada.good("GET", "/projects")).items.length;
  const [stood, listed] = [await now(), await projects()];
  for (const [method, below, body] of writes) {
    const { revision } = await conflict(ada.ask(method, at + below, { body, seen: stale }));
    assert.equal(revision, stood, `${method} ${below}`);
  }
  assert.deepEqual([await now(), await projects()], [stood, listed], "nothing was written");
  for (const [method, below, body] of writes) {
    const seen = await now();
    const got = await ada.ask(method, at + below, { body, seen });
    assert.ok(got.status < 300, `${method} ${below}: ${got.raw}`);
  }
  assert.deepEqual(await ada.refused("DELETE", at), [404, "PROJECT_NOT_FOUND"]);
  const other = await ada.furnished("Unseen");
  for (const [method, below, body] of writes) {
    const got = await ada.ask(method, `/projects/${other}${below}`, { body });
    assert.ok(got.status < 300, `${method} ${below}: ${got.raw}`);
  }
});

test("a conflict of a hand names who saved the part since", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}`;
  const { document, revision } = await ada.flow(project, 1);
  await ada.good("PUT", `${at}/workflows/1`, { body: { document: `${document}One.\n` } });
  await ada.good("POST", `${at}/assets`, { body: { path: "assets/a.md", content: "a\n" } });
  await ada.good("PUT", `${at}/workflows/1`, { body: { document: `${document}Two.\n` } });
  const body = { document };
  const since = Date.now();
  const { saved } = await conflict(ada.ask("PUT", `${at}/workflows/1`, { body, seen: revision }));
  assert.deepEqual(
    saved.map(({ cause, actor, changed }) => [cause, actor, changed]),
    [
      ["save", "user:ada", ["workflows/1/workflow.md"]],
      ["save", "user:ada", ["workflows/1/workflow.md"]],
    ],
  );
  assert.ok((saved[0]?.revision ?? 0) > (saved[1]?.revision ?? 0), "newest first");
  assert.ok(saved.every((one) => one.at <= since && one.at > since - 60_000));
  const whole = await conflict(ada.ask("PUT", at, { body: { name: "N" }, seen: 1 }));
  assert.equal(whole.saved.length, (await ada.show(project)).revision - 1, "all of them");
});

test("a conflict of an apply names who saved its files since they were judged", async () => {
  const project = await ada.furnished();
  const at = `/projects/${project}`;
  for (const name of ["a", "b"]) {
    const body = { path: `assets/${name}.md`, content: "one\ntwo\n" };
    await ada.good("POST", `${at}/assets`, { body });
  }
  const target = { targetType: "asset", mode: "optimize", targetId: "assets/a.md" };
  const session = await Session.open(ada, project, target);
  const preview = await session.valid(asset("assets/a.md", edit("one", "ONE")));
  await new Promise((later) => setTimeout(later, 5));
  for (const name of ["b", "a"]) {
    const body = { path: `assets/${name}.md`, content: "one\ntwo\nthree\n" };
    await ada.good("PUT", `${at}/assets`, { body });
  }
  const { saved, objects } = await conflict(session.apply(preview));
  assert.deepEqual(objects, ["asset:assets/a.md"]);
  assert.deepEqual(
    saved.map(({ cause, actor, changed }) => [cause, actor, changed]),
    [["save", "user:ada", ["assets/a.md"]]],
  );
});

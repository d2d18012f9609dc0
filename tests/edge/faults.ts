// A build of the Worker whose accounts lose answers and alarms when a test says so, by the tag of the call: what they
// did is done, only nobody hears of it. The Rust module is the same; a class of JavaScript stands around its Account.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The answer to the first question that admits the call is lost. */
export const LOSE_FIRST = "lose-first";
/** The answer to every question that admits the call is lost. */
export const LOSE_ALL = "lose-all";
/** No alarm can be set while the call is admitted. */
export const NO_ALARM = "no-alarm";

const WRAPPER = `
import * as real from "./snippets/real.js";
export * from "./snippets/real.js";

const lost = new Set();

export class Account {
  #inner;
  #deaf = false;

  constructor(ctx, env) {
    const setAlarm = ctx.storage.setAlarm.bind(ctx.storage);
    ctx.storage.setAlarm = (...args) =>
      this.#deaf ? Promise.reject(new Error("no alarm")) : setAlarm(...args);
    this.#inner = new real.Account(ctx, env);
  }

  ask(command) {
    const { Admit } = JSON.parse(command);
    const tag = Admit?.ask.facts.tag;
    this.#deaf = tag === "${NO_ALARM}";
    const answer = this.#inner.ask(command);
    queueMicrotask(() => {
      this.#deaf = false;
    });
    const first = Admit !== undefined && !lost.has(Admit.ask.request_id);
    if (tag === "${LOSE_ALL}" || (tag === "${LOSE_FIRST}" && first)) {
      lost.add(Admit.ask.request_id);
      throw new Error("the answer is lost");
    }
    return answer;
  }

  alarm() {
    return this.#inner.alarm();
  }
}
`;

/**
 * Makes that build in a folder of its own and lets every edge that starts from now on use it. Answers how to end that.
 */
export const loseAnswers = (): (() => void) => wrapped(WRAPPER);

/** What a call with this tag asks of its account is kept. */
export const OLD_WORD = "old-word";
/** It is asked again, as of another call, before what a call with this tag asks. */
export const LATE_WORD = "late-word";

const LATE = `
import * as real from "./snippets/real.js";
export * from "./snippets/real.js";

let kept;

export class Account {
  #inner;

  constructor(ctx, env) {
    this.#inner = new real.Account(ctx, env);
  }

  ask(command) {
    const { Admit } = JSON.parse(command);
    const tag = Admit?.ask.facts.tag;
    if (tag === "${OLD_WORD}") kept = command;
    if (tag === "${LATE_WORD}") {
      const late = JSON.parse(kept);
      late.Admit.ask.request_id = "req_late";
      console.log("late word: " + this.#inner.ask(JSON.stringify(late)));
    }
    return this.#inner.ask(command);
  }

  alarm() {
    return this.#inner.alarm();
  }
}
`;

/** As `loseAnswers`, with a word of a relay that comes late. */
export const lateWords = (): (() => void) => wrapped(LATE);

/** Makes a build of the Worker whose module is this one; the real one lies beside it as `snippets/real.js`. */
export function wrapped(wrapper: string): () => void {
  const before = process.env.HOLDPOINT_EDGE_BUILD;
  const build = before ?? join(root, "worker", "build");
  const dir = mkdtempSync(join(tmpdir(), "holdpoint-faults-"));
  cpSync(build, dir, { recursive: true });
  const glue = readFileSync(join(build, "worker.js"), "utf8").replaceAll("./snippets/", "./");
  writeFileSync(join(dir, "snippets", "real.js"), glue);
  writeFileSync(join(dir, "worker.js"), wrapper);
  process.env.HOLDPOINT_EDGE_BUILD = dir;
  return () => {
    if (before === undefined) delete process.env.HOLDPOINT_EDGE_BUILD;
    else process.env.HOLDPOINT_EDGE_BUILD = before;
    rmSync(dir, { recursive: true, force: true });
  };
}

const AHEAD = (ms: number) => `
export * from "./snippets/real.js";

const now = Date.now.bind(Date);
Date.now = () => now() + ${ms};
`;

/** As `loseAnswers`, with a clock that is so many milliseconds ahead. */
export const ahead = (ms: number): (() => void) => wrapped(AHEAD(ms));

/** Projects whose database refuses the first statement that begins so, in each of its objects. */
const REFUSING = (statement: string) => `
import * as real from "./snippets/real.js";
export * from "./snippets/real.js";

export class Project {
  #inner;

  constructor(ctx, env) {
    const { sql } = ctx.storage;
    const exec = sql.exec.bind(sql);
    let armed = true;
    sql.exec = (text, ...params) => {
      if (armed && text.startsWith(${JSON.stringify(statement)})) {
        armed = false;
        throw new Error("disk I/O error: SQLITE_IOERR");
      }
      return exec(text, ...params);
    };
    this.#inner = new real.Project(ctx, env);
  }

  fetch(request) {
    return this.#inner.fetch(request);
  }

  alarm() {
    return this.#inner.alarm();
  }
}
`;

/** As `loseAnswers`, with a statement of a project that fails once. */
export const failing = (statement: string): (() => void) => wrapped(REFUSING(statement));

/** Projects that stop, for ever, before the write of the number that a request names as `haltAt`, counted from 0. */
const HALTING = `
import * as real from "./snippets/real.js";
export * from "./snippets/real.js";

const WRITES = /^\\s*(INSERT|UPDATE|DELETE|REPLACE)/;

export class Project {
  #inner;
  #left = Infinity;

  constructor(ctx, env) {
    const { sql } = ctx.storage;
    const exec = sql.exec.bind(sql);
    sql.exec = (text, ...params) => {
      if (WRITES.test(text)) {
        if (this.#left === 0) {
          console.log("halted before " + text.trim().split(/\\s+/).slice(0, 3).join(" "));
          for (;;);
        }
        this.#left -= 1;
      }
      return exec(text, ...params);
    };
    this.#inner = new real.Project(ctx, env);
  }

  async fetch(request) {
    const named = /"haltAt":(\\d+)/.exec(await request.clone().text());
    this.#left = named ? Number(named[1]) : Infinity;
    return this.#inner.fetch(request);
  }

  alarm() {
    return this.#inner.alarm();
  }
}
`;

/** What an object says before it stops. */
export const HALTED = /halted before (.*)/g;

/** As `loseAnswers`, with projects that stop where a request says so. */
export const halting = (): (() => void) => wrapped(HALTING);

/** Projects that log the rows that only an apply or a hand may change, at each request. */
const TELLING = `
import * as real from "./snippets/real.js";
export * from "./snippets/real.js";

const TABLES = ["bundle", "revision", "checkpoint", "audit", "unlisted"];

export class Project {
  #inner;
  #sql;

  constructor(ctx, env) {
    this.#sql = ctx.storage.sql;
    this.#inner = new real.Project(ctx, env);
  }

  #rows(select, ...params) {
    try {
      return [...this.#sql.exec(select, ...params).raw()];
    } catch {
      return []; // before its first request an object has no tables
    }
  }

  #tell() {
    const tables = TABLES.map((table) => [table, this.#rows("SELECT * FROM " + table + " ORDER BY 1")]);
    const manifests = this.#rows("SELECT files FROM revision WHERE files IS NOT NULL");
    const hashes = new Set(manifests.flatMap(([files]) => Object.values(JSON.parse(files))));
    const texts = [...hashes].sort().map((hash) => this.#rows("SELECT hash, text FROM blob WHERE hash = ?", hash));
    console.log("tables " + JSON.stringify([tables, texts]));
  }

  fetch(request) {
    this.#tell();
    return this.#inner.fetch(request);
  }

  alarm() {
    return this.#inner.alarm();
  }
}
`;

/** What an object says at each request: its rows as JSON. */
export const TABLES = /^.*?tables (\[.*\])$/gm;

/** As `loseAnswers`, with projects that tell their rows. */
export const telling = (): (() => void) => wrapped(TELLING);

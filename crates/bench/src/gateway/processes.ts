// The processes of the rig. Each leads a group of its own, so that it ends with everything that it started; nothing is
// waited for without a bound, and whoever ends early says so at once.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How long a gateway may take until it answers. */
export const START_MS = 60_000;
/** How long an ended process may take to go by itself. */
const END_MS = 5_000;
/** Between two looks at a gateway that starts, and for one of them. */
const LOOK_MS = 50;
const PATIENCE_MS = 1_000;

/** A process that was begun. */
export interface Started {
  child: ChildProcess;
  pid: number | undefined;
  /** Fails when the process ends, and says how. */
  ended: Promise<never>;
  /** Ends it and what it started. */
  stop: () => Promise<void>;
}

/** What `work` gives; fails when that takes longer than `ms`. `what` says in words what then did not happen. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error(`${what} within ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function begin(program: string, args: string[], options: SpawnOptions = {}): Started {
  const child = spawn(program, args, {
    stdio: ["ignore", "ignore", "inherit"],
    ...options,
    detached: true,
  });
  const gone = new Promise<string>((done) => {
    child.once("exit", (status, signal) => done(`it ended with ${status ?? signal}`));
    child.once("error", (fault) => done(`it could not be started: ${fault.message}`));
  });
  const ended = gone.then((why) => Promise.reject(new Error(why)));
  ended.catch(() => {});
  return { child, pid: child.pid, ended, stop: () => end(child.pid, gone) };
}

/** Ends a process and its group, first by asking. */
async function end(leader: number | undefined, gone: Promise<string>): Promise<void> {
  if (leader === undefined) return;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    try {
      process.kill(-leader, signal);
    } catch {
      return; // nobody of the group is left
    }
    await within(END_MS, "it did not end", gone).catch(() => {});
  }
}

/** A process that says in a line of its own on which port it listens. */
export async function listening(
  program: string,
  args: string[],
  options: SpawnOptions = {},
  ms = START_MS,
): Promise<Started & { port: number }> {
  const started = begin(program, args, { stdio: ["ignore", "pipe", "inherit"], ...options });
  const said = new Promise<number>((done) => {
    const { stdout } = started.child;
    if (stdout === null) return;
    createInterface({ input: stdout }).on("line", (line) => {
      if (/^\d+$/.test(line.trim())) done(Number(line));
    });
  });
  const port = await orStopped(started, ms, "it named no port", () => said);
  return { ...started, port };
}

/** Waits until a process answers at an address, whatever it answers. */
export async function answering(started: Started, url: string, ms = START_MS): Promise<Started> {
  let over = false;
  const look = async () => {
    while (!over) {
      try {
        await (await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })).arrayBuffer();
        return;
      } catch {
        await new Promise((woken) => setTimeout(woken, LOOK_MS));
      }
    }
  };
  try {
    await orStopped(started, ms, "it did not answer", look);
    return started;
  } finally {
    over = true;
  }
}

/** What `work` gives while the process runs and its time lasts; else the process is stopped and the reason thrown. */
async function orStopped<T>(
  started: Started,
  ms: number,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await within(ms, what, Promise.race([work(), started.ended]));
  } catch (reason) {
    await started.stop();
    throw reason;
  }
}

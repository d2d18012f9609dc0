// Ports for processes that tests start and that must be told theirs: no two are handed out, whatever runs at once.
//
// Each process of tests claims blocks of ports by listening on the first of each for as long as it lives, so that a
// claim ends with its process. All lie below those that the system gives to whoever asks for any, and to connections
// that go out: nothing takes one between its check and its use, or while what was restarted is down.
import { createServer, type Server } from "node:net";

/** Above the last port that `fetch` refuses to ask. */
const FIRST = 11_000;
const BLOCK = 100;
const BLOCKS = 90;

let next = 0;
let end = 0;
let order: Promise<unknown> = Promise.resolve();

/** A port that nobody uses now, and that is handed out once. */
export function freePort(): Promise<number> {
  const port = order.then(take);
  order = port.catch(() => {});
  return port;
}

async function take(): Promise<number> {
  for (;;) {
    if (next === end) {
      next = (await claim()) + 1;
      end = next + BLOCK - 1;
    }
    const port = next;
    next += 1;
    const server = await listening(port);
    if (!server) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}

/** The first port of a block that no other process has, nor this one. */
async function claim(): Promise<number> {
  for (let tried = 0; tried < BLOCKS; tried += 1) {
    const first = FIRST + ((process.pid + tried) % BLOCKS) * BLOCK;
    const server = await listening(first);
    if (!server) continue;
    server.unref();
    return first;
  }
  throw new Error(`every block of ports from ${FIRST} on is claimed`);
}

/** `null`: somebody else has it. */
function listening(port: number): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(null) : reject(error),
    );
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve(server));
  });
}

// What the tests of a file run over.
import { after } from "node:test";

/** For the top of a test file, awaited: it is there from the first test on, and is stopped behind the last. */
export async function during<T extends { stop(): unknown }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  after(() => started.stop());
  return started;
}

/**
 * The worker in which one script runs: it starts the interpreter, from its files or from the memory of one that had
 * started, runs one job and is ended.
 *
 * `startWorker` is sent as its own text: it may use nothing of this module.
 */
import type { FromWorker, ToWorker } from "./protocol.ts";

interface Fs {
  mkdirTree(path: string): void;
  writeFile(path: string, bytes: Uint8Array | string): void;
  readFile(path: string): Uint8Array<ArrayBuffer>;
}
interface Pyodide {
  FS: Fs;
  globals: { get(name: "_run"): (job: string) => Promise<string> };
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
  setStdout(to: { write(bytes: Uint8Array): number }): void;
  setStderr(to: { write(bytes: Uint8Array): number }): void;
}
interface Handed {
  module: WebAssembly.Module;
  library: ArrayBuffer;
  memoryPages: number;
  driver: string;
  /** Of an interpreter that has read the driver, before any script; null where there is none yet. */
  memory: Blob | null;
  port: MessagePort;
}
interface Scope {
  onmessage: ((event: MessageEvent<Handed>) => void) | null;
  fetch?: (url: string) => Promise<Response>;
  loadPyodide(options: object): Promise<Pyodide>;
  [name: string]: unknown;
}

/** The body of the worker, behind the scripts of the interpreter. */
export function startWorker(): void {
  const scope = globalThis as unknown as Scope;
  const wasm = WebAssembly;
  scope.onmessage = ({ data: { module, library, memoryPages, driver, memory, port } }) => {
    scope.onmessage = null;
    const say = (what: FromWorker, move: Transferable[] = []) => port.postMessage(what, move);

    // The engine itself refuses to grow beyond: no script can undo that.
    const Memory = wasm.Memory;
    wasm.Memory = function memory(given: WebAssembly.MemoryDescriptor) {
      const maximum = Math.min(given.maximum ?? memoryPages, memoryPages);
      return new Memory({ ...given, maximum });
    } as unknown as typeof WebAssembly.Memory;
    wasm.instantiateStreaming = async (_source, imports) => ({
      module,
      instance: await wasm.instantiate(module, imports),
    });
    // The interpreter asks for two files by name; nobody is asked for anything.
    scope.fetch = async (address) =>
      new Response(String(address).endsWith(".zip") ? library.slice(0) : new ArrayBuffer(0));

    const [limit, now] = [{ bytes: Number.POSITIVE_INFINITY }, () => performance.now()];
    let [printed, held, last, sent] = [0, "", 0, 0];
    const decoder = new TextDecoder();
    const flush = () => {
      if (held) say({ is: "print", text: held });
      [held, last] = ["", now()];
      sent += 1;
    };
    /** The first lines at once, later ones together. */
    const write = (bytes: Uint8Array): number => {
      if (printed > limit.bytes) return bytes.length;
      printed += bytes.length;
      held += decoder.decode(bytes, { stream: true });
      if (printed > limit.bytes) {
        held = held.slice(0, Math.max(0, held.length - (printed - limit.bytes)));
        flush();
        say({ is: "limit", what: "print" });
      } else if (sent < 200 || held.length > 8_192 || now() - last > 100) flush();
      return bytes.length;
    };

    const started = async (): Promise<[Pyodide, Blob | null]> => {
      const options = {
        indexURL: "https://python.invalid/",
        // No package but the standard library: there is nothing to load one from.
        lockFileContents: JSON.stringify({ info: { abi_version: "2025_0" }, packages: {} }),
        jsglobals: { setTimeout, clearTimeout, setInterval, clearInterval, Object, Array, Promise },
        stdin: () => null,
        env: { HOME: "/home", PYTHONINSPECT: "0", TZ: "UTC" },
        ...(memory ? { _loadSnapshot: memory.arrayBuffer() } : { _makeSnapshot: true }),
      };
      const pyodide = await scope.loadPyodide(options);
      for (const name of [
        "fetch",
        "XMLHttpRequest",
        "WebSocket",
        "EventSource",
        "Worker",
        "importScripts",
      ])
        scope[name] = undefined;
      pyodide.setStdout({ write });
      pyodide.setStderr({ write });
      if (memory) return [pyodide, null];
      pyodide.runPython(driver);
      return [pyodide, new Blob([pyodide.makeMemorySnapshot()])];
    };

    const ran = async (pyodide: Pyodide, { job, limits, inputDir }: ToWorker): Promise<void> => {
      limit.bytes = limits.printBytes;
      const { FS } = pyodide;
      FS.mkdirTree(inputDir);
      for (const { name, bytes } of job.files) FS.writeFile(`${inputDir}/${name}`, bytes);
      const { files, ...rest } = job;
      const asked = JSON.stringify({ ...rest, files: files.map(({ name }) => name), limits });
      const run = pyodide.globals.get("_run");
      say({ is: "began" });
      const since = now();
      const said = await run(asked);
      const ms = now() - since;
      held += decoder.decode();
      flush();
      const made = (JSON.parse(said) as { files: { path: string; name: string }[] }).files;
      const out = made.map(({ path, name }) => ({ name, bytes: FS.readFile(path).slice().buffer }));
      say(
        { is: "done", said, files: out, ms },
        out.map(({ bytes }) => bytes),
      );
    };

    started().then(
      ([pyodide, memory]) => {
        port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
          port.onmessage = null;
          ran(pyodide, data).catch((error: unknown) => {
            flush();
            const problem = String(error);
            if (/memory|out of bounds|allocation/i.test(problem))
              say({ is: "limit", what: "memory" });
            else say({ is: "failed", problem });
          });
        };
        say({ is: "ready", memory });
      },
      (error: unknown) => say({ is: "failed", problem: String(error) }),
    );
  };
}

/** The last of the scripts of a worker. */
export const workerScript = (): string => `;(${startWorker.toString()})();`;

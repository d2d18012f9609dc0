/**
 * Python for runs: Pyodide as npm has it, served from the page's own address, loaded when a script is run first and
 * kept by the service worker after that.
 */
import { PythonRunner } from "@holdpoint/core/python-run";
import glue from "pyodide/pyodide.asm.js?url";
import wasm from "pyodide/pyodide.asm.wasm?url";
import loader from "pyodide/pyodide.js?url";
import library from "pyodide/python_stdlib.zip?url";

/** What all files of it weigh; the build counts them (`vite.config.ts`). */
declare const HOLDPOINT_PYTHON_BYTES: number;
export const PYTHON_BYTES = HOLDPOINT_PYTHON_BYTES;

export function createRunner(): PythonRunner {
  return new PythonRunner(async (progress) => {
    let here = 0;
    const count = (bytes: number) => {
      here += bytes;
      progress(here);
    };
    const [first, second, module, zip] = await Promise.all(
      [glue, loader, wasm, library].map((address) => loaded(address, count)),
    );
    const text = (bytes: ArrayBuffer | undefined) => new TextDecoder().decode(bytes);
    return {
      scripts: [text(first), text(second)],
      wasm: module ?? new ArrayBuffer(0),
      library: zip ?? new ArrayBuffer(0),
    };
  });
}

/** Its bytes, counted as they come. */
async function loaded(address: string, count: (bytes: number) => void): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`${address}: ${response.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    count(part.value.length);
  }
  return new Blob(parts).arrayBuffer();
}

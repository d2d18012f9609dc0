/**
 * The Python grammar in a Wasm module of its own, which only this page loads. Without it the rest is checked all the
 * same.
 */
import type { FactsOf } from "@holdpoint/core/editor";

export async function loadFacts(): Promise<FactsOf | null> {
  try {
    const { loadPython } = await import("@holdpoint/core/python");
    return await loadPython();
  } catch {
    return null;
  }
}

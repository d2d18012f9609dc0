/** The canonical fixtures as files of the page, so that the first test ever also runs offline. */

const FILES: Record<string, URL> = {
  "empty-model": new URL("../../../../fixtures/ifc/empty-model.ifc", import.meta.url),
  "house-small": new URL("../../../../fixtures/ifc/house-small.ifc", import.meta.url),
  "office-fire": new URL("../../../../fixtures/ifc/office-fire.ifc", import.meta.url),
};

/** The bytes of a fixture; empty, which no model is, for one that does not exist yet. */
export async function fixtureFile(id: string): Promise<Uint8Array> {
  const url = FILES[id];
  if (!url) return new Uint8Array();
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}

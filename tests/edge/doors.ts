// An extension that counts the doors of a model, as tests install it.
import type { Files } from "@holdpoint/core/types";

/** Its test, and what that expects. */
export const answers = (expect: object): object => ({
  ...{ name: "answers", command: "doors.count", fixture: "house-small", expect },
});

/** `more` is what its manifest says otherwise. */
export const doorCounter = (id: string, version: string, more: object = {}): Files => {
  const manifest = {
    ...{ manifestVersion: 1, id, name: "Door counter", version },
    description: "Count doors in the open model.",
    engines: { ifcLiteSdk: ">=1.0.0" },
    capabilities: ["model.read"],
    activation: [],
    entry: { commands: { "doors.count": "src/count.js" } },
    contributes: { commands: [{ id: "doors.count", title: "Count doors" }] },
    tests: [answers({ type: "number" })],
    ...more,
  };
  return {
    "manifest.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "src/count.js":
      'export default function (ctx) {\n  return ctx.bim.query.byType("IfcDoor").length;\n}\n',
  };
};

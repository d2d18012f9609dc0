// A table as a file: numbers stay numbers, no text becomes a formula, JSON has GlobalIds.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { pageModules } from "./source.ts";

let files: typeof import("../../www/app/src/tables/files.ts");
before(async () => {
  [files] = await pageModules<[typeof files]>("tables/files.ts");
});

const table = {
  name: "Doors: all/most",
  ids: ["2O2Fr", null],
  columns: [
    { title: "Name", values: ["=1+1", 'D-1, "left"\nhung'] },
    { title: "Width", unit: "m", values: [-1.5, null] },
    { title: "FireExit", values: [true, "-x"] },
  ],
};

test("CSV in two dialects", () => {
  const text = (format: "csv" | "ssv") => files.csv(table, format).join("");
  assert.equal(
    text("csv"),
    [
      "Name,Width (m),FireExit,GlobalId",
      "'=1+1,-1.5,true,2O2Fr",
      '"D-1, ""left""\nhung",,\'-x,',
      "",
    ].join("\r\n"),
  );
  const [head, first] = text("ssv").split("\r\n");
  assert.equal(head, "\ufeffName;Width (m);FireExit;GlobalId");
  assert.equal(first, "'=1+1;-1,5;true;2O2Fr");
});

test("JSON is read back as it was, with units and GlobalIds", () => {
  assert.deepEqual(JSON.parse(files.json(table).join("")), {
    ...{ name: "Doors: all/most", units: { Width: "m" } },
    rows: [
      { GlobalId: "2O2Fr", Name: "=1+1", Width: -1.5, FireExit: true },
      { GlobalId: null, Name: 'D-1, "left"\nhung', Width: null, FireExit: "-x" },
    ],
  });
  assert.deepEqual(
    JSON.parse(files.json({ name: "None", columns: [{ title: "A", values: [] }] }).join("")).rows,
    [],
  );
});

test("a workbook has texts as texts and numbers as numbers", async () => {
  const file = await files.fileOf(table, "xlsx");
  const parts = unzipSync(new Uint8Array(await file.arrayBuffer()));
  const read = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  const sheet = read("xl/worksheets/sheet1.xml");
  assert.match(read("xl/workbook.xml"), /name="Doors {2}all most"/);
  assert.match(sheet, /<v>-1\.5<\/v>/);
  assert.doesNotMatch(sheet, /<f>/);
  assert.match(sheet + read("xl/sharedStrings.xml"), /=1\+1/);
});

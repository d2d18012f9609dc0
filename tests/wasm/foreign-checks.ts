// What the examples that judge and colour must answer on a file, from what its text says.

import { type Call, csv, type Facts, first, grouped, ids, refOf, sum } from "./foreign-call.ts";
import type { ForeignModel, Product } from "./foreign-model.ts";
import type { Value } from "./foreign-step.ts";

const RED = "#c0392b";
/** What lacks a value: nothing at all, or a text with nothing in it. */
const isEmpty = (value: Value): boolean =>
  value === null || (typeof value === "string" && value.trim() === "");

export const missing: Facts = (model) => {
  const asked = ["IfcWall", "IfcDoor"].flatMap((type) =>
    ["FireRating", "IsExternal"].map((property) => ({
      class: type,
      set: `Pset_${type.slice(3)}Common`,
      property,
    })),
  );
  const lacking = (one: (typeof asked)[number]): Product[] =>
    model.of(one.class).filter((element) => isEmpty(given(model, element, one.set, one.property)));
  const rows = asked.map((one) => {
    const [checked, missing] = [model.of(one.class).length, lacking(one).length];
    return { ...one, checked, missing, percent: checked ? 1 - missing / checked : null };
  });
  const incomplete = [...new Set(asked.flatMap((one) => ids(lacking(one))))];
  const verdict = (element: Product) => {
    const messages = asked
      .filter((one) => lacking(one).some(({ id }) => id === element.id))
      .map(({ set, property }) => `${set}.${property} is missing`);
    return answer(element, messages);
  };
  const total = (field: "checked" | "missing"): number => sum(rows.map((row) => row[field]));
  return [
    {
      command: "missing.check",
      value: {
        rows,
        title: `${total("missing")} of ${total("checked")} values are missing`,
        text: asked.map((one) => `${one.class} ${one.set}.${one.property}`).join("; "),
      },
    },
    {
      command: "missing.colour",
      value: `${incomplete.length} elements lack a value`,
      viewer: [
        { op: "colorize", refs: incomplete, color: RED },
        { op: "select", refs: incomplete },
      ],
    },
    { idsValidator: "missing.required", value: model.of("IfcWall", "IfcDoor").map(verdict) },
  ];
};

const NAMING: Record<string, string> = {
  missing: "Has no name",
  blanks: "Stray blanks in the name",
  copy: "Looks like a copy",
  twice: "Name stands twice on one storey",
  "storey-twice": "Storey name stands twice in one building",
  "mark-twice": "Mark is used twice",
};

export const naming: Facts = (model) => {
  const openings = new Set(ids(model.of("IfcOpeningElement")));
  const all = model
    .of("IfcElement", "IfcSpace", "IfcBuildingStorey")
    .filter(({ id }) => !openings.has(id));
  /** The products whose key another one has as well; undefined is no key. */
  const twice = (some: Product[], key: (one: Product) => unknown[] | undefined): Set<number> => {
    const keyed = some.filter((one) => key(one) !== undefined);
    const groups = [...grouped(keyed, (one) => JSON.stringify(key(one))).values()];
    return new Set(groups.filter(({ length }) => length > 1).flatMap(ids));
  };
  const rooms = twice(model.of("IfcSpace"), (room) =>
    room.name ? [model.storeyOf(room)?.id, room.name] : undefined,
  );
  const storeys = twice(model.of("IfcBuildingStorey"), (storey) =>
    storey.name ? [model.wholeOf(storey), storey.name] : undefined,
  );
  const marks = twice(all, ({ type, tag }) => (tag ? [type, tag] : undefined));
  const broken = all.flatMap((one) => {
    const name = one.name ?? "";
    const word = name.toLowerCase().split(/[^a-zà-ÿ]+/);
    const breaks: Record<string, boolean> = {
      missing: name.trim() === "",
      blanks: name.trim() !== "" && (name !== name.trim() || /\s{2}/.test(name)),
      copy:
        ["copy", "kopia", "kopie"].some((copy) => word.includes(copy)) || /\(\d+\)\s*$/.test(name),
      twice: rooms.has(one.id),
      "storey-twice": storeys.has(one.id),
      "mark-twice": marks.has(one.id),
    };
    const rules = Object.keys(NAMING).filter((rule) => breaks[rule]);
    return rules.length === 0 ? [] : [{ one, name: name || "(no name)", rules }];
  });
  const rules = [...new Set(broken.flatMap((found) => found.rules))].map((id) => {
    const found = broken.filter((one) => one.rules.includes(id));
    return { id, rule: NAMING[id], count: found.length, first: found[0].name };
  });
  const messages = new Map(
    broken.map((found) => [found.one.id, found.rules.map((id) => NAMING[id])]),
  );
  return [
    {
      command: "naming.check",
      value: {
        rows: broken.map(({ one, name, rules: ids }) => ({
          name,
          type: one.type,
          storey: model.storeyOf(one)?.name ?? "",
          rule: ids.map((id) => NAMING[id]).join("; "),
          ...refOf(one),
        })),
        rules,
        broken: broken.length,
        title: `${broken.length} of ${all.length} elements break a rule`,
      },
    },
    { command: "naming.select", viewer: [{ op: "select", refs: broken.map(({ one }) => one.id) }] },
    ...rules.slice(-1).map(({ id }) => ({
      command: "naming.select",
      args: { row: { id } },
      viewer: [
        {
          op: "select",
          refs: broken.filter((found) => found.rules.includes(id)).map(({ one }) => one.id),
        },
      ],
    })),
    {
      idsValidator: "naming.names",
      value: model.of("IfcElement").map((one) => answer(one, messages.get(one.id) ?? [])),
    },
  ];
};

export const rules: Facts = (model) => {
  const usual: [type: string, member: string, rule: string, holds: (value: Value) => boolean][] = [
    ["IfcWall", "Pset_WallCommon.IsExternal", "exists", () => true],
    ["IfcDoor", "Pset_DoorCommon.IsExternal", "exists", () => true],
    [
      "IfcWall",
      "Pset_WallCommon.FireRating",
      "matches ^(R?E?I?2?|F|T) ?[0-9]+",
      (value) => /^(R?E?I?2?|F|T) ?[0-9]+/.test(String(value)),
    ],
    ["IfcDoor", "Qto_DoorBaseQuantities.Width", "min 0.8", (value) => Number(value) >= 0.8],
  ];
  const results = usual.map(([type, member, rule, holds]) => {
    const [set, name] = member.split(".");
    const elements = model.of(type);
    const broken = elements.filter((element) => {
      const sets = set.startsWith("Qto_") ? [set, "BaseQuantities"] : [set];
      const measured = sets.map((one) => model.inMetres(element, one, name));
      const value = first(model.property(element, set, name), ...measured);
      return value === null || value === "" || !holds(value);
    });
    return { text: `${type} ${member} ${rule}`, elements, broken };
  });
  const failing = results.filter(({ broken }) => broken.length > 0);
  const findings = results.flatMap(({ text: rule, broken }) =>
    broken.map((one) => ({
      rule,
      type: one.type,
      name: one.name,
      globalId: one.globalId,
      storey: model.storeyOf(one)?.name ?? "",
    })),
  );
  const select = (some: typeof results, args?: unknown): Call => ({
    command: "rules.select",
    args,
    viewer: [{ op: "select", refs: some.flatMap(({ broken }) => ids(broken)) }],
  });
  return [
    {
      command: "rules.check",
      value: {
        rows: results.map(({ text: rule, elements, broken }) => ({
          rule,
          checked: elements.length,
          broken: broken.length,
          percent: elements.length ? 1 - broken.length / elements.length : null,
        })),
        title: `${failing.length} of ${results.length} rules are broken`,
        source:
          "Rules of the extension. Attach rules.csv with class, set, property, rule, value to bring your own.",
      },
    },
    select(results),
    select(results.slice(2, 3), { row: { rule: results[2].text } }),
    {
      command: "rules.save",
      value: `${findings.length} findings saved`,
      exports: [
        {
          filename: "rule-findings.csv",
          text: csv(findings, [
            ["rule", "Rule"],
            ["type", "Class"],
            ["name", "Name"],
            ["globalId", "GlobalId"],
            ["storey", "Storey"],
          ]),
        },
      ],
    },
    {
      idsValidator: "rules.validator",
      value: model.of("IfcWall", "IfcDoor").map((one) =>
        answer(
          one,
          results
            .filter(({ broken }) => broken.some(({ id }) => id === one.id))
            .map((found) => found.text),
        ),
      ),
    },
  ];
};

const COLOURS = [
  "#4477aa",
  "#ee6677",
  "#228833",
  "#ccbb44",
  "#66ccee",
  "#aa3377",
  "#8c564b",
  "#bbbbbb",
];

export const storeys: Facts = (model) => {
  const elements = model.of("IfcElement");
  const on = (storey: Product | null): Product[] =>
    elements.filter((one) => model.storeyOf(one)?.id === storey?.id);
  const groups = [
    ...model.storeys.map((storey, at) => ({
      storey: storey.name ?? "",
      color: COLOURS[at % COLOURS.length],
      elements: on(storey),
    })),
    { storey: "On no storey", color: "#777777", elements: on(null) },
  ].filter((group) => group.elements.length > 0);
  const rows = groups.map(({ storey, color, elements: some }) => ({
    storey,
    color,
    count: some.length,
  }));
  const painted = groups.map(({ color, elements: some }) => ({
    op: "colorize",
    refs: ids(some),
    color,
  }));
  const labelled = painted.map((one, at) => ({ ...one, label: groups[at].storey }));
  return [
    { command: "storeys.legend", value: { rows } },
    { command: "storeys.paint", value: `${groups.length} storeys coloured`, viewer: painted },
    { command: "storeys.reset", viewer: [{ op: "resetColors" }] },
    ...groups.slice(-2).map(({ storey, color, elements: some }) => ({
      command: "storeys.select",
      args: { row: { storey, color } },
      viewer: [{ op: "select", refs: ids(some) }],
    })),
    {
      lens: "storeys.lens",
      value: groups.flatMap(({ storey, color, elements: some }) =>
        some.map((one) => ({ ref: refOf(one), color, label: storey })),
      ),
      viewer: labelled,
    },
  ];
};

/** A property, else a quantity of that name. */
const given = (model: ForeignModel, of: Product, set: string, name: string): Value =>
  first<Value>(model.property(of, set, name), model.quantity(of, set, name));

const answer = (element: Product, messages: string[]) => ({
  ref: refOf(element),
  ok: messages.length === 0,
  ...(messages.length > 0 ? { message: messages.join("; ") } : {}),
});

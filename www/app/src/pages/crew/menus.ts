/** The menus of the crew pages: what can be done to a package, a part, a node. */
import { NODE_TYPES } from "@holdpoint/core/crew";
import { type MenuItem, t } from "@holdpoint/elements";
import { typeWord } from "@holdpoint/elements/crew/shapes";
import type { Part } from "@holdpoint/elements/crew/view";
import type { Opened } from "./opened.js";
import type { WorkflowEditor } from "./workflow.js";

export function packageItems(id: string, offline: boolean, open: boolean): MenuItem[] {
  const first: MenuItem[] = open
    ? [{ id: "package:export", label: t("crew.export"), icon: "down" }]
    : [{ id: `package:open:${id}`, label: t("crew.open"), icon: "crew" }];
  return [
    ...first,
    { id: `package:rename:${id}`, label: t("crew.rename"), icon: "pen", off: offline },
    { id: `package:duplicate:${id}`, label: t("crew.duplicate"), icon: "copy", off: offline },
    "line",
    {
      id: `package:delete:${id}`,
      label: t("crew.delete"),
      icon: "trash",
      danger: true,
      off: offline,
    },
  ];
}

export function partItems(what: Part, key: string, opened: Opened, offline: boolean): MenuItem[] {
  const { workflows, agents } = opened.pack;
  const one = `${what}:${key}`;
  const remove = (off: boolean, sub = ""): MenuItem => ({
    id: `part:delete:${one}`,
    label: t("crew.delete"),
    icon: "trash",
    danger: true,
    off,
    ...(sub ? { sub } : {}),
  });
  if (what === "asset") return [remove(false)];
  const duplicate: MenuItem = {
    id: `part:duplicate:${one}`,
    label: t("crew.duplicate"),
    icon: "copy",
    off: what === "workflow" && offline,
  };
  if (what === "agent") {
    const last = agents?.length === 1;
    return [duplicate, "line", remove(last, last ? t("crew.agent.last") : "")];
  }
  const last = workflows.length === 1;
  const first = workflows.find((flow) => flow.id === key)?.isDefault === true;
  return [
    { id: `part:rename:${one}`, label: t("crew.rename"), icon: "pen", off: offline },
    duplicate,
    {
      id: `part:default:${one}`,
      label: t("crew.workflow.default"),
      icon: "flag",
      off: offline || first,
    },
    "line",
    remove(last || offline, last ? t("crew.workflow.last") : ""),
  ];
}

export const addItems = (): MenuItem[] =>
  NODE_TYPES.map((type) => ({ id: `node:add:${type}`, label: typeWord(type), icon: "plus" }));

export function nodeItems(id: string, editor: WorkflowEditor): MenuItem[] {
  const { workflow } = editor;
  const starts = workflow?.graph?.entryNodeId === id;
  const only = workflow?.graph?.nodes.length === 1;
  const now = editor.node(id)?.type;
  return [
    {
      id: `node:start:${id}`,
      label: t(starts ? "crew.node.starts" : "crew.node.start"),
      icon: "flag",
      off: starts,
    },
    "line",
    ...NODE_TYPES.filter((type) => type !== now).map(
      (type): MenuItem => ({
        id: `node:type:${type}:${id}`,
        label: t("crew.node.type", { type: typeWord(type).toLowerCase() }),
        icon: "again",
      }),
    ),
    "line",
    { id: `node:delete:${id}`, label: t("crew.delete"), icon: "trash", danger: true, off: only },
  ];
}

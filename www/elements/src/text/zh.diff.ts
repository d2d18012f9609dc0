/** Chinese texts of a diff. */
import type { diff as english } from "./en.diff.js";
import type { Chinese } from "./translation.js";

export const diff = {
  "diff.place": "第 {n} 处，共 {of} 处",
  "diff.place.short": "第 {n} 处",
  "diff.lines": "第 {from}–{to} 行",
  "diff.fold": "{n} 行未更改",
  "diff.more": "再显示 {n} 行",
  "diff.more.places": "再显示 {n} 处",
  "diff.passed": "{n} 行与之前相同",
  "diff.caption.split": "第 {n} 处，{path}。左侧为现在，右侧为提案",
  "diff.caption.uni": "第 {n} 处，{path}，单栏",
  "diff.caption.one": "{path}，{status}",
  "diff.changed": "之后有更改",
  "diff.file.fold": "折叠 {path}",
  "diff.file.added": "新增",
  "diff.file.deleted": "删除",
  "diff.file.renamed": "重命名",
  "diff.file.modified": "更改",
  "diff.now": "现在",
  "diff.proposed": "提案",
  "diff.layout": "更改的布局",
  "diff.layout.split": "并排",
  "diff.layout.uni": "单栏",
  "diff.too_large": "文本太大，无法在这里比较。",
  "diff.take": "采用",
  "diff.leave": "不采用",
  "diff.mine": "我的",
  "diff.theirs": "对方的",
} as const satisfies Chinese<typeof english>;

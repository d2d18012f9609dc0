/** Chinese texts that pages of scripts share with crew packages. */
import type { script as english } from "./en.script.js";
import type { Chinese, Groups } from "./translation.js";

type Covered =
  | "error"
  | "script.page"
  | "script.places"
  | "script.files.n"
  | "script.count"
  | "script.offline"
  | "script.applied.stamp"
  | "script.applied.label"
  | "script.reason.line"
  | "script.tools.again";

export const script = {
  "script.page": "脚本",
  "script.places": "{n} 项更改",
  "script.files.n": "{n} 个文件",
  "script.count": "{files}，{places}",
  "script.offline": "保留在这台设备上",
  "script.offline.text": "手动编辑、检查、比较和撤销照常可用。",
  "script.offline.ask": "提问、保存和应用需要联网；你的文字保留在这台设备上。",
  "script.applied.stamp": "已应用",
  "script.applied.label": "已应用的内容",
  "script.reason.line": "第 {n} 行",
  "script.tools.again": "重试",
  "error.SCRIPT_UPLOAD_TOO_LARGE": "一个脚本的所有文件合计最多 1 MiB。",
  "error.SCRIPT_UPLOAD_UNREAD": "请选择 tool.py 或 ZIP 压缩包：此文件两者都不是，或已损坏。",
  "error.SCRIPT_UPLOAD_NO_SCRIPT": "里面没有 tool.py。",
  "error.SCRIPT_UPLOAD_TWICE": "脚本的一个文件在里面出现了两次。",
  "error.SCRIPT_UPLOAD_NO_TEXT": "里面有文件不是 UTF-8 文本。",
} as const satisfies Chinese<Groups<typeof english, Covered>>;

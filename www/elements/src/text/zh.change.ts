/** Chinese texts of what the change column shares with crew packages. */
import type { change as english } from "./en.change.js";
import type { Chinese, Groups } from "./translation.js";

type Covered =
  | "word"
  | "period"
  | "cost.left"
  | "over.never"
  | "over.resets"
  | "over.helps"
  | "over.ask"
  | "plan.hold"
  | "review.files"
  | "review.verdict";

export const change = {
  "cost.left": "剩余",
  "over.never": "这个预算不会自动重置。",
  "over.resets": "重置",
  "over.helps": "少要一些、使用自己的模型密钥，或请人提高预算。",
  "over.ask": "申请更多额度",
  "period.minute": "这一分钟",
  "period.day": "今天",
  "period.month": "本月",
  "period.total": "总计",
  "plan.hold.point": "停止点。",
  "plan.hold": "在你批准计划之前，不会写入任何内容。",
  "review.files": "{n} 个文件",
  "review.verdict.clean": "可以应用",
  "review.verdict.confirm": "可以应用，请检查",
  "review.verdict.reject": "不能应用",
  "review.verdict.stale": "已过期",
  "word.what": "发生了什么",
  "word.kept": "保留的内容",
  "word.cost": "费用",
  "word.next": "接下来",
  "word.helps": "怎么办",
} as const satisfies Chinese<Groups<typeof english, Covered>>;

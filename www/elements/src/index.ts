/** Registers every element and gives the types that a host fills. */
import "./change/workbench.js";
import "./dock/dock.js";
import "./dock/widget-panel.js";
import "./ids/checks.js";
import "./model/elements.js";
import "./model/models.js";
import "./model/open.js";
import "./model/properties.js";
import "./model/tree.js";
import "./shell/budget.js";
import "./shell/copy.js";
import "./shell/examples.js";
import "./shell/extensions.js";
import "./shell/menu.js";
import "./shell/notice.js";
import "./shell/palette.js";
import "./shell/popover.js";
import "./shell/question.js";
import "./shell/separator.js";
import "./shell/sign-in.js";
import "./shell/toast.js";
import "./view3d/view3d.js";

export { HpElement } from "./base/element.js";
export type { ExportAsk, ExportTable } from "./base/export-table.js";
export { focused } from "./base/focused.js";
export * as format from "./base/format.js";
export { type IconName, icon } from "./base/icons.js";
export { LATE_MS } from "./base/late.js";
export { heads } from "./base/sheets.js";
export { badges, buttons, forms, ground } from "./base/styles.js";
export { type ChangeLine, type HistoryView, pair } from "./change/compare.js";
export type { Purse } from "./change/cost.js";
export {
  type DriftAct,
  type DriftAsk,
  type DriftCause,
  type DriftLine,
  type DriftOutcome,
  type DriftView,
  driftNotice,
} from "./change/drift-view.js";
export type { LogChange, LogView } from "./change/log-view.js";
export type { PromotingView } from "./change/promote.js";
export {
  type ChangeState,
  type ChangeView,
  cancelledAs,
  changeState,
  failedAs,
  openPoints,
  road,
  type TrialView,
  type WaitReason,
} from "./change/view.js";
export type { WishesView } from "./change/wishes.js";
export type { Workbench } from "./change/workbench.js";
export type { WrongField, WrongView } from "./change/wrong.js";
export type { Node as WidgetNode } from "./dock/nodes.js";
export type { PanelView } from "./dock/widget-panel.js";
export type { Checks } from "./ids/checks.js";
export type { CheckKind, ChecksAsk, ChecksView, ReportView } from "./ids/view.js";
export type { Colouring, Elements, ShownColumn } from "./model/elements.js";
export type { ModelLine, ModelsAsk } from "./model/models.js";
export type { OpenView } from "./model/open.js";
export type { SavedAsk } from "./model/saved.js";
export type { FootAction } from "./review/approval.js";
export type { GrantView } from "./review/grants.js";
export type { ExampleLine, ExamplesView } from "./shell/examples.js";
export type { InstalledView, OfferKind } from "./shell/extensions.js";
export type { MenuItem } from "./shell/menu.js";
export type { VerdictView } from "./shell/verdicts.js";
export type { Example, Reading, Turn, Wanted } from "./talk/view.js";
export {
  english,
  has,
  type Language,
  language,
  languages,
  locale,
  onLanguage,
  type Params,
  preferred,
  setLanguage,
  type TextKey,
  t,
} from "./text/index.js";
export { detailed, type Failing, refusal } from "./text/refusal.js";
export { hinted, permission, said } from "./text/said.js";
export type { ContextSlot, NotDrawn, View3d, View3dAct } from "./view3d/view.js";
export type { View3dElement } from "./view3d/view3d.js";

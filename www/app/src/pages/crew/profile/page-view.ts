/** The page of one's own model as one value: the model, and the shell around it. */
import type { ModelProfileView } from "@holdpoint/elements/crew/model-profile/view";
import type { ShellView } from "../../../shell-view.js";

export interface ProfilePageView extends ShellView {
  profile: ModelProfileView;
  budgetOpen: boolean;
}

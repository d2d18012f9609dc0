/** The way to one's own model, from the account menu of every crew page. */
import { type MenuItem, t } from "@holdpoint/elements";

export const PROFILE = "/crew/profile";

/** The shell goes to what `page:` names. */
export const ownModel = (): MenuItem => ({
  id: `page:${PROFILE}`,
  label: t("profile.title"),
  icon: "chat",
});

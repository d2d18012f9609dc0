/** What a version is called beside another one: the name that a person gave it, else its time. */
import { when } from "../base/format.js";
import type { VersionLine } from "./view.js";

export const versionName = (line: VersionLine, now: number): string =>
  line.title && !line.auto ? line.title : when(line.at, now);

/** A file from the device in an app: text as it is, of all else the bytes go to the edge and the project names them. */
import { t } from "@holdpoint/elements";
import { type Around, refused } from "./around.js";
import { isText, pointerText, publicPath } from "./binary.js";

export async function uploaded(
  around: Around,
  app: string,
  file: File,
): Promise<{ path: string; text: string } | null> {
  const path = publicPath(file.name);
  try {
    if (isText(file.name)) return { path, text: await file.text() };
    const { blob, bytes } = await around.api.upload(app, file);
    around.done();
    around.toast(t("apps.uploaded", { path }), t("apps.uploaded.use", { path }));
    return { path, text: pointerText(blob, bytes) };
  } catch (error) {
    refused(around, "upload", error);
    return null;
  }
}

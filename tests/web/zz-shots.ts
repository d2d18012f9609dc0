import { openGallery } from "./gallery.ts";

const gallery = await openGallery();
const [names, widths, themes, lang] = process.argv.slice(2);
for (const theme of (themes ?? "light").split(","))
  for (const width of (widths ?? "1440").split(",").map(Number))
    for (const state of names.split(",")) {
      const page = await gallery.opened(state, { width, theme, lang: lang ?? "en" });
      page.setDefaultTimeout(8000);
      if (state === "search") {
        await page.locator("hp-find input").focus();
        await page.waitForTimeout(200);
      }
      if (state === "commands") {
        await page.locator("hp-palette input").fill("fire");
        await page.waitForTimeout(200);
      }
      await page.waitForTimeout(400);
      await page.screenshot({ path: `/tmp/viewer/${state}-${width}-${theme}.png` });
      await page.context().close();
    }
await gallery.stop();

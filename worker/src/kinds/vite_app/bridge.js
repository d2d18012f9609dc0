// Runs first in the document of a preview: tells the console of errors, of the place, and of what a person points at.
(() => {
  const MOST = 200;
  const cut = (text) => String(text ?? "").slice(0, MOST);
  // Whoever shows the preview is who may frame it, which the policy of the document says.
  const tell = (message) =>
    parent !== window && parent.postMessage({ holdpoint: "preview", ...message }, "*");
  const root = document.currentScript.src.replace(/[^/]*$/, "");
  const counts = new Map();
  const failed = (message, file, line, column) => {
    const asset = file?.startsWith(root) ? file.slice(root.length) : "";
    const key = `${message} ${asset} ${line} ${column}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    tell({ kind: "error", message: cut(message), asset: cut(asset), line, column, count });
  };
  addEventListener("error", (event) =>
    failed(event.message, event.filename, event.lineno, event.colno),
  );
  addEventListener("unhandledrejection", ({ reason }) => {
    // The place is told by the first line of the stack that is the app's own.
    const lines = String(reason?.stack ?? "").match(/https?:\S+:\d+:\d+/g) ?? [];
    const [, file, line, column] =
      /^(.*):(\d+):(\d+)$/.exec(lines.find((one) => one.startsWith(root)) ?? "") ?? [];
    failed(reason?.message ?? reason, file ?? "", Number(line ?? 0), Number(column ?? 0));
  });
  const place = () => tell({ kind: "place", hash: cut(location.hash) });
  addEventListener("hashchange", place);
  addEventListener("load", place);

  // Where the browser keeps nothing for a frame of another site, an app that asks for storage throws.
  const stores = () => {
    try {
      return Boolean(localStorage);
    } catch {
      return false;
    }
  };
  if (!stores()) tell({ kind: "storage" });

  let picking = false;
  const pointing = (on) => {
    picking = on;
    document.documentElement.style.cursor = on ? "crosshair" : "";
  };
  const pick = (event) => {
    if (!picking) return;
    event.preventDefault();
    event.stopPropagation();
    const element = event.target;
    tell({
      kind: "picked",
      tag: cut(element.tagName?.toLowerCase()),
      text: cut(element.textContent?.trim()),
      classes: cut(element.className?.baseVal ?? element.className),
    });
    pointing(false);
  };
  addEventListener("click", pick, true);
  // Esc ends it, and the app hears nothing of that.
  const leave = (event) => {
    if (!picking || event.key !== "Escape") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pointing(false);
    tell({ kind: "left" });
  };
  addEventListener("keydown", leave, true);
  addEventListener("message", (event) => {
    if (event.source !== parent || event.data?.holdpoint !== "console") return;
    if (event.data.kind === "pick") pointing(event.data.on === true);
    if (event.data.kind === "route" && typeof event.data.hash === "string")
      location.hash = cut(event.data.hash);
  });
})();

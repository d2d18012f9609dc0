/** A run in a Web Worker: the driver of `wasm-check-extension`, whose host is the page. */

import { initSync, RunDriver, type RunHost } from "../../wasm/check-extension/check-extension.js";
import type { Files, InstallConfirmation, Json, RunView } from "../types.ts";
import type { FromRun, RunFacts, RunQuestion, ScriptCall, ToRun } from "./protocol.ts";

declare const self: {
  postMessage(message: FromRun): void;
  onmessage: ((event: MessageEvent<ToRun>) => void) | null;
};

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const waiting = new Map<number, Waiting>();
let asked = 0;
let driver: RunDriver | undefined;
let drawing = false;

const tell = (message: FromRun): void => self.postMessage(message);

function ask<T>(question: RunQuestion): Promise<T> {
  return new Promise((resolve, reject) => {
    const id = asked++;
    waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    tell({ tell: "asks", id, ...question });
  });
}

function moved(): void {
  if (driver)
    tell({ tell: "moved", view: driver.view() as RunView, facts: driver.facts() as RunFacts });
}

const host: RunHost = {
  token: () => ask({ ask: "token" }),
  session: () => ask({ ask: "session" }),
  test: (files) => ask({ ask: "test", files: files as Files }),
  script: (call) => ask({ ask: "script", ...(call as ScriptCall) }),
  apply: (view, confirmation) =>
    ask({
      ask: "apply",
      view: view as RunView,
      confirmation: confirmation as InstallConfirmation,
    }),
  save: (events, gatewayRun) => ask({ ask: "save", events: events as Json[], gatewayRun }),
  changed: () => {
    // The machine calls this in the middle of a step: what is drawn is read when it is done.
    if (drawing) return;
    drawing = true;
    queueMicrotask(() => {
      drawing = false;
      moved();
    });
  },
};

type Start = Extract<ToRun, { do: "start" }>;

function started({ module, kind, base, stored, trapped }: Start): RunDriver {
  initSync({ module });
  return stored
    ? RunDriver.restore(kind, stored.base, stored.events, stored.gateway_run, trapped, host)
    : new RunDriver(kind, base, host);
}

function take(message: ToRun): void {
  if (message.do === "start") {
    driver = started(message);
    moved();
  } else if (message.do === "send") {
    driver?.send(message.event);
    moved();
    tell({ tell: "sent", id: message.id });
  } else if (message.do === "signed_in") {
    driver?.signed_in();
  } else if (message.do === "dispose") {
    driver?.dispose();
  } else {
    const asker = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.do === "answer") asker?.resolve(message.value);
    else asker?.reject(new Error(message.message));
  }
}

self.onmessage = ({ data }: MessageEvent<ToRun>) => {
  try {
    take(data);
  } catch (error) {
    // A value of the wrong shape is refused by the glue; everything else has lost the instance.
    if (error instanceof TypeError && data.do === "send") {
      tell({ tell: "refused", id: data.id, message: error.message });
    } else {
      tell({ tell: "trapped", message: String(error) });
    }
  }
};

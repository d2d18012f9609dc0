/** Unpacks one IFCZIP file, in a worker of its own: cancel is its end. */

import { unpack } from "./ifczip.ts";
import type { Unpacked } from "./unpacking.ts";

declare const self: {
  postMessage(message: Unpacked): void;
  onmessage: ((event: MessageEvent<Blob>) => void) | null;
};

self.onmessage = ({ data }) => {
  unpack(data, (read, total) => self.postMessage({ read, total })).then(
    ({ name, bytes }) => self.postMessage({ name, file: new Blob([bytes]) }),
    (error) => self.postMessage({ error }),
  );
};

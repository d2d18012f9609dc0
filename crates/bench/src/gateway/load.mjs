// Sends calls over kept connections and tells how long they took.
import { Agent, request } from "node:http";

/** One call: milliseconds to the first byte of its body, which `begun` hears of, and to its end. */
export function call(agent, target, body, begun = () => {}) {
  return new Promise((done, failed) => {
    const since = performance.now();
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...target.headers,
    };
    const sent = request(target.url, { method: "POST", agent, headers }, (response) => {
      let first;
      let bytes = 0;
      response.on("data", (part) => {
        if (first === undefined) {
          first = performance.now() - since;
          begun();
        }
        bytes += part.length;
      });
      response.on("end", () => {
        if (response.statusCode !== 200)
          failed(new Error(`${target.name}: ${response.statusCode}`));
        else done({ first, whole: performance.now() - since, bytes });
      });
      response.on("error", failed);
    });
    sent.on("error", failed);
    sent.end(body);
  });
}

/** `count` calls over `connections` connections, each as soon as the one before it ended. */
export async function load(target, body, count, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const told = [];
  let left = count;
  const begun = performance.now();
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      told.push(await call(agent, target, body));
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - begun) / 1_000;
  agent.destroy();
  return { seconds, told };
}

/** The value under which `share` of all lie. */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

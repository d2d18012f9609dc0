/** Keys on the drawing: looking around, and picking what is in the middle. */
import type { Eye } from "./eye.js";

type Step = (eye: Eye) => void;

const turns: Record<string, readonly [number, number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** What a key does to the eye, or that it picks; null where it is none of these. */
export function command(event: KeyboardEvent): Step | "pick" | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "Enter" || event.key === " ") return "pick";
  if (event.key === "+" || event.key === "=") return (eye) => eye.zoom(true);
  if (event.key === "-") return (eye) => eye.zoom(false);
  const by = turns[event.key];
  if (!by) return null;
  return (eye) => (event.shiftKey ? eye.pan(...by) : eye.orbit(...by));
}

/**
 * The picture: what is drawn, in which look, and what lies under a point of it. Drawn when something changed and never
 * else. It knows no page, no texts and no file.
 */
import type { MeshBatch } from "@holdpoint/core/geometry";
import {
  AmbientLight,
  Color,
  DirectionalLight,
  DoubleSide,
  Group,
  MeshLambertMaterial,
  Plane,
  Raycaster,
  Scene,
  SRGBColorSpace,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderer,
} from "three";
import { Eye } from "./eye.js";
import { Fills } from "./fills.js";
import { Lines } from "./lines.js";
import { type Hit, type Part, Parts } from "./parts.js";

/** Colours of the page, as CSS says them. */
export interface Theme {
  mass: string;
  edge: string;
  glass: string;
  pick: string;
  pickEdge: string;
}

/** What of the elements is seen, by express id. */
export interface Look {
  selected: ReadonlySet<number>;
  hidden: ReadonlySet<number>;
  /** Drawn as a breath of themselves; a click goes through them. */
  ghosted: ReadonlySet<number>;
  /** Elements that are of glass where the file gives no colour. */
  glass: ReadonlySet<number>;
  /** Colours of an extension, as CSS says them. */
  paint: ReadonlyMap<number, string>;
}

/** A half space: what lies beyond the plane on its axis is cut away. */
export interface Section {
  axis: "x" | "y" | "z";
  /** Where the plane stands between the ends of the model, 0 to 1. */
  share: number;
  /** Whether what lies before it is cut away instead. */
  flipped: boolean;
}

export type Spot = readonly [number, number];

/** Opacity of a ghost, and of glass that has none of its own. */
const GHOST = 0.1;
const GLASS = 0.45;
const MAX_PIXELS = 2;
const LOST = "webglcontextlost";
const RESTORED = "webglcontextrestored";
const axes = { x: 0, y: 1, z: 2 } as const;
const everything = new Vector4(0, 0, 0, 1);

type Drawn = { fill: "solid" | "clear" | null; key: string };

export class View {
  readonly parts = new Parts();
  readonly eye: Eye;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #group = new Group();
  readonly #solid: Fills;
  readonly #clear: Fills;
  readonly #lines: Lines;
  readonly #materials: MeshLambertMaterial[];
  readonly #drawn: (string | undefined)[] = [];
  #theme: Theme;
  #look: Look | null = null;
  #cut: Plane | null = null;
  #frame = 0;
  /** Pictures so far. */
  frames = 0;

  /** Throws where there is no WebGL. `after` is called after each picture, `lost` when the device takes it away. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    theme: Theme,
    private readonly after: () => void,
    lost: (gone: boolean) => void,
  ) {
    this.#theme = theme;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.#renderer.localClippingEnabled = true;
    this.eye = new Eye(canvas, () => this.draw());
    const material = (clear: boolean) =>
      new MeshLambertMaterial({
        side: DoubleSide,
        flatShading: true,
        transparent: clear,
        depthWrite: !clear,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      });
    this.#materials = [material(false), material(true)];
    const [solid, clear] = this.#materials as [MeshLambertMaterial, MeshLambertMaterial];
    this.#solid = new Fills(this.#group, solid, false);
    this.#clear = new Fills(this.#group, clear, true);
    this.#lines = new Lines(this.#group);
    this.#scene.add(this.#group, ...lights());
    canvas.addEventListener(LOST, () => lost(true));
    canvas.addEventListener(RESTORED, () => {
      lost(false);
      this.draw();
    });
    this.paint(theme);
  }

  paint(theme: Theme): void {
    this.#theme = theme;
    const drawn = (css: string): Color => new Color(css).convertLinearToSRGB();
    this.#lines.paint(drawn(theme.edge), drawn(theme.pickEdge));
    this.#drawn.length = 0;
    if (this.#look) this.look(this.#look);
    this.draw();
  }

  add(batch: MeshBatch): void {
    const added = this.parts.add(batch);
    if (added.length === 0) return;
    this.#lines.add(added);
    for (const part of added) this.#show(part);
    if (this.parts.bounds) this.eye.reach(this.parts.bounds);
    this.draw();
  }

  look(look: Look): void {
    this.#look = look;
    for (const part of this.parts.all) this.#show(part);
    this.draw();
  }

  /** Fits these elements, or everything that is seen. */
  fit(ids: readonly number[] | null): void {
    const parts = ids ? ids.flatMap((id) => this.parts.of(id)) : [];
    const seen = this.parts.all.filter((part) => this.#isSeen(part));
    const box = this.parts.box(parts.length > 0 ? parts : seen);
    if (box) this.eye.fit(box);
    this.draw();
  }

  /** Where a plane stands on its axis, in metres from the origin of the geometry. */
  level({ axis, share }: Section): number {
    const k = axes[axis];
    const box = this.parts.bounds ?? [];
    const [low, high] = [box[k] ?? 0, box[k + 3] ?? 0];
    return low + (high - low) * share + (this.parts.origin[k] ?? 0);
  }

  section(section: Section | null): void {
    this.#cut = section
      ? planeOf(section, this.level(section) - (this.parts.origin[axes[section.axis]] ?? 0))
      : null;
    for (const material of this.#materials) {
      material.clippingPlanes = this.#cut ? [this.#cut] : null;
      material.needsUpdate = true;
    }
    const { normal, constant } = this.#cut ?? {};
    this.#lines.cut(normal ? new Vector4(...normal.toArray(), constant) : everything);
    this.draw();
  }

  /** What lies under a point of the canvas, in CSS pixels. */
  pick([x, y]: Spot): Hit | null {
    const { clientWidth, clientHeight } = this.canvas;
    const at = new Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2);
    const caster = new Raycaster();
    this.eye.camera.updateMatrixWorld();
    caster.setFromCamera(at, this.eye.camera);
    const { origin, direction } = caster.ray;
    return this.parts.pick(
      { origin: origin.toArray(), direction: direction.toArray() },
      (part, point) =>
        this.#isSeen(part) && (this.#cut?.distanceToPoint(new Vector3(...point)) ?? 0) >= 0,
    );
  }

  /** Where a place is drawn, in CSS pixels; null where it lies behind. */
  spot(place: readonly [number, number, number]): Spot | null {
    const at = new Vector3(...place).project(this.eye.camera);
    if (at.z > 1) return null;
    const { clientWidth, clientHeight } = this.canvas;
    return [((at.x + 1) / 2) * clientWidth, ((1 - at.y) / 2) * clientHeight];
  }

  resize(width: number, height: number): void {
    this.#renderer.setPixelRatio(Math.min(MAX_PIXELS, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.eye.resize(width, height);
    this.draw();
  }

  /** Draws with the next frame, once. */
  draw(): void {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.frames += 1;
      this.eye.focus();
      this.#renderer.render(this.#scene, this.eye.camera);
      this.after();
    });
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.eye.dispose();
    this.#solid.dispose();
    this.#clear.dispose();
    this.#lines.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  #isSeen({ id }: Part): boolean {
    return !this.#look?.hidden.has(id) && !this.#look?.ghosted.has(id);
  }

  /** Brings a part into its look where that is another one than before. */
  #show(part: Part): void {
    const rgba = this.#rgba(part);
    const drawn: Drawn = rgba
      ? { fill: rgba[3] < 1 ? "clear" : "solid", key: rgba.join(" ") }
      : { fill: null, key: "" };
    if (this.#drawn[part.n] === drawn.key) return;
    this.#drawn[part.n] = drawn.key;
    if (drawn.fill !== "solid") this.#solid.hide(part);
    if (drawn.fill !== "clear") this.#clear.hide(part);
    if (rgba) (drawn.fill === "solid" ? this.#solid : this.#clear).show(part, rgba);
    this.#lines.look(part, this.#lineOf(part));
  }

  #lineOf({ id }: Part): "none" | "plain" | "faint" | "picked" {
    const look = this.#look;
    if (look?.hidden.has(id)) return "none";
    if (look?.ghosted.has(id)) return "faint";
    return look?.selected.has(id) ? "picked" : "plain";
  }

  /** Colour and opacity in the space that light is reckoned in; null: it is not drawn. */
  #rgba({ id, colour }: Part): [number, number, number, number] | null {
    const look = this.#look;
    const { mass, glass, pick } = this.#theme;
    if (look?.hidden.has(id)) return null;
    if (look?.ghosted.has(id)) return [...linear(mass), GHOST];
    if (look?.selected.has(id)) return [...linear(pick), 1];
    const painted = look?.paint.get(id);
    if (painted !== undefined) return [...linear(painted), 1];
    if (colour && look?.paint.size === 0) {
      const [r, g, b, a] = colour;
      return [...(new Color().setRGB(r, g, b, SRGBColorSpace).toArray() as Three), a];
    }
    return look?.glass.has(id) ? [...linear(glass), GLASS] : [...linear(mass), 1];
  }
}

type Three = [number, number, number];

const known = new Map<string, Three>();

function linear(css: string): Three {
  const before = known.get(css);
  if (before) return before;
  const made = new Color(css).toArray() as Three;
  known.set(css, made);
  return made;
}

/** From above most, from the left less, from the right least: the three sides of a mass tell apart. */
function lights() {
  const all = new AmbientLight(0xffffff, Math.PI * 0.66);
  const above = new DirectionalLight(0xffffff, Math.PI * 0.3);
  above.position.set(-0.15, -0.35, 1);
  const left = new DirectionalLight(0xffffff, Math.PI * 0.16);
  left.position.set(-0.8, -1, 0.1);
  return [all, above, left];
}

function planeOf({ axis, flipped }: Section, at: number): Plane {
  const normal = new Vector3().setComponent(axes[axis], flipped ? 1 : -1);
  return new Plane(normal, flipped ? -at : at);
}

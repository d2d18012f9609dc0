/** Where one looks from: orbit, pan and zoom by pointer or keys, and fitting to a box. Metres, Z up. */
import { Box3, MOUSE, PerspectiveCamera, Sphere, Spherical, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** Degrees from the lower to the upper edge of the picture: narrow, so that upright lines stay nearly upright. */
const FIELD = 30;
/** From where a model is looked at first: from the south-east and above. */
const FIRST = new Vector3(0.62, -0.78, 0.62).normalize();
/** Air around what is fitted. */
const AIR = 1.15;
/** Nobody comes nearer by fitting, in metres. */
const LEAST = 0.3;
/** A step of the keys: radians of orbit, share of the distance. */
const TURN = Math.PI / 24;
const STEP = 0.08;
const ZOOM = 1.2;

export class Eye {
  readonly camera = new PerspectiveCamera(FIELD, 1, 0.1, 1000);
  readonly controls: OrbitControls;
  /** Everything that is drawn, for near and far. */
  #all = new Sphere(new Vector3(), 1);

  constructor(canvas: HTMLElement, moved: () => void) {
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(FIRST).multiplyScalar(10);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", moved);
    this.drag("orbit");
  }

  /** What dragging with the first button or one finger does. */
  drag(how: "orbit" | "pan"): void {
    const pans = how === "pan";
    this.controls.mouseButtons = {
      LEFT: pans ? MOUSE.PAN : MOUSE.ROTATE,
      MIDDLE: MOUSE.PAN,
      RIGHT: pans ? MOUSE.ROTATE : MOUSE.PAN,
    };
    this.controls.touches = {
      ONE: pans ? TOUCH.PAN : TOUCH.ROTATE,
      TWO: TOUCH.DOLLY_PAN,
    };
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  /** What is drawn at all: nothing of it is cut off near or far. */
  reach(box: readonly number[]): void {
    boxOf(box).getBoundingSphere(this.#all);
  }

  /** Looks at a box from the same side as before. */
  fit(box: readonly number[]): void {
    const around = boxOf(box);
    const centre = around.getCenter(new Vector3());
    const from = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(from, this.#away(around, centre, from));
    this.controls.update();
  }

  /** How far away all corners of a box are in the picture. */
  #away(box: Box3, centre: Vector3, from: Vector3): number {
    const right = new Vector3().crossVectors(this.camera.up, from).normalize();
    const above = new Vector3().crossVectors(from, right);
    const high = Math.tan((FIELD * Math.PI) / 360) / AIR;
    const wide = high * this.camera.aspect;
    const { min, max } = box;
    let away = LEAST;
    for (const x of [min.x, max.x])
      for (const y of [min.y, max.y])
        for (const z of [min.z, max.z]) {
          const corner = new Vector3(x, y, z).sub(centre);
          const aside = Math.abs(corner.dot(right)) / wide;
          const up = Math.abs(corner.dot(above)) / high;
          away = Math.max(away, Math.max(aside, up) + corner.dot(from));
        }
    return away;
  }

  /** Before a picture: near and far as close as they may be. */
  focus(): void {
    const distance = this.camera.position.distanceTo(this.#all.center);
    const { radius } = this.#all;
    this.camera.near = Math.max((distance - radius) * 0.9, radius / 2000, 0.01);
    this.camera.far = (distance + radius) * 1.1;
    this.camera.updateProjectionMatrix();
  }

  /** A step by keys: turns around what is looked at. */
  orbit(right: number, up: number): void {
    const away = this.camera.position.clone().sub(this.controls.target);
    // Spherical counts from Y up.
    const at = new Spherical().setFromCartesianCoords(away.x, away.z, -away.y);
    at.theta += right * TURN;
    at.phi -= up * TURN;
    at.makeSafe();
    const to = new Vector3().setFromSpherical(at);
    this.camera.position.set(to.x, -to.z, to.y).add(this.controls.target);
    this.controls.update();
  }

  pan(right: number, up: number): void {
    const by = this.camera.position.distanceTo(this.controls.target) * STEP;
    const x = new Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const y = new Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    const move = x.multiplyScalar(right * by).addScaledVector(y, up * by);
    this.camera.position.add(move);
    this.controls.target.add(move);
    this.controls.update();
  }

  zoom(nearer: boolean): void {
    const { target } = this.controls;
    const away = this.camera.position.clone().sub(target);
    this.camera.position.copy(target).addScaledVector(away, nearer ? 1 / ZOOM : ZOOM);
    this.controls.update();
  }

  dispose(): void {
    this.controls.dispose();
  }
}

function boxOf(box: readonly number[]): Box3 {
  const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0] = box;
  return new Box3(new Vector3(ax, ay, az), new Vector3(bx, by, bz));
}

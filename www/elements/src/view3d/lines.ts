/** The edges of all parts as lines; a texture says which parts show theirs, and how. */
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DataTexture,
  GLSL3,
  type Group,
  LineSegments,
  RedFormat,
  ShaderMaterial,
  UnsignedByteType,
  Vector4,
} from "three";
import type { Part } from "./parts.js";

/** Parts in a row of the texture. */
const WIDTH = 1024;
/** Ends of lines beyond which no more are drawn: then the shading has to do. */
const MAX_ENDS = 6_000_000;

/** How a part's lines look: the values in the texture. */
export const lineLook = { none: 0, plain: 1, faint: 2, picked: 3 } as const;
export type LineLook = keyof typeof lineLook;

const vertexShader = `
  in float part;
  uniform sampler2D looks;
  flat out float look;
  out vec3 place;
  void main() {
    int n = int(part);
    look = texelFetch(looks, ivec2(n % ${WIDTH}, n / ${WIDTH}), 0).r * 255.0;
    place = position;
    gl_Position = look < 0.5
      ? vec4(2.0, 2.0, 2.0, 1.0)
      : projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
const fragmentShader = `
  flat in float look;
  in vec3 place;
  uniform vec3 edge;
  uniform vec3 picked;
  uniform vec4 cut;
  out vec4 colour;
  void main() {
    if (dot(place, cut.xyz) + cut.w < 0.0) discard;
    colour = look > 2.5 ? vec4(picked, 1.0) : vec4(edge, look > 1.5 ? 0.25 : 1.0);
  }`;

export class Lines {
  #looks = textureOf(1);
  #ends = 0;
  readonly #all: LineSegments[] = [];
  readonly #material = new ShaderMaterial({
    glslVersion: GLSL3,
    transparent: true,
    vertexShader,
    fragmentShader,
    uniforms: {
      looks: { value: this.#looks },
      edge: { value: null },
      picked: { value: null },
      cut: { value: new Vector4(0, 0, 0, 1) },
    },
  });

  constructor(private readonly group: Group) {}

  /** Colours of edges, and of those of what is selected, as the screen shows them. */
  paint(edge: Color, picked: Color): void {
    this.#set("edge", edge);
    this.#set("picked", picked);
  }

  /** The half space that is drawn: normal and distance. */
  cut(half: Vector4): void {
    this.#set("cut", half);
  }

  add(parts: readonly Part[]): void {
    const count = parts.reduce((sum, { shape }) => sum + shape.edges.length, 0);
    if (count === 0 || this.#ends + count > MAX_ENDS) return;
    this.#ends += count;
    const positions = new Float32Array(count * 3);
    const owners = new Float32Array(count);
    let at = 0;
    for (const { n, shape, at: place } of parts)
      for (const vertex of shape.edges) {
        for (let k = 0; k < 3; k += 1)
          positions[at * 3 + k] = (shape.positions[vertex * 3 + k] ?? 0) + (place[k] ?? 0);
        owners[at] = n;
        at += 1;
      }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("part", new BufferAttribute(owners, 1));
    const lines = new LineSegments(geometry, this.#material);
    lines.renderOrder = 1;
    this.group.add(lines);
    this.#all.push(lines);
  }

  look(part: Part, look: LineLook): void {
    if (part.n >= this.#looks.image.data.length) this.#grow(part.n);
    this.#looks.image.data[part.n] = lineLook[look];
    this.#looks.needsUpdate = true;
  }

  dispose(): void {
    for (const lines of this.#all) {
      lines.removeFromParent();
      lines.geometry.dispose();
    }
    this.#material.dispose();
    this.#looks.dispose();
  }

  #grow(n: number): void {
    const before = this.#looks;
    const rows = Math.max(before.image.height * 2, Math.ceil((n + 1) / WIDTH));
    this.#looks = textureOf(rows);
    this.#looks.image.data.set(before.image.data);
    before.dispose();
    this.#set("looks", this.#looks);
  }

  #set(name: string, value: unknown): void {
    const uniform = this.#material.uniforms[name];
    if (uniform) uniform.value = value;
  }
}

function textureOf(rows: number) {
  const data = new Uint8Array(WIDTH * rows);
  const texture = new DataTexture(data, WIDTH, rows, RedFormat, UnsignedByteType);
  texture.unpackAlignment = 1;
  return texture as DataTexture & { image: { data: Uint8Array; height: number } };
}

/** Meshes of an open model, element by element: loaded when the 3D view is opened first. */

export { type MeshEvents, type Meshing, mesh } from "./geometry/client.ts";
export type { MeshBatch, MeshFault, MeshGroup, MeshShape } from "./geometry/protocol.ts";

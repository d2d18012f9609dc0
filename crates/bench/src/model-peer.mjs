// npm `web-ifc` in a Web Worker, asked for what the viewer's own worker gives: lists, sets, meshes.
import * as webIfc from "/peer/web-ifc-api.js";

const api = new webIfc.IfcAPI();
const ready = api.Init((name) => `/peer/${name}`, true);
let id = 0;

const list = (type, inherited = false) => {
  const vector = api.GetLineIDsWithType(id, type, inherited);
  return Array.from({ length: vector.size() }, (_, at) => vector.get(at));
};

/** Tree and rows: lines of the relations, then names and GlobalIds of what they relate. */
function lists() {
  const lines = (type) => list(type).map((line) => api.GetLine(id, line));
  const parts = lines(webIfc.IFCRELAGGREGATES);
  const held = lines(webIfc.IFCRELCONTAINEDINSPATIALSTRUCTURE);
  const rows = list(webIfc.IFCPRODUCT, true).map((line) => {
    const { expressID, type, GlobalId, Name } = api.GetLine(id, line);
    const named = api.GetNameFromTypeCode(type);
    return { id: expressID, type: named, globalId: GlobalId?.value, name: Name?.value };
  });
  return { parts, held, rows };
}

function sets() {
  const known = new Map();
  for (const line of list(webIfc.IFCRELDEFINESBYPROPERTIES)) {
    const { value } = api.GetLine(id, line).RelatingPropertyDefinition;
    if (!known.has(value)) known.set(value, api.GetLine(id, value, true));
  }
  return known.size;
}

/** Tells of the first mesh and of the last. */
function meshes() {
  let triangles = 0;
  api.StreamAllMeshes(id, (mesh) => {
    for (let at = 0; at < mesh.geometries.size(); at += 1) {
      const shape = api.GetGeometry(id, mesh.geometries.get(at).geometryExpressID);
      api.GetVertexArray(shape.GetVertexData(), shape.GetVertexDataSize());
      const indices = api.GetIndexArray(shape.GetIndexData(), shape.GetIndexDataSize());
      if (triangles === 0) self.postMessage("first");
      triangles += indices.length / 3;
      shape.delete();
    }
  });
  return triangles;
}

const does = { lists, sets, meshes };

self.onmessage = async ({ data: { file, what } }) => {
  await ready;
  if (file) id = api.OpenModel(new Uint8Array(await file.arrayBuffer()));
  self.postMessage({ answer: does[what]() });
};

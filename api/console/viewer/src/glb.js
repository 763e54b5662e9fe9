// Reading the binary glTF (ISO/IEC 12113) that the converter writes: views into the one buffer, nothing copied.

const MAGIC = 0x46546c67, JSON_CHUNK = 0x4e4f534a;
const ARRAYS = { 5126: Float32Array, 5125: Uint32Array };
const SIZES = { SCALAR: 1, VEC3: 3 };

/** { bodies: [{ id, name, matrix, mesh }], meshes: [{ position, normal, face, index, lines: { position, index } | null }], missing: [id] } */
export function parse(buffer) {
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== 2) throw new Error("the mesh is not binary glTF 2; reload the page");
  const length = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK) throw new Error("the mesh has no description; reload the page");
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, length)));
  const start = 20 + length + 8;
  const accessor = (number) => {
    const { bufferView, componentType, count, type } = json.accessors[number];
    return new ARRAYS[componentType](buffer, start + json.bufferViews[bufferView].byteOffset, count * SIZES[type]);
  };
  const meshes = (json.meshes ?? []).map(({ primitives }) => {
    const [surface, edges] = [4, 1].map((mode) => primitives.find((one) => one.mode === mode));
    return {
      position: accessor(surface.attributes.POSITION), normal: accessor(surface.attributes.NORMAL), face: accessor(surface.attributes._FACE), index: accessor(surface.indices),
      lines: edges ? { position: accessor(edges.attributes.POSITION), index: accessor(edges.indices) } : null,
    };
  });
  const bodies = (json.nodes ?? []).map(({ extras, name, matrix, mesh }) => ({ id: extras.id, name, matrix, mesh }));
  return { bodies, meshes, missing: json.scenes[0].extras?.missing ?? [] };
}

// Cuts and packs a glTF file: node pack.mjs MODEL FOLDER BITS writes FOLDER/WAY.glb for each way below.
import { NodeIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import { draco, meshopt, quantize, unpartition } from "@gltf-transform/functions";
import draco3d from "draco3dgltf";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";

const [model, folder, bits] = process.argv.slice(2);
const packings = ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_mesh_quantization"];

function copyElements(document, accessor, from) {
  const size = accessor.getElementSize(), old = accessor.getArray();
  const array = new old.constructor(from.length * size);
  from.forEach((x, y) => array.set(old.subarray(x * size, (x + 1) * size), y * size));
  return document.createAccessor().setType(accessor.getType()).setArray(array).setNormalized(accessor.getNormalized())
    .setBuffer(document.getRoot().listBuffers()[0]);
}

// A primitive of some triangles of another, with vertices of its own.
function take(document, primitive, triangles) {
  const used = [...new Set(triangles.flat())], at = new Map(used.map((x, y) => [x, y]));
  const part = document.createPrimitive().setMaterial(primitive.getMaterial());
  for (const name of primitive.listSemantics())
    part.setAttribute(name, copyElements(document, primitive.getAttribute(name), used));
  for (const from of primitive.listTargets()) {
    const target = document.createPrimitiveTarget();
    for (const name of from.listSemantics())
      target.setAttribute(name, copyElements(document, from.getAttribute(name), used));
    part.addTarget(target);
  }
  const index = new Uint32Array(triangles.flat().map((x) => at.get(x)));
  return part.setIndices(document.createAccessor().setType("SCALAR").setArray(index)
    .setBuffer(document.getRoot().listBuffers()[0]));
}

// Parts of a primitive, its triangles in order along its longest side.
function cut(document, primitive, count) {
  const position = primitive.getAttribute("POSITION"), index = primitive.getIndices();
  const corners = index ? index.getCount() : position.getCount();
  if (primitive.getMode() !== 4 || corners < 3 * count) return [primitive];
  const low = position.getMinNormalized([]), high = position.getMaxNormalized([]);
  const axis = [0, 1, 2].reduce((a, k) => (high[k] - low[k] > high[a] - low[a] ? k : a), 0);
  const along = (triangle) => triangle.reduce((sum, x) => sum + position.getElement(x, [])[axis], 0);
  const triangles = [...Array(corners / 3).keys()]
    .map((t) => [0, 1, 2].map((k) => (index ? index.getScalar(3 * t + k) : 3 * t + k)))
    .map((triangle) => ({ triangle, at: along(triangle) }))
    .sort((a, b) => a.at - b.at)
    .map((x) => x.triangle);
  const border = (k) => Math.round((k * triangles.length) / count);
  return [...Array(count).keys()].map((k) => take(document, primitive, triangles.slice(border(k), border(k + 1))));
}

function twoObjects(document) {
  for (const node of document.getRoot().listNodes()) {
    const mesh = node.getMesh();
    if (!mesh) continue;
    const own = document.createMesh(mesh.getName()).setWeights(mesh.getWeights());
    const other = document.createMesh(mesh.getName() + " 2").setWeights(mesh.getWeights());
    for (const primitive of mesh.listPrimitives()) {
      const [first, second] = cut(document, primitive, 2);
      own.addPrimitive(first);
      if (second) other.addPrimitive(second);
    }
    node.setMesh(own);
    if (other.listPrimitives().length === 0) continue;
    const twin = document.createNode(node.getName() + " 2").setMesh(other).setSkin(node.getSkin());
    const up = node.getParentNode();
    if (!node.getSkin()) node.addChild(twin);
    else if (up) up.addChild(twin.setMatrix(node.getMatrix()));
    else document.getRoot().listScenes()[0].addChild(twin.setMatrix(node.getMatrix()));
  }
}

function threeMaterials(document) {
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives()) {
      const parts = cut(document, primitive, 3);
      if (parts.length === 1) continue;
      mesh.removePrimitive(primitive);
      parts.forEach((part, k) => mesh.addPrimitive(part.setMaterial(document.createMaterial(`part ${k}`))));
    }
}

const ways = {
  plain: [],
  rounded: [quantize({ pattern: /^WEIGHTS/ })],
  objects: [twoObjects],
  materials: [threeMaterials],
  draco: [threeMaterials, draco({ quantizePosition: +bits })],
  meshopt: [twoObjects, meshopt({ encoder: MeshoptEncoder, quantizePosition: +bits })],
  quantized: [threeMaterials, quantize({ quantizePosition: +bits })],
};
await MeshoptDecoder.ready;
await MeshoptEncoder.ready;
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
  "draco3d.decoder": await draco3d.createDecoderModule(),
  "draco3d.encoder": await draco3d.createEncoderModule(),
  "meshopt.decoder": MeshoptDecoder,
  "meshopt.encoder": MeshoptEncoder,
});
for (const [way, steps] of Object.entries(ways)) {
  const document = await io.read(model);
  for (const extension of document.getRoot().listExtensionsUsed())
    if (packings.includes(extension.extensionName)) extension.dispose();
  document.getRoot().listTextures().forEach((texture) => texture.dispose());
  for (const step of steps) await document.transform(step);
  await document.transform(unpartition());
  await io.write(`${folder}/${way}.glb`, document);
}

// three.js and three-vrm without a browser: node three_jobs.mjs JOBS.json, answers on standard output.
// {"three": package, "path": an FBX file, "clip", "times"}: {"clips": {name: s}, "skin": [[x, y, z, ...] per time]}, all
// corners of all skinned meshes in the world. {"vrm", "vrma", "times"}, a model and a clip for it:
// {"clip": name, "bones": {node index: [[x, y, z] per time]}} of the bones of the model's humanoid map.
// {"springs": a model, "fps", "frames"}: {"swings": {node name: [angle per frame]}} of the first joint of each chain, let
// go by three-vrm from 0.02 rad, without colliders.
// {"three", "bvh", "times"}: {"bones": {name: [[x, y, z] per time]}}.
import { readFileSync, writeSync } from "node:fs";

class NoImage extends EventTarget { // pictures are not looked at
  set src(_) { queueMicrotask(() => this.dispatchEvent(new Event("error"))); }
}
globalThis.self = globalThis.window = globalThis;
globalThis.document = { createElementNS: () => new NoImage() };
console.warn = console.error = console.info = () => {};

function bytes(path) {
  const data = readFileSync(path);
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
}

function* moments(three, root, clip, times) {
  const mixer = new three.AnimationMixer(root);
  const action = mixer.clipAction(clip).setLoop(three.LoopOnce);
  action.clampWhenFinished = true;
  for (const time of times) {
    action.reset().play();
    mixer.setTime(time);
    yield;
  }
}

function corners(three, root) {
  const found = [], at = new three.Vector3();
  root.updateMatrixWorld(true);
  root.traverse((mesh) => {
    if (!mesh.isSkinnedMesh) return;
    for (let i = 0; i < mesh.geometry.attributes.position.count; ++i)
      found.push(...mesh.getVertexPosition(i, at).applyMatrix4(mesh.matrixWorld).toArray());
  });
  return found;
}

async function readFbx(job) {
  const three = await import(job.three);
  const { FBXLoader } = await import(`${job.three}/examples/jsm/loaders/FBXLoader.js`);
  const root = new FBXLoader().parse(bytes(job.path), "");
  const clip = root.animations.find((animation) => animation.name === job.clip);
  const skin = [];
  for (const _ of moments(three, root, clip, job.times)) skin.push(corners(three, root));
  return { clips: Object.fromEntries(root.animations.map(({ name, duration }) => [name, duration])), skin };
}

async function readBvh(job) {
  const three = await import(job.three);
  const { BVHLoader } = await import(`${job.three}/examples/jsm/loaders/BVHLoader.js`);
  const { skeleton, clip } = new BVHLoader().parse(readFileSync(job.bvh, "utf8"));
  const [root] = skeleton.bones;
  const tracks = new Map(skeleton.bones.map(({ name }) => [name, []]));
  root.skeleton = skeleton; // where its tracks look for bones
  for (const _ of moments(three, root, clip, job.times)) {
    root.updateMatrixWorld(true);
    for (const bone of skeleton.bones) tracks.get(bone.name).push(bone.getWorldPosition(new three.Vector3()).toArray());
  }
  return { bones: Object.fromEntries(tracks) };
}

async function readVrm(job) {
  const three = await import("three");
  const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
  const { VRMLoaderPlugin } = await import("@pixiv/three-vrm");
  const { VRMAnimationLoaderPlugin, createVRMAnimationClip } = await import("@pixiv/three-vrm-animation");
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser)).register((parser) => new VRMAnimationLoaderPlugin(parser));
  const model = await loader.parseAsync(bytes(job.vrm), "");
  const motion = await loader.parseAsync(bytes(job.vrma), "");
  const { vrm } = model.userData;
  const clip = createVRMAnimationClip(motion.userData.vrmAnimations[0], vrm);
  const bones = Object.values(vrm.humanoid.rawHumanBones).map(({ node }) => node);
  const tracks = new Map(bones.map((bone) => [model.parser.associations.get(bone).nodes, []]));
  for (const _ of moments(three, vrm.scene, clip, job.times)) {
    vrm.humanoid.update();
    vrm.scene.updateMatrixWorld(true);
    for (const bone of bones)
      tracks.get(model.parser.associations.get(bone).nodes).push(bone.getWorldPosition(new three.Vector3()).toArray());
  }
  return { clip: motion.animations[0].name, bones: Object.fromEntries(tracks) };
}

async function readSprings(job) {
  const three = await import("three");
  const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
  const { VRMSpringBoneLoaderPlugin } = await import("@pixiv/three-vrm");
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMSpringBoneLoaderPlugin(parser));
  const model = await loader.parseAsync(bytes(job.springs), "");
  const manager = model.userData.vrmSpringBoneManager;
  const bones = new Set([...manager.joints].map(({ bone }) => bone));
  const isFirst = ({ bone }) => {
    for (let above = bone.parent; above; above = above.parent) if (bones.has(above)) return false;
    return true;
  };
  model.scene.updateMatrixWorld(true);
  const swings = {};
  for (const joint of [...manager.joints].filter(isFirst)) {
    joint.colliderGroups = [];
    manager.reset();
    const head = new three.Vector3().setFromMatrixPosition(joint.bone.matrixWorld);
    const arm = joint._currentTail.clone().sub(head);
    const way = new three.Vector3(0.3, 0.5, 0.8).cross(arm).normalize();
    joint._currentTail.addScaledVector(way, 0.02 * arm.length());
    joint._prevTail.copy(joint._currentTail);
    const track = [];
    for (let k = 0; k < job.frames; ++k) {
      manager.update(1 / job.fps);
      track.push(joint._currentTail.clone().sub(head).dot(way) / arm.length());
    }
    swings[joint.bone.name] = track;
  }
  return { swings };
}

const answers = [];
for (const job of JSON.parse(readFileSync(process.argv[2]))) {
  try {
    answers.push(await (job.springs ? readSprings(job) : job.vrm ? readVrm(job) : job.bvh ? readBvh(job) : readFbx(job)));
  } catch (problem) {
    answers.push({ error: String(problem?.stack ?? problem) });
  }
}
let text = Buffer.from(JSON.stringify(answers));
while (text.length > 0) text = text.subarray(writeSync(1, text)); // a pipe takes it in parts

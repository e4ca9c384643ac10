// Answers of the module for WebAssembly, as JSON: its folder, then models.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, out, ...models] = process.argv.slice(2);
const { load } = await import(pathToFileURL(folder + "/index.mjs").href);
const eigenrig = await load();

function failure(call) {
    try {
        call();
    } catch (error) {
        return error.message;
    }
    return "";
}

function middle(times) {
    return times.sort((a, b) => a - b)[times.length >> 1];
}

function timed(call, rounds) {
    return middle(Array.from({ length: rounds }, () => {
        const begin = performance.now();
        call();
        return performance.now() - begin;
    }));
}

function answer(path) {
    const bytes = readFileSync(path), name = basename(path);
    let rig = eigenrig.open(bytes, name);
    const modes = rig.modes({ names: true });
    const answer = {
        name,
        mass: rig.bodies.map((body) => [body.name, body.mass]),
        hz: modes.map((mode) => mode.hz),
        names: modes.map((mode) => mode.name),
        palette: JSON.parse(rig.palette()).modes.length,
    };
    const stiffness = rig.coordinates.map((coordinate) => 4 * coordinate.stiffness);
    rig.tune(stiffness);
    answer.stiffer = rig.modes().map((mode) => mode.hz);
    answer.solve = timed(() => rig.modes(), 9);
    rig.tune(stiffness.map((k) => k / 4));
    rig.modes();
    const mix = rig.mix("7:12", { seconds: 1, fps: 30, loop: false });
    writeFileSync(`${out}/${name}.mix.glb`, rig.write(mix, "a.glb", { name: "mix", tolerance: 0 }));
    if (name === "horse.glb") {
        const gaits = rig.gaits(), frames = gaits[0].frames(30);
        answer.gaits = gaits.map((gait) => [gait.name, gait.hz, gait.speed]);
        answer.stride = [frames.time.at(-1), frames.travel.at(-1), frames.loops];
        const loose = rig.bodies.filter((body) => /tail/i.test(body.name)).map((body) => body.name);
        const follow = rig.follow(frames, loose, { hz: 2 });
        answer.follow = Math.max(...follow.pose.map((x, i) => Math.abs(x - frames.pose[i])));
        const world = rig.world();
        world.advance(0.5);
        answer.fallen = [world.time, world.pose().every(Number.isFinite)];
        world.close();
        answer.bvh = new TextDecoder().decode(rig.write(frames, "a.bvh")).slice(0, 9);
        const skin = rig.skin(0, rig.rest);
        answer.skin = [skin.length === 3 * rig.instances[0].vertices, Math.max(...skin) - Math.min(...skin), rig.height];
        answer.open = timed(() => {
            rig.close();
            rig = eigenrig.open(bytes, name);
        }, 5);
    }
    rig.close();
    return answer;
}

const refused = [failure(() => eigenrig.open(new Uint8Array([1, 2, 3]), "three.bin")),
    failure(() => eigenrig.open(new Uint8Array(0), "empty.glb"))];
console.log(JSON.stringify({ version: eigenrig.version, refused, answers: models.map(answer) }));

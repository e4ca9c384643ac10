// The module's objects over its flat functions. Arrays are copies: memory of WebAssembly moves when it grows.
import glue from "./eigenrig_glue.mjs";

const POSE = 7;

// The glue knows browsers alone. In Node the bytes are read here.
async function withBytes(options) {
    if (options.wasmBinary !== undefined || typeof process === "undefined" || !process.versions?.node) return options;
    const { readFile } = await import("node:fs/promises");
    return { ...options, wasmBinary: await readFile(new URL("./eigenrig_glue.wasm", import.meta.url)) };
}

/** Loads the module; see index.d.ts. */
export async function load(options = {}) {
    const wasm = await glue(await withBytes(options));
    const room = (size) => {
        const at = wasm._malloc(Math.max(size, 1));
        if (at === 0) throw new Error("out of memory");
        return at;
    };
    const text = (at) => wasm.UTF8ToString(at);
    const copyText = (string) => {
        const size = wasm.lengthBytesUTF8(string) + 1;
        const at = room(size);
        wasm.stringToUTF8(string, at, size);
        return at;
    };
    const copyBytes = (bytes) => {
        const at = room(bytes.length);
        wasm.HEAPU8.set(bytes, at);
        return at;
    };
    const doubles = (at, count) => wasm.HEAPF64.slice(at / 8, at / 8 + count);
    const copyDoubles = (numbers) => {
        const at = room(8 * numbers.length);
        wasm.HEAPF64.set(numbers, at / 8);
        return at;
    };
    const check = (good) => {
        if (!good) throw new Error(text(wasm._web_error()));
        return good;
    };
    /** Calls with arguments that are freed afterwards. */
    const borrow = (pointers, call) => {
        try {
            return call(...pointers);
        } finally {
            for (const at of pointers) wasm._free(at);
        }
    };
    const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));
    const bytesOf = (bytes) => (bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes);

    class Frames {
        constructor(time, pose, travel, loops) {
            Object.assign(this, { time, pose, travel, loops });
        }
        at(frame) {
            const width = this.pose.length / this.time.length;
            return this.pose.slice(frame * width, (frame + 1) * width);
        }
    }

    class World {
        constructor(handle, bodies) {
            this._handle = handle;
            this._bodies = bodies;
        }
        get time() {
            return wasm._web_world_time(this._handle);
        }
        advance(until) {
            check(wasm._web_world_advance(this._handle, until));
        }
        pose() {
            return doubles(wasm._web_world_pose(this._handle), POSE * this._bodies);
        }
        push(body, point, impulse) {
            borrow([copyDoubles(point), copyDoubles(impulse)], (p, j) =>
                check(wasm._web_world_push(this._handle, body, p, j)));
        }
        close() {
            wasm._web_world_free(this._handle);
            this._handle = 0;
        }
    }

    class Rig {
        constructor(handle) {
            this._handle = handle;
            const bodies = wasm._web_body_count(handle);
            this.bodies = list(bodies, (i) => ({
                name: text(wasm._web_body_name(handle, i)),
                mass: wasm._web_body_mass(handle, i),
                parent: wasm._web_body_parent(handle, i),
                node: wasm._web_body_node(handle, i),
            }));
            this.nodes = list(wasm._web_node_count(handle), (i) => ({
                name: text(wasm._web_node_name(handle, i)),
                source: wasm._web_node_source(handle, i),
            }));
            const stiffness = doubles(wasm._web_stiffness(handle), wasm._web_coordinate_count(handle));
            this.coordinates = list(stiffness.length, (i) => ({
                joint: text(wasm._web_joint_name(handle, wasm._web_coordinate_joint(handle, i))),
                stiffness: stiffness[i],
            }));
            this.notes = list(wasm._web_note_count(handle), (i) => text(wasm._web_note(handle, i)));
            this.clips = list(wasm._web_clip_count(handle), (i) => text(wasm._web_clip_name(handle, i)));
            this.height = wasm._web_height(handle);
            this.metresPerUnit = wasm._web_metres_per_unit(handle);
            this.rest = new Float64Array(POSE * bodies);
            for (let i = 0; i < bodies; ++i) this.rest.set(doubles(wasm._web_body_pose(handle, i), POSE), POSE * i);
            this.instances = list(wasm._web_instance_count(handle), (i) => {
                const at = wasm._web_triangles(handle, i) / 4;
                return {
                    vertices: wasm._web_vertex_count(handle, i),
                    triangles: wasm.HEAP32.slice(at, at + 3 * wasm._web_triangle_count(handle, i)),
                };
            });
        }
        tune(stiffness) {
            if (stiffness.length !== this.coordinates.length)
                throw new Error(`${stiffness.length} stiffnesses for ${this.coordinates.length} coordinates`);
            wasm.HEAPF64.set(stiffness, wasm._web_stiffness(this._handle) / 8);
            check(wasm._web_tune(this._handle));
        }
        modes({ count = 0, names = false } = {}) {
            if (this._asked !== count) wasm._web_forget_modes(this._handle);
            this._asked = count;
            const found = wasm._web_modes(this._handle, count, names);
            check(found >= 0);
            return list(found, (index) => ({
                index,
                kind: text(wasm._web_mode_kind(this._handle, index)),
                hz: wasm._web_mode_hz(this._handle, index),
                damping: wasm._web_mode_damping(this._handle, index),
                name: text(wasm._web_mode_name(this._handle, index)),
                body: doubles(wasm._web_mode_body(this._handle, index), 6 * this.bodies.length),
                joint: doubles(wasm._web_mode_joint(this._handle, index), this.coordinates.length),
            }));
        }
        _take(handle) {
            check(handle);
            const count = wasm._web_frames_count(handle), travel = wasm._web_frames_travel(handle);
            const frames = new Frames(
                doubles(wasm._web_frames_time(handle), count),
                doubles(wasm._web_frames_pose(handle), count * this.bodies.length * POSE),
                travel === 0 ? null : doubles(travel, 3 * count),
                wasm._web_frames_loop(handle) !== 0,
            );
            wasm._web_frames_free(handle);
            return frames;
        }
        /** Calls with the frames in the module's memory. */
        _lend(frames, call) {
            const handle = check(wasm._web_frames_make(
                frames.time.length, this.bodies.length, frames.travel !== null, frames.loops));
            try {
                wasm.HEAPF64.set(frames.time, wasm._web_frames_time(handle) / 8);
                wasm.HEAPF64.set(frames.pose, wasm._web_frames_pose(handle) / 8);
                if (frames.travel !== null) wasm.HEAPF64.set(frames.travel, wasm._web_frames_travel(handle) / 8);
                return call(handle);
            } finally {
                wasm._web_frames_free(handle);
            }
        }
        mix(words, { seconds = 0, fps = 60, loop = true } = {}) {
            return this._take(borrow([copyText(words)], (at) => wasm._web_mix(this._handle, at, seconds, fps, loop)));
        }
        gaits(best = 6) {
            const count = wasm._web_gaits(this._handle, best);
            check(count >= 0);
            return list(count, (i) => {
                const numbers = borrow([room(40)], (at) => {
                    wasm._web_gait_numbers(this._handle, i, at);
                    return doubles(at, 5);
                });
                const [hz, speed, stride, duty, score] = numbers;
                const name = text(wasm._web_gait_name(this._handle, i));
                const family = text(wasm._web_gait_family(this._handle, i));
                const frames = (fps = 60) => this._take(wasm._web_gait(this._handle, i, fps));
                return { name, family, hz, speed, stride, duty, score, frames };
            });
        }
        follow(frames, loose, { hz = 0, bounce = 0.4, gravity = [0, 0, 0] } = {}) {
            const flag = new Uint8Array(this.bodies.length);
            for (const body of loose) {
                const index = typeof body === "number" ? body : this.bodies.findIndex((b) => b.name === body);
                if (!(index in this.bodies)) throw new Error(`there is no body ${body}`);
                flag[index] = 1;
            }
            return this._take(this._lend(frames, (from) => borrow([copyBytes(flag), copyDoubles(gravity)], (at, g) =>
                wasm._web_follow(this._handle, from, at, hz, bounce, g))));
        }
        world({ gravity = [0, -9.81, 0], ground = true } = {}) {
            return new World(check(wasm._web_world_make(this._handle, ...gravity, ground)), this.bodies.length);
        }
        _placed(pose, call) {
            return borrow([copyDoubles(pose), room(96 * this.nodes.length)], (at, world) => {
                wasm._web_nodes(this._handle, at, world);
                return call(world);
            });
        }
        nodeTransforms(pose) {
            return this._placed(pose, (world) => doubles(world, 12 * this.nodes.length));
        }
        skin(instance, pose) {
            const count = 3 * this.instances[instance].vertices;
            return this._placed(pose, (world) => borrow([room(8 * count)], (position) => {
                wasm._web_skin(this._handle, instance, world, position);
                return doubles(position, count);
            }));
        }
        write(frames, path, { name = "", tolerance = 0.001 } = {}) {
            return this._lend(frames, (handle) => borrow([copyText(name), copyText(path)], (n, p) => {
                check(wasm._web_write(this._handle, handle, n, tolerance, p));
                const at = wasm._web_written();
                return wasm.HEAPU8.slice(at, at + wasm._web_written_size());
            }));
        }
        palette() {
            if (this._asked !== 0) this.modes();
            check(wasm._web_palette(this._handle));
            const at = wasm._web_written();
            return new TextDecoder().decode(wasm.HEAPU8.slice(at, at + wasm._web_written_size()));
        }
        close() {
            wasm._web_close(this._handle);
            this._handle = 0;
        }
    }

    return {
        version: text(wasm._web_version()),
        open(bytes, name = "model", files = {}) {
            const model = bytesOf(bytes);
            for (const [path, content] of Object.entries(files))
                check(wasm._web_beside(copyText(path), copyBytes(bytesOf(content)), content.length));
            return new Rig(borrow([copyText(name), copyBytes(model)], (n, at) =>
                check(wasm._web_open(n, at, model.length))));
        },
    };
}

// A mix as a looping clip in a copy of the model: keys at every frame on each node that does not stay where it rests.

const keysAPeriod = 16;

function isAt({ matrix, t, q, s }, other) {
    const rest = matrix ?? compose(t, q, s),
        most = 1e-6 * Math.max(...rest.map(Math.abs));
    return rest.every((x, i) => Math.abs(x - other[i]) <= most);
}

function recordMix(glb, nodes, tree, mix, name) {
    const fastest = Math.max(...mix.map(({ hz }) => hz)),
        fps = Math.min(240, Math.max(30, Math.ceil(keysAPeriod * fastest)));
    const loop = looped(mix, fps),
        frames = Math.round(loop.seconds * fps),
        times = Array.from({ length: frames + 1 }, (_, k) => k / fps);
    const worlds = times.map((t, k) => worldsOfModes(tree, displacement(tree, loop.mix, k === frames ? 0 : t)));
    const json = structuredClone(glb.json),
        parts = [glb.bin];
    let size = glb.bin.length;
    const add = (values, type, bounds = {}) => {
        const bytes = new Uint8Array(Float32Array.from(values.flat()).buffer),
            gap = (4 - (size % 4)) % 4;
        parts.push(new Uint8Array(gap), bytes);
        json.bufferViews.push({ buffer: 0, byteOffset: size + gap, byteLength: bytes.length });
        size += gap + bytes.length;
        return (
            json.accessors.push({
                bufferView: json.bufferViews.length - 1,
                componentType: 5126,
                count: values.length,
                type,
                ...bounds,
            }) - 1
        );
    };
    const input = add(times, "SCALAR", { min: [0], max: [Math.fround(times[frames])] });
    const animation = { name, channels: [], samplers: [] };
    const key = (node, path, values, type) => {
        animation.samplers.push({ input, output: add(values, type) });
        animation.channels.push({ sampler: animation.samplers.length - 1, target: { node, path } });
    };
    for (let n = 0; n < nodes.count; ++n) {
        const above = nodes.parent[n],
            own = worlds.map((world) => (above < 0 ? world[n] : multiply(inverse(world[above]), world[n])));
        if (own.every((matrix) => isAt(nodes.rest[n], matrix))) continue;
        const local = own.map(decompose);
        for (let k = 1; k <= frames; ++k)
            // the nearer of the two quaternions of each turn
            if (dot(local[k].q, local[k - 1].q) < 0) local[k].q = local[k].q.map((c) => -c);
        const { matrix, ...rest } = json.nodes[n];
        if (matrix) json.nodes[n] = { ...rest, translation: local[0].t, rotation: local[0].q, scale: local[0].s };
        key(
            n,
            "translation",
            local.map(({ t }) => t),
            "VEC3",
        );
        key(
            n,
            "rotation",
            local.map(({ q }) => q),
            "VEC4",
        );
    }
    json.animations = [animation, ...(json.animations ?? [])];
    delete json.extras;
    json.buffers[0].byteLength = size;
    const bin = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        bin.set(part, at);
        at += part.length;
    }
    return writeGlb(json, bin);
}

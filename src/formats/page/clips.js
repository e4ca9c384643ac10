// The scene's nodes, and its animations as glTF defines them (appendix C).

// Parents of the scene's own nodes. What stands above them converts units, which the drawing does itself.
function readNodes(glb) {
    const count = glb.json.extras.node_count,
        nodes = glb.json.nodes ?? [],
        parent = new Array(count).fill(-1);
    nodes.slice(0, count).forEach((node, n) =>
        (node.children ?? []).forEach((child) => {
            if (child < count) parent[child] = n;
        }),
    );
    const rest = nodes.slice(0, count).map((node) =>
        node.matrix
            ? { matrix: node.matrix }
            : {
                  t: node.translation ?? [0, 0, 0],
                  q: node.rotation ?? [0, 0, 0, 1],
                  s: node.scale ?? [1, 1, 1],
              },
    );
    return { count, parent, rest };
}

function readClips(glb) {
    return (glb.json.animations ?? []).map(({ name, channels, samplers }) => {
        const tracks = channels
            .filter(({ target }) => target.path !== "weights")
            .map(({ sampler, target }) => {
                const { input, output, interpolation = "LINEAR" } = samplers[sampler];
                return {
                    node: target.node,
                    path: target.path,
                    interpolation,
                    time: numbers(glb, input),
                    value: numbers(glb, output),
                };
            });
        return { name, tracks, duration: Math.max(0, ...tracks.map(({ time }) => time[time.length - 1])) };
    });
}

function slerp(a, b, u) {
    let cosine = dot(a, b);
    if (cosine < 0) {
        cosine = -cosine;
        b = b.map((x) => -x);
    }
    const angle = Math.acos(Math.min(1, cosine));
    if (angle < 1e-4) return unit(a.map((x, i) => x + u * (b[i] - x)));
    const p = Math.sin((1 - u) * angle) / Math.sin(angle),
        q = Math.sin(u * angle) / Math.sin(angle);
    return a.map((x, i) => p * x + q * b[i]);
}

function sampleTrack({ path, interpolation, time, value }, t) {
    const width = path === "rotation" ? 4 : 3,
        cubic = interpolation === "CUBICSPLINE",
        stride = cubic ? 3 * width : width;
    const key = (k, part = 0) => Array.from(value.subarray(k * stride + part * width, k * stride + (part + 1) * width));
    const at = (k) => key(k, cubic ? 1 : 0),
        last = time.length - 1;
    if (t <= time[0]) return at(0);
    if (t >= time[last]) return at(last);
    let k = 0;
    for (let high = last; high - k > 1;) {
        const middle = (k + high) >> 1;
        if (time[middle] <= t) k = middle;
        else high = middle;
    }
    const dt = time[k + 1] - time[k],
        u = (t - time[k]) / dt;
    if (interpolation === "STEP") return at(k);
    if (!cubic) return width === 4 ? slerp(at(k), at(k + 1), u) : at(k).map((x, i) => x + u * (at(k + 1)[i] - x));
    const out = key(k, 2),
        into = key(k + 1, 0),
        b = at(k + 1),
        u2 = u * u,
        u3 = u2 * u;
    const v = at(k).map(
        (a, i) =>
            (2 * u3 - 3 * u2 + 1) * a +
            dt * (u3 - 2 * u2 + u) * out[i] +
            (3 * u2 - 2 * u3) * b[i] +
            dt * (u3 - u2) * into[i],
    );
    return width === 4 ? unit(v) : v;
}

// World matrices of the nodes, in the file's units, at a time of a clip; without a clip at rest.
function worldsOfClip(nodes, clip, t) {
    const local = nodes.rest.map((rest) => ({ ...rest }));
    for (const track of clip ? clip.tracks : [])
        if (track.node < nodes.count)
            local[track.node][{ translation: "t", rotation: "q", scale: "s" }[track.path]] = sampleTrack(track, t);
    const world = [];
    local.forEach(({ matrix, t: shift, q, s }, n) => {
        const own = matrix ? Float64Array.from(matrix) : compose(shift, q, s);
        world.push(nodes.parent[n] < 0 ? own : multiply(world[nodes.parent[n]], own));
    });
    return world;
}

// Poses of bodies from a displacement in joint coordinates, down the tree: eigenrig's docs/math/motion.md.

// Quaternion and position of every body. `x` has tree.width numbers.
function poseBodies(tree, x) {
    const pose = [],
        drift = Array.from({ length: tree.group_count }, () => [0, 0, 0]);
    for (const link of tree.links) {
        const [q, p] = place(
            link,
            x,
            link.above < 0
                ? [
                      [1, 0, 0, 0],
                      [0, 0, 0],
                  ]
                : pose[link.above],
        );
        pose[link.body] = [q, p];
        if (link.group < 0) continue;
        const centre = plus(p, rotate(q, link.com));
        drift[link.group] = plus(
            drift[link.group],
            centre.map((c) => link.share * c),
        );
    }
    tree.centre ??= drift; // of the first displacement, which is none
    for (const { body, group } of tree.links)
        // centres of mass stay
        if (group >= 0) pose[body][1] = minus(pose[body][1], minus(drift[group], tree.centre[group]));
    return pose;
}

// The pose above * before * X(x) * after of a link's body.
function place(link, x, [q, p]) {
    const at = (axis) => (link.coordinates[axis] < 0 ? 0 : x[link.coordinates[axis]]);
    const turn = [at(0), at(1), at(2)],
        shift = [at(3), at(4), at(5)];
    if (link.pitch !== 0) shift[2] = link.pitch * turn[2];
    const turned = link.cardan
        ? product(exponential([turn[0], 0, 0]), exponential([0, turn[1], 0]))
        : exponential(turn);
    const before = link.before.slice(0, 4),
        after = link.after.slice(0, 4);
    p = plus(p, rotate(q, link.before.slice(4)));
    q = product(q, before);
    if (link.inverse) {
        q = product(q, conjugate(turned));
        p = minus(p, rotate(q, shift));
    } else {
        p = plus(p, rotate(q, shift));
        q = product(q, turned);
    }
    p = plus(p, rotate(q, link.after.slice(4)));
    return [unit(product(q, after)), p];
}

// Prepares the tree of a page for worldsOfModes(): where bodies and nodes rest, and the body that moves each node.
function readTree(glb, parent) {
    const tree = glb.json.extras.tree;
    if (!tree) return null;
    tree.rest = poseBodies(tree, new Float64Array(tree.width));
    tree.mover = tree.node_body.slice();
    tree.mover.forEach((body, n) => {
        if (body < 0 && parent[n] >= 0) tree.mover[n] = tree.mover[parent[n]];
    });
    const world = numbers(glb, tree.node_world);
    tree.world = tree.mover.map((_, n) => {
        const m = world.subarray(12 * n, 12 * n + 12);
        return new Float64Array([m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0, m[9], m[10], m[11], 1]);
    });
    return tree;
}

// World matrices of the nodes, in the file's units, at a displacement.
function worldsOfModes(tree, x) {
    const moved = poseBodies(tree, x).map(([q, p], body) => {
        const [q0, p0] = tree.rest[body],
            turn = product(q, conjugate(q0));
        const t = minus(p, rotate(turn, p0)).map((c) => c / tree.metres_per_unit);
        return compose(t, [turn[1], turn[2], turn[3], turn[0]], [1, 1, 1]);
    });
    return tree.world.map((world, n) => (tree.mover[n] < 0 ? world : multiply(moved[tree.mover[n]], world)));
}

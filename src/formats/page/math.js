// Quaternions are [w, x, y, z]; matrices have 16 numbers, column by column.
const identity = () => new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

function multiply(a, b, out = new Float64Array(16), at = 0) {
    for (let c = 0; c < 4; ++c)
        for (let r = 0; r < 4; ++r)
            out[at + 4 * c + r] =
                a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] + a[12 + r] * b[4 * c + 3];
    return out;
}

// The inverse of an affine matrix.
function inverse(m) {
    const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = m;
    const A = e * i - f * h,
        B = f * g - d * i,
        C = d * h - e * g,
        s = 1 / (a * A + b * B + c * C);
    const out = new Float64Array([
        A * s,
        (c * h - b * i) * s,
        (b * f - c * e) * s,
        0,
        B * s,
        (a * i - c * g) * s,
        (c * d - a * f) * s,
        0,
        C * s,
        (b * g - a * h) * s,
        (a * e - b * d) * s,
        0,
        0,
        0,
        0,
        1,
    ]);
    for (let r = 0; r < 3; ++r) out[12 + r] = -(out[r] * x + out[4 + r] * y + out[8 + r] * z);
    return out;
}

const product = (a, b) => [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];
const conjugate = (q) => [q[0], -q[1], -q[2], -q[3]];
const unit = (v) => {
    const length = Math.hypot(...v);
    return v.map((x) => x / length);
};
const plus = (a, b) => a.map((x, i) => x + b[i]);
const minus = (a, b) => a.map((x, i) => x - b[i]);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function rotate(q, v) {
    const u = [q[1], q[2], q[3]],
        t = cross(u, v).map((x) => 2 * x),
        w = cross(u, t);
    return v.map((x, i) => x + q[0] * t[i] + w[i]);
}

// The turn by a rotation vector.
function exponential(r) {
    const angle = Math.hypot(...r),
        s = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
    return [Math.cos(angle / 2), s * r[0], s * r[1], s * r[2]];
}

// The matrix of a translation, a rotation [x, y, z, w] as glTF has it, and a scale.
function compose(t, [x, y, z, w], s, out = new Float64Array(16), at = 0) {
    out.set(
        [
            (1 - 2 * (y * y + z * z)) * s[0],
            2 * (x * y + w * z) * s[0],
            2 * (x * z - w * y) * s[0],
            0,
            2 * (x * y - w * z) * s[1],
            (1 - 2 * (x * x + z * z)) * s[1],
            2 * (y * z + w * x) * s[1],
            0,
            2 * (x * z + w * y) * s[2],
            2 * (y * z - w * x) * s[2],
            (1 - 2 * (x * x + y * y)) * s[2],
            0,
            ...t,
            1,
        ],
        at,
    );
    return out;
}

// Translation, rotation [x, y, z, w] and scale of a matrix without shear.
function decompose(m) {
    const s = [0, 4, 8].map((c) => Math.hypot(m[c], m[c + 1], m[c + 2]) || 1);
    const turned = dot(cross([m[0], m[1], m[2]], [m[4], m[5], m[6]]), [m[8], m[9], m[10]]);
    if (turned < 0) s[0] = -s[0];
    const [a, b, c, , d, e, f, , g, h, i] = m.map((x, k) => (k < 12 ? x / s[k >> 2] : x));
    const w2 = 1 + a + e + i,
        x2 = 1 + a - e - i,
        y2 = 1 - a + e - i,
        z2 = 1 - a - e + i,
        most = Math.max(w2, x2, y2, z2);
    const q =
        most === w2
            ? [f - h, g - c, b - d, w2]
            : most === x2
              ? [x2, b + d, g + c, f - h]
              : most === y2
                ? [b + d, y2, f + h, g - c]
                : [g + c, f + h, z2, b - d];
    return { t: [m[12], m[13], m[14]], q: unit(q), s };
}

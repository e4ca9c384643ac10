// A GLB as its JSON and its binary chunk, and the numbers of an accessor.
function readGlb(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset),
        size = view.getUint32(12, true),
        begin = 28 + size;
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
    return {
        json,
        bin: begin <= bytes.length ? bytes.subarray(begin, begin + view.getUint32(20 + size, true)) : new Uint8Array(0),
    };
}

const componentTypes = {
    5120: Int8Array,
    5121: Uint8Array,
    5122: Int16Array,
    5123: Uint16Array,
    5125: Uint32Array,
    5126: Float32Array,
};
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

// Our writer packs its accessors, so they are read where they lie.
function numbers({ json, bin }, index) {
    const { bufferView, byteOffset = 0, componentType, count, type } = json.accessors[index];
    const at = bin.byteOffset + (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
    const Type = componentTypes[componentType],
        size = count * widths[type];
    return at % Type.BYTES_PER_ELEMENT === 0
        ? new Type(bin.buffer, at, size)
        : new Type(bin.buffer.slice(at, at + size * Type.BYTES_PER_ELEMENT));
}

function writeGlb(json, bin) {
    const pad = (bytes, fill) => {
        const out = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(fill);
        out.set(bytes);
        return out;
    };
    const chunks = [
        [0x4e4f534a, pad(new TextEncoder().encode(JSON.stringify(json)), 32)],
        [0x004e4942, pad(bin, 0)],
    ];
    const out = new Uint8Array(12 + chunks.reduce((sum, [, bytes]) => sum + 8 + bytes.length, 0)),
        view = new DataView(out.buffer);
    [0x46546c67, 2, out.length].forEach((word, i) => view.setUint32(4 * i, word, true));
    let at = 12;
    for (const [type, bytes] of chunks) {
        view.setUint32(at, bytes.length, true);
        view.setUint32(at + 4, type, true);
        out.set(bytes, at + 8);
        at += 8 + bytes.length;
    }
    return out;
}

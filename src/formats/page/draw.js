// Draws the model with WebGL 2: skins from matrices in a texture, one light and its flat shadow on a floor.

const attributes = ["position", "normal", "uv", "color", "joints0", "weights0", "joints1", "weights1"];
const sun = unit([0.45, 0.8, 0.5]);

function program(gl, vertex, fragment) {
    const made = gl.createProgram(),
        uniforms = {};
    for (const [type, text] of [
        [gl.VERTEX_SHADER, vertex],
        [gl.FRAGMENT_SHADER, fragment],
    ]) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(made, shader);
    }
    attributes.forEach((name, i) => gl.bindAttribLocation(made, i, name));
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost())
        throw new Error(gl.getProgramInfoLog(made) || "the shaders cannot be used");
    for (let i = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i-- > 0;) {
        const { name } = gl.getActiveUniform(made, i);
        uniforms[name] = gl.getUniformLocation(made, name);
    }
    return { made, uniforms };
}

function texture(gl, levels, format, pixels, repeat) {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    if (pixels instanceof Uint8Array)
        gl.texImage2D(gl.TEXTURE_2D, 0, format, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    else gl.texImage2D(gl.TEXTURE_2D, 0, format, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    if (levels) gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, levels ? gl.LINEAR_MIPMAP_LINEAR : gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, repeat);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, repeat);
    return made;
}

// A primitive of a mesh at a node: what to draw, and which of the matrices of place() moves it.
function readDraws(glb) {
    const { nodes = [], meshes = [], skins = [] } = glb.json,
        matrices = [],
        draws = [],
        firstOfSkin = new Map();
    const slot = (joint, inverseBind) => matrices.push({ joint, inverseBind }) - 1;
    const skinSlot = (index) => {
        if (firstOfSkin.has(index)) return firstOfSkin.get(index);
        const { joints, inverseBindMatrices } = skins[index],
            bind = inverseBindMatrices >= 0 ? numbers(glb, inverseBindMatrices) : null;
        const first = joints.map((joint, k) =>
            slot(joint, bind ? Float64Array.from(bind.subarray(16 * k, 16 * k + 16)) : null),
        )[0];
        firstOfSkin.set(index, first);
        return first;
    };
    nodes.forEach((node, n) => {
        if (node.mesh === undefined) return;
        for (const primitive of meshes[node.mesh].primitives) {
            const skinned = node.skin !== undefined && primitive.attributes.JOINTS_0 !== undefined;
            draws.push({ primitive, first: skinned ? skinSlot(node.skin) : slot(n, null) });
        }
    });
    return { matrices, draws };
}

// The stage has up as y, a floor at 0 and a model about 1 high; `box` is that of the model at rest, in file units.
function stagePlace(up, { low, high }) {
    const axis = cross(up, [0, 1, 0]),
        turn = up[1] < -0.9999 ? [0, 1, 0, 0] : unit([1 + up[1], ...axis]);
    const size = Math.max(...minus(high, low)) || 1,
        matrix = compose([0, 0, 0], [turn[1], turn[2], turn[3], turn[0]], [1, 1, 1]);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
        rotate(turn, [k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]]),
    );
    const least = [0, 1, 2].map((i) => Math.min(...corners.map((c) => c[i]))),
        most = [0, 1, 2].map((i) => Math.max(...corners.map((c) => c[i])));
    for (let i = 0; i < 12; ++i) matrix[i] /= size;
    [(least[0] + most[0]) / 2, least[1], (least[2] + most[2]) / 2].forEach((x, i) => {
        matrix[12 + i] = -x / size;
    });
    return { matrix, half: most.map((x, i) => (x - least[i]) / 2 / size) };
}

// The box of all vertices, in the file's units.
function boxOf(glb, { matrices, draws }, worlds) {
    const low = [Infinity, Infinity, Infinity],
        high = low.map((x) => -x);
    const at = matrices.map(({ joint, inverseBind }) =>
        inverseBind ? multiply(worlds[joint] ?? identity(), inverseBind) : (worlds[joint] ?? identity()),
    );
    for (const { primitive, first } of draws) {
        const position = numbers(glb, primitive.attributes.POSITION),
            joints = primitive.attributes.JOINTS_0,
            weights = primitive.attributes.WEIGHTS_0;
        const j = joints !== undefined ? numbers(glb, joints) : null,
            w = j ? numbers(glb, weights) : null;
        for (let v = 0; v < position.length / 3; ++v)
            for (let i = 0; i < 3; ++i) {
                let sum = 0,
                    all = 0;
                for (let k = 0; k < (j ? 4 : 1); ++k) {
                    const m = at[first + (j ? j[4 * v + k] : 0)],
                        weight = j ? w[4 * v + k] : 1;
                    if (!(weight > 0) || !m) continue;
                    all += weight;
                    sum +=
                        weight *
                        (m[i] * position[3 * v] +
                            m[4 + i] * position[3 * v + 1] +
                            m[8 + i] * position[3 * v + 2] +
                            m[12 + i]);
                }
                low[i] = Math.min(low[i], sum / all);
                high[i] = Math.max(high[i], sum / all);
            }
    }
    return draws.length > 0 ? { low, high } : { low: [0, 0, 0], high: [1, 1, 1] };
}

class Stage {
    constructor(canvas, glb, restWorlds) {
        const gl = (this.gl = canvas.getContext("webgl2", {
            antialias: true,
            stencil: true,
            alpha: true,
            preserveDrawingBuffer: true,
        }));
        if (!gl) throw new Error("this browser has no WebGL 2");
        this.canvas = canvas;
        this.model = readDraws(glb);
        this.place = stagePlace(glb.json.extras.up, boxOf(glb, this.model, restWorlds));
        this.shader = program(gl, vertexShader, fragmentShader);
        this.floor = program(gl, floorVertex, floorFragment);
        this.white = texture(gl, false, gl.RGBA, new Uint8Array([255, 255, 255, 255]), gl.REPEAT);
        this.bones = gl.createTexture();
        this.boneRows = Math.max(1, Math.ceil(this.model.matrices.length / 16));
        this.boneData = new Float32Array(this.boneRows * 16 * 16);
        this.textures = new Map();
        for (const draw of this.model.draws) this.load(glb, draw);
    }

    load(glb, draw) {
        const { gl } = this,
            { attributes: at, indices, material } = draw.primitive;
        draw.vao = gl.createVertexArray();
        gl.bindVertexArray(draw.vao);
        ["POSITION", "NORMAL", "TEXCOORD_0", "COLOR_0", "JOINTS_0", "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1"].forEach(
            (name, i) => {
                if (at[name] === undefined) return;
                const values = numbers(glb, at[name]),
                    { type, componentType } = glb.json.accessors[at[name]];
                gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
                gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
                gl.enableVertexAttribArray(i);
                if (name.startsWith("JOINTS")) gl.vertexAttribIPointer(i, 4, componentType, 0, 0);
                else gl.vertexAttribPointer(i, widths[type], componentType, componentType !== gl.FLOAT, 0, 0);
            },
        );
        const index = numbers(glb, indices);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
        draw.count = index.length;
        draw.type = glb.json.accessors[indices].componentType;
        draw.hasNormals = at.NORMAL !== undefined;
        const m = (draw.material = glb.json.materials?.[material] ?? {
            pbrMetallicRoughness: { baseColorFactor: [0.72, 0.7, 0.68, 1], metallicFactor: 0, roughnessFactor: 0.7 },
        });
        const map = (info, format) => (info ? this.picture(glb, info.index, format) : null);
        draw.maps = [
            map(m.pbrMetallicRoughness?.baseColorTexture, gl.SRGB8_ALPHA8),
            map(m.normalTexture, gl.RGBA8),
            map(m.emissiveTexture, gl.SRGB8_ALPHA8),
        ];
        gl.bindVertexArray(null);
    }

    // Pictures arrive later than the model; until then surfaces are white.
    picture(glb, index, format) {
        const key = `${index} ${format}`,
            { gl } = this;
        if (this.textures.has(key)) return this.textures.get(key);
        const slot = { texture: null },
            { bufferView, mimeType } = glb.json.images[glb.json.textures[index].source];
        const { byteOffset = 0, byteLength } = glb.json.bufferViews[bufferView];
        this.textures.set(key, slot);
        createImageBitmap(new Blob([glb.bin.subarray(byteOffset, byteOffset + byteLength)], { type: mimeType }), {
            premultiplyAlpha: "none",
            colorSpaceConversion: "none",
        }).then(
            (picture) => {
                slot.texture = texture(gl, true, format, picture, gl.REPEAT);
            },
            () => {},
        );
        return slot;
    }

    upload(worlds) {
        const { gl, boneData } = this;
        this.model.matrices.forEach(({ joint, inverseBind }, k) => {
            const world = worlds[joint] ?? identity(); // a node that the writer added does not move
            if (inverseBind) multiply(world, inverseBind, boneData, 16 * k);
            else boneData.set(world, 16 * k);
        });
        gl.bindTexture(gl.TEXTURE_2D, this.bones);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 64, this.boneRows, 0, gl.RGBA, gl.FLOAT, boneData);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }

    drawOne(draw, shadow) {
        const {
                gl,
                shader: { uniforms: u },
            } = this,
            {
                pbrMetallicRoughness: pbr = {},
                emissiveFactor = [0, 0, 0],
                alphaMode = "OPAQUE",
                alphaCutoff = 0.5,
            } = draw.material;
        const maps = draw.maps.map((slot) => slot?.texture ?? null);
        gl.uniform1i(u.first, draw.first);
        gl.uniform4fv(u.base, pbr.baseColorFactor ?? [1, 1, 1, 1]);
        gl.uniform3fv(u.emissive, emissiveFactor);
        gl.uniform1f(u.metallic, pbr.metallicFactor ?? 1);
        gl.uniform1f(u.roughness, pbr.roughnessFactor ?? 1);
        gl.uniform1f(u.cutoff, alphaMode === "MASK" ? alphaCutoff : -1);
        gl.uniform1i(u.opaque, alphaMode !== "BLEND");
        gl.uniform1i(u.hasNormals, draw.hasNormals);
        gl.uniform1i(u.hasNormalMap, maps[1] !== null);
        gl.uniform1i(u.shadow, shadow);
        maps.forEach((map, i) => {
            gl.activeTexture(gl.TEXTURE1 + i);
            gl.bindTexture(gl.TEXTURE_2D, map ?? this.white);
        });
        gl.activeTexture(gl.TEXTURE0);
        gl.bindVertexArray(draw.vao);
        gl.drawElements(gl.TRIANGLES, draw.count, draw.type, 0);
    }

    draw(worlds, camera, { line, shift }) {
        const { gl, canvas, shader, floor: ground } = this,
            see = camera.matrix(canvas.width / canvas.height),
            place = this.place.matrix.slice();
        place[12] += shift[0];
        place[14] += shift[1];
        gl.viewport(0, 0, canvas.width, canvas.height);
        gl.clearColor(0, 0, 0, 0);
        gl.depthMask(true);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.BLEND);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        this.upload(worlds);
        gl.useProgram(shader.made);
        const u = shader.uniforms;
        gl.uniform1i(u.bones, 0);
        ["baseMap", "normalMap", "emissiveMap"].forEach((name, i) => gl.uniform1i(u[name], 1 + i));
        gl.uniformMatrix4fv(u.place, false, Float32Array.from(place));
        gl.uniformMatrix4fv(u.view, false, Float32Array.from(see));
        gl.uniform3fv(u.eye, camera.eye());
        gl.uniform3fv(u.sun, sun);
        gl.vertexAttrib4f(3, 1, 1, 1, 1); // what a mesh does not have
        gl.vertexAttribI4ui(4, 0, 0, 0, 0);
        gl.vertexAttrib4f(5, 1, 0, 0, 0);
        gl.vertexAttribI4ui(6, 0, 0, 0, 0);
        gl.vertexAttrib4f(7, 0, 0, 0, 0);
        gl.uniform3f(u.flatten, 0, 0, 0);
        const blends = ({ material }) => material.alphaMode === "BLEND";
        for (const draw of this.model.draws) if (!blends(draw)) this.drawOne(draw, false);
        if (camera.eye()[1] > 0) this.drawFloor(ground, see, line, shift);
        gl.useProgram(shader.made);
        gl.depthMask(false);
        for (const draw of this.model.draws) if (blends(draw)) this.drawOne(draw, false);
    }

    // Lines, and the shadow: each pixel is darkened once.
    drawFloor(ground, see, line, shift) {
        const { gl, shader } = this;
        gl.depthMask(false);
        gl.uniform3fv(shader.uniforms.flatten, sun);
        gl.enable(gl.STENCIL_TEST);
        gl.stencilFunc(gl.EQUAL, 0, 255);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
        for (const draw of this.model.draws) this.drawOne(draw, true);
        gl.disable(gl.STENCIL_TEST);
        gl.uniform3f(shader.uniforms.flatten, 0, 0, 0);
        gl.useProgram(ground.made);
        gl.bindVertexArray(null);
        gl.uniformMatrix4fv(ground.uniforms.view, false, Float32Array.from(see));
        gl.uniform4fv(ground.uniforms.line, line);
        gl.uniform2fv(
            ground.uniforms.shift,
            shift.map((x) => -x),
        );
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
}

"""Files of the glTF writer, read back by a reader that shares no code with it and judged against what was asked for.
usage: test_gltf.py GLTF_SAMPLES"""
import base64
import collections
import functools
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

import tap
from gltf_reader import Gltf, compose, multiply, sample, transform, unit
from lossless import near, ordered, same_data, same_elements
from program import rigs, validator

SAMPLES = sys.argv[1]
PATHS = ["translation", "rotation", "scale", "weights"]
INTERPOLATIONS = ["STEP", "LINEAR", "CUBICSPLINE"]
SCENES = ["strip", "parts", "crowd", "bones", "blank"]


def promise(test):
    """Makes a function a test, that has FOLDER to itself."""
    @tap.promise
    @functools.wraps(test)
    def in_a_folder():
        global FOLDER
        with tempfile.TemporaryDirectory(prefix="eigenrig-gltf-") as FOLDER:
            test()


def write(*arguments, ok=True):
    """Runs gltf_samples; its description of what it wrote, or its message when it is to fail."""
    run = subprocess.run([SAMPLES, *arguments], capture_output=True, text=True)
    assert (run.returncode == 0) == ok, f"{arguments}: exit {run.returncode}: {run.stderr}"
    return json.loads(run.stdout) if ok else run.stderr


def report(path):
    """What Khronos' validator says."""
    run = subprocess.run([*validator(), path], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def listed(report, severity):
    """Codes and pointers of a report."""
    return collections.Counter(re.findall(severity + r" (\S+ \S+):", report))


def findings(path):
    return listed(report(path), "error")


def gltf_rigs():
    return [str(path) for path in rigs() if path.suffix in (".glb", ".gltf")]


# --- what a scene means, from the description alone


def rest_trs(local):
    """Translation and scale at rest; a mirroring scales x by a negative number, as the library's sampling has it."""
    size = [math.sqrt(sum(local[i][j] ** 2 for i in range(3))) for j in range(3)]
    (a, b, c, _), (d, e, f, _), (g, h, i, _) = local
    if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0:
        size[0] = -size[0]
    return {"translation": [local[i][3] for i in range(3)], "scale": size}


def shift_of(clip):
    return min([0.0] + [c["time"][0] for c in clip["channels"]])


def scene_locals(scene, clip=None, time=0.0):
    local = [node["local"] for node in scene["nodes"]]
    moved = collections.defaultdict(dict)
    for c in clip["channels"] if clip else []:
        if PATHS[c["path"]] != "weights":
            width = 4 if c["path"] == 1 else 3
            rows = [c["value"][i:i + width] for i in range(0, len(c["value"]), width)]
            moved[c["node"]][PATHS[c["path"]]] = sample(c["time"], INTERPOLATIONS[c["interpolation"]], rows,
                                                        time + shift_of(clip), c["path"] == 1)
    for node, values in moved.items():
        if "rotation" not in values:  # columns scaled and moved alone
            old, new = rest_trs(local[node]), {**rest_trs(local[node]), **values}
            local[node] = [[x * a / b for x, a, b in zip(row, new["scale"], old["scale"])] + [t]
                           for row, t in zip(local[node], new["translation"])]
            continue
        value = {**rest_trs(local[node]), **values}
        local[node] = compose(value["translation"], unit(value["rotation"]), value["scale"])
    return local


def scene_worlds(scene, clip=None, time=0.0):
    world = []
    for node, l in zip(scene["nodes"], scene_locals(scene, clip, time)):
        world.append(l if node["parent"] < 0 else multiply(world[node["parent"]], l))
    return world


def influences(mesh, vertex):
    """The strongest eight, one for each joint."""
    if mesh["start"] is None:
        return []
    total = collections.Counter()
    for i in range(mesh["start"][vertex], mesh["start"][vertex + 1]):
        total[mesh["joint"][i]] += mesh["weight"][i]
    kept = sorted(total.items(), key=lambda item: (-item[1], item[0]))[:8]
    whole = sum(weight for _, weight in kept)
    return [(joint, weight / whole) for joint, weight in kept]


def scene_positions(scene, instance, worlds):
    node, mesh_index, skin_index = instance
    mesh = scene["meshes"][mesh_index]
    points = [mesh["position"][i:i + 3] for i in range(0, len(mesh["position"]), 3)]
    if skin_index < 0:
        return [transform(worlds[node], p) for p in points]
    skin = scene["skins"][skin_index]
    bones = [multiply(worlds[j], b) for j, b in zip(skin["joint"], skin["inverse_bind"])]
    result = []
    for v, p in enumerate(points):
        parts = [(weight, transform(bones[j], p)) for j, weight in influences(mesh, v)]
        parts = parts or [(1.0, transform(worlds[node], p))]
        result.append([sum(weight * q[i] for weight, q in parts) for i in range(3)])
    return result


def is_drawn(scene, instance):
    return bool(scene["meshes"][instance[1]]["index"])


def pairs(scene, gltf):
    """(instance, node, primitive) for everything drawn. Instances of one node and skin are primitives of one mesh."""
    count = len(scene["nodes"])
    groups = collections.defaultdict(list)
    for instance in scene["instances"]:
        if is_drawn(scene, instance):
            groups[instance[0], instance[2]].append(instance)
    skinned = [i for i, n in enumerate(gltf.list("nodes")) if "skin" in n]
    assert all(i >= count for i in skinned)
    result = []
    for (node, skin), instances in sorted(groups.items()):
        index = node if skin < 0 else skinned.pop(0)
        primitives = gltf.json["meshes"][gltf.json["nodes"][index]["mesh"]]["primitives"]
        assert len(primitives) == len(instances)
        result += [(i, index, p) for i, p in zip(instances, primitives)]
    assert not skinned
    return result


def units(scene, gltf, tolerance=1e-12):
    """The transform from the file's units and axes to metres and +Y up, as the document has it."""
    top = [i for i, n in enumerate(gltf.list("nodes")) if n.get("name") == "eigenrig units"]
    u = gltf.worlds()[top[0]] if top else compose([0, 0, 0], [0, 0, 0, 1], [1, 1, 1])
    m = scene["metres_per_unit"]
    near(transform(u, scene["up"]), [0, m, 0], tolerance * m, "up is +Y")
    for i in range(3):
        for j in range(3):
            near([sum(u[k][i] * u[k][j] for k in range(3))], [m * m if i == j else 0], tolerance * m * m, "units")
    return u


def compare_poses(scene, gltf, clip, channels, time, name):
    u = units(scene, gltf)
    truth, found = scene_worlds(scene, clip, time), gltf.worlds(channels, time)
    truth = [multiply(u, w) for w in truth]
    size = max([1e-3] + [abs(x) for w in truth for row in w for x in row])
    for i, w in enumerate(truth):  # floats round to 6e-8; chains of 300 joints add theirs up: 9e-7 measured
        near(sum(w, []), sum(found[i], []), 1e-5 * size, f"{name}: node {i} at {time} s")
    for instance, node, primitive in pairs(scene, gltf):
        expected = scene_positions(scene, instance, truth)
        actual = gltf.positions(node, primitive, found)
        near(sum(expected, []), sum(map(list, actual), []), 1e-5 * size, f"{name}: instance {instance} at {time} s")


# --- tests of scenes written whole


def written_scenes():
    for name in SCENES:
        for ending in ("glb", "gltf"):
            path = os.path.join(FOLDER, f"{name}.{ending}")
            yield name, path, write(name, path), Gltf(path)


@promise
def nodes_and_vertices_stand_where_the_scene_puts_them():
    for name, _, scene, gltf in written_scenes():
        compare_poses(scene, gltf, None, None, 0.0, name)


@promise
def clips_move_nodes_and_vertices_as_asked():
    for name, path, scene, gltf in written_scenes():
        if name == "crowd" and path.endswith(".gltf"):
            continue  # the same as .glb, and slow here
        asked = [c for c in scene["clips"] if any(k["path"] != 3 for k in c["channels"])]
        assert len(gltf.list("animations")) == len(asked)
        for index, clip in enumerate(asked):
            channels = gltf.clip(index)
            if clip["duration"] < 1e5:  # floats cannot tell its times apart
                for time in (0.0, 0.3, 1.1, 5.0):
                    compare_poses(scene, gltf, clip, channels, time, f"{name}, {clip['name']}")


@promise
def vertices_keep_their_attributes():
    for name, _, scene, gltf in written_scenes():
        for instance, _, primitive in pairs(scene, gltf):
            mesh, attributes = scene["meshes"][instance[1]], primitive["attributes"]
            assert gltf.accessor(primitive["indices"]) == mesh["index"]
            for key, attribute in (("uv", "TEXCOORD_0"), ("color", "COLOR_0")):
                assert (attribute in attributes) == (mesh[key] is not None)
                if mesh[key] is not None:
                    assert [x for row in gltf.accessor(attributes[attribute]) for x in row] == mesh[key]
            assert ("NORMAL" in attributes) == (mesh["normal"] is not None)
            for i, n in enumerate(gltf.accessor(attributes["NORMAL"]) if mesh["normal"] else []):
                given = mesh["normal"][3 * i:3 * i + 3]
                near(n, unit(given) if any(given) else [0, 1, 0], 1e-6, "normal")
            material = gltf.json["materials"][primitive["material"]] if "material" in primitive else {}
            has_picture = "baseColorTexture" in material.get("pbrMetallicRoughness", {})
            assert has_picture == (mesh["material"] >= 0 and mesh["uv"] is not None)


@promise
def materials_and_pictures_come_along():
    for ending in ("glb", "gltf"):
        path = os.path.join(FOLDER, f"strip.{ending}")
        write("strip", path)
        gltf = Gltf(path)
        material, = gltf.json["materials"]
        pbr = material["pbrMetallicRoughness"]
        near(pbr["baseColorFactor"], [1, 0.25, 0.1, 0.5], 1e-7, "base colour")
        near([pbr["metallicFactor"], pbr["roughnessFactor"], material["alphaCutoff"]], [0.2, 0.7, 0.4], 1e-7, "factors")
        assert material["name"] == "red" and material["alphaMode"] == "MASK" and material["doubleSided"] is True
        assert pbr["baseColorTexture"] == material["emissiveTexture"] == {"index": 0}
        assert gltf.json["textures"] == [{"source": 0}]
        assert gltf.image(0).startswith(b"\x89PNG") and gltf.image(0).endswith(b"IEND\xaeB`\x82")
        assert ("bufferView" in gltf.json["images"][0]) == (ending == "glb")


@promise
def meshes_are_shared_by_the_nodes_that_draw_them():
    path = os.path.join(FOLDER, "parts.glb")
    write("parts", path)
    gltf = Gltf(path)
    lists = [[len(gltf.accessor(p["attributes"]["POSITION"])) for p in m["primitives"]] for m in gltf.json["meshes"]]
    assert lists == [[8, 4, 6, 4], [8], [4]], lists
    assert [n["mesh"] for n in gltf.json["nodes"] if "mesh" in n] == [0, 1, 1, 2, 2, 1]


@promise
def names_are_utf8_and_clip_names_differ():
    path = os.path.join(FOLDER, "bones.glb")
    write("bones", path)
    gltf = Gltf(path)
    names = [n.get("name") for n in gltf.json["nodes"]]
    assert names == ["Hüfte", None, "骨 🦴", "eigenrig units"]
    names = [a["name"] for a in gltf.json["animations"]]
    assert names == ["mode 03  1.42 Hz", "mode 03  1.42 Hz (2)", "Take", "Take (2)"], names


@promise
def times_ascend_from_zero_and_are_shared():
    for name, _, scene, gltf in written_scenes():
        inputs = set()
        for animation in gltf.list("animations"):
            for sampler in animation["samplers"]:
                inputs.add(sampler["input"])
                accessor, times = gltf.json["accessors"][sampler["input"]], gltf.accessor(sampler["input"])
                assert times[0] >= 0 and all(a < b for a, b in zip(times, times[1:]))
                assert accessor["min"] == [times[0]] and accessor["max"] == [times[-1]]
        own = {"strip": 1, "bones": 3}.get(name, 0)  # bones: the same array, once whole and once from its second key on
        assert len(inputs) == own + (1 if scene["nodes"] else 0), f"{name}: {len(inputs)} time accessors"


@promise
def neighbouring_rotations_lie_in_one_hemisphere():
    for name, _, _, gltf in written_scenes():
        for index in range(len(gltf.list("animations"))):
            for (node, path), (_, interpolation, values) in gltf.clip(index).items():
                if path == "rotation" and interpolation == "LINEAR":
                    for a, b in zip(values, values[1:]):
                        assert sum(x * y for x, y in zip(a, b)) >= 0, f"{name}: clip {index} node {node}"


@promise
def the_same_call_gives_the_same_bytes():
    for name in SCENES:
        contents = []
        for path in (os.path.join(FOLDER, "once.glb"), os.path.join(FOLDER, "twice.glb")):
            write(name, path)
            with open(path, "rb") as file:
                contents.append(file.read())
        assert contents[0] == contents[1], name


@promise
def scenes_are_valid():
    for name, path, _, _ in written_scenes():
        said = report(path)
        assert not listed(said, "error"), f"{path}: {said}"
        # scenes carry no tangents; viewers make them (glTF 2.0, 3.7.2.1)
        other = [code for code in listed(said, "warning") if "GENERATED_TANGENT_SPACE" not in code]
        assert not other, f"{path}: {other}"


# --- tests of glTF sources


def new_clips(scene, source, target):
    before, gltf = len(ordered(source).get("animations", [])), Gltf(target)
    names = [animation.get("name") for animation in gltf.json["animations"]]
    assert len(names) == before + 2 and names[0] not in names[1:] and names[1] not in names[2:]
    for index in (0, 1):
        found = gltf.clip(index)
        asked = {(scene["nodes"][c["node"]]["source"], PATHS[c["path"]]): c for c in scene["clips"][0]["channels"]}
        for (node, path), c in asked.items():
            if path == "weights":
                holder = gltf.json["nodes"][node]
                mesh = gltf.json["meshes"][holder["mesh"]] if "mesh" in holder else {"primitives": [{}]}
                targets = len(mesh["primitives"][0].get("targets", []))
                assert ((node, path) in found) == (targets > 0)
                if targets > 0:
                    default = holder.get("weights") or mesh.get("weights") or [0] * targets
                    times, _, values = found[node, path]
                    near(times, [0, 2], 0, "held over the clip")
                    near(values, 2 * default, 1e-7, "morph weights")
                continue
            times, interpolation, values = found[node, path]
            assert interpolation == INTERPOLATIONS[c["interpolation"]]
            near(times, c["time"], 1e-7, "times")
            width = 4 if path == "rotation" else 3
            if min(gltf.json["nodes"][node].get("scale", [1])) < 0:
                continue  # other numbers may say the same: the poses below tell
            for i, row in enumerate(values):
                given = c["value"][width * i:width * i + width]
                sign = -1 if path == "rotation" and sum(x * y for x, y in zip(row, given)) < 0 else 1
                near(row, [sign * x for x in given], 1e-6, f"{path} of node {node}")
        assert len(found) <= len(asked)
        for time in (0.0, 0.9):
            size = max(abs(x) for n in scene["nodes"] for row in n["local"] for x in row)
            expected, actual = scene_locals(scene, scene["clips"][0], time), gltf.locals(found, time)
            for node, local in zip(scene["nodes"], expected):
                near(sum(local, []), sum(actual[node["source"]], []), 1e-5 * size, f"node {node['source']} at {time} s")


def add(source, target, how="add"):
    scene = write(how, source, target)
    same_elements(source, target)
    same_data(source, target)
    new_clips(scene, source, target)


@promise
def rigs_keep_everything_and_gain_clips():
    for source in gltf_rigs():
        stem = os.path.basename(source).split(".")[0]
        for ending in ("glb", "gltf"):
            folder = os.path.join(FOLDER, f"out-{stem}-{ending}")
            os.mkdir(folder)
            target = os.path.join(folder, f"{stem}.{ending}")
            add(source, target)
            if ending == "glb":
                assert os.listdir(folder) == [f"{stem}.glb"], "a .glb stands alone"
                buffers = ordered(target)["buffers"]
                assert "uri" not in buffers[0] and all(b["uri"].startswith("data:") for b in buffers[1:])


@promise
def rigs_stay_as_valid_as_they_were():
    for source in gltf_rigs():
        stem = os.path.basename(source).split(".")[0]
        before = findings(source)
        for ending in ("glb", "gltf"):
            folder = os.path.join(FOLDER, f"valid-{stem}-{ending}")
            os.mkdir(folder)
            target = os.path.join(folder, f"{stem}.{ending}")
            write("add", source, target)
            new = findings(target) - before
            assert not new, f"{target}: {new}"


def glb(path, document, binary=None, extra=()):
    text = document.encode() if isinstance(document, str) else json.dumps(document).encode()
    chunks = [(0x4E4F534A, text + b" " * (-len(text) % 4))]
    if binary is not None:
        chunks.append((0x004E4942, binary + b"\0" * (-len(binary) % 4)))
    body = b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks + list(extra))
    with open(path, "wb") as file:
        file.write(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)
    return path


ODD = r"""{ "zeta": [1, 2.0, -0.0, 1e-320, 9007199254740993, 0.1, 1.7976931348623157e308, true, null],
  "nodes": [ {"matrix": [0,2,0,0, -3,0,0,0, 0,0,0.5,0, 7,8,9,1], "name": "turned \u0000 \ud83e\uddb4 \/ \"",
              "extras": {"b": 1, "a": {}}},
             {"translation": [1, 2, 3], "children": [0],
              "extensions": {"VENDOR_odd": {"x": [[[]]], "id": 4611686018427387904}}} ],
  "extensionsUsed": ["VENDOR_odd"], "scenes": [{"nodes": [1]}], "scene": 0,
  "buffers": [{"byteLength": 13, "extras": "mine"}],
  "bufferViews": [{"byteLength": 13, "buffer": 0}],
  "animations": [{"name": "mode 03  1.42 Hz",
                  "channels": [{"sampler": 0, "target": {"path": "pointer", "extensions": {"X": 1}}}],
                  "samplers": [{"input": 0, "output": 0}]}],
  "extras": {"deep": {"deeper": [{"k\u00e9y": "v"}]}},
  "asset": {"version": "2.0", "generator": "by hand", "minVersion": "2.0"} }"""


@promise
def unknown_things_survive():
    extra = [(0x31415926, b"unknown chunk..."), (0x00000001, b"")]
    source = glb(os.path.join(FOLDER, "odd.glb"), ODD, bytes(range(200, 213)), extra)
    target = os.path.join(FOLDER, "odd-out.glb")
    add(source, target)
    before, after = Gltf(source), Gltf(target)
    assert after.chunks[1:] == before.chunks[1:] == extra
    assert after.bin()[:16] == before.bin()
    add(source, os.path.join(FOLDER, "odd-out.gltf"))
    add(os.path.join(FOLDER, "odd-out.gltf"), os.path.join(FOLDER, "odd-again.glb"))


@promise
def mirrored_nodes_turn_as_the_scene_says():
    turn = [0.1, 0.7, -0.1, 0.7]
    nodes = [{"name": "n", "rotation": unit(turn), "scale": list(s), "translation": [1, 2, 3]}
             for s in ((1, 1, -1), (1, -2, 1), (-1, 1, 1), (-1, -1, 3), (-1, -1, -1), (1, -1, -2), (2, 3, 4), (-1, 0, 2))]
    nodes.append({"matrix": [0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0.5, 0, 7, 8, 9, 1]})
    document = {"asset": {"version": "2.0"}, "nodes": nodes, "scenes": [{"nodes": list(range(len(nodes)))}]}
    add(glb(os.path.join(FOLDER, "mirror.glb"), document), os.path.join(FOLDER, "mirror-out.glb"))


@promise
def a_glb_without_buffers_gains_one():
    document = {"asset": {"version": "2.0"}, "nodes": [{"name": "a"}], "scenes": [{"nodes": [0]}]}
    source = glb(os.path.join(FOLDER, "bare.glb"), document)
    target = os.path.join(FOLDER, "bare-out.glb")
    add(source, target)
    assert len(Gltf(target).json["buffers"]) == 1 and Gltf(target).bin() is not None


@promise
def a_first_buffer_that_is_no_bin_keeps_its_place():
    uri = "data:application/octet-stream;base64,AAECAw=="
    document = {"asset": {"version": "2.0"}, "nodes": [{}], "buffers": [{"uri": uri, "byteLength": 4}]}
    source = glb(os.path.join(FOLDER, "uri.glb"), document, b"loose BIN chunk!")
    target = os.path.join(FOLDER, "uri-out.glb")
    add(source, target)
    assert Gltf(target).bin() == b"loose BIN chunk!" and Gltf(target).json["buffers"][0]["uri"] == uri
    fallback = {"asset": {"version": "2.0"}, "nodes": [{}], "buffers": [{"byteLength": 4}]}
    source = glb(os.path.join(FOLDER, "fallback.glb"), fallback)
    target = os.path.join(FOLDER, "fallback-out.glb")
    write("add", source, target)
    same_elements(source, target, may_move=())
    assert Gltf(target).bin() is None and "uri" not in Gltf(target).json["buffers"][0]


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    return path


def side_document(buffer_uri="data%20files/my%C3%A9sh.bin", image_uri="skin.png"):
    return json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "n"}], "scenes": [{"nodes": [0]}],
                       "images": [{"uri": image_uri}], "textures": [{"source": 0}],
                       "buffers": [{"uri": buffer_uri, "byteLength": 5}, {"uri": buffer_uri, "byteLength": 4}],
                       "bufferViews": [{"buffer": 0, "byteLength": 5}, {"buffer": 1, "byteLength": 4}]}).encode()


PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLv"
                           "AAAAAElFTkSuQmCC")


def side_folder(name):
    folder = os.path.join(FOLDER, name)
    put(os.path.join(folder, "data files", "myésh.bin"), b"bytes+")
    put(os.path.join(folder, "skin.png"), PICTURE)
    return put(os.path.join(folder, "model.gltf"), side_document())


@promise
def files_beside_a_gltf_come_along():
    source = side_folder("side")
    for name in ("alone.glb", "out/copy.gltf"):
        target = os.path.join(FOLDER, "side-out", name)
        os.makedirs(os.path.dirname(target))
        add(source, target)
        add(source, target)  # and again, over what is there
    out = os.path.join(FOLDER, "side-out")
    found = sorted(os.path.relpath(os.path.join(d, f), out) for d, _, files in os.walk(out) for f in files)
    assert found == ["alone.glb", "out/copy.gltf", "out/data files/myésh.bin", "out/skin.png"], found
    with open(os.path.join(out, "out", "data files", "myésh.bin"), "rb") as file:
        assert file.read() == b"bytes", "as long as the longest buffer in it"
    add(source, os.path.join(FOLDER, "side", "neighbour.gltf"))
    found = sorted(os.listdir(os.path.join(FOLDER, "side")))
    assert found == ["data files", "model.gltf", "neighbour.gltf", "skin.png"]


@promise
def a_different_file_in_the_way_is_kept():
    source = side_folder("way")
    target = os.path.join(FOLDER, "way-out", "model.gltf")
    put(os.path.join(FOLDER, "way-out", "skin.png"), b"somebody's own")
    message = write("add", source, target, ok=False)
    assert "is in the way" in message and "skin.png" in message and "\n" not in message.strip(), message
    assert os.listdir(os.path.join(FOLDER, "way-out")) == ["skin.png"], "what was copied before is removed"


@promise
def paths_that_leave_the_folder_are_embedded():
    put(os.path.join(FOLDER, "climb", "up.bin"), b"bytes+")
    put(os.path.join(FOLDER, "climb", "up.png"), PICTURE)
    source = put(os.path.join(FOLDER, "climb", "in", "model.gltf"), side_document("../up.bin", "../up.png"))
    target = os.path.join(FOLDER, "climbed", "model.gltf")
    os.makedirs(os.path.dirname(target))
    message = write("add", source, target, ok=False)  # unless they may
    assert "up.bin" in message and "--allow-outside" in message and os.listdir(os.path.dirname(target)) == [], message
    add(source, target, "outside")
    assert os.listdir(os.path.dirname(target)) == ["model.gltf"] and not os.path.exists(os.path.join(FOLDER, "up.bin"))


@promise
def hidden_files_are_embedded():
    """A model lays nothing into a folder that nobody sees there."""
    put(os.path.join(FOLDER, "hidden", ".profile"), b"bytes+")
    put(os.path.join(FOLDER, "hidden", "in", ".config", "skin.png"), PICTURE)
    source = put(os.path.join(FOLDER, "hidden", "model.gltf"), side_document(".profile", "in/.config/skin.png"))
    target = os.path.join(FOLDER, "home", "model.gltf")
    os.makedirs(os.path.dirname(target))
    add(source, target)
    assert os.listdir(os.path.dirname(target)) == ["model.gltf"]
    with open(target, "rb") as file:
        assert base64.b64encode(PICTURE) in file.read()


@promise
def missing_files_are_told():
    source = put(os.path.join(FOLDER, "missing", "model.gltf"), side_document())
    for name in ("missing.glb", "missing.gltf"):
        message = write("add", source, os.path.join(FOLDER, name), ok=False)
        assert "myésh.bin" in message and "model.gltf needs it" in message, message
        assert not os.path.exists(os.path.join(FOLDER, name))
    put(os.path.join(FOLDER, "missing", "data files", "myésh.bin"), b"bytes+")
    target = os.path.join(FOLDER, "missing.glb")
    write("add", source, target)  # without its picture, as the source is
    assert Gltf(target).json["images"] == [{"uri": "skin.png"}]
    os.mkfifo(os.path.join(FOLDER, "missing", "skin.png"))  # must not be waited for
    write("add", source, target)


@promise
def broken_sources_are_told():
    sound = open(glb(os.path.join(FOLDER, "sound.glb"), ODD, bytes(13)), "rb").read()
    asset = {"asset": {"version": "2.0"}, "nodes": [{}]}
    broken = {
        "cut off": sound[:-5], "no JSON chunk": struct.pack("<III", 0x46546C67, 2, 12), "JSON": b'{"nodes": [}',
        "empty": b"",
        "array": b"[]", "binary": bytes(range(256)), "short": b"glTF", "surrogate": b'{"nodes": ["\\ud800"]}',
        "buffers": json.dumps({**asset, "buffers": 5}).encode(),
        "accessors": json.dumps({**asset, "accessors": {}}).encode(),
        "animations": json.dumps({**asset, "animations": "none"}).encode(),
        "matrix": json.dumps({**asset, "nodes": [{"matrix": [1, 2, "x"]}]}).encode(),
        "huge": json.dumps(asset).replace("{}", '{"x": 1e999}').encode(),
        "length": sound.replace(b'"byteLength": 13', b'"byteLength": 99', 1),
        "negative": sound.replace(b'"byteLength": 13', b'"byteLength": -1', 1), "deep": b"[" * 100000,
    }
    for name, data in broken.items():
        source = put(os.path.join(FOLDER, "broken", name + ".gltf"), data)
        for ending in ("glb", "gltf"):
            target = os.path.join(FOLDER, "never." + ending)
            message = write("add", source, target, ok=False)
            assert message.startswith(("ER_ERROR_FORMAT: ", "ER_ERROR_FILE: ")), f"{name}: {message!r}"
            assert message.count("\n") == 1, f"{name}: {message!r}"
            assert not os.path.exists(target), name


@promise
def cut_and_changed_bytes_do_no_harm():
    sound = open(glb(os.path.join(FOLDER, "fuzz.glb"), ODD, bytes(13), [(5, b"1234")]), "rb").read()
    seed = 1
    for round_ in range(150):
        data = bytearray(sound)
        for _ in range(1 + round_ % 4):
            seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
            data[(seed >> 33) % len(data)] = (seed >> 20) % 256
        if round_ % 5 == 0:
            del data[(seed >> 40) % len(data):]
        source = put(os.path.join(FOLDER, "fuzzed.glb"), bytes(data))
        target = os.path.join(FOLDER, "fuzzed-out.glb")
        run = subprocess.run([SAMPLES, "add", source, target], capture_output=True)
        assert run.returncode in (0, 1) and b"Sanitizer" not in run.stderr, run.stderr
        if os.path.exists(target):
            Gltf(target)
            os.remove(target)


tap.run()

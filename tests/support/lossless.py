"""Judges that a glTF file keeps its source: every element, in value, kind and order of keys, and all data."""
import collections
import json
import os
import struct

from gltf_reader import Gltf, compose


def near(a, b, tolerance, what):
    assert len(a) == len(b), what
    worst = max((abs(x - y) for x, y in zip(a, b)), default=0.0)
    assert worst <= tolerance, f"{what}: off by {worst:.3g}, more than {tolerance:.3g}"


def ordered(path):
    """The JSON of a file with the order of keys kept."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"glTF":
        data = data[20:20 + struct.unpack_from("<I", data, 12)[0]]
    return json.loads(data.decode("utf-8"), object_pairs_hook=collections.OrderedDict)


def same(a, b, what):
    """Equal in kind, value and order of keys."""
    assert type(a) is type(b), f"{what}: {a!r:.60} became {b!r:.60}"
    if isinstance(a, dict):
        assert list(a) == list(b), f"{what}: keys {list(a)} became {list(b)}"
        for key in a:
            same(a[key], b[key], f"{what}/{key}")
    elif isinstance(a, list):
        assert len(a) == len(b), what
        for i, (x, y) in enumerate(zip(a, b)):
            same(x, y, f"{what}/{i}")
    else:
        assert a == b, f"{what}: {a!r:.60} became {b!r:.60}"


def same_node(a, b, what):
    """Equal, but for a matrix that became TRS."""
    if "matrix" not in a or "matrix" in b:
        return same(a, b, what)
    m = a["matrix"]
    back = compose(b.get("translation", [0, 0, 0]), b.get("rotation", [0, 0, 0, 1]), b.get("scale", [1, 1, 1]))
    size = max(map(abs, m))
    near(m, [back[i][j] if i < 3 else float(j == 3) for j in range(4) for i in range(4)], 1e-6 * size, what)
    rest = [{k: v for k, v in n.items() if k not in ("matrix", "translation", "rotation", "scale")} for n in (a, b)]
    same(rest[0], rest[1], what)


def without(element, *keys):
    return collections.OrderedDict((k, v) for k, v in element.items() if k not in keys)


def same_elements(source, target, may_move=("byteLength", "uri")):
    a, b = ordered(source), ordered(target)
    assert list(b)[:len(a)] == list(a), f"{target}: top-level order"
    for key, value in a.items():
        if not isinstance(value, list):
            same(value, b[key], key)
            continue
        assert len(b[key]) >= len(value), key
        first = len(b[key]) - len(value) if key == "animations" else 0  # new ones come ahead
        for i, element in enumerate(value):
            what = f"{os.path.basename(target)}: /{key}/{i}"
            if key == "nodes":
                same_node(element, b[key][i], what)
            elif key == "buffers":
                same(without(element, *may_move), without(b[key][i], *may_move), what)
            elif key == "images" and "uri" in element:
                same(without(element, "uri", "mimeType"), without(b[key][i], "uri", "bufferView", "mimeType"), what)
            else:
                same(element, b[key][first + i], what)
    for key in ("nodes", "meshes", "skins", "materials", "textures", "images", "samplers", "scenes", "cameras"):
        assert len(b.get(key, [])) == len(a.get(key, [])), key


def same_data(source, target):
    a, b = Gltf(source), Gltf(target)
    for i, buffer in enumerate(a.list("buffers")):
        assert b.buffer(i)[:buffer["byteLength"]] == a.buffer(i), f"{target}: buffer {i}"
    for i in range(len(a.list("images"))):
        assert a.image(i) == b.image(i), f"{target}: image {i}"

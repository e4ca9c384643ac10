"""A small glTF 2.0 reader of its own, written from the specification; it shares no code with the library."""
import base64
import json
import math
import os
import struct
import urllib.parse

COMPONENTS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
TYPES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            data = file.read()
        self.chunks = []
        if data[:4] == b"glTF":
            version, length = struct.unpack_from("<II", data, 4)
            assert version == 2 and length == len(data), "GLB header"
            at = 12
            while at < length:
                size, kind = struct.unpack_from("<II", data, at)
                assert size % 4 == 0 and at + 8 + size <= length, "GLB chunk"
                self.chunks.append((kind, data[at + 8:at + 8 + size]))
                at += 8 + size
            assert self.chunks[0][0] == 0x4E4F534A, "first chunk is JSON"
            data = self.chunks.pop(0)[1]
        self.json = json.loads(data.decode("utf-8"))
        self.cache = {}

    def list(self, key):
        return self.json.get(key, [])

    def bin(self):
        return next((data for kind, data in self.chunks if kind == 0x004E4942), None)

    def resolve(self, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        with open(os.path.join(os.path.dirname(self.path), urllib.parse.unquote(uri)), "rb") as file:
            return file.read()

    def buffer(self, index):
        if index not in self.cache:
            buffer = self.json["buffers"][index]
            data = self.resolve(buffer["uri"]) if "uri" in buffer else self.bin()
            assert "uri" in buffer or index == 0
            assert len(data) >= buffer["byteLength"], "buffer is shorter than it says"
            self.cache[index] = data[:buffer["byteLength"]]
        return self.cache[index]

    def view(self, index):
        view = self.json["bufferViews"][index]
        start = view.get("byteOffset", 0)
        data = self.buffer(view["buffer"])
        assert start + view["byteLength"] <= len(data), "view leaves its buffer"
        return data[start:start + view["byteLength"]]

    def image(self, index):
        image = self.json["images"][index]
        return self.view(image["bufferView"]) if "bufferView" in image else self.resolve(image["uri"])

    def accessor(self, index):
        """A list of tuples, or of numbers for SCALAR."""
        a = self.json["accessors"][index]
        kind, width = COMPONENTS[a["componentType"]], TYPES[a["type"]]
        size = width * struct.calcsize(kind)
        stride = self.json["bufferViews"][a["bufferView"]].get("byteStride", size)
        data, start = self.view(a["bufferView"]), a.get("byteOffset", 0)
        rows = [struct.unpack_from(f"<{width}{kind}", data, start + i * stride) for i in range(a["count"])]
        return [row[0] for row in rows] if width == 1 else rows

    def parents(self):
        parent = {}
        for index, node in enumerate(self.list("nodes")):
            for child in node.get("children", []):
                assert child not in parent, "a node has two parents"
                parent[child] = index
        return parent

    def clip(self, index):
        """{(node, path): (times, interpolation, values)}"""
        animation = self.json["animations"][index]
        channels = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            key = channel["target"]["node"], channel["target"]["path"]
            assert key not in channels, "two channels move the same"
            channels[key] = (self.accessor(sampler["input"]), sampler.get("interpolation", "LINEAR"),
                             self.accessor(sampler["output"]))
        return channels

    def locals(self, channels=None, time=0.0):
        result = []
        for index, node in enumerate(self.list("nodes")):
            if "matrix" in node:
                assert not any((index, path) in (channels or {}) for path in ("translation", "rotation", "scale"))
                m = node["matrix"]
                result.append([[m[4 * j + i] for j in range(4)] for i in range(3)])
                continue
            value = {"translation": node.get("translation", [0, 0, 0]), "rotation": node.get("rotation", [0, 0, 0, 1]),
                     "scale": node.get("scale", [1, 1, 1])}
            for path in value:
                if channels and (index, path) in channels:
                    value[path] = sample(*channels[index, path], time, path == "rotation")
            result.append(compose(value["translation"], value["rotation"], value["scale"]))
        return result

    def worlds(self, channels=None, time=0.0):
        local, parent, world = self.locals(channels, time), self.parents(), {}

        def visit(i):
            if i not in world:
                world[i] = multiply(visit(parent[i]), local[i]) if i in parent else local[i]
            return world[i]
        return [visit(i) for i in range(len(local))]

    def positions(self, node, primitive, worlds):
        """Vertices of a primitive in the world."""
        attributes = primitive["attributes"]
        points = self.accessor(attributes["POSITION"])
        if "skin" not in self.json["nodes"][node]:
            return [transform(worlds[node], p) for p in points]
        skin = self.json["skins"][self.json["nodes"][node]["skin"]]
        binds = self.accessor(skin["inverseBindMatrices"])
        bones = []
        for joint, m in zip(skin["joints"], binds):
            assert (m[3], m[7], m[11], m[15]) == (0, 0, 0, 1)
            bones.append(multiply(worlds[joint], [[m[4 * j + i] for j in range(4)] for i in range(3)]))
        total = [[0.0, 0.0, 0.0] for _ in points]
        sums = [0.0] * len(points)
        for s in range(9):
            if f"JOINTS_{s}" not in attributes:
                break
            joints, weights = self.accessor(attributes[f"JOINTS_{s}"]), self.accessor(attributes[f"WEIGHTS_{s}"])
            for v, p in enumerate(points):
                for j, w in zip(joints[v], weights[v]):
                    sums[v] += w
                    if w > 0:
                        q = transform(bones[j], p)
                        for i in range(3):
                            total[v][i] += w * q[i]
        assert all(abs(x - 1) < 2e-7 for x in sums), "weights do not sum to 1"
        return total


def rotation_matrix(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def compose(t, q, s):
    r = rotation_matrix(q)
    return [[r[i][0] * s[0], r[i][1] * s[1], r[i][2] * s[2], t[i]] for i in range(3)]


def multiply(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) + (a[i][3] if j == 3 else 0) for j in range(4)] for i in range(3)]


def transform(a, p):
    return [a[i][0] * p[0] + a[i][1] * p[1] + a[i][2] * p[2] + a[i][3] for i in range(3)]


def slerp(a, b, u):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-x for x in b], -dot
    angle = math.acos(min(1.0, dot))
    if angle < 1e-6:
        return [x + u * (y - x) for x, y in zip(a, b)]
    return [(math.sin((1 - u) * angle) * x + math.sin(u * angle) * y) / math.sin(angle) for x, y in zip(a, b)]


def unit(q):
    n = math.sqrt(sum(x * x for x in q))
    return [x / n for x in q]


def sample(times, interpolation, values, time, is_rotation):
    """glTF 2.0, appendix C."""
    cubic = interpolation == "CUBICSPLINE"
    at = (lambda k: values[3 * k + 1]) if cubic else (lambda k: values[k])
    if time <= times[0]:
        return at(0)
    if time >= times[-1]:
        return at(len(times) - 1)
    k = max(i for i, t in enumerate(times) if t <= time)
    d = times[k + 1] - times[k]
    u = (time - times[k]) / d
    if interpolation == "STEP":
        return at(k)
    if cubic:
        a, b, out, into = at(k), at(k + 1), values[3 * k + 2], values[3 * k + 3]
        r = [(2 * u**3 - 3 * u**2 + 1) * a[i] + d * (u**3 - 2 * u**2 + u) * out[i]
             + (-2 * u**3 + 3 * u**2) * b[i] + d * (u**3 - u**2) * into[i] for i in range(len(a))]
        return unit(r) if is_rotation else r
    if is_rotation:
        return slerp(at(k), at(k + 1), u)
    return [x + u * (y - x) for x, y in zip(at(k), at(k + 1))]

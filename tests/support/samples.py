"""Small models of every kind, made here: a bar of three bones that weighs what one can count, and a BVH.

The bar: 0.2 x 3 x 0.2 m, upright along y, bones bone0, bone1, bone2 from y = 0, 1, 2 m; rings of vertices at y = 0 to
3, each ring bound to the bones below and above it in equal parts. Its clip "bend" turns bone1 about z to 90 degrees at
1 s. two.glb holds it twice, 2 m apart, the other's names beginning with "other".
"""
import base64
import json
import math
import struct

HEIGHT, WIDTH, BONES = 3.0, 0.2, 3
VOLUME = HEIGHT * WIDTH * WIDTH


def pad(data, filler=b'\0'):
    return data + filler * (-len(data) % 4)


class Buffer:
    def __init__(self):
        self.data, self.views, self.accessors = b'', [], []

    def add(self, kind, component, rows, bounds=False):
        letter = {5123: 'H', 5121: 'B', 5126: 'f'}[component]
        flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else [row])]
        data = struct.pack(f'<{len(flat)}{letter}', *flat)
        self.views.append({'buffer': 0, 'byteOffset': len(self.data), 'byteLength': len(data)})
        accessor = {'bufferView': len(self.views) - 1, 'componentType': component, 'type': kind, 'count': len(rows)}
        if bounds:
            table = [row if isinstance(row, (list, tuple)) else [row] for row in rows]
            accessor['min'], accessor['max'] = [list(map(f, zip(*table))) for f in (min, max)]
        self.accessors.append(accessor)
        self.data = pad(self.data + data)
        return len(self.accessors) - 1


def bar_mesh():
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    points, joints, weights, triangles = [], [], [], []
    for ring in range(BONES + 1):
        low, high = max(ring - 1, 0), min(ring, BONES - 1)
        for x, z in corners:
            points.append((x * WIDTH / 2, float(ring), z * WIDTH / 2))
            joints.append((low, high if high != low else 0, 0, 0))
            weights.append((0.5, 0.5, 0.0, 0.0) if high != low else (1.0, 0.0, 0.0, 0.0))
    for ring in range(BONES):
        for side in range(4):
            a, b = 4 * ring + side, 4 * ring + (side + 1) % 4
            triangles += [(a, a + 4, b), (b, a + 4, b + 4)]
    top = 4 * BONES
    triangles += [(0, 1, 2), (0, 2, 3), (top, top + 2, top + 1), (top, top + 3, top + 2)]
    return points, joints, weights, triangles


def bar(skeletons=1):
    """The bar as glTF; its JSON without the buffer's place, and the buffer's bytes."""
    buffer = Buffer()
    points, joints, weights, triangles = bar_mesh()
    primitive = {'attributes': {'POSITION': buffer.add('VEC3', 5126, points, bounds=True),
                                'JOINTS_0': buffer.add('VEC4', 5121, joints),
                                'WEIGHTS_0': buffer.add('VEC4', 5126, weights)},
                 'indices': buffer.add('SCALAR', 5123, [i for t in triangles for i in t]), 'material': 0}
    binds = buffer.add('MAT4', 5126, [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -k, 0, 1) for k in range(BONES)])
    times = buffer.add('SCALAR', 5126, [0.0, 1.0], bounds=True)
    turns = buffer.add('VEC4', 5126, [(0, 0, 0, 1), (0, 0, math.sqrt(0.5), math.sqrt(0.5))])
    nodes, scene, skins = [], [], []
    for s in range(skeletons):
        prefix, first = ('' if s == 0 else 'other'), len(nodes)
        for k in range(BONES):
            nodes.append({'name': f'{prefix}bone{k}', 'translation': [2 * s if k == 0 else 0, 1 if k else 0, 0]})
            if k + 1 < BONES:
                nodes[-1]['children'] = [first + k + 1]
        nodes.append({'name': f'{prefix}bar', 'mesh': 0, 'skin': s})
        joints = list(range(first, first + BONES))
        skins.append({'name': f'{prefix}skin', 'joints': joints, 'inverseBindMatrices': binds})
        scene += [first, first + BONES]
    nodes.append({'name': 'eye', 'camera': 0, 'matrix': [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 9, 1]})
    scene.append(len(nodes) - 1)
    return {'asset': {'version': '2.0', 'generator': 'by hand', 'extras': {'kept': [1, 2]}}, 'scene': 0,
            'scenes': [{'nodes': scene}], 'nodes': nodes, 'skins': skins,
            'meshes': [{'name': 'bar', 'primitives': [primitive], 'extras': {'kept': True}}],
            'materials': [{'name': 'clay', 'pbrMetallicRoughness': {'baseColorFactor': [0.8, 0.5, 0.4, 1]}}],
            'cameras': [{'type': 'perspective', 'perspective': {'yfov': 0.7, 'znear': 0.1}}],
            'animations': [{'name': 'bend', 'samplers': [{'input': times, 'output': turns}],
                            'channels': [{'sampler': 0, 'target': {'node': 1, 'path': 'rotation'}}]}],
            'accessors': buffer.accessors, 'bufferViews': buffer.views,
            'buffers': [{'byteLength': len(buffer.data)}]}, buffer.data


def glb(document, data):
    text, data = pad(json.dumps(document).encode(), b' '), pad(data)
    chunks = struct.pack('<I4s', len(text), b'JSON') + text + struct.pack('<I4s', len(data), b'BIN\0') + data
    return struct.pack('<4sII', b'glTF', 2, 12 + len(chunks)) + chunks


def gltf(document, data):
    uri = 'data:application/octet-stream;base64,' + base64.b64encode(data).decode()
    return json.dumps(document | {'buffers': [{'byteLength': len(data), 'uri': uri}]}, indent=1).encode()


BVH = b'''HIERARCHY
ROOT hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT spine
  {
    OFFSET 0 30 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 40 0
    }
  }
  JOINT leg
  {
    OFFSET 10 0 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 -90 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 90 0 0 0 0 0 0 0 0
0 90 0 0 0 0 20 0 0 30
'''


def write(folder):
    """bar.glb, bar.gltf, two.glb and limbs.bvh."""
    (folder / 'bar.glb').write_bytes(glb(*bar()))
    (folder / 'bar.gltf').write_bytes(gltf(*bar()))
    (folder / 'two.glb').write_bytes(glb(*bar(skeletons=2)))
    (folder / 'limbs.bvh').write_bytes(BVH)

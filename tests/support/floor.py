"""A floor to fall on, as a model file."""
import base64
import json
import struct


def write_floor(path, height, size=20.0):
    """A glTF file of one square, level, metres."""
    points = [(x * size, height, z * size) for z in (-0.5, 0.5) for x in (-0.5, 0.5)]
    data = b''.join(struct.pack('<3f', *point) for point in points) + struct.pack('<6H', 0, 2, 1, 1, 2, 3)
    path.write_text(json.dumps({
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}],
        'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}],
        'buffers': [{'byteLength': len(data), 'uri': 'data:application/octet-stream;base64,' + base64.b64encode(data).decode()}],
        'bufferViews': [{'buffer': 0, 'byteLength': 48}, {'buffer': 0, 'byteOffset': 48, 'byteLength': 12}],
        'accessors': [
            {'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3', 'min': list(points[0]), 'max': list(points[3])},
            {'bufferView': 1, 'componentType': 5123, 'count': 6, 'type': 'SCALAR'}]}))

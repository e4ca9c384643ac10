"""A rigged file of each kind that Assimp reads and nothing else in these tests writes: a chain of three bones, or a cube
that moves, from the formats' documents."""
import io
import struct
import zipfile

CUBE = [(x, y, z) for x in (-1, 1) for y in (0, 2) for z in (-1, 1)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
BONES = 3


def bone_of(point):
    return 0 if point[1] < 1 else BONES - 1


def chunk(tag, data):
    return tag + struct.pack('<I', len(data)) + data


def b3d():
    """Blitz3D: the bones are nodes in each other."""
    def node(index):
        place = struct.pack('<10f', 0, 1 if index else 0, 0, 1, 1, 1, 1, 0, 0, 0)
        weights = b''.join(struct.pack('<If', i, 1) for i, point in enumerate(CUBE) if bone_of(point) == index)
        below = node(index + 1) if index + 1 < BONES else b''
        return chunk(b'NODE', b'bone%d\0' % index + place + chunk(b'BONE', weights) + below)
    vertices = struct.pack('<3i', 0, 0, 0) + b''.join(struct.pack('<3f', *point) for point in CUBE)
    triangles = struct.pack('<i', -1) + b''.join(struct.pack('<3I', *face) for face in FACES)
    mesh = chunk(b'MESH', struct.pack('<i', -1) + chunk(b'VRTS', vertices) + chunk(b'TRIS', triangles))
    top = b'top\0' + struct.pack('<10f', 0, 0, 0, 1, 1, 1, 1, 0, 0, 0) + mesh + node(0)
    return chunk(b'BB3D', struct.pack('<i', 1) + chunk(b'NODE', top))


def ms3d():
    """MilkShape 3D, version 4."""
    data = b'MS3D000000' + struct.pack('<iH', 4, len(CUBE))
    for point in CUBE:
        data += struct.pack('<B3fbB', 0, *point, bone_of(point), 1)
    data += struct.pack('<H', len(FACES))
    for face in FACES:
        data += struct.pack('<H3H9f3f3fBB', 0, *face, *[0, 1, 0] * 3, 0, 0, 0, 0, 0, 0, 1, 0)
    data += struct.pack('<HB32sH', 1, 0, b'cube', len(FACES)) + struct.pack(f'<{len(FACES)}H', *range(len(FACES))) + b'\0'
    data += struct.pack('<H', 1) + struct.pack('<32s16fffB128s128s', b'skin', *[1] * 16, 1, 1, 0, b'', b'')
    data += struct.pack('<ffiH', 24, 1, 30, BONES)
    for i in range(BONES):
        data += struct.pack('<B32s32s6fHH', 0, b'bone%d' % i, b'bone%d' % (i - 1) if i else b'', 0, 0, 0, 0, 1 if i else 0, 0, 1, 1)
        data += struct.pack('<8f', 0, 0, 0, 0, 0, 0, 0, 0)
    return data


def pmx():
    """MikuMikuDance, PMX 2.0: UTF-8, no more UVs, indices of a byte for vertices and of four for the rest."""
    def text(words):
        return struct.pack('<i', len(words)) + words
    data = b'PMX ' + struct.pack('<fB8B', 2.0, 8, 1, 0, 1, 4, 4, 4, 4, 4) + 4 * text(b'')
    data += struct.pack('<i', len(CUBE))
    for point in CUBE:
        data += struct.pack('<8fBif', *point, 0, 1, 0, 0, 0, 0, bone_of(point), 1)
    data += struct.pack('<i', 3 * len(FACES)) + b''.join(struct.pack('<3B', *face) for face in FACES)
    data += struct.pack('<i', 0)  # textures
    data += struct.pack('<i', 1) + text(b'skin') + text(b'') + struct.pack('<11fB5f', *[1] * 11, 0, *[0] * 5)
    data += struct.pack('<iiBBB', -1, -1, 0, 1, 0) + text(b'') + struct.pack('<i', 3 * len(FACES))
    data += struct.pack('<i', BONES)
    for i in range(BONES):
        data += text(b'bone%d' % i) + text(b'') + struct.pack('<3fiiH3f', 0, i, 0, i - 1, 0, 0x0002, 0, 1, 0)
    return data + struct.pack('<4i', 0, 0, 0, 0)  # morphs, frames, rigid bodies, joints


def smd():
    """Valve's reference mesh."""
    lines = ['version 1', 'nodes'] + [f'{i} "bone{i}" {i - 1}' for i in range(BONES)] + ['end', 'skeleton', 'time 0']
    lines += [f'{i} 0 {int(i > 0)} 0 0 0 0' for i in range(BONES)] + ['end', 'triangles']
    for face in FACES:
        lines += ['skin'] + ['%d %g %g %g 0 1 0 0 0' % (bone_of(CUBE[i]), *CUBE[i]) for i in face]
    return '\n'.join(lines + ['end', '']).encode()


def md5mesh():
    """Doom 3: weights are points in the frame of their bone."""
    lines = ['MD5Version 10', 'commandline "none"', '', f'numJoints {BONES}', 'numMeshes 1', '', 'joints {']
    lines += [f'"bone{i}" {i - 1} ( 0 {i} 0 ) ( 0 0 0 ) //' for i in range(BONES)] + ['}', '', 'mesh {', 'shader "skin"', '', f'numverts {len(CUBE)}']
    lines += [f'vert {i} ( 0 0 ) {i} 1' for i in range(len(CUBE))] + [f'numtris {len(FACES)}']
    lines += ['tri %d %d %d %d' % (i, *face) for i, face in enumerate(FACES)] + [f'numweights {len(CUBE)}']
    lines += ['weight %d %d 1 ( %g %g %g )' % (i, bone_of(p), p[0], p[1] - bone_of(p), p[2]) for i, p in enumerate(CUBE)]
    return '\n'.join(lines + ['}', '']).encode()


def x():
    """DirectX, as text. Numbers have points: Assimp takes "1,0" for one number."""
    def matrix(height):
        return f'1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,{height}.0,0.0,1.0'

    def frame(i):
        below = frame(i + 1) if i + 1 < BONES else ''
        return (f'Frame bone{i} {{ FrameTransformMatrix {{ {matrix(int(i > 0))};; }} {below} }}')
    points = ',\n'.join('%.1f;%.1f;%.1f;' % p for p in CUBE)
    faces = ',\n'.join('3;%d,%d,%d;' % f for f in FACES)
    skins = ''
    for bone in (0, BONES - 1):
        mine = [i for i, p in enumerate(CUBE) if bone_of(p) == bone]
        skins += (f'SkinWeights {{ "bone{bone}"; {len(mine)}; {",".join(map(str, mine))}; {",".join(["1.0"] * len(mine))};\n'
                  f'{matrix(-bone)};; }}\n')
    return (f'xof 0303txt 0032\n{frame(0)}\nFrame body {{ Mesh {{ {len(CUBE)};\n{points};\n{len(FACES)};\n{faces};\n'
            f'XSkinMeshHeader {{ 1; 1; 2; }}\n{skins} }} }}\n').encode()


def ase():
    """3D Studio Max's text: objects in each other, which turn."""
    def thing(name, parent, height):
        points = '\n'.join('*MESH_VERTEX %d %g %g %g' % (i, *p) for i, p in enumerate((x, z, y + height) for x, y, z in CUBE))
        faces = '\n'.join('*MESH_FACE %d: A: %d B: %d C: %d AB: 1 BC: 1 CA: 1 *MESH_SMOOTHING 1 *MESH_MTLID 0' % (i, *f) for i, f in enumerate(FACES))
        keys = '\n'.join(f'*CONTROL_ROT_SAMPLE {800 * k} 1 0 0 0.2' for k in range(5))
        above = f'*NODE_PARENT "{parent}"' if parent else ''
        rows = f'*TM_ROW0 1 0 0\n*TM_ROW1 0 1 0\n*TM_ROW2 0 0 1\n*TM_ROW3 0 0 {height}\n*TM_POS 0 0 {height}\n*TM_ROTAXIS 0 0 0\n*TM_ROTANGLE 0\n*TM_SCALE 1 1 1'
        return (f'*GEOMOBJECT {{\n*NODE_NAME "{name}"\n{above}\n*NODE_TM {{\n*NODE_NAME "{name}"\n{rows}\n}}\n*MESH {{\n*TIMEVALUE 0\n'
                f'*MESH_NUMVERTEX {len(CUBE)}\n*MESH_NUMFACES {len(FACES)}\n*MESH_VERTEX_LIST {{\n{points}\n}}\n*MESH_FACE_LIST {{\n{faces}\n}}\n}}\n'
                f'*TM_ANIMATION {{\n*NODE_NAME "{name}"\n*CONTROL_ROT_TRACK {{\n{keys}\n}}\n}}\n}}\n')
    scene = '*SCENE {\n*SCENE_FIRSTFRAME 0\n*SCENE_LASTFRAME 20\n*SCENE_FRAMESPEED 30\n*SCENE_TICKSPERFRAME 160\n}\n'
    return ('*3DSMAX_ASCIIEXPORT 200\n' + scene + thing('low', '', 0) + thing('high', 'low', 2)).encode()


def zae(collada):
    """A Collada file in a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive:
        archive.writestr('bar.dae', collada)
        archive.writestr('manifest.xml', '<?xml version="1.0" encoding="utf-8"?><dae_root>./bar.dae</dae_root>')
    return out.getvalue()


def lws():
    """LightWave: a scene of null objects in each other, which move."""
    out = ['LWSC', '5', '', 'FirstFrame 0', 'LastFrame 30', 'FrameStep 1', 'FramesPerSecond 30', '']
    for i in range(BONES):
        out += [f'AddNullObject {0x10000000 + i:08x} bone{i}', 'ShowObject 8 -1 0.9 0.9 0.9', 'ObjectMotion', 'NumChannels 9']
        for channel in range(9):
            first = 1.0 if channel >= 6 or (channel == 1 and i) else 0.0
            last = 0.5 if channel == 4 else first
            out += [f'Channel {channel}', '{ Envelope', '2', f'Key {first} 0 0 0 0 0 0 0 0', f'Key {last} 1 0 0 0 0 0 0 0', 'Behaviors 1 1', '}']
        out += [f'ParentItem {0x10000000 + i - 1:08x}'] if i else []
        out += ['']
    return '\n'.join(out + ['AddCamera 30000000', '']).encode()

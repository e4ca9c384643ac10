"""Writes the first inputs of the harnesses, and words of their formats, a folder each: seeds.py FOLDER IMPORTER."""
import pathlib
import struct
import json
import subprocess
import sys

import samples
from tap import SOURCE

MIX = ['7:12, 9:5@1.1+90', '7:20', '7:12@2x-45,8:3.5@3x', 'walk:1e-3', '7:1e9@0',
       '{"format": "eigenrig-mix", "version": 1, "name": "m", "cycle": 1.5, "modes": [{"mode": 7, "degrees": 12.5}]}',
       '{"format": "eigenrig-mix", "version": 1, "bodies": 1, "size": 2, "modes": [{"mode": 8, "harmonic": 3, "phase": 90, '
       '"attack": 0.5, "decay": 1, "damping_ratio": 0.1, "shape_hz": 2, "shape": [[1, 0, 0, 0, 1, 0]]}]}']
POSE = ['{"format": "eigenrig-pose", "version": 1, "nodes": [{"name": "leg", "rotation": [1, 0, 0, 0]}, '
        '{"name": "hip", "translation": [0, 1, 0], "scale": [1, 2, 3]}]}']
DESCRIPTIONS = ['return {root = "free", height = 1.6, mass = 500, stiffness = "graded:2:0.5", damping = 0.1, rayleigh = {1, 2}}',
                'return {joints = {["*_cannon"] = {type = "revolute", axis = "x", limits = {-30, 60}}, '
                'tail = {hz = 6, stiffness = {tx = 900}}, {pattern = "t*", damping_ratio = 1}}}',
                'local t = {} for i = 1, 9 do t["b" .. i] = {density = i * 100} end return {density = 900, bodies = t}',
                'return {loops = {{child = "a", parent = "b", type = "revolute", at = {0, 1, 0}, axis = "y"}}, welds = {"jaw"}}',
                'return {pose = {left = {turn = {-20, 0, 0}, position = {0, 1, 0}}}, mirror = {{"left", "right"}}}',
                'return {hang = {tail = "hip", foot = false}, skeleton = "rig", infer_parents = true, props = "s*", joints = "auto"}',
                'error({})', 'while true do end', 'return setmetatable({}, {__index = function() return 1 end})',
                'return {root = ("x"):rep(1e6)}']
EVENTS = ['key:Space wait:10 shot:out.png', 'click:"Mode 7" drag:10,20,30,40 Ctrl+Shift+click:5,5 scroll:3',
          'type:"3.5" expect:Mode expect-not:Error resize:640x480 drop:a.glb', "drag:'Stiffness',40 key:Ctrl+Z"]
SETTINGS = [bytes([bit]) + text for bit in range(13) for text in (b'1.5', b'free', b'1e51', b'auto')]
PLATES = ['time_s,foot.force_x,foot.force_y,foot.force_z,foot.centre_x,foot.centre_y,foot.centre_z\n0,1,2,3,4,5,6\n0.5,-1e3,2,0,.1,0,9\n',
          'a,"a, b.twist",' + ','.join(f'"a, b.{part}_{axis}"' for part in ('force', 'centre') for axis in 'xyz') + ',time_s\r\n1,2,3,4,5,6,7,8,0\r\n']
WORDS = {
    'rig': ['"bodies"', '"joints"', '"revolute"', '"spherical"', '"free"', '"fixed"', '"planar"', '"mass"', '"inertia"', '1e308'],
    'mix': ['"modes"', '"degrees"', '"harmonic"', '"shape"', '"phase"', '@', 'x', '+90', '-1e9'],
    'plate': ['time_s', 'foot.', 'force_x', 'centre_y', 'twist', '"a, b.', '""', '1e308', 'nan'],
    'pose': ['"nodes"', '"translation"', '"rotation"', '"scale"', '"matrix"'],
    'description': ['return', 'setmetatable', 'string.rep', 'pcall', 'goto', 'function', 'bodies', 'joints', 'loops', 'welds'],
    'events': ['key:', 'click:', 'drag:', 'type:', 'expect:', 'expect-not:', 'shot:', 'resize:', 'scroll:', 'Ctrl+', 'F12'],
    'settings': ['inf', 'nan', '0x1p9', 'free', 'fixed'],
    'gltf': ['"skins"', '"nodes"', '"children"', '"matrix"', '"animations"', 'CUBICSPLINE', '"sparse"', '"extras"',
             'VRMC_springBone', '"secondaryAnimation"', '"boneGroups"', '"springs"', '"joints"', '"stiffness"', '"dragForce"',
             '"colliderGroups"', 'KHR_draco_mesh_compression', 'data:;base64,AAAA', '"byteStride"', '"inverseBindMatrices"'],
    'bvh': ['JOINT', 'End Site', 'CHANNELS', 'OFFSET', 'MOTION', 'Frames:', 'Frame Time:', 'Zrotation', '1e38'],
    'wire': [], 'writers': [],
    'world': ['begin', 'end', 'bodies', 'state', 'shape', 'constraints', 'forces', 'animation', 'format of 95-01-09', 'Universal',
              'Fixed', 'Plane', 'Cylindrical', 'Prismatic', 'Revolution', 'Spring', 'Interpolated', 'World', 'collision_test = on',
              'faces = 12', '"schedule"', '"spring"', '"held"', '"rest"', '"motors"', '"restitution"', '"friction"',
              '"sphere"', '"capsule"', '"half"', '"faces"', '1e50', '-1e-300'],
    'import': ['Kaydara FBX Binary  ', 'Connections:', 'Deformer', '<skin>', '<animation>', 'v ', 'f 1/1/1'],
}


def little_gltf():
    """The bar, and trees whose nodes have matrices, morphs, cameras."""
    document, data = samples.bar()
    yield samples.glb(document, data)
    yield samples.gltf(*samples.bar())
    bones = [{'name': name, 'children': [i + 1]} for i, name in enumerate(('a', 'b', 'c'))] + [{'name': 'd', 'translation': [0, 1, 0]}]
    joint = {'hitRadius': 0.1, 'stiffness': 2, 'gravityPower': 0.1, 'gravityDir': [0, -1, 0], 'dragForce': 0.4}
    springs = {'specVersion': '1.0', 'colliders': [{'node': 0, 'shape': {'capsule': {'offset': [0, 0, 0], 'tail': [0, 1, 0], 'radius': 1}}}],
               'colliderGroups': [{'colliders': [0]}],
               'springs': [{'name': 's', 'center': 0, 'colliderGroups': [0], 'joints': [dict(joint, node=i) for i in (1, 2, 3)]}]}
    older = {'secondaryAnimation': {'boneGroups': [{'stiffiness': 1, 'gravityPower': 0, 'gravityDir': {'x': 0, 'y': -1, 'z': 0}, 'dragForce': 0.4,
                                                    'center': -1, 'hitRadius': 0.02, 'bones': [1], 'colliderGroups': [0]}],
                                    'colliderGroups': [{'node': 0, 'colliders': [{'offset': {'x': 0, 'y': 0, 'z': 0}, 'radius': 0.1}]}]}}
    for extension, value in (('VRMC_springBone', springs), ('VRM', older)):
        yield json.dumps({'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': bones,
                          'extensionsUsed': [extension], 'extensions': {extension: value}}).encode()
    yield (b'{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"a","children":[1],'
           b'"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1]},{"name":"b","camera":0}],'
           b'"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],'
           b'"buffers":[{"uri":"data:;base64,AAAAAAAAgD8AAAAAAACAPw==","byteLength":16}]}')


def answers(folder, importer):
    """The importer's answers to them."""
    for path in sorted(folder.glob('*')):
        yield subprocess.run([importer, path, '--memory', '1e13', '--time', '20'], capture_output=True, check=True).stdout[24:]


def foreign():
    """A byte for the ending, and a file: limbs.fbx and .dae are limbs.bvh as `eigenrig animate` writes it."""
    made = SOURCE / 'tests' / 'fuzz' / 'models'
    x = b'xof 0303txt 0032\nFrame a {\n FrameTransformMatrix { 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; }\n}\n'
    yield from (b'\0' + (made / 'limbs.fbx').read_bytes(), b'\1' + (made / 'limbs.dae').read_bytes(), b'\2' + x,
                b'\5v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n', b'\6' + samples.glb(*samples.bar()), b'\7' + samples.BVH)


def worlds():
    """Ours, and Bacin's sets, their files parted by form feeds; the bodies of one hang by every type of joint."""
    date = '(format of 95-01-09)'
    yield (SOURCE / 'models' / 'scenes' / 'hovercraft.json').read_bytes()
    yield (f'{{"format": "eigenrig-world", "version": 1, "rig": {(SOURCE / "models" / "four_bar.json").read_text()}, "duration": 2, '
           '"frames": 60, "rest": [0.1, 0, 0, 0], "held": [], "motors": [{"coordinate": 0, "stiffness": 2, "position": 1}], '
           '"shapes": [{"body": -1, "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}], '
           '"forces": [{"kind": "spring", "body": 0, "other": 1, "stiffness": 3}, {"kind": "constant", "body": 2, "force": [1, 2, 3]}]}')
    for name in ('9.2', '9.6'):
        set_of = [SOURCE / 'models' / 'bacin' / f'{name}{ending}' for ending in ('.cfg', '.bds', '.ste', '.ctr', '.for')]
        cfg, bds, ste, ctr, force = (path.read_text() if path.exists() else '' for path in set_of)
        shape = (SOURCE / 'models' / 'bacin' / 'bar.shp').read_text()
        for shape_name in ('tipped_bar', 'slab\n', 'bar\n'):
            bds = bds.replace(f' {shape_name}', ' box' + shape_name[len(shape_name.rstrip()):])
        yield '\f'.join((cfg, bds, ste, shape, ctr, force))
    still = '0 0 0 0 0 0 0'
    yield '\f'.join((
        f'begin animation {date} duration = 1 frames = 2 tolerance = 1 min_step = 0 max_step = 1 collision_test = on end animation',
        f'begin bodies {date} bodies = 3 a box 1 1 1 1 b box 1 2 3 4 c box 1 1 1 1 end bodies',
        f'begin state {date} bodies = 3 time = 0 a 0 0 0 1 0 0 0 {still} b 3 0 0 1 0 0 0 {still} c 0 4 0 0.6 0.8 0 0 {still} end state',
        f'begin shape {date} mass = 1 moments = 1 1 1 vertices = 4 faces = 4 1 0 0 0 2 1 0 0 3 0 1 0 4 0 0 1 '
        '1 1 3 2 2 1 2 4 3 2 3 4 4 1 4 3 end shape',
        f'begin constraints {date} constraints = 7 p Prismatic a 1 0 0 1 0 0 0 1 0 b -2 0 0 2 0 0 0 3 0 '
        'f Fixed a 0 0 0 g Fixed a 1 0 0 h Fixed a 0 1 0 r Revolution a 0 4 0 1 0 0 c 0 0 0 -1 0 0 '
        'y Cylindrical World 0 4 0 1 0 0 c 0 0 0 1 0 0 q Plane b 0 0 0 World 0 1 0 0 end constraints',
        f'begin forces {date} forces = 2 s Spring 3 1 a 0 0 0 World 1 1 1 i Interpolated c 0 0 0 2 0 1 2 3 4 5 6 1 1 2 3 4 5 6 end forces'))


def all_of(folder, importer):
    models = folder / 'models'
    models.mkdir()
    samples.write(models)
    (models / 'two.glb').unlink()
    rigs = [path.read_bytes() for path in sorted((SOURCE / 'models').glob('*.json')) if path.stat().st_size < 6000]
    return {'rig': rigs, 'mix': MIX, 'plate': PLATES, 'pose': POSE, 'description': DESCRIPTIONS, 'events': EVENTS, 'settings': SETTINGS,
            'gltf': little_gltf(), 'bvh': [samples.BVH], 'wire': answers(models, importer), 'import': foreign(),
            'world': worlds(),
            'writers': [bytes([kind, size, *range(40, 240)]) for kind in range(5) for size in (0, 3, 9)]}


def main(folder, importer):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, seeds in all_of(folder, importer).items():
        (folder / name).mkdir()
        for number, seed in enumerate(seeds):
            (folder / name / f'{number}').write_bytes(seed.encode() if isinstance(seed, str) else seed)
        escaped = (word.replace('\\', '\\\\').replace('"', '\\"') for word in WORDS[name])
        (folder / f'{name}.words').write_text(''.join(f'"{word}"\n' for word in escaped))


if __name__ == '__main__':
    main(*sys.argv[1:])

"""What the harnesses begin with: a folder of small inputs each, and words of their formats: seeds.py FOLDER IMPORTER."""
import pathlib
import struct
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
WORDS = {
    'rig': ['"bodies"', '"joints"', '"revolute"', '"spherical"', '"free"', '"fixed"', '"planar"', '"mass"', '"inertia"', '1e308'],
    'mix': ['"modes"', '"degrees"', '"harmonic"', '"shape"', '"phase"', '@', 'x', '+90', '-1e9'],
    'pose': ['"nodes"', '"translation"', '"rotation"', '"scale"', '"matrix"'],
    'description': ['return', 'setmetatable', 'string.rep', 'pcall', 'goto', 'function', 'bodies', 'joints', 'loops', 'welds'],
    'events': ['key:', 'click:', 'drag:', 'type:', 'expect:', 'expect-not:', 'shot:', 'resize:', 'scroll:', 'Ctrl+', 'F12'],
    'settings': ['inf', 'nan', '0x1p9', 'free', 'fixed'],
    'gltf': ['"skins"', '"nodes"', '"children"', '"matrix"', '"animations"', 'CUBICSPLINE', '"sparse"', '"extras"',
             'KHR_draco_mesh_compression', 'data:;base64,AAAA', '"byteStride"', '"inverseBindMatrices"'],
    'bvh': ['JOINT', 'End Site', 'CHANNELS', 'OFFSET', 'MOTION', 'Frames:', 'Frame Time:', 'Zrotation', '1e38'],
    'wire': [], 'writers': [],
    'import': ['Kaydara FBX Binary  ', 'Connections:', 'Deformer', '<skin>', '<animation>', 'v ', 'f 1/1/1'],
}


def little_gltf():
    """The bar, and trees whose nodes have matrices, morphs, cameras."""
    document, data = samples.bar()
    yield samples.glb(document, data)
    yield samples.gltf(*samples.bar())
    yield (b'{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"a","children":[1],'
           b'"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1]},{"name":"b","camera":0}],'
           b'"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],'
           b'"buffers":[{"uri":"data:;base64,AAAAAAAAgD8AAAAAAACAPw==","byteLength":16}]}')


def answers(folder, importer):
    """What the importer says of them."""
    for path in sorted(folder.glob('*')):
        yield subprocess.run([importer, path, '--memory', '1e13', '--time', '20'], capture_output=True, check=True).stdout[24:]


def foreign():
    """A byte for the ending, and a file: limbs.fbx and .dae are limbs.bvh as `eigenrig animate` writes it."""
    made = SOURCE / 'tests' / 'fuzz' / 'models'
    x = b'xof 0303txt 0032\nFrame a {\n FrameTransformMatrix { 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;; }\n}\n'
    yield from (b'\0' + (made / 'limbs.fbx').read_bytes(), b'\1' + (made / 'limbs.dae').read_bytes(), b'\2' + x,
                b'\5v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n', b'\6' + samples.glb(*samples.bar()), b'\7' + samples.BVH)


def all_of(folder, importer):
    models = folder / 'models'
    models.mkdir()
    samples.write(models)
    (models / 'two.glb').unlink()
    rigs = [path.read_bytes() for path in sorted((SOURCE / 'models').glob('*.json')) if path.stat().st_size < 6000]
    return {'rig': rigs, 'mix': MIX, 'pose': POSE, 'description': DESCRIPTIONS, 'events': EVENTS, 'settings': SETTINGS,
            'gltf': little_gltf(), 'bvh': [samples.BVH], 'wire': answers(models, importer), 'import': foreign(),
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

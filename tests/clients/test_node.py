"""three.js, of today and of before its change of how FBX binds skins, draws the skins of our FBX files where those of our
GLB files are, and joints of BVH; three-vrm moves the bones of VRM models by our VRM animations as their own clips do."""
import functools
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile

from lossless import same
from motions import Gltf, clip_names
from program import RIGS, fails, some, works
from tap import SOURCE, promise, run, skip

HERE = pathlib.Path(__file__).parent
FOLDER = tempfile.TemporaryDirectory()
TIMES = [0.137, 0.713]
TOLERANCE = 1e-5  # of the size; keys are 32-bit floats, VRM animations follow the clip to 3e-6 a bone: 3e-6 seen
MIX = '6:14,7:6+90'
GNOME = SOURCE / 'models' / 'gnome.glb'
SKINS = ['Shark.glb', 'SimpleSkin.gltf', 'double_skeleton.dae', 'maya_sausage.fbx',
         'field/astro_max.dae', 'field/lumberjack_rigify.glb']  # at most 4 influences a vertex, which is all that three has


def ask_node(jobs):
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('the build has sanitizers, and the files are those of a build without')
    if not (HERE / 'node_modules' / 'three160').is_dir():
        skip('npm ci in tests/clients brings three.js and three-vrm; they are not there')
    with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
        json.dump(jobs, file)
        file.flush()
        done = subprocess.run(['node', HERE / 'three_jobs.mjs', file.name], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    answers = json.loads(done.stdout)
    errors = [f'{job}: {answer["error"]}' for job, answer in zip(jobs, answers) if 'error' in answer]
    assert not errors, '\n'.join(errors)
    return answers


def animate(source, folder, *endings):
    paths = [pathlib.Path(folder) / f'out.{ending}' for ending in endings]
    works('animate', source, '-q', '--mix', MIX, '--duration', 1, '--fps', 30,
          *[word for path in paths for word in ('-o', path)])
    return paths


# --- skins

def skin(gltf, time):
    """Vertices of triangles of all skinned meshes in the world."""
    worlds, points = gltf.worlds(gltf.clip(0), time), []
    for index, node in enumerate(gltf.list('nodes')):
        for primitive in gltf.json['meshes'][node['mesh']]['primitives'] if 'skin' in node else ():
            at = gltf.positions(index, primitive, worlds)
            used = set(gltf.accessor(primitive['indices'])) if 'indices' in primitive else range(len(at))
            points += [at[i] for i in used]
    return points


def size_of(points):
    return math.dist([max(c) for c in zip(*points)], [min(c) for c in zip(*points)])


def farthest(points, others, reach):
    """How far the farthest of some points is from the nearest of others; at most `reach`."""
    cells = {}
    for p in others:
        cells.setdefault(tuple(math.floor(x / reach) for x in p), []).append(p)
    worst = 0.0
    for p in points:
        x, y, z = (math.floor(c / reach) for c in p)
        near = [q for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) for q in cells.get((x + i, y + j, z + k), ())]
        worst = max(worst, min((math.dist(p, q) for q in near), default=reach))
    return worst


@functools.cache
def written_skins():
    """[(source, GLB, FBX)] of whichever models are there."""
    wanted = some(SKINS, ('SimpleSkin.gltf', 'maya_sausage.fbx', 'astro_max.dae'))
    sources = [RIGS / name for name in wanted if (RIGS / name).is_file()] or [SOURCE / 'models' / 'hand.glb']
    folders = [pathlib.Path(FOLDER.name) / str(k) for k in range(len(sources))]
    for folder in folders:
        folder.mkdir()
    return [(source, *animate(source, folder, 'glb', 'fbx')) for source, folder in zip(sources, folders)]


@functools.cache
def read_skins():
    """Answers for every file by three.js r160, then for every one by r187."""
    jobs = [{'three': three, 'path': str(fbx), 'clip': clip_names(Gltf(glb))[0], 'times': TIMES}
            for three in ('three160', 'three') for _, glb, fbx in written_skins()]
    return ask_node(jobs)


@promise
def skins_of_fbx_are_where_those_of_glb_are():
    answers, count = read_skins(), len(written_skins())
    for k, (source, glb, _) in enumerate(written_skins()):
        gltf = Gltf(glb)
        for i, time in enumerate(TIMES):
            wanted = skin(gltf, time)
            size = size_of(wanted)
            for three, answer in (('r160', answers[k]), ('r187', answers[k + count])):
                flat = [x / 100 for x in answer['skin'][i]]  # cm
                found = list(zip(flat[::3], flat[1::3], flat[2::3]))
                far = max(farthest(wanted, found, 1e-3 * size), farthest(found, wanted, 1e-3 * size)) / size
                assert far <= TOLERANCE, f'{source.name} in three.js {three} at {time} s: off by {far:.2g} of the size'


@promise
def clips_of_fbx_have_their_names_and_lengths():
    for (source, glb, _), answer in zip(written_skins(), read_skins()):
        gltf = Gltf(glb)
        for index, name in enumerate(clip_names(gltf)):
            length = max(times[-1] for times, _, _ in gltf.clip(index).values())
            name = name or f'clip {index - 1}'  # ours is the first
            assert abs(answer['clips'][name] - length) < 1e-4 * max(1, length), f'{source.name}: {answer["clips"]}'


@promise
def joints_of_bvh_are_where_those_of_glb_are():
    folder, times = pathlib.Path(FOLDER.name) / 'bvh', [0.1, 0.7]  # frames, between which angles are blended
    folder.mkdir()
    glb, bvh = animate(GNOME, folder, 'glb', 'bvh')
    answer, = ask_node([{'three': 'three', 'bvh': str(bvh), 'times': times}])
    gltf = Gltf(glb)
    worlds = [gltf.worlds(gltf.clip(0), time) for time in times]
    size = size_of([[row[3] for row in at] for at in worlds[0]])
    index = {node.get('name'): i for i, node in enumerate(gltf.list('nodes'))}
    joints = [name for name in answer['bones'] if name in index]
    assert len(joints) == 56, joints
    far = max(math.dist(point, [row[3] for row in world[index[name]]])
              for name in joints for point, world in zip(answer['bones'][name], worlds)) / size
    assert far <= TOLERANCE, f'off by {far:.2g} of the size'


# --- VRM

def bones_of_gnome():
    arm = {'shoulder': 'Shoulder', 'upper_arm': 'UpperArm', 'forearm': 'LowerArm', 'hand': 'Hand',
           'thigh': 'UpperLeg', 'shin': 'LowerLeg', 'foot': 'Foot', 'toes': 'Toes'}
    fingers = {'index': 'Index', 'middle': 'Middle', 'ring': 'Ring', 'pinky': 'Little'}
    joints = {'proximal': 'Proximal', 'middle': 'Intermediate', 'distal': 'Distal'}
    names = {name: name for name in ('hips', 'spine', 'chest', 'neck', 'head')}
    for side in ('left', 'right'):
        names |= {f'{side}_{ours}': side + theirs for ours, theirs in arm.items()}
        names |= {f'{side}_{f}_{j}': side + fingers[f] + joints[j] for f in fingers for j in joints}
        names |= {f'{side}_thumb_{j}': f'{side}Thumb{k}' for j, k in
                  (('proximal', 'Metacarpal'), ('middle', 'Proximal'), ('distal', 'Distal'))}
    return names


def old_name(bone):
    """A bone's in VRM 0."""
    return bone.replace('ThumbProximal', 'ThumbIntermediate').replace('ThumbMetacarpal', 'ThumbProximal')


def make_vrm(version, path):
    """The gnome with a humanoid map; that of VRM 0 says that it faces -Z, which it does not, and that is no matter."""
    gltf = Gltf(GNOME)
    index = {node.get('name'): i for i, node in enumerate(gltf.list('nodes'))}
    bones = {bone: index[name] for name, bone in bones_of_gnome().items()}
    meta = {'name': 'gnome', 'authors': ['us'], 'licenseUrl': 'https://vrm.dev/licenses/1.0/'}
    if version == 0:
        told = 'VRM', {'specVersion': '0.0', 'meta': {'title': 'gnome'}, 'humanoid': {
            'humanBones': [{'bone': old_name(bone), 'node': node} for bone, node in bones.items()]}}
    else:
        told = 'VRMC_vrm', {'specVersion': '1.0', 'meta': meta, 'humanoid': {
            'humanBones': {bone: {'node': node} for bone, node in bones.items()}}}
    gltf.json |= {'extensionsUsed': [told[0]], 'extensions': dict([told])}
    text = json.dumps(gltf.json).encode()
    text += b' ' * (-len(text) % 4)
    data = gltf.bin()
    path.write_bytes(b'glTF' + b''.join(n.to_bytes(4, 'little') for n in (2, 28 + len(text) + len(data), len(text)))
                     + b'JSON' + text + len(data).to_bytes(4, 'little') + b'BIN\0' + data)
    return path


@functools.cache
def vrms():
    """[(model, VRM, VRM animation)]: the gnome as both versions, and real ones where they are."""
    folder = pathlib.Path(FOLDER.name)
    sources = [make_vrm(version, folder / f'gnome{version}.vrm') for version in (0, 1)]
    sources += [path for path in (RIGS / 'field').glob('*.vrm')]
    folders = [folder / source.stem for source in sources]
    for place in folders:
        place.mkdir()
    return [(source, *animate(source, place, 'vrm', 'vrma')) for source, place in zip(sources, folders)]


@promise
def a_vrm_stays_a_vrm():
    for source, out, _ in vrms():
        old, new = Gltf(source), Gltf(out)
        same(old.json['extensions'], new.json['extensions'], source.name)
        for i, node in enumerate(old.list('nodes')):
            assert new.list('nodes')[i].get('name') == node.get('name'), f'{source.name}: node {i}'
        assert len(new.list('animations')) == len(old.list('animations')) + 1, source.name


@promise
def vrm_animations_move_bones_as_the_models_clips_do():
    jobs = [{'vrm': str(vrm), 'vrma': str(vrma), 'times': TIMES} for _, vrm, vrma in vrms()]
    for (source, vrm, vrma), answer in zip(vrms(), ask_node(jobs)):
        gltf = Gltf(vrm)
        assert answer['clip'] == clip_names(gltf)[0], answer['clip']
        worlds = [gltf.worlds(gltf.clip(0), time) for time in TIMES]
        size = size_of([[row[3] for row in at] for at in worlds[0]])
        far = {bone: max(math.dist(point, [row[3] for row in world[int(bone)]]) for point, world in zip(track, worlds))
               for bone, track in answer['bones'].items()}
        moved = max(math.dist(a, b) for track in answer['bones'].values() for a, b in zip(track, track[1:]))
        assert moved > 0.01 * size and len(far) >= 15, f'{source.name}: {len(far)} bones move by {moved}'
        bone, worst = max(far.items(), key=lambda entry: entry[1])
        name = gltf.list('nodes')[int(bone)]['name']
        assert worst <= TOLERANCE * size, f'{source.name}: {name} is off by {worst / size:.2g} of the size'


@promise
def bones_without_a_map_are_refused():
    for ending, words in (('vrm', 'no VRM'), ('vrma', 'humanoid map')):
        out = pathlib.Path(FOLDER.name) / f'gnome.{ending}'
        fails(1, 'animate', GNOME, '-q', '--mix', MIX, '-o', out, says=words)
        assert not out.exists(), out


# --- spring bones

def swing_of(track, fps):
    """Frequency without damping and damping ratio of a free swing x[k] = a x[k - 1] - b x[k - 2]."""
    rows = list(zip(track[1:], track, track[2:]))
    xx, xy, yy = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    xz, yz = (sum(r[i] * r[2] for r in rows) for i in (0, 1))
    a, b = (xz * yy - yz * xy) / (xx * yy - xy * xy), -(yz * xx - xz * xy) / (xx * yy - xy * xy)
    decay, turn = -math.log(b) / 2 * fps, math.acos(a / (2 * math.sqrt(b))) * fps
    omega = math.hypot(decay, turn)
    return omega / (2 * math.pi), decay / omega


@promise
def spring_bones_swing_in_three_vrm_as_the_parts_do():
    folder, asked, jobs = pathlib.Path(FOLDER.name) / 'springs', {}, []
    folder.mkdir()
    vrms_at = [make_vrm(version, folder / f'gnome{version}.vrm') for version in (0, 1)]
    cases = [(SOURCE / 'models' / 'fox.glb', 'tail,ears', (), 'glb'),
             (SOURCE / 'models' / 'fox.glb', 'tail,ears', ('--looseness', '2.5', '--bounce', '0.6', '--fps', '90'), 'glb'),
             *((vrm, 'left_forearm,head', ('--looseness', '1.8', '--bounce', '0.5'), 'vrm') for vrm in vrms_at)]
    real = RIGS / 'field' / 'godette.vrm'
    if real.is_file():
        cases.append((real, 'springs', (), 'vrm'))
    for k, (source, parts, words, ending) in enumerate(cases):
        out = folder / f'{k}.{ending}'
        told = works('follow', source, '--parts', parts, *words, '--spring-bones', '-o', out)
        asked[k] = {line.split(':')[0]: re.search(r': ([\d.]+) Hz, damping ([\d.]+); spring bones at (\d+) .*?: ([\d.]+) Hz, damping ([\d.]+)', line)
                    for line in told.splitlines() if not line.startswith(' ')}
        jobs.append({'springs': str(out), 'fps': float(words[-1]) if '--fps' in words else 60.0, 'frames': 60})
    for k, answer in enumerate(ask_node(jobs)):
        assert len(answer['swings']) == len(asked[k]) > 0, (answer['swings'].keys(), asked[k].keys())
        for name, track in answer['swings'].items():
            hz, zeta, _, rule_hz, rule_zeta = (float(x) for x in asked[k][name].groups())
            is_fit = abs(rule_zeta - zeta) < 0.1 * zeta  # a warning tells of the others
            seen_hz, seen_zeta = swing_of(track, jobs[k]['fps'])
            assert abs(seen_hz / rule_hz - 1) < 0.02 and abs(seen_zeta - rule_zeta) < 0.02 * rule_zeta + 0.006, (
                k, name, seen_hz, seen_zeta, asked[k][name].group())
            assert abs(seen_hz / hz - 1) < 0.1 and (not is_fit or abs(seen_zeta / zeta - 1) < 0.1), (k, name)


@promise
def spring_bones_are_read_as_they_were_written():
    folder = pathlib.Path(FOLDER.name) / 'again'
    folder.mkdir()
    works('follow', SOURCE / 'models' / 'fox.glb', '--parts', 'tail', '--looseness', '1.5', '--bounce', '0.6',
          '--spring-bones', '-o', folder / 'fox.glb')
    told = works('follow', folder / 'fox.glb', '--parts', 'springs', '--clip', 'run', '-o', folder / 'run.glb')
    line = next(line for line in told.splitlines() if 'tail_1' in line)
    assert ' 1.50 Hz' in line and ' 0.16' in line, line  # -ln 0.6 / sqrt(pi^2 + ln^2 0.6)
    nodes = [node.get('name') for node in Gltf(folder / 'fox.glb').list('nodes')]
    assert nodes[:-1] == [node.get('name') for node in Gltf(SOURCE / 'models' / 'fox.glb').list('nodes')], nodes
    chain, = Gltf(folder / 'fox.glb').json['extensions']['VRMC_springBone']['springs']
    assert [nodes[joint['node']] for joint in chain['joints']] == [*(f'tail_{i}' for i in range(1, 6)), 'tail_5 end']


run()

"""Collada files judged by others: the schema of Khronos, and Blender, whose bones and meshes must be where the scene and
its clip have them. Blender draws lines between keys in ways of its own, which the writer allows for."""
import json
import math
import pathlib
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

from clients import ask_blender
from program import FEW, some
from tap import BUILD, EVERY, RIGS, SOURCE, every, promise, run, skip

SAMPLES = BUILD / 'tests/formats/collada/collada_samples'
SCHEMA = pathlib.Path('/usr/lib/python3/dist-packages/collada/resources')  # of Debian's python3-collada
C = '{http://www.collada.org/2005/11/COLLADASchema}'
SCENES = ['puppet', 'leaning', 'bent', 'parts', 'wheel']
MODELS = [(SOURCE / 'models/gnome.glb', '0'), (SOURCE / 'models/hand.glb', 'swing')]
# Every sort of skeleton, but those that take Blender long.
REAL = {'CesiumMan.glb': 'swing', 'Fox.glb': '1', 'RobotExpressive.glb': '3', 'Snake.glb': '1', 'greenman.glb': 'swing',
        'kenney_character.glb': 'swing', 'maya_sausage.fbx': '0', 'quaternius_horse.fbx': '2', 'cmu_jumping_jacks.bvh': '0',
        'double_skeleton.dae': 'swing', 'walk.dae': '0'}
TOLERANCE = 1e-4  # of the size of all places together; measured: 3e-5 for swings, 3e-6 for clips that are lines already


def write(folder, model, clip):
    """The samples' description of what they wrote, and the file."""
    path = pathlib.Path(folder) / f'{pathlib.Path(model).name}-{clip}.dae'
    done = subprocess.run([SAMPLES, model, path, clip], capture_output=True, text=True)
    assert done.returncode == 0, f'{model}: {done.stderr}'
    return json.loads(done.stdout), path


def real_rigs():
    if not RIGS.is_dir():
        skip(f'no folder {RIGS}; EIGENRIG_RIGS names one')
    return [(RIGS / name, REAL[name]) for name in some(REAL, FEW)]


# --- the file


def reference_targets(root):
    for element in root.iter():
        for key, value in element.attrib.items():
            if value.startswith('#') and key in ('source', 'url', 'target'):
                yield value[1:]
            elif key == 'target':
                yield value.split('/')[0]
        if element.tag == C + 'skeleton':
            yield element.text[1:]


@promise
def ids_are_unique_and_every_reference_has_one():
    with tempfile.TemporaryDirectory() as folder:
        for scene in SCENES:
            root = ElementTree.parse(write(folder, scene, '0')[1]).getroot()
            ids = [element.get('id') for element in root.iter() if element.get('id')]
            assert len(ids) == len(set(ids)), scene
            missing = set(reference_targets(root)) - set(ids)
            assert not missing, f'{scene}: {missing}'
            sids = [element.get('sid') for element in root.iter(C + 'node')]
            for joints in root.iter(C + 'Name_array'):
                names = joints.text.split()
                assert set(names) <= set(sids) | {'LINEAR'} and len(names) == int(joints.get('count')), scene


@promise
def joints_above_a_skins_joints_are_listed_without_weight():
    with tempfile.TemporaryDirectory() as folder:
        for scene in SCENES:
            root = ElementTree.parse(write(folder, scene, '0')[1]).getroot()
            above = {child.get('sid'): node.get('sid') for node in root.iter(C + 'node') for child in node.findall(C + 'node')}
            listed, weighted = set(), set()
            for skin in root.iter(C + 'skin'):
                names = skin.find(f'.//{C}Name_array').text.split()
                pairs = list(map(int, skin.find(f'{C}vertex_weights/{C}v').text.split()))
                listed |= set(names)
                weighted |= {names[joint] for joint in pairs[::2]}
            for name in list(listed):
                while above.get(name) is not None:
                    name = above[name]
                    assert name in listed or name == 'eigenrig-root', f'{scene}: {name} is in no skin'  # that one changes nothing
            assert weighted <= listed, scene


@promise
def files_keep_to_the_schema():
    if not shutil.which('xmllint'):
        skip('xmllint is not installed (libxml2-utils)')
    if not SCHEMA.is_dir():
        skip('the schema is not installed (python3-collada)')
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shutil.copy(SCHEMA / 'xsd.xml', folder)
        text = (SCHEMA / 'schema-1.4.1.xml').read_text()
        text = text.replace('http://www.w3.org/2001/03/xml.xsd', 'xsd.xml')
        # a name may be any text here, as in the files of all other writers
        text = text.replace('name="name" type="xs:NCName"', 'name="name" type="xs:string"')
        (folder / 'schema.xsd').write_text(text)
        for model, clip in [(scene, '0') for scene in SCENES] + MODELS:
            path = write(folder, model, clip)[1]
            done = subprocess.run(['xmllint', '--nonet', '--noout', '--schema', folder / 'schema.xsd', path],
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stderr


# --- Blender


def to_blender(up):
    """A function from the scene's axes to Blender's: up becomes +Y by the shortest turn, unless it is +Z, and Y Z."""
    if math.dist(up, (0, 0, 1)) < 1e-6:
        return lambda p: p
    axis, cosine = (-up[2], 0.0, up[0]), up[1]
    sine = math.hypot(*axis)
    axis = [a / sine for a in axis] if sine > 0 else [0.0, 0.0, 1.0]

    def turn(p):
        across = [axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2], axis[0] * p[1] - axis[1] * p[0]]
        along = sum(a * b for a, b in zip(axis, p))
        x, y, z = [cosine * p[i] + sine * across[i] + (1 - cosine) * along * axis[i] for i in range(3)]
        return [x, -z, y]

    return turn


def bone_names(path, description):
    """Blender's name of every node: its name in the file, else its id. Both trees are walked in the same order."""
    children = {}
    for index, node in enumerate(description['nodes']):
        children.setdefault(node['parent'], []).append(index)
    names = {}

    def walk(elements, parent):
        joints = [e for e in elements if e.get('type') == 'JOINT' and not e.get('id').startswith('eigenrig-joint')]
        assert len(joints) == len(children.get(parent, [])), path
        for element, index in zip(joints, children.get(parent, [])):
            names[index] = element.get('name') or element.get('id')
            walk(element.findall(C + 'node'), index)

    roots = ElementTree.parse(path).getroot().find(f'.//{C}visual_scene').findall(C + 'node')
    walk(roots[0].findall(C + 'node') if roots[0].get('id') == 'eigenrig-root' else roots, -1)
    assert len(set(names.values())) == len(names), f'{path}: two bones have one name'
    return names


def away(wanted, vertices):
    """How far a mesh of Blender's is from what the samples tell of one: some of its vertices, evenly chosen."""
    count, told = len(vertices), len(wanted)
    return max(math.dist(p, vertices[k * count // told]) for k, p in enumerate(wanted))


def judge_frame(description, names, size, frame, got):
    convert = to_blender(description['up'])
    where = f'at {frame["time"]} s'
    for index, head in enumerate(frame['heads']):
        error = math.dist(convert(head), got['bones'][names[index]]) / size
        assert error < TOLERANCE, f'bone {names[index]} {where} is {error} of the size away'
    left = list(got['meshes'])
    for told, vertices in zip(description['instances'], frame['vertices']):
        if told['triangles'] == 0:
            continue
        wanted = [convert(p) for p in vertices]
        same = [mesh for mesh in left if len(mesh['vertices']) == told['vertices']]
        assert same, f'mesh {told["mesh"]} is missing'
        nearest = min(same, key=lambda mesh: away(wanted, mesh['vertices']))
        error = away(wanted, nearest['vertices']) / size
        assert error < TOLERANCE, f'mesh {told["mesh"]} {where} is {error} of the size away'
        left.remove(nearest)
    assert not left


def judge(description, path, result):
    names = bone_names(path, description)
    everything = [p for frame in description['frames'] for p in sum(frame['vertices'], frame['heads'])]
    size = math.dist([min(p[i] for p in everything) for i in range(3)], [max(p[i] for p in everything) for i in range(3)])
    for frame, got in zip(description['frames'], result['frames']):
        judge_frame(description, names, size, frame, got)


def judge_all(models):
    with tempfile.TemporaryDirectory() as folder:
        written = [(model, *write(folder, model, clip)) for model, clip in models]
        jobs = [{'path': str(path), 'times': [frame['time'] for frame in description['frames']]}
                for _, description, path in written]
        answers = ask_blender(jobs, pathlib.Path(__file__).with_name('blender_dump.py'))
        if 'lacks' in answers[0]:
            skip('this Blender is built without Collada')
        for (model, description, path), result in zip(written, answers):
            try:
                assert 'error' not in result, result['error']
                judge(description, path, result)
            except AssertionError as error:
                raise AssertionError(f'{model}: {error}') from None


@promise
def blender_sees_scenes_made_by_hand_as_we_do():
    judge_all([(scene, '0') for scene in SCENES])


@promise
def blender_sees_the_models_as_we_do():
    judge_all(MODELS if EVERY else MODELS[:1])


@every
def blender_sees_real_rigs_as_we_do():
    judge_all(real_rigs())


run()

"""Rigs from the field, byte for byte as artists published them, and what each must become. They lie beside this project, not in it."""
import re

import program
from gltf_reader import Gltf
from tap import RIGS, promise, run, skip

FIELD = RIGS / 'field'
TORN = 8.0  # er_modes_tear(): ER_TORN

# A row a rig:
#   parent   what bodies hang on; a tuple where either is right, None for the root
#   absent   bones that are no bodies
#   props    nodes that are light and carried
#   alone    a body that nothing but these hangs on
#   weight   kg that bodies weigh at most beside a whole of 1000: what they carry is light
RIGS_OF_THE_FIELD = {
    'q_bunny.gltf': dict(
        parent={'Foot.L': 'LowerLeg.L', 'Foot.R': 'LowerLeg.R', 'LowerLeg.L': 'UpperLeg.L', 'Body': None},
        absent=['Root', 'PoleTarget.L', 'PoleTarget.R'], props=['Carrot'], weight={'Middle1.L': 12}),
    'q_platformer.glb': dict(
        parent={'Foot.L': 'LowerLeg.L', 'Foot.R': 'LowerLeg.R', 'Fist.R': 'LowerArm.R', 'Body': None},
        absent=['Root', 'PoleTarget.L'], props=['Gun'], weight={'Fist.R': 35}),
    'q_shiba.glb': dict(
        parent={'IKBackLeg.L': 'BackLowerLeg.L', 'IKBackLeg.R': 'BackLowerLeg.R', 'IKFrontLeg.L': 'FrontLowerLeg.L',
                'IKFrontLeg.R': 'FrontLowerLeg.R', 'FF.L': 'IKFrontLeg.L', 'Back': None},
        absent=['AnimalArmature', 'Body', 'PoleTarget.L']),
    'q_velociraptor.glb': dict(
        parent={'BackFoot.R': 'BackLowLeg.R', 'BackFoot.L': 'BackLowLeg.L', 'FrontLeg.L': ('Torso', 'Shoulders'),
                'FrontLeg.R': ('Torso', 'Shoulders'), 'BackLeg.L': ('Hips', 'Back'), 'BackLeg.R': ('Hips', 'Back'),
                'Tail1': 'Back', 'Torso': 'Hips'},
        absent=['root', 'Body']),
    'lumberjack_rigify.glb': dict(
        parent={'DEF-neck_050': 'DEF-spine.003_05', 'DEF-head_051': 'DEF-neck_050', 'DEF-spine_02': None,
                'DEF-thigh.R_015': ('DEF-pelvis.R_014', 'DEF-spine_02'),
                'DEF-thigh.L_023': ('DEF-pelvis.L_022', 'DEF-spine_02'),
                'DEF-upper_arm.L_045': ('DEF-chest.L_044', 'DEF-spine.003_05'),
                'DEF-upper_arm.R_037': ('DEF-chest.R_036', 'DEF-spine.003_05')},
        alone={'DEF-neck_050': ['DEF-head_051']}, absent=['root_01', 'MCH-torso.parent_06', 'ORG-spine_012', 'Bone_042'],
        props=['Bone_042'], weight={'DEF-hand.R_041': 25}),
    'astro_max.dae': dict(
        parent={f'astroBoy_newSkeleton_{child}': f'astroBoy_newSkeleton_{parent}'
                for child, parent in [('L_hip', 'hips'), ('R_hip', 'hips'), ('L_ankle', 'L_knee_02'), ('R_ankle', 'R_knee_02'),
                                      ('L_toeBall', 'L_ankle'), ('head', 'neck01'), ('hips', 'spine01')]},
        absent=['astroBoy_newSkeleton_root']),
    'm2m_spider.glb': dict(
        parent={f'leg_{leg}_tip_{side}': f'leg_{leg}_3_{side}' for leg in 'abcd' for side in 'lr'} | {'hips': None},
        absent=['root']),
    'm2m_shark.glb': dict(
        parent={'front_fin_1_l': 'front_fin_0_l', 'tail_2': 'tail_1', 'head': 'neck', 'pelvis': None}, absent=['root']),
    'kaykit_knight.glb': dict(
        parent={'hand.l': 'wrist.l', 'hand.r': 'wrist.r', 'head': 'chest', 'foot.l': 'lowerleg.l', 'hips': None},
        absent=['root', 'handslot.l', 'handslot.r', 'kneeIK.l', 'IK-foot.r', 'handIK.l'],
        props=['Badge_Shield', 'Rectangle_Shield', 'Round_Shield', 'Spike_Shield', '1H_Sword', '2H_Sword',
               '1H_Sword_Offhand', 'Knight_Helmet', 'Knight_Cape'],
        weight={'hand.l': 20, 'hand.r': 15}),
    'godot_robot.glb': dict(
        parent={'r-foot': 'r-leg', 'l-foot': 'l-leg', 'chest': 'hip', 'head': 'chest', 'hip': None},
        absent=['MASTER', 'HEAD', 'r-LEGCONTROL', 'l-LEGORIENT', 'r-ARMCONTROL']),
    'cmu_91_48.fbx': dict(
        parent={'hip': None, 'rThigh': 'rButtock', 'lShin': 'lThigh', 'chest': 'abdomen', 'head': 'neck'},
        absent=['RootNode', '91_48']),
    'q_dragon.fbx': dict(
        parent={'Bone': ('Head', 'Face'), 'Feet.L': 'LowerLeg.L', 'Feet.R': 'LowerLeg.R', 'BodyRoot': None},
        absent=['EyeArmature', 'RootNode', 'Root']),
    'm2m_eagle.glb': dict(
        parent={'Foot_L': 'AnkleLeg_L', 'Foot_R': 'AnkleLeg_R', 'wing_2_L': 'wing_1_L', 'hips': None}, absent=['root']),
    'cool_loops.vrm': dict(
        parent={'mixamorig:LeftFoot': 'mixamorig:LeftLeg', 'mixamorig:Head': 'mixamorig:Neck', 'mixamorig:Hips': None}),
    'godette.vrm': dict(
        parent={'foot.l_Armature': 'shin.l_Armature', 'foot.r_Armature': 'shin.r_Armature',
                'HairBall_L': 'head_Armature', 'pelvis_Armature': None}),
    'm2m_cat.glb': dict(
        parent={'Front_Leg_Foot_L': 'Front_Leg_Ankle_L', 'Back_Leg_Foot_R': 'Back_Leg_Ankle_R', 'Spine_2.001': 'Spine_1',
                'Hips': None}, absent=['root']),
    'm2m_snake.glb': dict(parent={'neck': 'head', 'tail02': 'tail01', 'tail20': 'tail19', 'head': None}),
    'cyborg_female_draco.gltf': dict(
        parent={'LeftFoot': 'LeftLeg', 'RightFoot': 'RightLeg', 'Neck': 'UpperChest', 'Hips': None},
        absent=['LeftFootCtrl', 'RightHeelRoll', 'LeftKneeCtrl', 'HipsCtrl', 'Root.003']),
    'm2m_trex.glb': dict(parent={'Hips': None, 'Spine_1': 'Hips'}, absent=['root']),
    'babylon_rigged25.glb': dict(
        parent={'footFBXASC046L': 'shinFBXASC046L', 'footFBXASC046R': 'shinFBXASC046R', 'head': 'neck', 'hips': None}),
}


def report_of(name):
    """The output of info: {body: (parent, kg)}, {other node: what}, torn (None without a skin), kg of all."""
    text = program.works('info', FIELD / name, '-q')
    bodies, others, part = {}, {}, None
    for line in text.splitlines():
        if line in ('Bodies', 'Nodes that are no bodies'):
            part = line
        elif not line.startswith('  '):
            part = None
        elif part == 'Bodies' and (m := re.match(r' +\d+  (.{28,}?) +(\S+)  (free root|\w+ to (.+?)(?:,|;|$))', line)):
            bodies[m[1].strip()] = None if m[3] == 'free root' else m[4], float(m[2])
        elif part == 'Nodes that are no bodies':
            others[line[2:36].strip()] = line[37:]
    torn = re.search(r'^  torn +(\S+?),', text, re.M)
    return bodies, others, torn and float(torn[1]), float(re.search(r'^  mass +(\S+) kg', text, re.M)[1])


def short(name, width=28):
    return name[:width].strip()


def judge(name, row):
    if not FIELD.is_dir():
        skip(f'the rigs of the field are not at {FIELD}')
    bodies, others, torn, kg = report_of(name)
    for child, parents in row['parent'].items():
        assert short(child) in bodies, f'{child} is no body'
        found = bodies[short(child)][0]
        assert found in (parents if isinstance(parents, tuple) else (parents,)), f'{child} hangs on {found}, not on {parents}'
    for bone in row.get('absent', []):
        assert short(bone) not in bodies and short(bone, 34) in others, f'{bone} is a body, or not there at all'
    for prop in row.get('props', []):
        assert others[short(prop, 34)].startswith('prop: light'), f'{prop}: {others.get(prop)}'
    assert sum(what.startswith('prop') for what in others.values()) <= len(row.get('props', [])) + 2, others  # sockets of a hand too
    for body, children in row.get('alone', {}).items():
        assert sorted(child for child, (parent, _) in bodies.items() if parent == body) == children
    for body, most in row.get('weight', {}).items():
        assert bodies[body][1] < most * kg / 1000, f'{body} weighs {bodies[body][1]} kg of {kg}'
    roots = [body for body, (parent, _) in bodies.items() if parent is None]
    assert len(roots) == 1, f'{len(roots)} roots: {roots}'
    assert (torn is None) == (name == 'cmu_91_48.fbx') and (torn is None or torn < TORN), f'torn: {torn}'


for rig, what in RIGS_OF_THE_FIELD.items():
    def it(rig=rig, what=what):
        judge(rig, what)
    it.__name__ = re.sub(r'\W', '_', rig.rsplit('.')[0]) + '_is_understood'
    promise(it)


@promise
def all_rigs_that_are_there_are_in_the_table():
    if not FIELD.is_dir():
        skip(f'the rigs of the field are not at {FIELD}')
    assert {path.name for path in FIELD.iterdir()} - {'README.md'} == set(RIGS_OF_THE_FIELD)


@promise
def descriptions_that_are_written_make_the_same_rig_again():
    """And a corrected line is heard."""
    if not FIELD.is_dir():
        skip(f'the rigs of the field are not at {FIELD}')
    with program.Folder() as folder:
        file = folder / 'x.rig.lua'
        for name in ('kaykit_knight.glb', 'lumberjack_rigify.glb', 'q_velociraptor.glb'):
            words = ['--joints', 'revolute', '--mass', '70']
            program.works('info', FIELD / name, *words, '-q', '--save-description', file)
            assert program.rig_of(FIELD / name, *words) == program.rig_of(FIELD / name, '--rig', file), name
        text = file.read_text()
        assert '["BackFoot.R"] = "BackLowLeg.R",' in text
        file.write_text(text.replace('["BackFoot.R"] = "BackLowLeg.R"', '["BackFoot.R"] = "Hips"'))
        report = program.works('info', FIELD / 'q_velociraptor.glb', '-q', '--rig', file)
        assert re.search(r'BackFoot.R .* to Hips, ', report)
        assert float(re.search(r'^  torn +(\S+?),', report, re.M)[1]) > TORN


@promise
def clips_that_are_read_back_keep_foot_and_shin_together():
    """A foot whose node is on the root has keys there, relative to the root, by which it follows the leg."""
    if not FIELD.is_dir():
        skip(f'the rigs of the field are not at {FIELD}')
    with program.Folder() as folder:
        program.works('palette', FIELD / 'q_bunny.gltf', '--count', 14, '-q', '-o', folder / 'bunny.glb')
        file = Gltf(folder / 'bunny.glb')
    nodes = file.list('nodes')
    node, = (i for i, n in enumerate(nodes) if n.get('name') == 'Bunny')
    foot, shin = (next(i for i, n in enumerate(nodes) if n.get('name') == name) for name in ('Foot.L', 'LowerLeg.L'))
    joints = file.json['skins'][nodes[node]['skin']]['joints']
    primitive = file.json['meshes'][nodes[node]['mesh']]['primitives'][0]
    lead = [joints[j[max(range(4), key=lambda k: w[k])]] for j, w in
            zip(file.accessor(primitive['attributes']['JOINTS_0']), file.accessor(primitive['attributes']['WEIGHTS_0']))]
    index = file.accessor(primitive['indices'])
    edges = {(a, b) for t in range(0, len(index), 3) for a, b in ((index[t], index[t + 1]), (index[t + 1], index[t + 2]),
             (index[t + 2], index[t])) if {lead[a], lead[b]} == {foot, shin}}
    assert len(edges) > 5
    rest = file.positions(node, primitive, file.worlds())

    def far(p, q):
        return sum((x - y) ** 2 for x, y in zip(p, q)) ** 0.5
    furthest = 0.0
    for k, animation in enumerate(file.list('animations')):
        if not animation['name'].startswith('mode '):
            continue
        channels = file.clip(k)
        end = max(times[-1] for times, _, _ in channels.values())
        assert (foot, 'rotation') in channels and (foot, 'translation') in channels
        moved = file.positions(node, primitive, file.worlds(channels, 0.25 * end))
        swing = max(far(moved[a], rest[a]) for edge in edges for a in edge)
        furthest = max(furthest, swing)
        for a, b in edges:
            grown = far(moved[a], moved[b]) - far(rest[a], rest[b])
            assert grown < 0.05 + 0.1 * swing, f'{animation["name"]}: an edge grows by {grown} as the foot swings by {swing}'
    assert furthest > 0.5  # of 3.4 m: left behind, edges would have grown by as much


run()

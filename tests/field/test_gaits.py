"""Gaits of rigs from the field: their feet, the way they face, the pose they stand in, and the gaits they find."""
import re

import program
from tap import RIGS, promise, run, skip

FIELD = RIGS / 'field'
WINGED = ('m2m_eagle.glb', 'q_dragon.fbx')
WALKERS = ('walk', 'run', 'skip', 'hop', 'waddle')
FOUR = ('walk', 'trot', 'pace', 'amble', 'bound', 'gallop', 'canter')

FEW = {'godette.vrm', 'm2m_cat.glb', 'm2m_snake.glb', 'q_dragon.fbx'}

# A row a rig: its left feet (on its own left), whether it looks along +z or -z, gaits that become it, a pose that it does not stand in.
RIGS_OF_THE_FIELD = {
    'astro_max.dae': (['astroBoy_newSkeleton_L_ankle'], 1, ('walk', 'run'), 'rest'),
    'babylon_rigged25.glb': (['footFBXASC046L'], 1, ('walk', 'run'), None),
    'cmu_91_48.fbx': (['lShin'], 1, ('walk', 'run'), None),
    'cool_loops.vrm': (['mixamorig:LeftFoot'], -1, ('walk', 'run'), None),
    'cyborg_female_draco.gltf': (['LeftFoot'], 1, ('walk', 'run'), None),
    'godette.vrm': (['foot.l_Armature'], -1, WALKERS, None),
    'godot_robot.glb': (['r-foot'], 1, ('walk', 'run', 'waddle'), None),  # named by the viewer's left and right
    'kaykit_knight.glb': (['foot.l'], 1, WALKERS, None),
    'lumberjack_rigify.glb': (['DEF-foot.L_027'], 1, ('walk', 'run'), 'rest'),
    'm2m_cat.glb': (['Front_Leg_Foot_L', 'Back_Leg_Foot_L'], 1, FOUR, None),
    'm2m_eagle.glb': (['Foot_L'], 1, WALKERS, None),
    'm2m_shark.glb': ([], 1, ('swim',), None),
    'm2m_snake.glb': ([], 1, ('slither', 'swim'), None),
    'm2m_spider.glb': ([f'leg_{leg}_tip_l' for leg in 'abcd'], 1, ('tetrapod', 'wave', 'ripple'), None),
    'm2m_trex.glb': (['Back_Leg_Foot_L'], 1, WALKERS, None),
    'q_bunny.gltf': (['Foot.L'], 1, WALKERS, None),
    'q_dragon.fbx': (['Feet.L'], 1, WALKERS, None),
    'q_platformer.glb': (['Foot.L'], 1, WALKERS, None),
    'q_shiba.glb': (['IKFrontLeg.L', 'BackLowerLeg.L'], 1, FOUR, None),
    'q_velociraptor.glb': (['BackFoot.L'], 1, WALKERS, 'rest'),
}
RIGS_OF_THE_FIELD = {name: RIGS_OF_THE_FIELD[name] for name in program.some(RIGS_OF_THE_FIELD, FEW)}
best = {}  # the gait that each finds first


def need_rigs():
    if not FIELD.is_dir():
        skip(f'the rigs of the field are not at {FIELD}')


def judge(name):
    need_rigs()
    left, front, gaits, no_stand = RIGS_OF_THE_FIELD[name]
    text = program.works('info', FIELD / name, '-q')
    feet = re.findall(r'^  foot \S+ +(\S+), (left|right|middle),', text, re.M)
    assert [foot for foot, side in feet if side == 'left'] == left, feet
    assert len(feet) == 2 * len(left), feet
    z, sure = re.search(r'^  faces +\(\S+ \S+ (\S+)\), sure by (\S+) %', text, re.M).groups()
    assert float(z) * front > 0.9 and float(sure) > 70.0, (z, sure)
    pose = re.search(r'^  pose +(\w+)', text, re.M)[1]
    assert pose != no_stand, pose
    table = program.works('gait', FIELD / name)
    found = [line.split()[0] for line in table.splitlines() if re.match(r'[a-z]+ +(\d+ +)?0\.\d\d ', line)]
    assert set(found) & set(gaits), f'it finds {found}'
    assert ('flap' in found) == (name in WINGED), f'it finds {found}'
    best[name] = found[0]


for rig in RIGS_OF_THE_FIELD:
    def it(rig=rig):
        judge(rig)
    it.__name__ = re.sub(r'\W', '_', rig.rsplit('.')[0]) + '_goes_as_it_should'
    promise(it)


@promise
def the_first_gait_is_one_that_becomes_it():
    need_rigs()
    wrong = {name: gait for name, gait in best.items() if gait not in RIGS_OF_THE_FIELD[name][2]}
    assert len(best) == len(RIGS_OF_THE_FIELD) and len(wrong) <= 2, wrong


run()

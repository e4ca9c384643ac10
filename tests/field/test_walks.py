"""Real rigs walk by their own torques: at least one gait of each goes ten lengths and bears four pushes, untuned."""
import json
import re

import program
from tap import RIGS, promise, run, skip

WALKERS = ['CesiumMan.glb', 'RobotExpressive.glb', 'Fox.glb', 'quaternius_horse.fbx', 'walk.dae', 'makehuman_tpose.bvh',
           'field/astro_max.dae', 'field/babylon_rigged25.glb', 'field/cmu_91_48.fbx', 'field/cool_loops.vrm',
           'field/cyborg_female_draco.gltf', 'field/godette.vrm', 'field/godot_robot.glb', 'field/kaykit_knight.glb',
           'field/lumberjack_rigify.glb', 'field/m2m_spider.glb', 'field/m2m_trex.glb', 'field/q_platformer.glb',
           'field/q_shiba.glb', 'field/q_velociraptor.glb']
FEW = {'CesiumMan.glb', 'q_shiba.glb'}


def walks(name):
    if not (RIGS / name).is_file():
        skip(f'there is no {RIGS / name}')
    rows = json.loads(program.works('gait', RIGS / name, '--simulate', '--json', timeout=1200))['simulated']
    held = [row['gait'] for row in rows if not row['fell'] and row['pushes_survived'] == 4]
    assert held, [(row['gait'], row['body_lengths'], row['until']) for row in rows]
    for row in rows:
        if row['gait'] in held:
            assert row['body_lengths'] >= 9.99 and 0 < row['cost_of_transport'] < 5, row


for rig in program.some(WALKERS, FEW):
    def it(rig=rig):
        walks(rig)
    it.__name__ = re.sub(r'\W', '_', rig.split('/')[-1].rsplit('.')[0]) + '_walks_and_bears_pushes'
    promise(it)

run()

"""The living scenes among the models do what they are for, on one thread and on two."""
import functools
import json
import tempfile

from tap import SOURCE, every, promise, run

import program

SCENES = SOURCE / 'models' / 'scenes'
JUDGE = SOURCE / 'tests' / 'models' / 'scenes.lua'


@functools.cache
def played(name):
    """The facts about a scene that its judge below asserts.

    It is played twice to its end: on one thread while energies are measured, and on two threads without."""
    with tempfile.TemporaryDirectory() as elsewhere:  # scenes find their files from any folder
        facts = json.loads(program.works('run', JUDGE, SCENES, name, cwd=elsewhere))
    assert facts['hash'] == facts['again'], f'{name}: {facts["hash"]} on one thread, {facts["again"]} on two'
    return facts


def overlaps(facts, most):
    assert facts['overlap'] <= most, f'{facts["name"]}: overlaps of {facts["overlap"]} m'


def moves(facts, least, most):
    """Kinetic energy, J, at its greatest."""
    assert least <= facts['kinetic'] <= most, f'{facts["name"]}: {facts["kinetic"]} J'


@promise
def a_car_drives_through_360_spheres():
    facts = played('car_and_spheres')
    assert facts['spheres'] == 360 and facts['moved'] >= 350
    x, y, z = facts['car']
    assert z > 10 and abs(x) < 1 and 0.5 < y < 0.6
    # 4 kN for 1.5 s on 800 kg that roll: at most as though they slid, at least by their wheels' turning less
    slides = (4000 * 1.5) ** 2 / (2 * 800)
    moves(facts, 0.9 * slides, slides)
    overlaps(facts, 0.075)  # half of a radius, at 7 m/s, for a moment


@promise
def a_thrown_sphere_takes_two_puppets_into_boxes():
    facts = played('thrown_sphere')
    assert facts['first'] == 'first trunk' and 1.35 < facts['at'] < 1.95  # its chest: 0.86 to 1.44 above the stage of 0.5
    assert all(z < -1.1 for _, _, z in facts['puppets'])  # off the stage, whose back is at -1
    assert facts['moved'] >= 20
    moves(facts, 6000, 120 * (8.5 ** 2 + 8.5 ** 2) / 2)
    overlaps(facts, 0.3)  # it goes 0.2 in a step, and drives limbs into boxes: 0.09 to 0.25 at speeds 1e-5 to 1e-3 apart


@promise
def a_rider_sits_before_it_rides_and_runs_into_another():
    facts = played('motorcycle')
    assert facts['sat'] < facts['began'] < facts['hit']
    # on the saddle, whose top is 0.26 above the frame's middle and which begins 0.1 behind it; half a trunk is 0.29
    assert 0.4 < facts['above'] < 0.7 and -0.8 < facts['behind'] < -0.3
    assert 3 < facts['fastest'] < 16 * 0.32
    assert facts['walker'][2] > 5  # from 4
    assert facts['aside'] < 0.15 and facts['watch'] == 'terminated'  # it is looked at as it was a step before
    moves(facts, 1000, (110 + 15 + 35 + 71) * (16 * 0.32) ** 2)
    overlaps(facts, 0.05)


@promise
def a_fountain_uses_its_spheres_again_below_a_hammer():
    facts = played('fountain_and_hammer')
    assert facts['early'] == 1  # five seconds without anything but the ground
    assert facts['groups'] == 30 and facts['thrown'] > 60 and facts['actors'] == 1 + 2 + 30 * 4
    assert facts['suspended'] >= 29  # all but the one that is thrown just now
    assert facts['turns'] > 3
    assert 1.5 < facts['highest'] < 9  # 3.6 by themselves, and more by the hammer
    moves(facts, 500, 4000)
    overlaps(facts, 0.12)  # between a hammer of 25 kg and the ground


@promise
def a_bridge_bears_a_car_and_two_puppets():
    facts = played('bridge')
    assert facts['apart'] < 1e-6 and -2 < facts['lowest'] < -0.3
    assert facts['met'].get('light') and facts['met'].get('heavy') and facts['met'].get('plank')
    assert abs(facts['weights'][1] - 3 * facts['weights'][0]) < 1e-9
    assert facts['car'][2] > 6 and facts['car'][1] > 0.4  # beyond, on its wheels
    moves(facts, 30000, (6500 * 1.4) ** 2 / (2 * 800))
    overlaps(facts, 0.08)  # a car of 800 kg and a puppet, at 9 m/s


@promise
def a_truck_answers_keys_and_passes_the_ramp():
    facts = played('truck')
    assert abs(facts['stood'][0]) < 0.01 and abs(facts['stood'][2] - 2.6) < 0.01  # it has dropped, and stands
    assert facts['highest'] > 1.45 + 0.8 and facts['passed'][2] > 23  # up the ramp, and beyond it
    assert 20 < facts['steered'] < 31
    assert facts['backwards'] < -1 and facts['upright'] > 0.999
    assert facts['apart'] < 1e-6
    overlaps(facts, 0.05)


@promise
def a_truck_does_the_same_by_keys_from_a_file():
    done = program.run('play', SCENES / 'truck.scene.lua', '--headless', '--replay', SCENES / 'truck.keys')
    assert done.returncode == 0, done.stderr
    assert played('truck')['hash'] in done.stderr.decode()


@promise
def a_white_sphere_goes_where_keys_say():
    facts = played('coloured_spheres')
    assert facts['count'] == 200 and facts['outside'] == 0
    # 20 m/s^2 for a twelfth of a second, less what is in its way; gravity is 0.9
    assert all(0.3 < facts[key] < 1.7 for key in 'dasw') and facts['r'] > 0.3, facts
    overlaps(facts, 0.03)


@every
def a_herd_walks_through_falling_spheres():
    facts = played('herd')
    assert facts['stones'] == 80 and facts['hits'] > 30
    assert abs(facts['way'][2] - 2 * 8) < 0.5 and abs(facts['way'][0]) < 0.2  # 2 m/s along z
    overlaps(facts, 0.15)  # below a hoof that feels nothing


@every
def a_horse_is_ridden_through_a_crowd():
    facts = played('ride')
    assert facts['rider'] == 'walks' and facts['way'][2] > 15
    assert facts['walk'] >= 3  # of four


@every
def ten_walkers_cross_a_bridge_under_falling_spheres():
    facts = played('crossing')
    assert facts['walkers'] == 10 and facts['walk'] >= 6
    assert facts['swings'] > 0.005 and facts['stones'] == 20
    overlaps(facts, 0.05)


@every
def walkers_bear_the_shots_of_a_gallery():
    facts = played('gallery')
    assert facts['hits'] >= 8 and facts['walk'] == 4 and facts['way'] > 15
    overlaps(facts, 0.05)


@promise
def a_clip_leads_and_what_is_simulated_swings():
    facts = played('fox')
    assert facts['head'] < 1e-12  # led both times
    assert 0.1 < facts['tail_5'] < 0.4 and 0.005 < facts['left_ear_2'] < 0.1
    assert facts['apart'] < 1e-9
    moves(facts, 0.1, 20)


@promise
def a_dropped_character_has_modes_as_it_lies_and_is_lifted_by_the_mouse():
    facts = played('dropped')
    assert facts['lies'][1] < 0.2 and facts['shown']
    assert len(facts['hz']) == 3 and all(0.5 < hz < 5 for hz in facts['hz'])
    assert facts['lifted'] > 0.1
    overlaps(facts, 0.02)


run()

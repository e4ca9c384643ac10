"""An animator's first hour: fourteen tasks, judged by the files and pictures that they leave."""
import math
import pathlib
import re
import sys

from gltf_reader import Gltf
from program import Folder, SOURCE, fails, rig_of, works
from tap import promise, run

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'viewer' / 'window'))
from window import Picture, Screen, changed  # noqa: E402

HORSE, GNOME = SOURCE / 'models' / 'horse.glb', SOURCE / 'models' / 'gnome.glb'
NEW = 0  # new clips come first


def clip_names(written):
    return [clip.get('name') for clip in written.list('animations')]


def times_of(channels):
    return max((times for times, _, _ in channels.values()), key=len)


def nodes_like(written, *words):
    return [i for i, node in enumerate(written.list('nodes')) if any(word in node.get('name', '') for word in words)]


def moved(written, channels, nodes, below=None):
    """The farthest that any of these nodes is from where it began, or from where another clip has it; turns count too."""
    times = times_of(channels)
    start = written.worlds(channels, times[0])
    far = 0.0
    for time in times:
        now = written.worlds(channels, time)
        then = written.worlds(below, time) if below is not None else start
        far = max(far, *(abs(a - b) for node in nodes for row, other in zip(now[node], then[node]) for a, b in zip(row, other)))
    return far


def way(written, channels, node, y=0.0):
    """How far a point so high upon a node goes, from one end to the other."""
    places = [[y * row[1] + row[3] for row in written.worlds(channels, time)[node]] for time in times_of(channels)]
    return max(math.dist(a, b) for a in places for b in places)


@promise
def a_horse_stands_and_wags_its_tail():
    with Folder() as folder:
        works('animate', HORSE, '--preset', 'wag', '--fps', '12', '-o', 'wag.glb', cwd=folder)
        made = Gltf(folder / 'wag.glb')
        clip = made.clip(NEW)
        assert clip_names(made) == ['wag'] and moved(made, clip, nodes_like(made, '_hoof')) < 1e-5
        assert way(made, clip, nodes_like(made, 'tail_5')[0]) > 4 * way(made, clip, nodes_like(made, 'spine_2')[0])


@promise
def feet_stay_where_the_clip_below_has_them():
    with Folder() as folder:
        works('animate', GNOME, '--mix', '7:20@1,9:12@1+90', '--fps', '8', '--name', 'sway', '--duration', '1', '--loop', '-o', 'sway.glb', cwd=folder)
        works('animate', 'sway.glb', '--mix', '8:10', '--over', 'sway', '--plant', 'feet', '--fps', '12', '--name', 'livelier', '-o', 'both.glb', cwd=folder)
        made = Gltf(folder / 'both.glb')
        ours, below = (made.clip(clip_names(made).index(name)) for name in ('livelier', 'sway'))
        assert moved(made, ours, nodes_like(made, 'foot', 'toe'), below) < 1e-5 < 0.01 < moved(made, ours, nodes_like(made, 'head'), below)


@promise
def a_walk_takes_exactly_a_second_at_24_frames():
    with Folder() as folder:
        works('gait', GNOME, '--tempo', '24f', '--fps', '24', '--best', '1', '--only-new', '-o', 'walk.glb', cwd=folder)
        made = Gltf(folder / 'walk.glb')
        times = times_of(made.clip(NEW))
        assert abs(times[-1] - 1.0) < 1e-6 and len(times) == 25, times
        assert len(clip_names(made)) == 2, clip_names(made)  # on the spot, and travelling


@promise
def arms_swing_more_on_a_walk_whose_feet_stay_its_own():
    with Folder() as folder:
        name = works('gait', GNOME, '--count', '8').split('\n')[1].split()[0]
        both = ['--gait', name, '--count', '8', '--fps', '10', '--only-new']
        works('animate', GNOME, *both, '--name', 'plain', '-o', 'plain.glb', cwd=folder)
        works('animate', GNOME, *both, '--mix', '11:15@1x', '--name', 'lively', '-o', 'lively.glb', cwd=folder)
        plain, lively = (Gltf(folder / f'{word}.glb') for word in ('plain', 'lively'))
        feet, rest = nodes_like(plain, 'foot'), range(len(plain.list('nodes')))
        off = {node: 0.0 for node in rest}
        for time in times_of(plain.clip(NEW)):
            one, other = plain.worlds(plain.clip(NEW), time), lively.worlds(lively.clip(NEW), time)
            for node in rest:
                off[node] = max(off[node], *(abs(a[3] - b[3]) for a, b in zip(one[node], other[node])))
        assert max(off[node] for node in feet) < 1e-5 and max(off.values()) > 0.03, off


@promise
def a_bone_goes_12_cm_to_each_side():
    with Folder() as folder:
        works('animate', 'bar.glb', '--mix', '7:12cm:bone2', '--fps', '48', '-o', 'nod.glb', cwd=folder)
        made, bones = Gltf(folder / 'nod.glb'), {body['name']: body for body in rig_of('bar.glb', cwd=folder)['bodies']}
        top = 2 * bones['bone2']['com'][1]
        went = max(way(made, made.clip(NEW), nodes_like(made, 'bone2')[0], height) for height in (0.0, top))  # an end of it
        assert 0.22 < went < 0.245, went  # there and back along an arc


@promise
def a_mix_lies_over_a_clip_and_other_bones_keep_their_keys():
    with Folder() as folder:
        works('animate', 'two.glb', '--mix', '12:9', '--over', 'bend', '--only-new', '--name', 'on top', '-o', 'out.glb', cwd=folder)
        made, source = Gltf(folder / 'out.glb'), Gltf(folder / 'two.glb')
        assert clip_names(made) == ['on top'] and times_of(made.clip(NEW))[-1] == times_of(source.clip(0))[-1]
        bent, other = nodes_like(source, 'bone1')
        assert made.clip(NEW)[bent, 'rotation'] == source.clip(0)[bent, 'rotation'] and moved(made, made.clip(NEW), [other]) > 0.01


@promise
def a_clip_is_found_whatever_its_case_and_a_wrong_one_is_answered():
    with Folder() as folder:
        works('animate', 'bar.glb', '--mix', '7:9', '--over', 'BEND', '-o', 'out.glb', cwd=folder)
        fails(1, 'animate', 'bar.glb', '--mix', '7:9', '--over', 'bnd', '-o', 'x.glb', says='"bend"', cwd=folder)
        assert not (folder / 'x.glb').exists()


@promise
def new_clips_come_first_and_keep_names_that_other_programs_take():
    with Folder() as folder:
        works('animate', 'bar.glb', '--mix', '7:9,8:4@2+90', '-o', 'out.glb', cwd=folder)
        names = clip_names(Gltf(folder / 'out.glb'))
        assert names == ['mix 7 8', 'bend'] and not re.search('[:,/[@]', ''.join(names)), names


@promise
def what_will_be_written_is_seen_first():
    with Folder() as folder:
        look = ['--size', '240x240', '--view', 'front', '--time', '0.4']
        works('render', 'bar.glb', '--mix', '7:25', '--over', 'bend', *look, '-o', 'before.png', cwd=folder)
        works('animate', 'bar.glb', '--mix', '7:25', '--over', 'bend', '--name', 'new', '-o', 'out.glb', cwd=folder)
        works('render', 'out.glb', '--clip', 'new', *look, '-o', 'after.png', cwd=folder)
        works('render', 'out.glb', '--clip', 'bend', *look, '-o', 'bend.png', cwd=folder)
        before, after, bend = (Picture(folder / f'{name}.png').rows for name in ('before', 'after', 'bend'))
        unlike = [sum(abs(a - b) > 12 for r, s in zip(before, rows) for a, b in zip(r, s)) for rows in (after, bend)]
        assert unlike[0] * 20 < unlike[1], unlike  # letters tell another file's name


@promise
def a_film_of_a_mode_is_drawn():
    with Folder() as folder:
        works('render', 'bar.glb', '--mode', '7', '--size', '160x160', '--fps', '10', '-o', 'film.apng', cwd=folder)
        data = (folder / 'film.apng').read_bytes()
        assert data[:8] == b'\x89PNG\r\n\x1a\n' and data.count(b'fcTL') > 5


@promise
def a_skeleton_that_lies_on_its_belly_is_turned_or_told_of():
    with Folder() as folder:
        lying = re.sub(rb'OFFSET (\S+) (\S+) (\S+)', rb'OFFSET \1 \3 \2', (folder / 'limbs.bvh').read_bytes())
        (folder / 'lying.bvh').write_bytes(lying)
        lying, upright = (re.search(r'([\d.]+) m high.*up is (.*)', works('info', *words, cwd=folder)) for words in (['lying.bvh', '--up', 'z'], ['limbs.bvh']))
        assert lying[1] == upright[1] and (lying[2], upright[2]) == ('(0, 0, 1)', '(0, 1, 0)'), (lying[0], upright[0])


@promise
def a_clip_goes_out_as_bvh_and_comes_back():
    with Folder() as folder:
        works('animate', 'bar.glb', '--mix', '7:20', '--fps', '30', '-o', 'out.bvh', cwd=folder)
        text = (folder / 'out.bvh').read_text()
        assert 'Frame Time: 0.0333' in text and text.count('bone') >= 3
        assert '1 clip' in works('info', 'out.bvh', cwd=folder)


@promise
def the_viewer_plays_the_files_own_clip():
    with Screen() as screen, Folder() as folder:
        screen.play(folder / 'bar.glb', 'key:Space', 'key:G', 'click:Clips', 'click:"clip 0"', 'expect:"The clip plays as it is"', 'key:Home', 'wait:2',
                    'shot:began.png', *20 * ['key:Right'], 'wait:2', 'shot:played.png')
        assert changed(*(Picture(screen.path / f'{name}.png') for name in ('began', 'played'))) > 0.01


@promise
def the_viewer_exports_what_the_command_writes():
    with Screen() as screen, Folder() as folder:
        screen.play(folder / 'bar.glb', 'key:Ctrl+E', 'click:Write', 'expect:Done')
        works('animate', folder / 'bar.glb', '--mix', '6:20', '-o', 'command.glb', cwd=screen.path)
        window, command = (Gltf(screen.path / name) for name in ('bar_modes.glb', 'command.glb'))
        assert [clip['name'] for clip in window.list('animations')] == [clip['name'] for clip in command.list('animations')]
        for index in range(len(window.list('animations'))):  # the window's modes are those of a live solver, to rounding
            ours, theirs = window.clip(index), command.clip(index)
            assert ours.keys() == theirs.keys()
            for key, (times, kind, values) in ours.items():
                assert (times, kind) == theirs[key][:2]
                assert all(abs(a - b) < 1e-6 for u, v in zip(values, theirs[key][2], strict=True) for a, b in zip(u, v, strict=True))


run()

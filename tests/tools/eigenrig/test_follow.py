"""Follow-through by `follow`: clips that loop, bones that keep their length and place, and what is refused."""
import json
import math
import re
import struct

import gltf_reader
from program import Folder, SOURCE, fails, works
from tap import promise, run

FOX = SOURCE / 'models' / 'fox.glb'
RUN = 0.5  # s


def follow(folder, *words, parts='tail,ears'):
    """Follows; returns the report and the file."""
    told = works('follow', FOX, '--parts', parts, *words, '-o', 'out.glb', cwd=folder)
    return told, gltf_reader.Gltf(folder / 'out.glb')


def index(written, name):
    return [clip['name'] for clip in written.list('animations')].index(name)


def nodes(written):
    return {node.get('name'): i for i, node in enumerate(written.list('nodes'))}


def values(written, clip, name, path='rotation'):
    return written.clip(clip)[nodes(written)[name], path]


def at(written, clip, name, time):
    worlds = written.worlds(written.clip(clip), time)
    return gltf_reader.transform(worlds[nodes(written)[name]], (0.0, 0.0, 0.0))


def off(a, b):
    return math.dist(a, b)


@promise
def the_tail_moves_and_the_rest_does_not():
    with Folder() as folder:
        _, written = follow(folder)
        old, new = index(written, 'run'), index(written, 'run follow')
        old_channels, new_channels = written.clip(old), written.clip(new)
        loose = {i for name, i in nodes(written).items() if name and ('tail' in name or 'ear' in name)}
        for key, channel in old_channels.items():
            if key[0] not in loose:
                assert new_channels[key] == channel, key  # the source's own numbers
        swing = [off(at(written, old, 'tail_5', t), at(written, new, 'tail_5', t)) for t in (0.0, 0.1, 0.2, 0.3, 0.4)]
        assert max(swing) > 0.01, swing
        for t in (0.0, 0.13, 0.31):  # bones keep their length, and hang where they hung
            for bone, end in (('tail_1', 'tail_2'), ('tail_4', 'tail_5')):
                length = [off(at(written, clip, bone, t), at(written, clip, end, t)) for clip in (old, new)]
                assert abs(length[0] - length[1]) < 1e-6
            assert off(at(written, old, 'tail_1', t), at(written, new, 'tail_1', t)) < 1e-6


@promise
def a_loop_closes_in_place_and_speed():
    with Folder() as folder:
        _, written = follow(folder, '--clip', 'run', '--fps', '240', '--only-new')
        assert [clip['name'] for clip in written.list('animations')] == ['run']
        for name in ('tail_1', 'tail_3', 'tail_5'):
            times, _, turns = values(written, 0, name)
            assert abs(times[-1] - RUN) < 1e-6 and turns[0] == turns[-1]
            first, last = ([b - a for a, b in zip(turns[i], turns[i + 1])] for i in (0, -2))
            inner = max(math.dist([b - a for a, b in zip(turns[i], turns[i + 1])],
                                  [b - a for a, b in zip(turns[i + 1], turns[i + 2])]) for i in range(len(turns) - 2))
            assert math.dist(first, last) <= 1.5 * inner, name  # the clip's own keys bend as much


def relative(a, b):
    """The turn from quaternion a to b, as its vector part (x, y, z, w)."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    x, y, z, w = (aw * bx - ax * bw - ay * bz + az * by, aw * by - ay * bw - az * bx + ax * bz,
                  aw * bz - az * bw - ax * by + ay * bx, aw * bw + ax * bx + ay * by + az * bz)
    return [math.copysign(1.0, w) * v for v in (x, y, z)]


@promise
def written_loops_go_on_over_their_seam():
    with Folder() as folder:  # keys are floats; a jump of 2e-3 rad/s, of some 3, would show in fourth differences
        _, plain = follow(folder, '--clip', 'run', '--fps', '240', '--amount', '0', '--only-new', '--looseness', '2')
        _, written = follow(folder, '--clip', 'run', '--fps', '240', '--only-new', '--looseness', '2')
        for name in ('tail_1', 'tail_3', 'tail_5', 'left_ear_1'):
            times, _, turns = values(written, 0, name)
            own = [gltf_reader.sample(*values(plain, 0, name), t, True) for t in times[:-1]]
            added = [relative(a, b) for a, b in zip(own + own[:1], turns)]
            count = len(added) - 1
            assert math.dist(added[0], added[-1]) < 1e-6, name  # of floats; the file's own keys are equal to the bit
            bends = [max(abs(sum(f * added[(i + k) % count][c] for k, f in enumerate((1, -4, 6, -4, 1)))) for c in range(3)) for i in range(count)]
            seam, inside = max(bends[-4:]), max(bends[:-4])
            assert max(max(map(abs, row)) for row in added) > 0.01 and seam < 1.5 * inside, (name, seam, inside)


def with_clip(folder, times, places):
    """The fox with one clip alone, of the place of its root."""
    data = FOX.read_bytes()
    size = struct.unpack_from('<I', data, 12)[0]
    scene, binary = json.loads(data[20:20 + size]), data[28 + size:]
    more = struct.pack(f'<{len(times)}f', *times) + b''.join(struct.pack('<3f', *place) for place in places)
    scene['buffers'][0]['byteLength'] = len(binary) + len(more)
    first, count = len(scene['accessors']), len(times)
    for start, length, kind in ((0, 4 * count, 'SCALAR'), (4 * count, 12 * count, 'VEC3')):
        scene['bufferViews'].append({'buffer': 0, 'byteOffset': len(binary) + start, 'byteLength': length})
        scene['accessors'].append({'bufferView': len(scene['bufferViews']) - 1, 'componentType': 5126, 'count': count, 'type': kind})
    scene['accessors'][first].update(min=[min(times)], max=[max(times)])
    root = [node.get('name') for node in scene['nodes']].index('hips')
    scene['animations'] = [{'name': 'one', 'samplers': [{'input': first, 'output': first + 1}],
                            'channels': [{'sampler': 0, 'target': {'node': root, 'path': 'translation'}}]}]
    text = json.dumps(scene).encode()
    text += b' ' * (-len(text) % 4)
    whole = struct.pack('<III', 0x46546C67, 2, 28 + len(text) + len(binary) + len(more))
    (folder / 'one.glb').write_bytes(whole + struct.pack('<II', len(text), 0x4E4F534A) + text +
                                     struct.pack('<II', len(binary) + len(more), 0x004E4942) + binary + more)
    return folder / 'one.glb'


@promise
def odd_clips_are_followed_or_refused():
    with Folder() as folder:
        def rest(fox, *words, parts='tail'):
            told = works('follow', fox, '--parts', parts, '--looseness', '2', *words, '-o', 'odd.glb', cwd=folder)
            return [float(line.split('swings')[1].split()[0]) for line in told.splitlines() if 'swings' in line], gltf_reader.Gltf(folder / 'odd.glb')
        line = with_clip(folder, [0, 1, 2], [(0, 0.4, 0), (0, 0.4, 1), (0, 0.4, 2)])
        swings, _ = rest(line)  # nothing accelerates, so the tail stays
        assert swings == [0.0], swings
        swings, _ = rest(line, '--weight', '1', '--bounce', '0')
        assert swings[0] > 5, swings
        swings, _ = rest(with_clip(folder, [0, 0.5, 1], [(0, 0.4, 0), (0, 0.6, 0), (0, 0.4, 0)]))
        assert swings[0] > 1, swings
        fails(1, 'follow', with_clip(folder, [0], [(0, 0.4, 0)]), '--parts', 'tail', '-o', 'x.glb', says='clip', cwd=folder)
        fails(1, 'follow', folder / 'one.glb', '--parts', 'tail', '--clip', 'one', '-o', 'x.glb', says='duration', cwd=folder)
        fails(1, 'follow', FOX, '--parts', 'no_such_*', '-o', 'x.glb', says='no_such_*', cwd=folder)
        for part in ('tail', 'hind legs'):  # those that there are
            fails(1, 'follow', FOX, '--parts', 'no_such_*', '-o', 'x.glb', says=part, cwd=folder)
        fails(1, 'follow', FOX, '--parts', '*', '-o', 'x.glb', says='hips', cwd=folder)
        fails(1, 'follow', FOX, '--parts', 'tail', '--check', '--amount', '2', '-o', 'x.glb', says='amount', cwd=folder)
        assert not (folder / 'x.glb').exists()


@promise
def full_dynamics_agree():
    with Folder() as folder:
        told, _ = follow(folder, '--clip', 'run', '--looseness', '2', '--bounce', '0.5', '--check')
        lines = [line for line in told.splitlines() if 'full dynamics by' in line]
        assert len(lines) == 3 and 'full dynamics repeats' in told, told
        for line in lines:
            swing, off = (float(line.split(word)[1].split()[0]) for word in ('swings', 'full dynamics by'))
            assert swing > 5 and off < 0.005 * swing, line


@promise
def controls_do_what_they_say():
    with Folder() as folder:
        def told(*words):
            line = next(line for line in follow(folder, '--clip', 'run', *words, parts='tail')[0].splitlines() if 'tail_1' in line)
            words = line.split()
            return float(words[words.index('Hz') - 1]), float(words[words.index('damping') + 1]), float(words[words.index('swings') + 1])
        hertz, damping, swing = told('--looseness', '1.5', '--bounce', '0.5')
        assert hertz == 1.5 and abs(damping - 0.215) < 0.01
        assert told('--looseness', '12')[2] < 0.2 * swing  # a stiff tail hardly moves
        assert told('--amount', '0')[2] == 0.0
        assert told('--looseness', '1.5', '--weight', '1')[2] > 1.3 * swing  # it hangs
        assert told('--looseness', '1.5', '--bounce', '0.9')[1] < 0.05
        _, written = follow(folder, '--clip', 'run', '--rest', 'pose', '--looseness', '90', parts='tail')
        rest, now = written.locals(), written.locals(written.clip(index(written, 'run follow')), 0.1)
        tail = nodes(written)['tail_3']  # so stiff that it stays as in the rest pose
        assert max(abs(a - b) for x, y in zip(rest[tail], now[tail]) for a, b in zip(x, y)) < 0.02


@promise
def parts_are_regions_or_patterns():
    with Folder() as folder:
        for parts, roots in (('tail', {'tail_1'}), ('left ear', {'left_ear_1'}), ('ears', {'left_ear_1', 'right_ear_1'}), ('tail_3', {'tail_3'}), ('*ear_1', {'left_ear_1', 'right_ear_1'})):
            told, _ = follow(folder, '--clip', 'run', parts=parts)
            assert {line.split()[0] for line in told.splitlines()[1:]} == roots, (parts, told)


def fit_swing(values, fps):
    """Hz and damping ratio of a swing that dies away."""
    rows = list(zip(values, values[1:], values[2:]))  # c = p b + q a, by least squares
    aa, ab, bb = (sum(x[i] * x[k] for x in rows) for i, k in ((0, 0), (0, 1), (1, 1)))
    ac, bc = (sum(x[i] * x[2] for x in rows) for i in (0, 1))
    det = aa * bb - ab * ab
    q, p = (ac * bb - bc * ab) / det, (bc * aa - ac * ab) / det
    root = complex(0.5 * p, math.sqrt(-q - 0.25 * p * p))
    decay, turn = -math.log(abs(root)) * fps, math.atan2(root.imag, root.real) * fps
    return math.hypot(decay, turn) / (2 * math.pi), decay / math.hypot(decay, turn)


def swing_by_the_rule(length, stiffness, drag, fps):
    """Hz and damping ratio of a joint that Godot's SpringBoneSimulator3D and VRM 1 move: tails by Verlet, then to their length."""
    step, before, now, angles = 1.0 / fps, (math.cos(0.01), math.sin(0.01)), (math.cos(0.01), math.sin(0.01)), []
    for _ in range(40):
        there = [length * n + (length * n - length * b) * (1.0 - drag) + rest * stiffness * step for n, b, rest in zip(now, before, (1.0, 0.0))]
        size = math.hypot(*there)
        before, now = now, (there[0] / size, there[1] / size)
        angles.append(math.atan2(now[1], now[0]))
    return fit_swing(angles, fps)


def turned(axis, to, vector):
    """A vector, turned as the least rotation turns one unit vector into another."""
    cross = [axis[1] * to[2] - axis[2] * to[1], axis[2] * to[0] - axis[0] * to[2], axis[0] * to[1] - axis[1] * to[0]]
    cosine = sum(x * y for x, y in zip(axis, to))
    once = [cross[1] * vector[2] - cross[2] * vector[1], cross[2] * vector[0] - cross[0] * vector[2], cross[0] * vector[1] - cross[1] * vector[0]]
    twice = [cross[1] * once[2] - cross[2] * once[1], cross[2] * once[0] - cross[0] * once[2], cross[0] * once[1] - cross[1] * once[0]]
    return [v + o + t / (1.0 + cosine) for v, o, t in zip(vector, once, twice)]


def unit(vector):
    return [v / math.hypot(*vector) for v in vector]


def swing_in_unity(points, pushes, drag, fps):
    """Hz and damping ratio of a whole chain by the rule that UniVRM and Unity-Chan's SpringBone document.

    From the root down: a tail moves on by its last move times 1 - drag, and by a push along the bone's rest axis in the frame of
    the bone above; then it is put back to the bone's length. The chain first creeps back with a drag of 1, until only its slowest
    motion is left, and then swings from there.
    """
    bones = list(zip(points, points[1:]))
    axes, lengths = [unit([b - a for a, b in zip(*bone)]) for bone in bones], [math.dist(*bone) for bone in bones]
    now, ways = [[tail[0] + 0.2 * math.dist(points[0], tail), *tail[1:]] for _, tail in bones], []  # X is sideways
    before, begun, keeps = now, now[-1][0], 0.0
    while len(ways) < fps:
        head, turns, after = points[0], [], []
        for axis, length, push, here, there in zip(axes, lengths, pushes, now, before):
            rest = axis
            for turn in turns:
                rest = turned(*turn, rest)
            way = unit([n + (n - b) * keeps + r * push - h for n, b, r, h in zip(here, there, rest, head)])
            head = [h + w * length for h, w in zip(head, way)]
            turns.append((rest, way))
            after.append(head)
        now, before = after, now
        if keeps > 0.0:
            ways.append(now[-1][0])
        elif now[-1][0] < 0.1 * begun:
            before, keeps = now, 1.0 - drag
    return fit_swing(ways, fps)


@promise
def spring_bones_swing_by_the_rule_of_other_engines_as_printed():
    with Folder() as folder:
        for words in (['--looseness', '2', '--bounce', '0.4'], ['--looseness', '1', '--bounce', '0.6', '--fps', '120'], ['--looseness', '3', '--bounce', '0.1', '--fps', '30']):
            told = works('follow', FOX, '--parts', 'tail', *words, '--spring-bones', '-o', 'springs.glb', cwd=folder)
            hertz, damping = map(float, re.search(r'frames a second: ([\d.]+) Hz, damping ([\d.]+)', told).groups())
            written = gltf_reader.Gltf(folder / 'springs.glb')
            joints = written.json['extensions']['VRMC_springBone']['springs'][0]['joints']
            worlds = written.worlds()
            head, tail = ([worlds[joint['node']][i][3] for i in range(3)] for joint in joints[:2])
            rule = swing_by_the_rule(math.dist(head, tail), joints[0]['stiffness'], joints[0]['dragForce'], float(words[-1]) if '--fps' in words else 60.0)
            assert abs(rule[0] - hertz) < 0.01 * hertz and abs(rule[1] - damping) < 0.01, (words, rule, hertz, damping)
            fps = float(words[-1]) if '--fps' in words else 60.0
            points = [[worlds[joint['node']][i][3] for i in range(3)] for joint in joints]
            unity = swing_in_unity(points, [joint['stiffness'] / fps for joint in joints[:-1]], joints[0]['dragForce'], fps)
            print('# a chain in Unity, and printed:', unity, hertz, damping)
            assert abs(unity[0] - hertz) < 0.02 * hertz and abs(unity[1] - damping) < 0.03, (words, unity, hertz, damping)


@promise
def wrong_words_are_refused():
    with Folder() as folder:
        fails(2, 'follow', FOX, '-o', 'x.glb', says='--parts', cwd=folder)
        fails(2, 'follow', FOX, '--parts', 'tail', says='-o', cwd=folder)
        fails(2, 'follow', FOX, '--parts', 'tail', '-o', 'x.csv', says='x.csv', cwd=folder)
        fails(2, 'follow', FOX, '--parts', 'tail', '-o', 'x.bvh', says='x.bvh', cwd=folder)
        fails(2, 'follow', FOX, '--parts', 'tail', '--spring-bones', '-o', 'x.fbx', says='x.fbx', cwd=folder)
        fails(1, 'follow', FOX, '--parts', 'springs', '-o', 'x.glb', says='springs', cwd=folder)
        fails(2, 'follow', FOX, '--parts', 'tail', '--bounce', '1', '-o', 'x.glb', says='bounce', cwd=folder)
        fails(1, 'follow', FOX, '--parts', 'tial', '-o', 'x.glb', says='tail', cwd=folder)
        fails(1, 'follow', FOX, '--parts', 'trunk', '-o', 'x.glb', says='parts trunk', cwd=folder)
        fails(1, 'follow', FOX, '--parts', ',', '-o', 'x.glb', says='parts', cwd=folder)
        fails(1, 'follow', FOX, '--parts', 'tail', '--clip', 'rnu', '-o', 'x.glb', says='run', cwd=folder)
        fails(1, 'follow', SOURCE / 'models' / 'gnome.glb', '--parts', 'hat', '--clip', 'rnu', '-o', 'x.glb', says='rnu', cwd=folder)
        fails(1, 'follow', SOURCE / 'models' / 'four_bar.json', '--parts', 'x', '-o', 'x.glb', says='four_bar.json', cwd=folder)
        assert not (folder / 'x.glb').exists()


run()

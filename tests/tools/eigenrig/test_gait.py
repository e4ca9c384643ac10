"""`gait` and `animate --gait`: their files, and the words that they refuse."""
import json
import math
import re
import signal
import struct
import subprocess
import time
import xml.etree.ElementTree
import zlib

import walkers
from program import ENVIRONMENT, PROGRAM, Folder, fails, models, python_with_numpy, rig_of, run, works
from tap import SOURCE, every, promise, run as judge

from gltf_reader import Gltf

GNOME = SOURCE / 'models' / 'gnome.glb'
HORSE = SOURCE / 'models' / 'horse.glb'
QUICK = ['--count', '8']  # modes


def names_in(table):
    return [re.match(r'\D+?(?: \d+)?(?= +\d\.\d\d )', line)[0].strip() for line in table.splitlines()[1:]]


def clips_of(path):
    data = path.read_bytes()
    length = int.from_bytes(data[12:16], 'little')
    return [clip['name'] for clip in json.loads(data[20:20 + length])['animations']]


def ways(path, joint):
    """How far a BVH's root goes from its first frame to its last, along x, y and z."""
    lines = path.read_text().splitlines()
    assert lines[1].split()[-1] == joint, lines[1]
    frames = [list(map(float, line.split()[:3])) for line in lines[lines.index('MOTION') + 3:]]
    return [abs(b - a) for a, b in zip(frames[0], frames[-1])]


@promise
def every_gait_is_two_clips_a_mix_and_a_place_in_the_drawings():
    with Folder() as folder:
        gnome = walkers.write(folder, 'gnome')
        table = works('gait', gnome, '-o', folder / 'out.glb', '--mixes', folder / 'mixes', '--footfalls',
                      folder / 'falls.svg', '--strip', folder / 'strip.svg')
        names = names_in(table)
        assert names and all(name in clips_of(folder / 'out.glb') for name in names), table
        assert all(name + ' travels' in clips_of(folder / 'out.glb') for name in names)
        assert sorted(path.name for path in (folder / 'mixes').iterdir()) == sorted(
            name.replace(' ', '_') + '.json' for name in names)
        for drawing in ('falls.svg', 'strip.svg'):
            text = ' '.join(xml.etree.ElementTree.parse(folder / drawing).getroot().itertext())
            assert all(name in text for name in names), drawing
        document = json.loads(works('gait', gnome, '--json'))
        assert [gait['name'] for gait in document['gaits']] == names and document['format'] == 'eigenrig-gaits'
        for gait in document['gaits']:
            mix = json.loads((folder / 'mixes' / (gait['name'].replace(' ', '_') + '.json')).read_text())
            assert [(v['mode'], v['degrees'], v['harmonic']) for v in gait['modes']] == [
                (v['mode'], v['degrees'], v['harmonic']) for v in mix['modes']]
            row = next(line for line in table.splitlines() if line.startswith(gait['name'] + '  '))
            assert f"{gait['score']:.2f}" in row and f"{gait['hz']:.2f}" in row and f"{gait['stride_m']:.3g}" in row, row
            feet = [foot['name'] for foot in document['feet']]
            assert [step['foot'] for step in gait['steps']] == feet and abs(gait['speed_m_s'] / gait['hz'] / gait['stride_m'] - 1) < 1e-9
        again = works('gait', gnome, '--mix', folder / 'mixes' / (names[0] + '.json'))
        row = [line for line in table.splitlines() if line.startswith(names[0])][0].split()
        kept = again.splitlines()[1].split()
        assert row[0] == kept[0] and abs(float(row[2]) - float(kept[2])) <= 0.01 and row[5] == kept[5], (row, kept)


@promise
def a_mix_that_was_edited_by_hand_goes_on_held_feet():
    held = re.compile(r': standing feet off by (\S+) % of the stride, soles (\S+) % of the height')
    with Folder() as folder:
        row = works('gait', GNOME, *QUICK, '--best', '1', '--mixes', folder / 'mixes').splitlines()[1].split()
        mix = json.loads((folder / 'mixes' / f'{row[0]}.json').read_text())
        for voice in mix['modes']:
            voice['degrees'] *= 0.7
        mix['cycle'] *= 1.25
        (folder / 'edited.json').write_text(json.dumps(mix))
        done = run('gait', GNOME, '-v', '--mix', folder / 'edited.json', '-o', folder / 'out.glb')
        assert done.returncode == 0, done.stderr
        edited = done.stdout.decode().splitlines()[1].split()
        assert float(edited[5]) < 0.9 * float(row[5]), (row, edited)  # a shorter stride
        assert abs(float(edited[2]) * 1.25 / float(row[2]) - 1) < 0.02, (row, edited)  # at the pace that was asked for
        off, sunk = map(float, held.search(done.stderr.decode()).groups())
        assert off < 0.1 and sunk < 0.1, (off, sunk)


@promise
def the_same_bytes_come_twice():
    with Folder() as folder:
        gnome = walkers.write(folder, 'gnome')
        for name in ('a.glb', 'b.glb'):
            works('gait', gnome, '-q', '-o', folder / name)
        assert (folder / 'a.glb').read_bytes() == (folder / 'b.glb').read_bytes()


def rows_of(table):
    """Name, Hz and m/s of each gait, and its mix."""
    rows = [re.match(r'(\S+(?: \d)?) +([\d.]+) +([\d.]+) +([\d.]+) .* (\S+)$', line) for line in table.splitlines()[1:]]
    return [(row[1], float(row[2]), float(row[3]), float(row[4]), row[5]) for row in rows]


@every
def tempo_is_hertz_a_speed_or_frames_and_strides_end_on_a_frame():
    with Folder() as folder:
        horse = walkers.write(folder, 'horse')
        own = rows_of(works('gait', horse, '--best', '1', '--count', '12', '--fps', '24', '-o', 'out.glb', cwd=folder) and
                      works('gait', horse, '--best', '1', '--count', '12', '--fps', '24', '--list', cwd=folder))
        written = Gltf(folder / 'out.glb')
        for clip in range(2):
            end = max(times[-1] for times, _, _ in written.clip(clip).values())
            assert abs(end * 24 - round(end * 24)) < 1e-4 and end * 24 > 10, end
        for words, place, wanted in (('1.5', 2, 1.5), ('1.5Hz', 2, 1.5), ('1.2m/s', 3, 1.2), ('20f', 2, 1.2)):
            rows = rows_of(works('gait', horse, '--best', '1', '--count', '12', '--fps', '24', '--tempo', words, '--list', cwd=folder))
            assert rows and [row[0] for row in rows] == [row[0] for row in own][:len(rows)], (words, rows, own)
            assert all(abs(row[place] / wanted - 1) < 0.06 for row in rows), (words, rows)
        # a mix by frequencies is that by harmonics at the same pace
        name, score, hz, _, mix = own[0]
        text = re.sub(r'@(\d)x', lambda m: f'@{int(m[1]) * hz:.6g}', mix)
        again = rows_of(works('gait', horse, '--mix', text, '--list', cwd=folder))[0]
        assert again[0] == name and abs(again[1] - score) < 0.05 and abs(again[2] - hz) < 0.02, (own[0], again)
        fails(1, 'gait', horse, '-q', '--mix', '9:8@1,13:9@3.3', '--list', says='mode ', cwd=folder)
        fails(1, 'gait', horse, '-q', '--mix', '9:8@3x', '--list', says='mode ', cwd=folder)
        kept = fails(1, 'gait', horse, '-q', '--best', '1', '--count', '12', '--tempo', '9', '--list', says='tempo')
        for name, low, high in re.findall(r'(\w+) ([\d.]+) to ([\d.]+) Hz', kept)[:1]:
            assert abs(float(low) - [row[2] for row in own if row[0] == name][0]) < 0.1 < float(high) - float(low), (kept, own)
            told = run('gait', horse, '--best', '1', '--count', '12', '--tempo', f'{math.sqrt(float(low) * float(high))}', '--list').stdout.decode()
            assert f'\n{name} ' in told, (name, high, told)  # which is true
        told = run('gait', horse, '--best', '40', '--count', '8', '--tempo', '2', '--list').stderr.decode()
        assert re.search(r'\d gaits? leads? nowhere at that tempo', told) and re.search(r'\d gaits?, not 40', told), told
        for words in ('0', '-1', '1.5f', '2km/h', 'fast'):
            fails(2, 'gait', horse, '-q', f'--tempo={words}', '--list', says='--tempo', cwd=folder)


@promise
def animate_takes_a_gait_by_its_name():
    with Folder() as folder:
        gnome = walkers.write(folder, 'gnome')
        table = works('gait', gnome, '--list')
        name = names_in(table)[0]

        def animate(gait, stem):  # one search for all formats
            paths = [folder / f'{stem}.{end}' for end in ('glb', 'bvh', 'csv', 'npz', 'fbx', 'dae')]
            text = works('animate', gnome, '--gait', gait, *(word for path in paths for word in ('-o', path)))
            assert all(path.stat().st_size > 100 for path in paths)
            return text
        text = animate(name, 'out')
        assert text.startswith(f'{name}: ') and 'loops' in text
        assert 'travels' in animate(name + ' travels', 'far')
        assert clips_of(folder / 'out.glb')[0] == name and clips_of(folder / 'far.glb')[0] == name + ' travels'
        stride = float(table.splitlines()[1].split()[5])
        assert abs(ways(folder / 'far.bvh', 'hips')[2] / stride - 1) < 0.01
        assert max(ways(folder / 'out.bvh', 'hips')) < 1e-6
        rows = (folder / 'out.csv').read_text().splitlines()
        assert rows[1].split(',')[1:] == rows[-1].split(',')[1:]  # a stride ends where it began
        said = works('animate', gnome, '--gait', name, '--duration', '3', '--mix', '9:6', '--fps', '30', '-o', folder / 'long.glb')
        clip, one = Gltf(folder / 'long.glb').clip(0), Gltf(folder / 'out.glb').clip(0)
        long, short = (max(times[-1] for times, _, _ in channels.values()) for channels in (clip, one))
        assert abs(long / short - round(long / short)) < 0.2 and round(long / short) >= 2 and 'loops' in said, (long, short, said)
        assert ' frames in place of 3 s' in said and ' m/s, ' in said and ' on top of it:\n  mode 9 ' in said, said
        fails(1, 'animate', gnome, '-q', '--gait', name + ' simulated', '-o', folder / 'no.glb', says='gait MODEL --simulate')
        fails(2, 'simulate', gnome, '-q', '--gait', name, '-o', folder / 'no.glb', says='gait MODEL --simulate')
        fails(1, 'animate', gnome, '-q', '--gait', 'moonwalk', '-o', folder / 'no.glb', says=name)
        assert not (folder / 'no.glb').exists()


@promise
def a_search_that_is_interrupted_leaves_no_folder():
    with Folder() as folder:
        for wait in (0.3, 1.0):
            words = [PROGRAM, 'gait', GNOME, '--mixes', 'mixes', '-o', 'out.glb']
            search = subprocess.Popen(words, cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
            time.sleep(wait)
            search.send_signal(signal.SIGINT)
            assert search.wait(30) == -signal.SIGINT, 'it was over before'
            assert not (folder / 'mixes').exists(), f'after {wait} s'


AMBLE = ['--mix', '9:7.83@1x-9,13:11.6@1x+21,12:2.5@2x+23']  # of the horse, as its search finds it


def simulated(table):
    """The rows of the second table: walked, lengths, seconds, m/s, pushes survived and all, slip, until."""
    rows = [row[13:].split() for row in table.split('\n\n')[1].splitlines()[1:]]
    return [[*map(float, row[:4]), *map(int, row[4].split('/')), float(row[5][:-1]), ' '.join(row[9:])] for row in rows]


@promise
def a_gait_walks_ten_lengths_and_bears_pushes():
    with Folder() as folder:
        table = works('gait', HORSE, *AMBLE, '--simulate', '-o', folder / 'out.npz')
        (walked, lengths, seconds, speed, survived, pushes, slip, until), = simulated(table)
        assert lengths >= 9.99 and until == 'the end' and (survived, pushes) == (4, 4) and slip < 5, table
        assert abs(walked / seconds - speed) < 0.01 * speed
        bodies = rig_of(HORSE, cwd=folder)['bodies']
        (folder / 'bodies.json').write_text(json.dumps([[b['mass'], b['com']] for b in bodies]))
        code = ('import json, numpy as np; z = np.load("out.npz"); mass, com = zip(*json.load(open("bodies.json"))); m = np.array(mass); '
                'q, c = z["orientation"], np.array(com); u = q[..., 1:]; t = 2 * np.cross(u, c); '
                'at = z["position"] + c + q[..., :1] * t + np.cross(u, t); x = (at * m[:, None]).sum(1) / m.sum(); '
                'print(z["time"][-1], *(x[-1] - x[0]), (z["contact"][:, 8] != 0).sum())')
        told = subprocess.run([python_with_numpy(), '-c', code], cwd=folder, check=True, capture_output=True).stdout.split()
        last, *way, touching = map(float, told)
        assert abs(last - seconds) < 0.1 and touching > 0, (last, seconds)
        assert abs(max(way, key=abs) - walked) < 0.02 * abs(walked) + 0.01, (way, walked)


@promise
def a_simulated_walk_is_a_clip_and_a_row():
    with Folder() as folder:
        works('gait', HORSE, *AMBLE, '--simulate', '--lengths', '0.3', '--push', '0', '-o', folder / 'out.glb')
        assert 'amble simulated' in clips_of(folder / 'out.glb')
        row, = json.loads(works('gait', HORSE, *AMBLE, '--simulate', '--lengths', '0.3', '--json'))['simulated']
        assert row['gait'] == 'amble' and row['fell'] is False and row['until'] == 'the end' and row['pushes'] == 4
        mass, speed = sum(b['mass'] for b in rig_of(HORSE, cwd=folder)['bodies']), row['distance_m'] / row['seconds']
        animal = (10.7 * mass ** -0.316 + 6.03 * mass ** -0.303 / speed) / 9.81  # W/kg by Taylor, Heglund, Maloiy 1982
        assert abs(row['animal'] - animal) < 0.01 * animal, (row['animal'], animal)
        assert 0.3 <= row['body_lengths'] < 0.4 and 0 <= row['slip'] < 0.1 and 0 < row['cost_of_transport'] < 3
        fallen, = json.loads(works('gait', HORSE, *AMBLE, '--simulate', '--friction', '0', '--json'))['simulated']
        assert fallen['fell'] is True and fallen['until'] != 'the end' and fallen['pushes'] == 0, fallen


def places_of(gltf, name):
    """World places of all nodes at the frames of a clip, by their names, and the clip's seconds."""
    which = [clip['name'] for clip in gltf.json['animations']].index(name)
    samplers = gltf.json['animations'][which]['samplers']
    times = [gltf.json['accessors'][sampler['input']] for sampler in samplers]
    seconds, last = max(time['max'][0] for time in times), max(time['count'] for time in times) - 1
    worlds = [gltf.worlds(gltf.clip(which), seconds * k / last) for k in range(last + 1)]
    return {node['name']: [[line[3] for line in world[i][:3]] for world in worlds]
            for i, node in enumerate(gltf.json['nodes'])}, seconds


@promise
def a_simulated_walk_loops_without_seam_and_its_hooves_stay():
    with Folder() as folder:
        works('gait', HORSE, *AMBLE, '--simulate', '--lengths', '4', '--push', '0', '--only-new', '-o', folder / 'out.glb')
        gltf = Gltf(folder / 'out.glb')
        still, seconds = places_of(gltf, 'amble simulated loop')
        goes, _ = places_of(gltf, 'amble simulated loop travels')
        assert abs(seconds * 0.9 - 1) < 0.02, seconds  # 0.90 Hz
        way = [b - a for a, b in zip(goes['hips'][0], goes['hips'][-1])]
        stride = math.hypot(*way)
        assert abs(stride / seconds - 1.89) < 0.1 and abs(way[1]) < 0.001 * stride, way
        for name, at in still.items():
            assert math.dist(at[0], at[-1]) < 1e-4, name
            steps = [[b - a for a, b in zip(at[k], at[k + 1])] for k in range(len(at) - 1)]
            before, seam, after = (math.dist(steps[k - 1], steps[k]) for k in (-1, 0, 1))
            assert seam <= 1.5 * max(before, after) + 1e-3, (name, before, seam, after)  # velocities change as beside it
        for name in (name for name in goes if name.endswith('_hoof')):
            at = [[place[i] + lap * way[i] for i in (0, 2)] for lap in (0, 1) for place in goes[name][:-1]]
            longest, frames = 0, len(at) // 2
            for first in range(frames):
                last = first
                while last + 1 < len(at) and math.dist(at[first], at[last + 1]) < 0.01 * stride:
                    last += 1
                longest = max(longest, last - first)
            assert longest > 0.45 * frames, (name, longest)


HASTE = ('gait', HORSE, *AMBLE, '--simulate', '--lengths', '1', '--json')
HASTY = ('--walk', 'speed=2,lowering=0')  # too fast, with straight knees


@promise
def a_walk_is_tuned_and_what_was_found_is_walked_again():
    usual, = json.loads(works(*HASTE, *HASTY))['simulated']
    tuned = run(*HASTE, *HASTY, '--tune-walk', '60', timeout=300)
    row, = json.loads(tuned.stdout)['simulated']
    words = re.search(rb'amble: of (\d+) trials .* --walk (\S+)', tuned.stderr)
    assert row['pushes_survived'] > usual['pushes_survived'] and int(words[1]) >= 1, (tuned.stderr, row, usual)
    assert row['walk'] == words[2].decode() != usual['walk'], (row, words)
    again, = json.loads(works(*HASTE, '--walk', row['walk']))['simulated']
    assert again == row, (again, row)


@promise
def what_a_search_found_until_it_is_interrupted_is_kept():
    late = ('--push', '1', '--walk', 'tempo=0.5,duty=0.3')
    usual, = json.loads(works(*HASTE, *late))['simulated']
    for wait in (2, 8, 32):
        words = [PROGRAM, *HASTE, *late, '--tune-walk', '500']
        search = subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(wait)
        search.send_signal(signal.SIGINT)
        out, said = search.communicate(timeout=60)
        assert search.returncode == -signal.SIGINT, (search.returncode, said)
        if b' --walk ' in said: break  # it was not too early for a better one
    row, = json.loads(out)['simulated']
    found = re.search(rb'amble: of \d+ trials .* --walk (\S+)', said)[1].decode()
    assert row['body_lengths'] > usual['body_lengths'] and row['walk'] == found, (said, row, usual)
    assert json.loads(works(*HASTE, '--push', '1', '--walk', found))['simulated'] == [row], found


@promise
def a_gait_that_falls_is_walked_with_more_care():
    hard = ('gait', HORSE, *AMBLE, '--simulate', '--lengths', '2', '--push', '1', '--json')
    plain, = json.loads(works(*hard, '--walk', 'speed=1'))['simulated']
    careful, = json.loads(works(*hard))['simulated']
    assert plain['pushes_survived'] < careful['pushes_survived'] and plain['walk'] == '' != careful['walk'], (plain, careful)
    again, = json.loads(works(*hard, '--walk', careful['walk']))['simulated']
    assert again == careful, (again, careful)


@promise
def a_gait_is_walked_slower():
    row, = json.loads(works('gait', HORSE, *AMBLE, '--simulate', '--lengths', '1', '--push', '0', '--walk', 'speed=0.5,sway=0', '--json'))['simulated']
    assert abs(row['distance_m'] / row['seconds'] / 1.89 - 0.5) < 0.1, row


def picture_of(path, width, height, value):
    """A grey PNG of value(x, y), 0 to 255."""
    rows = b''.join(b'\0' + bytes(value(x, y) for x in range(width)) for y in range(height))
    chunks = ((b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 0, 0, 0, 0)), (b'IDAT', zlib.compress(rows)), (b'IEND', b''))
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + b''.join(
        struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data)) for kind, data in chunks))


def climb(folder, *words):
    """How far and how high the horse's hips go in the second half of a walk of two lengths."""
    works('gait', HORSE, *AMBLE, '--simulate', '--lengths', '2', '--push', '0', '--only-new', '-o', folder / 'out.glb', *words)
    hips = places_of(Gltf(folder / 'out.glb'), 'amble simulated')[0]['hips']
    way = [b - a for a, b in zip(hips[len(hips) // 2], hips[-1])]
    assert way[2] > 2.4, way
    return way[2], way[1]


@promise
def the_ground_slopes_or_is_a_picture_or_a_mesh():
    with Folder() as folder:
        for degrees in (10, -10):
            far, high = climb(folder, '--slope', degrees)
            assert abs(high / far - math.tan(math.radians(degrees))) < 0.04, (degrees, far, high)
        picture_of(folder / 'ramp.png', 4, 61, lambda x, y: 4 * (60 - y))  # 240 of 255 from the lower edge to the upper
        far, high = climb(folder, '--terrain', folder / 'ramp.png', '--terrain-size', '30,3')
        assert abs(high / far - 3 * 240 / 255 / 30) < 0.04, (far, high)
        corners = [[-50, -5, -50], [50, -5, -50], [50, 5, 50], [-50, 5, 50]]  # y climbs along z, which it faces
        (folder / 'ramp.obj').write_text(''.join('v %g %g %g\n' % tuple(corner) for corner in corners) + 'f 1 4 3\nf 1 3 2\n')
        far, high = climb(folder, '--terrain', folder / 'ramp.obj')
        assert abs(high / far - 0.1) < 0.04, (far, high)
        few = ('gait', HORSE, *AMBLE, '--simulate', '--terrain')
        (folder / 'bad.png').write_bytes(b'no picture')
        fails(1, *few, folder / 'bad.png', says='bad.png')
        fails(1, *few, folder / 'none.png', says='none.png')
        fails(1, *few, folder / 'none.glb', says='none.glb')


@promise
def words_that_do_not_fit_are_refused():
    with Folder() as folder:
        out = folder / 'out.glb'
        fails(2, 'gait', GNOME, '-o', folder / 'out.obj', says='.glb, .gltf, ')
        for end in ('dae', 'bvh', 'csv', 'npz'):
            fails(2, 'gait', GNOME, '-o', folder / f'out.{end}', says='animate MODEL --gait NAME')
        fails(1, 'gait', GNOME, '--forward', 'y', says='forward')
        fails(1, 'gait', GNOME, '--max-hz', '1e-3', says='--max-hz')
        for option, end in ('-o', 'glb'), ('--strip', 'svg'), ('--footfalls', 'svg'):  # before the search
            lost = fails(1, 'gait', GNOME, option, folder / 'no' / f'x.{end}', says=f'no/x.{end}')
            assert 'gnome' not in lost, lost
        fails(2, 'gait', GNOME, '--best', '0', says='--best')
        fails(2, 'gait', GNOME, '--simulate', '-o', folder / 'out.bvh', says='--best 1')
        fails(2, 'gait', GNOME, '--simulate', '--gain', '0', says='--gain')
        fails(2, 'gait', GNOME, '--gain', '2', says='--simulate')
        fails(2, 'gait', GNOME, '--push', '0.5', says='--simulate')
        fails(2, 'gait', GNOME, '--lengths', '5', says='--simulate')
        fails(2, 'gait', GNOME, '--slope', '5', says='--simulate')
        fails(2, 'gait', GNOME, '--walk', 'speed=1', says='--simulate')
        fails(2, 'gait', GNOME, '--tune-walk', '1', says='--simulate')
        for wrong, said in ('sped=1', 'sped'), ('speed=9', 'speed'), ('speed', 'speed'), ('speed=1,', 'speed'), ('duty=x', 'duty'):
            fails(1, 'gait', HORSE, *AMBLE, '--simulate', '--walk', wrong, says=said)
        fails(2, 'gait', GNOME, '--terrain', 'x.png', says='--simulate')
        fails(2, 'gait', GNOME, '--simulate', '--slope', '60', says='--slope')
        fails(2, 'gait', GNOME, '--simulate', '--slope', '5', '--terrain', 'x.png', says='--terrain')
        fails(2, 'gait', GNOME, '--simulate', '--terrain-size', '5,1', says='--terrain-size')
        fails(2, 'gait', GNOME, '--simulate', '--terrain', 'x.png', '--terrain-size', '5', says='--terrain-size')
        fails(1, 'gait', GNOME, *QUICK, '--simulate', '--gain', '2', says='feet')
        fails(2, 'gait', GNOME, '--weights', 'beauty:2', says='--weights')
        fails(2, 'gait', GNOME, '--weights', 'slip:-1', says='--weights')
        fails(2, 'gait', GNOME, '--up', 'w', says='--up')
        fails(2, 'gait', GNOME, '--forward', '0,0,0', says='--forward')
        fails(2, 'gait', GNOME, '--gravity', '0', says='--gravity')
        fails(2, 'gait', GNOME, '--list', '-o', out, says='--list')
        fails(2, 'gait', GNOME, '--strip', folder / 'strip.gif', says='.svg')
        fails(2, 'gait', GNOME, '--footfalls', folder / 'falls.png', says='.svg')
        fails(2, 'gait', GNOME, '-o', '-', '--footfalls', '-', says='"-"')
        fails(2, 'gait', GNOME, '--mix', '7:3', '--mix', '8:3', says='--mix')
        fails(2, 'animate', GNOME, '--gait', 'walk', '--mix', '7:3', '--mix', '8:3', '-o', out, says='--mix')
        fails(2, 'animate', GNOME, '--gait', 'walk', '--ring', '-o', out, says='--ring')
        fails(1, 'gait', GNOME, '--root', 'fixed', says='--root free')
        fails(1, 'gait', GNOME, '--feet', 'hoof*', says='"hoof*"')
        fails(1, 'gait', GNOME, '--feet', 'left_foot', says='"left_foot"')
        fails(1, 'gait', GNOME, '--mix', '9999:3', says='9999')
        fails(1, 'gait', GNOME, '--mixes', folder / 'bar.glb' / 'x', says='bar.glb')
        fails(1, 'gait', GNOME, '--mixes', folder / 'bar.glb', says='bar.glb')
        fails(1, 'gait', GNOME, *QUICK, '--up', 'x', '--mixes', folder / 'empty', says='no gait')
        assert not out.exists() and not (folder / 'empty').exists()


@promise
def feet_that_are_said_to_be_none_are_none():
    with Folder() as folder:
        (folder / 'no.rig.lua').write_text('return {feet = "none"}')
        assert 'feet         none: it ' in works('info', GNOME, '--rig', folder / 'no.rig.lua')
        told = run('gait', GNOME, '--feet', 'none', '--count', 4, '-v')
        assert b'no feet' in told.stderr
        assert b'--feet' not in told.stderr  # somebody knows


@promise
def a_body_on_its_side_is_said_to_have_no_feet():
    done = run('gait', GNOME, *QUICK, '--up', 'x')
    assert done.returncode == 0 and b'no feet were found' in done.stderr, done.stderr


@promise
def any_model_gets_a_table_or_a_sentence():
    for model in models():
        done = run('gait', model, *QUICK)
        assert done.returncode in (0, 1), (model, done.stderr)
        assert done.stdout or b'error' in done.stderr, model


judge()

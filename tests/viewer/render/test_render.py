"""`eigenrig render` judged by its pictures, which a reader of PNG of our own reads: what they show, that nothing needs a
display, and what is said where there can be none."""
import base64
import json
import os
import struct
import subprocess
import zlib

import png_reader
import references
import samples
from pictures import CHAIN, HORSE, MODELS, SLOW, SMALL, Folder, blocks, draw, fails, need_opengl, share, solid, start, unlike, works
from references import PROGRAM
from program import rigs
from tap import every, promise, run, skip


# --- what there is to see

LEGS = """HIERARCHY
ROOT Hips
{{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
{}
}}
MOTION
Frames: 2
Frame Time: 0.1
{}
{}
"""


def legs(path, down, rotation='0 0 0'):
    """A BVH of two legs that go down so far a bone, and whose root turns."""
    def leg(side, x):
        return f'JOINT {side}Leg {{ OFFSET {x} 0 0 CHANNELS 3 Zrotation Xrotation Yrotation JOINT {side}Foot {{ OFFSET {down} CHANNELS 3 Zrotation Xrotation Yrotation End Site {{ OFFSET {down} }} }} }}'
    frame = f'0 0 0 {rotation} ' + ' '.join(12 * ['0'])
    path.write_text(LEGS.format(leg('Left', 10) + '\n' + leg('Right', -10), frame, frame).replace(' {', '\n{\n').replace('} ', '\n}\n').replace(' CHANNELS', '\nCHANNELS').replace(' JOINT', '\nJOINT').replace(' End', '\nEnd').replace(' OFFSET', '\nOFFSET'))


@promise
def a_bvh_stands_as_its_legs_do_unless_somebody_says_otherwise():
    with Folder() as folder:
        made = {'y': ('0 -40 0', '0 0 0'), 'z': ('0 0 -40', '0 0 0'), 'lies': ('0 -40 0', '0 90 0')}
        for name, how in made.items():
            legs(folder / f'{name}.bvh', *how)
        said = {name: start(folder / f'{name}.bvh', *SMALL, '--transparent', '-o', folder / f'{name}.png').stderr.decode() for name in made}
        assert 'legs' not in said['y'] and 'taken for up' in said['z'] and 'turns it' in said['lies'], said
        shown = {name: solid(png_reader.read((folder / f'{name}.png').read_bytes())) for name in made}
        assert share(shown['y']) > 0.01
        assert unlike(shown['y'], shown['z']) < 0.35  # which is seen from elsewhere, upright
        lying = solid(draw(folder / 'z.bvh', *SMALL, '--transparent', '--up', 'y'))
        assert unlike(shown['z'], lying) > 0.5


@promise
def pictures_frame_what_the_skeleton_moves():
    with Folder() as folder:
        data = (MODELS / 'gnome.glb').read_bytes()
        size = int.from_bytes(data[12:16], 'little')
        scene = json.loads(data[20:20 + size])
        mesh = next(node['mesh'] for node in scene['nodes'] if 'mesh' in node)
        scene['nodes'].append({'name': 'Hall', 'mesh': mesh, 'scale': [30, 30, 30], 'translation': [0, 0, -60]})
        scene['scenes'][0]['nodes'].append(len(scene['nodes']) - 1)
        text = json.dumps(scene).encode()
        text += b' ' * (-len(text) % 4)
        hall = folder / 'hall.glb'
        hall.write_bytes(data[:8] + (len(data) + len(text) - size).to_bytes(4, 'little') + len(text).to_bytes(4, 'little') + data[16:20] + text + data[20 + size:])
        how = [*SMALL, '--transparent', '--view', 'front']
        alone, faded = solid(draw(MODELS / 'gnome.glb', *how)), draw(hall, *how)
        both = solid(draw(hall, '--meshes', '*', *how))
        assert unlike(alone, solid(faded)) < 0.01 and share(solid(faded, 32)) > share(alone) + 0.02
        kept = [node['name'] for node in scene['nodes'] if 'mesh' in node and node['name'] != 'Hall']
        assert unlike(alone, solid(draw(hall, '--meshes', ','.join(kept), *how))) < 0.01
        assert share(both) > share(alone) + 0.02 and all(not a or b for r, s in zip(alone, both) for a, b in zip(r, s))
        fails(1, hall, '--meshes', 'nothing*', '-o', folder / 'x.png', says='"nothing*"')


@promise
def every_model_shows_and_fits():
    for model in sorted([*MODELS.glob('*.glb'), *MODELS.glob('*.json')]):
        covered = solid(draw(model, *SMALL, '--transparent'))
        assert 0.001 < share(covered) < 0.8, (model.name, share(covered))
        edges = covered[0] + covered[-1] + [row[0] for row in covered] + [row[-1] for row in covered]
        assert not any(edges), f'{model.name} is cut off'


@promise
def real_rigs_show_and_fit_in_every_mode():
    for rig in rigs():
        rest, moved = [solid(draw(rig, *SMALL, '--transparent', '--view', 'three-quarter', *words), 32)
                       for words in ([], ['--mode', '6', '--phase', '60'])]
        for covered in (rest, moved):
            assert 0.005 < share(covered) < 0.95, (rig.name, share(covered))
        assert unlike(rest, moved) > 0.01, f'{rig.name} does not move'


@promise
def the_rig_as_it_was_read_is_a_picture():
    need_opengl()
    with Folder() as folder:
        told = {}
        for model in (HORSE, MODELS / 'hand.glb'):
            picture = folder / f'{model.name}.png'
            done = subprocess.run([PROGRAM, 'info', model, '-o', picture], env=references.ENVIRONMENT,
                                  capture_output=True, text=True, timeout=60 * SLOW)
            assert done.returncode == 0, done.stderr
            assert 'Stance' in done.stdout  # the report is told as well
            page = png_reader.read(picture.read_bytes())
            bodies = int(done.stdout.split(' bodies')[0].split()[-1])
            told[model.name] = (colours(page), bodies)
            expect_arrow(page)
        for name, (seen, bodies) in told.items():  # a box beside each name
            assert bodies <= seen < 3 * bodies + 40, (name, seen, bodies)
        done = subprocess.run([PROGRAM, 'info', MODELS / 'four_bar.json', '-o', folder / 'x.png'],
                              env=references.ENVIRONMENT, capture_output=True, text=True, timeout=60 * SLOW)
        assert done.returncode == 2 and 'is a rig already' in done.stderr, done.stderr
        assert not (folder / 'x.png').exists()


def expect_arrow(page):
    """From above it faces to the right: a shaft along the middle, whose head is its own mirror image and ends at its tip."""
    blue = {(x, y) for y in range(page.height) for x in range(page.width // 2, page.width)
            if bytes(page.rows[y][4 * x:4 * x + 3]) == b'\x21\x61\xbf'}
    rows = [y for _, y in blue]
    shaft = max(set(rows), key=rows.count)
    tip = max(x for x, y in blue if y == shaft)
    head = sorted((x, y - shaft) for x, y in blue if 1 < abs(y - shaft) < 60)
    above, below = ([point for point in head if point[1] * side > 0] for side in (-1, 1))
    assert len(above) > 4 and abs(len(above) - len(below)) <= 2, (above, below)
    for x, y in head:
        assert tip - 40 < x < tip, (x, tip)
        assert any(abs(x - a) <= 2 and abs(y + b) <= 1 for a, b in head), (x, y)
        assert abs(abs(y) - (tip - x)) <= 3, (x, y, tip)  # at 45 degrees


def colours(page):
    """How many bright colours fill boxes of eight pixels a side."""
    found = set()
    for y in range(0, page.height - 8, 3):
        row, below = page.rows[y], page.rows[y + 7]
        for x in range(0, page.width - 8, 3):
            first = bytes(row[4 * x:4 * x + 3])
            if max(first) - min(first) > 100 and all(
                    bytes(line[4 * at:4 * at + 3]) == first for line in (row, below) for at in (x, x + 7)):
                found.add(first)
    return len(found)


@promise
def the_same_words_give_the_same_bytes():
    words = [HORSE, *SMALL, '--mode', '8', '--ghosts', '-o', '-']
    assert works(*words) == works(*words)


@promise
def pictures_are_as_they_were():
    # Drivers differ along edges, by a share of a block; a limb elsewhere or another light makes whole blocks differ.
    for name in references.PICTURES:
        with Folder() as folder:
            need_opengl()
            done = references.draw(name, folder / 'now.png')
            assert done.returncode == 0, done.stderr
            now, then = [blocks(png_reader.read(path)) for path in (folder / 'now.png', references.FOLDER / f'{name}.png')]
        assert len(now) == len(then), name
        apart = sorted(max(abs(a - b) for a, b in zip(x, y)) for x, y in zip(now, then))
        assert sum(apart) / len(apart) < 4, f'{name}: blocks differ by {sum(apart) / len(apart):.1f} of 255 on average'
        assert apart[-len(apart) // 50] < 40, f'{name}: a fiftieth of the blocks differ by {apart[-len(apart) // 50]:.0f}'


# --- looks

@promise
def transparent_pictures_have_no_ground_and_others_no_holes():
    clear, full = draw(HORSE, *SMALL, '--transparent'), draw(HORSE, *SMALL)
    assert clear.pixel(0, 0)[3] == 0 and share(solid(clear, 1)) < 0.7
    assert share(solid(full, 255)) == 1


@every
def looks_differ():
    seen = [draw(HORSE, *SMALL, *words).rows for words in
            ([], ['--theme', 'dark'], ['--show', 'joints'], ['--show', 'both'], ['--surface', 'wireframe'],
             ['--surface', 'points'], ['--view', 'front'], ['--view', 'side'], ['--view', 'top'], ['--view', '200,-10'])]
    assert len({b''.join(rows) for rows in seen}) == len(seen)


# --- what cannot be

@promise
def wrong_words_are_errors_of_usage():
    with Folder() as folder:
        out = folder / 'out.png'
        wrong = [([], 'no output'), (['-o', folder / 'a.jpg'], 'must end in'), (['-o', folder / 'a'], 'a folder that is there'),
                 (['-o', folder / 'a.avi'], '.webm'),
                 (['-o', out, '--mode', '7', '--sheet'], '--sheet'), (['-o', out, '--mode', '7', '--mix', '7:3'], '--mix'),
                 (['-o', out, '--mix', '7:3', '--mix', '8:3'], 'one --mix'), (['-o', out, '--mix', '7'], '"7"'),
                 (['-o', out, '--phase', '3'], '--mode'), (['-o', out, '--time', '3'], '--mix'),
                 (['-o', out, '--mode', '7', '--time', '3'], '--mix'), (['-o', out, '--count', '3'], '--sheet'),
                 (['-o', out, '--sheet', '--count', '401'], '400'),
                 (['-o', out, '--ghosts'], '--mode'), (['-o', out, '--fps', '3'], 'films'), (['-o', out, '--duration', '3'], 'films'),
                 (['-o', folder / 'a.apng', '--mode', '7', '--fps', '2000'], '1000'),
                 (['-o', folder / 'a.apng', '--mode', '7', '--duration', '2000'], '1000'),
                 (['-o', folder / 'a.mp4', '--mode', '7', '--transparent'], 'transparency')]
        values = {'--size': ['', '160', '160x', 'x120', '15x120', '160x8193', '160x120x3', '1e2xnan'],
                  '--view': ['', 'back', '3', '3,', ',3', '3,91', 'nan,0', '1,2,3'], '--show': ['', 'bones'],
                  '--surface': ['', 'glass'], '--theme': ['', 'grey'], '--mode': ['', '-1', '1.5', 'x'],
                  '--phase': ['', 'x', 'nan'], '--time': ['', 'inf'], '--amplitude': ['', '0', '181']}
        wrong += [(['-o', out, f'{option}={value}'], option) for option in values for value in values[option]]
        for words, says in wrong:
            fails(2, HORSE, *words, says=says)
        assert not list(folder.iterdir())


@promise
def a_rig_goes_in_and_a_picture_out_by_pipes():
    picture = png_reader.read(works('-', *SMALL, '-o', '-', input=CHAIN.read_bytes()))
    assert picture.rows == draw(CHAIN, *SMALL).rows


@promise
def what_is_not_there_is_told():
    with Folder() as folder:
        need_opengl()
        fails(1, folder / 'missing.glb', '-o', folder / 'a.png', says='missing.glb')
        fails(1, HORSE, '--mode', '9999', '-o', folder / 'a.png', says='there is no mode 9999')
        fails(1, HORSE, '--mix', '9999:3', '-o', folder / 'a.png', says='9999')
        fails(1, HORSE, *SMALL, '-o', folder / 'missing' / 'a.png', says='create its folder')
        rig = json.loads((MODELS / 'chain_20.json').read_text())
        for joint in rig['joints']:
            joint['stiffness'] = [0] * len(joint['stiffness'])
        (folder / 'loose.json').write_text(json.dumps(rig))
        fails(1, folder / 'loose.json', '--sheet', '-o', folder / 'a.png', says='no elastic mode')
        fails(1, HORSE, '--sheet', '--count', '40', '--size', '300x200', '-o', folder / 'a.png', says='300 x 200')
        assert [path.name for path in folder.iterdir()] == ['loose.json']


@promise
def without_opengl_the_way_out_is_named():
    with Folder() as folder:
        done = start(HORSE, '-o', folder / 'a.png', more={'__EGL_VENDOR_LIBRARY_FILENAMES': '/nonexistent'})
        if done.returncode == 0:
            skip('EGL here does not ask where its drivers are')
        assert done.returncode == 1 and b'libegl1' in done.stderr and not list(folder.iterdir()), done.stderr


def textured(side, count):
    """The bar, drawn with so many pictures of black and white squares."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    row = b'\0' + (b'\xff' * 8 + b'\0' * 8) * (side // 128)  # a bit a pixel
    picture = b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', side, side, 1, 0, 0, 0, 0)) \
        + chunk(b'IDAT', zlib.compress(row * side, 9)) + chunk(b'IEND', b'')
    document, data = samples.bar()
    document['images'] = [{'uri': 'data:image/png;base64,' + base64.b64encode(picture).decode()}] * count
    document['textures'] = [{'source': k} for k in range(count)]
    document['materials'] = [{'pbrMetallicRoughness': {'baseColorTexture': {'index': k}}} for k in range(count)]
    primitive = document['meshes'][0]['primitives'][0]
    document['meshes'][0]['primitives'] = [dict(primitive, material=k) for k in range(count)]
    return samples.glb(document, data)


@every
def textures_keep_within_what_they_may_take_and_it_is_told():
    need_opengl()
    with Folder() as folder:
        for side, count, says in ((1024, 5, b''), (4096, 5, b'2048 pixels a side')):
            (folder / 'many.glb').write_bytes(textured(side, count))
            done = subprocess.run([PROGRAM, 'render', 'many.glb', '--mode', '6', '--size', '64x64', '-o', 'many.png'],
                                  cwd=folder, capture_output=True, env=references.ENVIRONMENT, timeout=60 * SLOW)
            assert done.returncode == 0, done.stderr
            assert (b'more than 256 MiB' in done.stderr) == (says != b'') and says in done.stderr, done.stderr


@promise
def a_closed_pipe_is_an_error_and_no_crash():
    need_opengl()
    ends = os.pipe()
    os.close(ends[0])
    try:
        done = subprocess.run([PROGRAM, 'render', HORSE, *SMALL, '-o', '-'], stdout=ends[1], stderr=subprocess.PIPE,
                              env=references.ENVIRONMENT, timeout=60 * SLOW)
    finally:
        os.close(ends[1])
    assert done.returncode in (1, -13), done


run()

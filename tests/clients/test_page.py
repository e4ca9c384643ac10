"""Pages in Chromium, opened from disk: bones stand where the library puts them, saved mixes are the clips that
`animate` writes, clips play, and mouse, fingers and keys do what they should."""
import contextlib
import functools
import json
import pathlib
import tempfile

import npz
from chromium import chromium
from clients import need_plain_build
from motions import (FPS, Gltf, animate, between_keys, clip_names, judge, key_times, mix_of, node_motion, palette, same,
                     sources, tell)
from program import fails, rig_of, works
from tap import SOURCE, every, promise, run, skip

TOLERANCE = 1e-5  # of the size; pages keep shapes as 32-bit floats
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix='page-'))
MODELS = SOURCE / 'models'
_open = contextlib.ExitStack()


@functools.cache
def browser():
    need_plain_build()
    return _open.enter_context(chromium())


def page_of(source, *words, command='palette'):
    path = FOLDER / f'{source.stem}-{command}.html'
    works(command, source, '-q', '-o', path, *words)
    browser().open(path, 'window.eigenrig')
    return path


def is_open(source):
    """Whether a page of the model swings the modes by itself: rigs with loops have clips instead."""
    return not any(joint['closes_loop'] for joint in rig_of(source)['joints'])


def parts(source):
    """A mix as the page's script takes it."""
    return f'''{json.dumps(mix_of(source))}.map(([index, degrees, hz, phase]) => {{
        const mode = eigenrig.modes.find((mode) => mode.index === index);
        return {{ mode, amount: degrees / mode.degrees, phase, hz }}; }})'''


def all_nodes(gltf, times):
    """Nodes at times of the first clip: a saved mix has no keys on nodes that rest in their parent."""
    worlds = [gltf.worlds(gltf.clip(0), time) for time in times]
    return [(node.get('name', ''), [[row[3] for row in world[n]] for world in worlds])
            for n, node in enumerate(gltf.json['nodes'])]


@promise
def bodies_stand_where_the_library_puts_them():
    found = []
    for source in filter(is_open, sources()):
        page_of(source)
        arrays = npz.read(animate(source, FOLDER, 'npz')['npz'])
        (frames, bodies, _), ours = arrays['position']
        times = arrays['time'][1]
        theirs = browser().value(f'''(() => {{ const mix = {parts(source)}; return {json.dumps(times)}.flatMap((t) =>
            eigenrig.bodies(mix, t).flatMap(([, p]) => p)); }})()''')
        assert len(theirs) == len(ours) == 3 * frames * bodies
        size = max(max(ours[i::3]) - min(ours[i::3]) for i in range(3))
        found.append((max(abs(a - b) for a, b in zip(ours, theirs)) / size, source.name))
    assert found
    tell(found, TOLERANCE, 'pages, bodies')


@promise
def saved_mixes_are_the_clips_of_animate():
    """At the keys, with the frequencies that make whole cycles."""
    cases, answers = [], []
    for source in filter(is_open, sources()):
        page_of(source)
        saved = FOLDER / 'saved.glb'
        saved.write_bytes(bytes(browser().value(f'Array.from(eigenrig.record({parts(source)}, "saved"))')))
        works('info', saved)
        theirs = Gltf(saved)
        keys = key_times(theirs, 'saved')
        hz = [max(1, round(hz * keys[-1])) / keys[-1] for _, _, hz, _ in mix_of(source)]
        assert all(abs(a / part[2] - 1) < 0.021 for a, part in zip(hz, mix_of(source))), (hz, mix_of(source))
        words = ','.join(f'{mode}:{degrees}@{new!r}+{phase}'
                         for new, (mode, degrees, _, phase) in zip(hz, mix_of(source)))
        works('animate', source, '-q', '--mix', words, '--duration', keys[-1], '--fps', (len(keys) - 1) / keys[-1],
              '-o', FOLDER / 'ours.glb')
        ours = Gltf(FOLDER / 'ours.glb')
        clip = clip_names(ours)[0]
        cases.append((source, {clip: node_motion(ours, clip, keys)}))
        answers.append({'clips': {clip: all_nodes(theirs, keys)}})
        assert all(track[0] == track[-1] for _, track in answers[-1]['clips'][clip]), 'the end is the beginning'
    judge(cases, answers, TOLERANCE, same, 'pages, saved clips')


@promise
def clips_stand_where_their_keys_put_them():
    """A gait of the horse, and the modes of a rig with a loop."""
    cases, answers = [], []
    looped = next(source for source in sources() if not is_open(source))
    gltf, names = palette(looped, FOLDER)
    for source, words, command in ((looped, ('--count', 10, '--amplitude', 20), 'palette'),
                                   (MODELS / 'horse.glb', ('--best', 1), 'gait')):
        page_of(source, *words, command=command)
        if command == 'gait':
            works('gait', source, '-q', '-o', FOLDER / 'gait.glb', *words)
            gltf, names = Gltf(FOLDER / 'gait.glb'), clip_names(Gltf(FOLDER / 'gait.glb'))[:2]
        named = browser().value('eigenrig.clips.map(({ name }) => name)')
        assert named[:len(names)] == clip_names(gltf)[:len(names)]
        for name in names:
            times = between_keys(gltf, name)
            motion = node_motion(gltf, name, times)
            tracks = browser().value(f'''eigenrig.nodeTracks({json.dumps(name)}, {json.dumps(times)})''')
            cases.append((source, {name: motion}))
            answers.append({'clips': {name: tracks}})
    judge(cases, answers, TOLERANCE, same, 'pages, clips')


@promise
def what_is_clicked_plays_and_words_for_the_command_are_its_mix():
    page_of(MODELS / 'horse.glb')
    window = browser()
    second = '#lists li:nth-child(2) button'
    window.click(second)
    assert window.value(f'document.querySelector({json.dumps(second)}).getAttribute("aria-pressed")') == 'true'
    window.click('#lists li:nth-child(4) .add')
    window.click('#lists li:nth-child(4) .sliders input')  # into the middle of the first slider
    for _ in range(4):
        window.key('ArrowRight')
    window.value('document.querySelectorAll("#lists li:nth-child(2) .sliders input")[1].focus()')
    for _ in range(18):
        window.key('ArrowRight')
    words = window.value('document.querySelector("#words code").textContent').removeprefix('--mix ')
    mix = window.value('eigenrig.mix.map(({ mode, amount, phase, hz }) => [mode.index, amount, phase, hz / mode.hz])')
    assert [part[2:] for part in mix] == [[90, 1], [0, 1]] and abs(mix[1][1] - 1.2) < 1e-9 and mix[0][1] == 1, mix
    works('animate', MODELS / 'horse.glb', '-q', '--mix', words, '--fps', FPS, '-o', FOLDER / 'words.npz')
    arrays = npz.read(FOLDER / 'words.npz')
    (frames, bodies, _), ours = arrays['position']
    seconds = arrays['time'][1][-1]
    theirs = window.value(f'''(() => {{ const mix = eigenrig.mix.map((part) =>
            ({{ ...part, hz: Math.round(part.hz * {seconds}) / {seconds} }}));
        return eigenrig.bodies(mix, {arrays['time'][1][5]}).flatMap(([, p]) => p); }})()''')
    assert max(abs(a - b) for a, b in zip(ours[15 * bodies:], theirs)) < 1e-3  # the words have two decimals


@promise
def mouse_fingers_and_keys_turn_the_model():
    page_of(MODELS / 'hand.glb')
    window = browser()
    view = 'JSON.stringify([eigenrig.camera.yaw, eigenrig.camera.pitch, eigenrig.camera.zoom])'
    seen = [window.value(view)]
    for act in (lambda: window.drag((300, 300), (360, 330)), lambda: window.key('ArrowLeft'),
                lambda: window.touch([(300, 300), (330, 310)]),
                lambda: window.touch([(300, 300), (250, 300)], [(400, 300), (450, 300)])):
        if len(seen) == 2:
            window.value('document.getElementById("view").focus()')
        act()
        seen.append(window.value(view))
    assert len(set(seen)) == 5, seen
    assert json.loads(seen[4])[2] > 1.5 * json.loads(seen[3])[2]  # two fingers apart come closer
    window.key('Home')
    assert window.value(view) == seen[0]
    was = window.value('eigenrig.playing')
    window.key(' ')
    assert window.value('eigenrig.playing') != was


@promise
def pictures_show_the_model_in_motion():
    """A different picture at another time, and with another mode; and much of it is not background."""
    page_of(MODELS / 'fox.glb')
    window = browser()
    window.value('eigenrig.setPlaying(false)')
    shown = []
    for time, mode in ((0.0, 1), (0.25, 1), (0.25, 3)):
        shown.append(window.value(f'''(() => {{ eigenrig.playMode(eigenrig.modes[{mode}]); eigenrig.setPlaying(false);
            eigenrig.time = {time} / eigenrig.mix[0].hz; eigenrig.paint();
            const {{ gl, canvas }} = eigenrig.stage, all = new Uint8Array(4 * canvas.width * canvas.height);
            gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, all);
            let hash = 0, solid = 0;
            for (let i = 0; i < all.length; i += 4) {{
                if (all[i + 3] === 255) ++solid;
                hash = (hash * 31 + all[i] + all[i + 1] + all[i + 2] * 7) | 0;
            }}
            return [hash, solid / all.length * 4]; }})()'''))
    assert len({hash for hash, _ in shown}) == 3 and all(0.03 < share < 0.9 for _, share in shown), shown


@promise
def pages_are_small_and_ask_for_nothing():
    source = MODELS / 'horse.glb'
    path = page_of(source)
    text = path.read_text()
    assert len(text) - len(text.split('id="model">')[1].split('<')[0]) < 80_000, 'the page without its model'
    assert not browser().failures, browser().failures
    assert path.read_bytes() == page_of(source).read_bytes(), 'the same input gives the same bytes'


@promise
def people_who_see_little_or_use_keys_alone_can_use_them():
    """By axe-core, in both colour schemes and on a phone: contrast, names, roles."""
    script = SOURCE / 'tests' / 'clients' / 'node_modules' / 'axe-core' / 'axe.min.js'
    if not script.exists():
        skip('npm ci in tests/clients brings axe-core; it is not there')
    page_of(MODELS / 'horse.glb', '--count', 20)
    window = browser()
    window.value(script.read_text() + '; 0')
    try:
        for scheme, width in (('light', 1280), ('dark', 1280), ('light', 390)):
            window.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
            window.call('Emulation.setDeviceMetricsOverride', width=width, height=800, deviceScaleFactor=1,
                        mobile=False)
            found = json.loads(window.value('''axe.run().then(({ violations, passes }) => JSON.stringify([passes.length,
                violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])]))'''))
            assert found[0] > 10 and not found[1], (scheme, width, found)
            assert window.value('document.documentElement.scrollWidth') <= width
    finally:
        window.call('Emulation.setEmulatedMedia', features=[])
        window.call('Emulation.clearDeviceMetricsOverride')
    window.value('document.activeElement.blur()')
    reached = []
    for _ in range(8):  # the view, the bar, the list
        window.key('Tab')
        reached.append(window.value('document.activeElement.id || document.activeElement.className'))
    assert reached[:5] == ['view', 'play', 'rate', 'reset', 'save'], reached
    window.key('Tab')
    was = window.value('eigenrig.mix[0].mode.index')
    window.value('document.querySelectorAll("#lists .row button:first-child")[4].focus()')
    window.key('Enter')
    assert window.value('eigenrig.mix[0].mode.index') != was


@every
def every_model_opens_and_moves():
    """Prints what docs/page.md tabulates: the size of the page, and the time until the model is drawn."""
    for source in sources():
        path = page_of(source)
        motions, shown, parts = browser().value('''[eigenrig.modes.length || eigenrig.clips.length,
            performance.getEntriesByName("shown")[0].startTime, eigenrig.stage.model.draws.length]''')
        assert not browser().failures, (source.name, browser().failures)
        assert parts > 0, source.name
        print(f'# {source.name}: {path.stat().st_size / 1000:.0f} kB, {motions} motions, shown after {shown:.0f} ms')


@promise
def names_are_text_and_never_code():
    trick = '</script><img src=x onerror=alert(1)>"&amp;'
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / "a'<b>&.glb"
        copy.write_bytes((MODELS / 'hand.glb').read_bytes())
        works('animate', copy, '-q', '--mix', '7:10', '--name', trick, '-o', FOLDER / 'trick.html')
    browser().open(FOLDER / 'trick.html', 'window.eigenrig')
    assert browser().value('document.images.length') == 0
    assert browser().value('eigenrig.clips[0].name') == trick
    assert "a'<b>&" in browser().value('document.title')
    assert not browser().failures, browser().failures


@promise
def batches_open_each_model_so():
    """By a click on its name in the index; the pages are those of `palette`, and of a script."""
    models = [MODELS / 'hand.glb', MODELS / 'loop_8_asymmetric.json']
    works('batch', *models, '--write', 'page', '-q', '-o', FOLDER / 'batch')
    window = browser()
    window.open(FOLDER / 'batch' / 'index.html')
    window.click('td[data-value="hand.glb"] a')
    window.wait('window.eigenrig && document.title.startsWith("hand")')
    assert window.value('eigenrig.modes.length') > 10 and not window.failures, window.failures
    works('palette', models[0], '-q', '-o', FOLDER / 'one.html')
    (FOLDER / 'page.lua').write_text('eigenrig.load(arg[1]):export(arg[2])')
    works('run', FOLDER / 'page.lua', models[0], FOLDER / 'two.html')
    pages = [(FOLDER / name).read_bytes() for name in ('batch/hand.glb.html', 'one.html', 'two.html')]
    assert pages[0] == pages[1] == pages[2]


@promise
def commands_that_cannot_write_pages_say_so():
    horse = MODELS / 'horse.glb'
    fails(2, 'modes', horse, '-o', FOLDER / 'x.html')
    fails(2, 'render', horse, '-o', FOLDER / 'x.html')
    fails(2, 'follow', horse, '--parts', 'tail', '--spring-bones', '-o', FOLDER / 'x.html')


with _open:
    run()

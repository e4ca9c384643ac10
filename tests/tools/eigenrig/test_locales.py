"""A comma between whole numbers and decimals, and an i that keeps its dot, change nothing that is read or written."""
import samples
from program import ENVIRONMENT, Folder, works
from tap import BUILD, promise, run as judge, skip

LOCALES = ['de_DE.UTF-8', 'tr_TR.UTF-8']
DESCRIPTION = 'return {height = 1.75, stiffness = "graded:2.5:0.5", joints = {bone1 = {damping_ratio = 0.25}}}'
SCRIPT = '''
assert(os.setlocale(arg[1]))
assert(arg[1] == "C" or arg[1] == "tr_TR.UTF-8" or tostring(1.5) == "1,5")
for i, name in ipairs{"BAR.GLTF", "LIMBS.BVH"} do
    local model = eigenrig.load(name, {stiffness = "graded:1.5:0.5", damping = 0.125, mass = 70.5})
    model:save_pose("pose" .. i .. ".JSON")
    model:mix("7:5.5@1.5+22.5"):save("mix" .. i .. ".json")
    for _, ending in ipairs{"GLB", "GLTF", "BVH", "FBX", "DAE", "CSV", "SVG", "NPZ"} do
        model:export("script" .. i .. "." .. ending, model:mix("mix" .. i .. ".json"), {fps = 12.5})
    end
end
'''


def there():
    if not all((BUILD / 'tests' / name).is_dir() for name in LOCALES):
        skip('localedef and its sources compile the locales; Debian: locales')


def models(folder):
    """Samples with endings in capitals, as old systems write them."""
    (folder / 'BAR.GLTF').write_bytes(samples.gltf(*samples.bar()))
    (folder / 'LIMBS.BVH').write_bytes(samples.BVH.upper())
    (folder / 'BAR.rig.lua').write_text(DESCRIPTION)


def made(locale):
    """All that the program says and writes in a locale."""
    with Folder() as folder:
        models(folder)
        how = {'cwd': folder, 'env': dict(ENVIRONMENT, LC_ALL=locale, LANGUAGE='en')}
        works('animate', 'BAR.GLTF', '--mix', '7:5.5', '-o', 'FILE.DAE', **how)
        said = [works('info', name, '--mass', '70.5', **how) for name in ('BAR.GLTF', 'LIMBS.BVH', 'FILE.DAE')]
        said += [works('modes', name, '-o', '-', '-q', **how) for name in ('BAR.GLTF', 'LIMBS.BVH')]
        for name in ('A.GLTF', 'A.GLB', 'A.BVH', 'A.FBX', 'A.CSV', 'A.SVG', 'A.NPZ'):
            works('animate', 'LIMBS.BVH', '--mix', '7:5.5@1.5+22.5', '--fps', '12.5', '-o', name, **how)
        return said, {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


@promise
def commands_say_and_write_the_same():
    there()
    said, files = made('C.UTF-8')
    for locale in LOCALES:
        other_said, other_files = made(locale)
        assert other_said == said, f'{locale}: {other_said} in place of {said}'
        assert_same(files, other_files, locale)


def assert_same(files, others, locale):
    assert files.keys() == others.keys(), (locale, files.keys() ^ others.keys())
    for name, content in files.items():
        assert others[name] == content, f'{locale}: {name} differs'


@promise
def scripts_that_change_the_locale_write_the_same():
    there()
    wrote = {}
    for locale in ['C', *LOCALES]:
        with Folder() as folder:
            models(folder)
            (folder / 'script.lua').write_text(SCRIPT)
            works('run', 'script.lua', locale, cwd=folder)
            wrote[locale] = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        assert_same(wrote['C'], wrote[locale], locale)


judge()

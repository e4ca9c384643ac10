"""The manual and the editor's annotations say what there is, and what they show works."""
import re
import shutil
import tempfile

from lua import Folder, draws, script, works, write
from tap import SOURCE, promise, run as judge, skip

MANUAL = (SOURCE / 'docs' / 'lua.md').read_text()
NOTES = (SOURCE / 'src' / 'app' / 'lua' / 'eigenrig.lua').read_text()
CLASSES = ['model', 'body', 'joint', 'modes', 'mode', 'mix', 'motion', 'gaits', 'gait', 'simulation', 'forces', 'vec3', 'quat']

LIST = r'''
local function functions(name, t)
    for key, value in pairs(t) do
        if type(value) == "function" then print("function", name .. "." .. key)
        elseif type(value) == "table" then functions(name .. "." .. key, value) end
    end
end
functions("eigenrig", eigenrig)
for class in ("CLASSES"):gmatch("%S+") do
    local index = debug.getregistry()["eigenrig." .. class].__index
    local _, methods = debug.getupvalue(index, 2)
    local _, fields = debug.getupvalue(index, 3)
    for key in pairs(methods) do print("method", class .. ":" .. key) end
    for key in pairs(fields) do print("field", class .. "." .. key) end
end
'''.replace('CLASSES', ' '.join(CLASSES))


def there_are(kind):
    with tempfile.TemporaryDirectory() as folder:
        lines = [line.split('\t') for line in script(LIST, cwd=folder).splitlines()]
    return {name for what, name in lines if what == kind}


def section(name):
    """The text of the manual under a heading."""
    found = re.search(rf'^## {name}\n(.*?)(?=^## |\Z)', MANUAL, re.MULTILINE | re.DOTALL)
    assert found, f'the manual has no section "{name}"'
    return found[1]


def classes_of_notes():
    """Class to its fields, of the annotations."""
    return {name: set(re.findall(r'^---@field (\w+)', body, re.MULTILINE)) for name, body in
            re.findall(r'^---@class eigenrig\.(\w+)[^\n]*\n((?:---@[^\n]*\n)*)', NOTES, re.MULTILINE)}


@promise
def every_function_has_a_heading_and_every_heading_a_function():
    headings = set(re.findall(r'^### (\S+)$', MANUAL, re.MULTILINE))
    assert headings == there_are('function') | there_are('method'), headings ^ (there_are('function') | there_are('method'))


@promise
def every_function_has_an_example():
    parts = re.split(r'^### (\S+)$', MANUAL, flags=re.MULTILINE)[1:]
    for name, text in zip(parts[::2], parts[1::2]):
        text = text.split('\n## ')[0]
        assert '```lua\n' in text, f'{name} has no example'


@promise
def every_function_is_annotated_and_nothing_else():
    named = {name.replace(':', ':') for name in re.findall(r'^function ([\w.:]+)\(', NOTES, re.MULTILINE)}
    there = there_are('function') | there_are('method')
    assert named == there, named ^ there


@promise
def every_field_is_annotated_and_in_the_manual():
    notes = classes_of_notes()
    titles = {'model': 'A model', 'body': 'A body', 'joint': 'A joint', 'modes': 'Modes', 'mode': 'A mode', 'mix': 'A mix',
              'motion': 'A motion', 'gaits': 'Gaits', 'gait': 'A gait', 'simulation': 'A simulation', 'forces': 'Forces', 'vec3': 'Vectors and quaternions', 'quat': 'Vectors and quaternions'}
    there = there_are('field')
    for class_name in CLASSES:
        fields = {name.split('.')[1] for name in there if name.startswith(class_name + '.')}
        assert notes[class_name] == fields, (class_name, notes[class_name] ^ fields)
        said = set(re.findall(r'`(\w+)`', section(titles[class_name])))
        assert fields <= said, (class_name, fields - said)


# Class of the annotations to the list of fields that a function of scenes reads: its file, and what stands before it.
READ = {'shape_settings': ('scene_script.h', '#define SCRIPT_SHAPE_KEYS'),
        'actor_settings': ('scene_actors.c', 'int script_scene_actor('),
        'material_settings': ('scene_actors.c', 'material_keys[] ='),
        'joining_settings': ('scene_joints.c', 'keys[] =')}


@promise
def fields_that_scenes_read_are_annotated_and_in_the_manual():
    notes, manual = classes_of_notes(), (SOURCE / 'docs' / 'engine.md').read_text()
    for name, (file, before) in READ.items():
        text = (SOURCE / 'src' / 'app' / 'lua' / 'scene' / file).read_text().split(before, 1)[1]
        block = re.match(r'[^;]*?NULL\}' if file.endswith('.c') else r'(?:[^\n]*\\\n)*[^\n]*\n', text)[0]
        read = set(re.findall(r'"(\w+)"', block))
        assert len(read) > 8, (name, read)
        assert notes[name] == read, (name, notes[name] ^ read)
        missing = {field for field in read if not re.search(rf'`[^`]*\b{field}\b[^`]*`', manual)}
        assert not missing, (name, missing)


@promise
def the_examples_work_one_after_the_other():
    examples = re.findall(r'^```lua\n(.*?)^```$', MANUAL, re.MULTILINE | re.DOTALL)
    assert len(examples) > 40
    with Folder() as folder:
        if not draws(folder):
            skip('no OpenGL here')
        for name in ('horse.glb', 'fox.glb'):
            shutil.copy(SOURCE / 'models' / name, folder)
        shutil.copytree(SOURCE / 'models' / 'bacin', folder / 'bacin')
        whole = '\n'.join(f'do\n{example}end' for example in examples)
        assert script(whole, cwd=folder, timeout=800)


@promise
def the_description_in_the_manual_describes_the_horse():
    text = re.search(r'^```lua-description\n(.*?)^```$', MANUAL, re.MULTILINE | re.DOTALL)[1]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SOURCE / 'models' / 'horse.glb', folder)
        write(folder, text, 'horse.rig.lua')
        assert ' 500 kg' in works('info', 'horse.glb', cwd=folder)


@promise
def the_annotations_are_lua():
    with tempfile.TemporaryDirectory() as folder:
        script(f'assert(loadfile({str(SOURCE / "src" / "app" / "lua" / "eigenrig.lua")!r}))', cwd=folder)


judge()

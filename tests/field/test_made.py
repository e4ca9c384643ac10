"""Files made for public reports of readers and exporters, each of a kind that was once misread. They lie beside this
project: EIGENRIG_MADE names their folder. Small ones of each kind that we make ourselves are in the tests of rooms."""
import os
import pathlib
import re

from program import fails, hertz, near, palette_of, rig_of, works
from tap import RIGS, SOURCE, promise, run, skip

MADE = pathlib.Path(os.environ.get('EIGENRIG_MADE', RIGS.parent / 'review' / 'made3'))


def made(name):
    """The path of a file; skips without it."""
    if not (MADE / name).is_file():
        skip(f'{name} is not in the folder that EIGENRIG_MADE names')
    return MADE / name


def masses(rig):
    return {body['name']: body['mass'] for body in rig['bodies']}


def parents(rig):
    """The parent of each body, by names."""
    names = [body['name'] for body in rig['bodies']]
    return {name: None for name in names} | {names[joint['child']]: names[joint['parent']] for joint in rig['joints']
                                             if joint['parent'] is not None and not joint['closes_loop']}


def words_of(name, *options):
    return works('info', made(name), '-q', *options)


@promise
def a_mesh_with_the_name_of_a_bone_is_not_the_bone():
    fbx, glb = rig_of(made('same_name_mesh_bone.fbx')), rig_of(made('same_name_mesh_bone.glb'))
    assert parents(fbx) == parents(glb) and parents(fbx)['hips'] is None and parents(fbx)['head'] == 'spine'
    near([sum(masses(fbx).values())], [sum(masses(glb).values())], 0.01, 'mass')
    assert '  size         1.8 m high' in words_of('same_name_mesh_bone.fbx')


@promise
def copies_of_a_chain_leave_the_chain_whole():
    assert parents(rig_of(made('m45_ikfk.gltf'))) == parents(rig_of(made('m45_plain.gltf')))
    near(*(list(masses(rig_of(made(f'm45_{name}.gltf'))).values()) for name in ('ikfk', 'plain')), 1e-6, 'masses')


@promise
def a_skeleton_that_lost_its_scale_is_warned_of():
    assert '  size         2 m high' in words_of('scaled_armature.glb')
    if '  size         2 m high' in words_of('scaled_armature.dae'):
        return  # read as it was meant
    done = fails(1, 'info', made('scaled_armature.dae'), '--strict')
    assert '--strict' in done


@promise
def a_flag_has_the_mass_of_its_plates():
    rig = rig_of(made('m42_flag.gltf'))
    assert list(parents(rig).values()) == [None, 'flag_0', 'flag_1', 'flag_2']
    near(list(masses(rig).values()), 4 * [sum(masses(rig).values()) / 4], 1e-6, 'masses')


@promise
def ropes_on_a_shank_are_no_feet():
    report = words_of('m47_ropes.gltf')
    assert report.count('\n  foot ') == 2 and 'foot L       foot.L' in report and 'foot R       foot.R' in report
    assert works('gait', made('m47_ropes.gltf'), '-q').splitlines()[1].startswith('walk ')


@promise
def a_cut_surface_weighs_as_a_whole_one():
    whole = palette_of(made('m46_materials.glb'))
    near(hertz(whole)[6:8], [1.476, 1.476], 1e-3, 'the lowest modes')
    near(list(masses(rig_of(made('m46_materials.glb'))).values()), 4 * [187.5], 1e-3, 'materials')
    for cut in ('m46_objects.glb', 'm46_objects.fbx'):
        near(list(masses(rig_of(made(cut))).values()), 4 * [187.5], 1e-3, cut)
        near(hertz(palette_of(made(cut)))[6:], hertz(whole)[6:], 1e-3, cut)


@promise
def a_seam_that_is_slightly_open_is_closed():
    exact, open_ = (rig_of(made(f'm44_seam_{name}.gltf')) for name in ('exact', '1e-4'))
    near(list(masses(open_).values()), list(masses(exact).values()), 0.01, 'masses')
    near(hertz(palette_of(made('m44_seam_1e-4.gltf')))[6:], hertz(palette_of(made('m44_seam_exact.gltf')))[6:], 0.005, 'modes')


@promise
def a_pose_with_feet_is_taken():
    for name in ('m48_bound_lying.gltf', 'm48_bound_lying_lunge.gltf'):
        assert words_of(name).count('\n  foot ') == 2, name


@promise
def morph_weights_at_rest_shape_the_mesh():
    assert '  size         8 m high' in words_of('m43_morph_default_mesh.gltf')


@promise
def characters_under_a_group_node_are_apart():
    for name in ('m21_two_characters.gltf', 'm21b_two_roots.gltf'):
        assert palette_of(made(name))['rigid_modes'] == 12, name
        assert '  characters   2 ' in words_of(name), name
        assert len(rig_of(made(name), '--character', '2')['bodies']) == 4, name


@promise
def a_propeller_is_no_prop():
    for name in ('m49_drone_prop.gltf', 'm49_drone_rotor.gltf'):
        assert len(rig_of(made(name))['bodies']) == 4, name


@promise
def tests_that_the_page_names_are_there():
    rows = [line.split('|') for line in (SOURCE / 'docs' / 'field.md').read_text().split('## Files of other')[0].splitlines()]
    named = [name for row in rows if len(row) == 6 for name in re.findall('`([^`]+)`', row[4])]
    there = {path.name for path in (SOURCE / 'tests').rglob('test_*')}
    assert len(named) >= 39 and not [name for name in named if pathlib.Path(name).name not in there], named


run()

"""Which part each parameter of a C function plays for Python, by its type and its comment."""
from __future__ import annotations

from typing import Any

#: C functions that `lib` does not have, each with what takes its place.
REASONS: dict[str, str] = {
    'er_context_create': 'each thread has contexts of its own',
    'er_context_destroy': 'a context ends with its thread and the last object that was made with it',
    'er_context_error': 'an Error has the message',
    'er_default_context_def': 'Python has no allocators',
    'er_fail': 'it has a variable number of arguments; raise an Error',
    'er_file_begin': 'Python has tempfile',
    'er_file_finish': 'Python has tempfile',
    'er_text_plain': 'Python prints text with str.isprintable()',
    'er_symmetry_tell': 'er_symmetry has the numbers',
    'er_surface_triangles': 'its array has no length that C checks; keep what surface_create() was given',
    'er_world_pose': 'live memory: World.pose is a copy',
    'er_world_twist': 'live memory: World.twist is a copy',
    'er_world_save': 'World.save() gives bytes',
    'er_world_state_size': 'save() has that length',
    'er_world_restore': 'World.restore() checks the length',
    'er_walker_save': 'Walker.save() gives bytes',
    'er_walker_state_size': 'save() has that length',
    'er_walker_restore': 'Walker.restore() checks the length',
    'er_walker_motors': 'Walker.motors has them',
    'er_ode_positions': 'live memory: Ode.positions is a copy',
    'er_ode_velocities': 'live memory: Ode.velocities is a copy',
    'er_modal_solver_solve': 'its modes die at the next solve: Solver.solve() copies them',
    'er_modal_solver_follow': 'its modes die at the next solve: Solver.follow() copies them',
    'er_modal_solve_batch': 'solve_batch() gives a list',
    'er_inverse_solve': 'Inverse.solve() makes the arrays of a frame',
    'er_sweep_update': 'its pairs die at the next update: Sweep.update() copies them',
    'er_sweep_over': 'Sweep.over() has room for all boxes',
    'er_gait_find_stand': 'find_stand() owns the rig that it finds',
    'er_gait_weight': 'er_gait_weights has its fields',
    'er_scene_skin': 'skin() makes the array',
    'er_rig_bone_scene': 'bone_scene() gives both results',
    'er_world_file_scene': 'WorldFile.scene() gives both results',
    'er_modes_index': 'Modes.index has all',
    'er_preset_measure': 'measure_preset() cuts the array to its moves',
    'er_joint_change_find': 'Model.found_by() says which',
    'er_body_change_find': 'Model.found_by() says which',
    'er_pose_file_parse': 'pose_file_read() reads the file',
    'er_constraint_errors': 'constraint_errors() knows the number of rows',
}


def role_of(param: tuple[Any, ...], counts: set[str], objects: set[str], callbacks: Any) -> str:
    """The part of a parameter: what Python passes, or what is made or returned."""
    word, kind, constant, shape, doc = param
    base = kind.rstrip('*')
    if kind == 'er_context*':
        return 'context'
    if kind == 'void*' and word == 'user':
        return 'user'
    if word in counts:
        return 'count'
    if kind.endswith('**') and base not in ('char', 'void') and not shape and (not constant or word != 'model'):
        return 'new' if base in objects and not constant else 'borrowed'
    if kind == 'char**' and word == 'out':
        return 'string'
    if kind.endswith('*') and not constant and kind != 'char*' and base not in objects | set(callbacks):
        changed = doc.startswith(('[width], entries', 'of the same two', '[body_count], or NULL; entries')) or 'added to' in doc
        return 'in and out' if changed else 'out array' if shape else 'out'
    return 'in'


class Plan:
    """How Python calls one C function. `api` has what generate.py read: FUNCTIONS, OPAQUE, CALLBACKS."""

    def __init__(self, name: str, api: Any):
        self.name = name
        self.doc, self.result, self.constant, self.params = api.FUNCTIONS[name]
        objects = {each[:-len('_destroy')] for each in api.FUNCTIONS if each.endswith('_destroy')}
        kinds = {param[0] for param in self.params if param[1] in ('int', 'size_t')}
        arrays = [param for param in self.params if param[3] and param[2] and '*' in param[1]]
        counts = {param[3][1:].split(',')[0] for param in arrays} & kinds
        self.roles = [role_of(param, counts, objects, api.CALLBACKS) for param in self.params]
        self.visible = [param for param, role in zip(self.params, self.roles) if role in ('in', 'in and out')]
        defaults = {each.replace('_default_', '_') for each in api.FUNCTIONS if '_default_' in each}
        self.options = next((param[0] for param in self.visible if param[0] == 'def' and param[1][:-1] in defaults), None)
        self.locks = any(param[1].rstrip('*') in api.OPAQUE for param in self.params)

    def optional(self, param: tuple[Any, ...]) -> bool:
        return param[0] == self.options or 'NULL' in param[4]

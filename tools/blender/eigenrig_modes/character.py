"""An armature with its meshes as a rig of eigenrig, and motions of the rig as poses of the armature's bones.

Blender's matrices act on columns; (n, 4, 4) arrays hold one a bone. A rig's poses are rows of seven numbers: unit
quaternion w x y z, then metres.
"""
import contextlib

import bpy
import eigenrig
import numpy as np
from eigenrig import lib

UNEVEN = 1e-4  # of a scale: Blender's own rounding


class Refused(Exception):
    """A sentence for the artist: this cannot be computed."""


def matrices(rows):
    return np.array([np.array(row) for row in rows], float).reshape(-1, 4, 4)


def affine(matrix):
    """A matrix as eigenrig has it: three rows, then the translation."""
    return np.vstack([matrix[:3, :3], matrix[:3, 3]])


def rigid(poses):
    """Poses (..., 7) as matrices (..., 4, 4)."""
    w, x, y, z = np.moveaxis(poses[..., :4], -1, 0)
    found = np.zeros((*poses.shape[:-1], 4, 4))
    found[..., 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1)
    found[..., 1, :3] = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1)
    found[..., 2, :3] = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)
    found[..., :3, 3] = poses[..., 4:]
    found[..., 3, 3] = 1
    return found


def inverse(found):
    """Inverses of rigid matrices (..., 4, 4)."""
    turned, out = np.swapaxes(found[..., :3, :3], -1, -2), np.zeros_like(found)
    out[..., :3, :3] = turned
    out[..., :3, 3] = -np.einsum('...ij,...j', turned, found[..., :3, 3])
    out[..., 3, 3] = 1
    return out


# ---- From Blender

def ordered(armature):
    """Bones, parents first."""
    found, todo = [], [bone for bone in armature.data.bones if bone.parent is None]
    while todo:
        bone = todo.pop(0)
        found.append(bone)
        todo += bone.children
    return found


def meshes_of(context, armature):
    """Meshes that the armature deforms, or that hang on one of its bones."""
    return [each for each in context.view_layer.objects if each.type == 'MESH' and (
        any(modifier.type == 'ARMATURE' and modifier.object == armature for modifier in each.modifiers)
        or (each.parent == armature and each.parent_type in ('BONE', 'ARMATURE')))]


@contextlib.contextmanager
def at_rest(context, armature):
    """The armature in its rest pose, so that meshes with all their modifiers are as they were bound."""
    was = armature.data.pose_position
    armature.data.pose_position = 'REST'
    context.view_layer.update()
    try:
        yield context.evaluated_depsgraph_get()
    finally:
        armature.data.pose_position = was
        context.view_layer.update()


def read_mesh(each, depsgraph, index):
    """An evaluated mesh with its weights on bones, which `index` numbers: a dict of er_mesh, or None without faces."""
    evaluated = each.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        place, triangle = np.zeros(3 * len(mesh.vertices), np.float32), np.zeros(3 * len(mesh.loop_triangles), np.int32)
        mesh.vertices.foreach_get('co', place)
        mesh.loop_triangles.foreach_get('vertices', triangle)
        bone_of = [index.get(group.name, -1) for group in each.vertex_groups]
        weights = [[(bone_of[held.group], held.weight) for held in vertex.groups
                    if held.weight > 0 and held.group < len(bone_of) and bone_of[held.group] >= 0]
                   for vertex in mesh.vertices]
    finally:
        evaluated.to_mesh_clear()
    if not len(triangle):
        return None
    found = {'name': each.name, 'vertex_count': len(place) // 3, 'triangle_count': len(triangle) // 3, 'position': place,
             'index': triangle, 'material': -1}
    if any(weights):
        total = [sum(weight for _, weight in held) for held in weights]
        found['influence_start'] = np.cumsum([0, *map(len, weights)], dtype=np.int32)
        found['influence_joint'] = np.array([bone for held in weights for bone, _ in held], np.int32)
        found['influence_weight'] = np.array([weight / whole for held, whole in zip(weights, total) for _, weight in held],
                                             np.float32)
    return found


def refuse_scale(thing):
    scale = np.abs(thing.matrix_world.to_scale())
    if scale.max() - scale.min() > UNEVEN * scale.max():
        raise Refused(f'{thing.name} is scaled unevenly ({scale[0]:.3g}, {scale[1]:.3g}, {scale[2]:.3g}): '
                      'apply its scale first (Object > Apply > Scale)')


def read_scene(context, armature, in_pose):
    """An er_scene of the armature and its meshes, whose node k + 1 is bone k. With `in_pose` it stands in the present
    pose, else in the rest pose."""
    refuse_scale(armature)
    bones, world = ordered(armature), np.array(armature.matrix_world)
    index = {bone.name: k for k, bone in enumerate(bones)}
    rest = world @ matrices(bone.matrix_local for bone in bones)
    stands = world @ matrices(armature.pose.bones[bone.name].matrix for bone in bones) if in_pose else rest
    parent = [-1 if bone.parent is None else index[bone.parent.name] for bone in bones]
    node = [{'name': armature.name, 'parent': -1, 'local': affine(world), 'source_index': -1}]
    for k, bone in enumerate(bones):
        above = world if parent[k] < 0 else stands[parent[k]]
        node.append({'name': bone.name, 'parent': parent[k] + 1, 'local': affine(np.linalg.inv(above) @ stands[k]),
                     'flags': lib.ER_NODE_JOINT if bone.use_deform else 0, 'source_index': -1})
    mesh, instance, skin = [], [], []
    with at_rest(context, armature) as depsgraph:
        for each in meshes_of(context, armature):
            read = read_mesh(each, depsgraph, index)
            if read is None:
                continue
            matrix, hung = np.array(each.matrix_world), index.get(each.parent_bone, -1)
            skinned = 'influence_start' in read
            if skinned:
                skin.append({'name': each.name, 'joint': np.arange(1, len(bones) + 1, dtype=np.int32),
                             'inverse_bind': np.array([affine(np.linalg.inv(bone) @ matrix) for bone in rest])})
                above = 0
            else:  # rigid: it moves with the bone that it hangs on
                above = hung + 1
                node.append({'name': each.name, 'parent': above, 'source_index': -1,
                             'local': affine(np.linalg.inv(rest[hung] if hung >= 0 else world) @ matrix)})
            instance.append({'node': above if skinned else len(node) - 1, 'mesh': len(mesh),
                             'skin': len(skin) - 1 if skinned else -1})
            mesh.append(read)
    return lib.new('er_scene', path=bpy.data.filepath or armature.name, format=lib.er_format.OTHER, format_name='Blender',
                   metres_per_unit=context.scene.unit_settings.scale_length, up=(0, 0, 1), node=node, mesh=mesh,
                   instance=instance, skin=skin)


# ---- The rig

class Character:
    """An armature, its rig, and what turns poses of the rig into those of bones."""

    def __init__(self, context, armature, in_pose=False, **options):
        bones = ordered(armature)
        scene = read_scene(context, armature, in_pose)
        rig = lib.rig_build(scene, options)
        self.model = eigenrig.Model._of(rig.model, rig, [note.text for note in rig.note])
        self.names = [bone.name for bone in bones]
        index = {name: k for k, name in enumerate(self.names)}
        self.parent = [-1 if bone.parent is None else index[bone.parent.name] for bone in bones]
        self.body = np.array(rig.node_body)[1:1 + len(bones)]
        self.unit = rig.metres_per_unit
        self.world = np.array(armature.matrix_world)
        self.rest = matrices(bone.matrix_local for bone in bones)
        self.stands = matrices(armature.pose.bones[name].matrix for name in self.names) if in_pose else self.rest
        self.equilibrium = inverse(rigid(np.array(self.model.body.pose)))
        self.modes = self.model.modes()

    def bone_matrices(self, poses):
        """Matrices (frames, bones, 4, 4) in the armature's axes of poses (frames, bodies, 7) of the rig. Bones outside the
        rig go with the bone above them."""
        moved = rigid(np.asarray(poses)) @ self.equilibrium
        moved[..., :3, 3] /= self.unit
        moved = np.linalg.inv(self.world) @ moved @ self.world
        found = np.zeros((len(moved), len(self.names), 4, 4))
        for k, (body, parent) in enumerate(zip(self.body, self.parent)):
            if body >= 0:
                found[:, k] = moved[:, body] @ self.stands[k]
            elif parent >= 0:
                found[:, k] = found[:, parent] @ np.linalg.inv(self.stands[parent]) @ self.stands[k]
            else:
                found[:, k] = self.stands[k]
        return found

    def bases(self, poses):
        """What Blender keeps of each bone, matrix_basis (frames, bones, 4, 4)."""
        found = self.bone_matrices(poses)
        out = np.zeros_like(found)
        for k, parent in enumerate(self.parent):
            above = found[:, parent] @ np.linalg.inv(self.rest[parent]) if parent >= 0 else np.eye(4)
            out[:, k] = np.linalg.inv(above @ self.rest[k]) @ found[:, k]
        return out

    def poses_of(self, matrices_of_bones):
        """Poses (frames, bodies, 7) of the rig for matrices (frames, bones, 4, 4) in the armature's axes: the inverse of
        bone_matrices()."""
        bone_of = np.array(self.model.rig.body_node) - 1
        moved = self.world @ matrices_of_bones[:, bone_of] @ np.linalg.inv(self.world @ self.stands[bone_of])
        moved[..., :3, 3] *= self.unit
        return poses_of_matrices(moved @ np.linalg.inv(self.equilibrium))


def poses_of_matrices(found):
    """Poses (..., 7) of matrices (..., 4, 4) whose scale is left out."""
    from mathutils import Matrix
    flat = found.reshape(-1, 4, 4)
    turns = np.array([Matrix(each).to_quaternion() for each in flat])
    return np.hstack([turns, flat[:, :3, 3]]).reshape(*found.shape[:-2], 7)

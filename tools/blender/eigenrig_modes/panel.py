"""The tab eigenrig of the 3D view: what is computed is kept a session, what is set is kept in the file."""
import time

import bpy
import eigenrig
import numpy as np

from . import actions, motions
from .character import Character, Refused

CHARACTERS = {}  # by the armature's session_uid or name: what Compute found
TICK = 1 / 30    # s, of the live motion


def key_of(armature):
    return getattr(armature, 'session_uid', armature.name)


def character_of(context):
    return CHARACTERS.get(key_of(context.object)) if context.object else None


def frames_a_second(context):
    return context.scene.render.fps / context.scene.render.fps_base


# ---- What is set

class ModeItem(bpy.types.PropertyGroup):
    index: bpy.props.IntProperty()
    hz: bpy.props.FloatProperty(name='Frequency', description='Of the mode by itself, Hz')
    amplitude: bpy.props.FloatProperty(name='Amplitude °', description='Largest turn of a joint in this mode', min=-90,
                                       max=90)
    phase: bpy.props.FloatProperty(name='Phase °', description='By which it is ahead', min=-360, max=360)
    played_hz: bpy.props.FloatProperty(name='Play at Hz', description='0: at its own frequency', min=0, max=60)


class GaitItem(bpy.types.PropertyGroup):
    speed: bpy.props.FloatProperty()


class BoneSettings(bpy.types.PropertyGroup):
    hz: bpy.props.FloatProperty(name='Stiffness', description='Frequency of this joint by itself, Hz; 0: by the rig', min=0)
    mass: bpy.props.FloatProperty(name='Mass', description='Of the bone, kg; 0: by its mesh', min=0)
    joint: bpy.props.EnumProperty(name='Joint', items=[('AUTO', 'As found', ''), ('SPHERICAL', 'Ball', 'It turns all ways'),
                                                       ('REVOLUTE', 'Hinge', 'It turns about the bone\'s x axis'),
                                                       ('FIXED', 'Welded', 'It does not move')])
    loose: bpy.props.BoolProperty(name='Loose', description='It follows through')


class Settings(bpy.types.PropertyGroup):
    modes: bpy.props.CollectionProperty(type=ModeItem)
    active: bpy.props.IntProperty()
    gaits: bpy.props.CollectionProperty(type=GaitItem)
    active_gait: bpy.props.IntProperty()
    in_pose: bpy.props.BoolProperty(name='In the present pose', description='Modes about the present pose, not the rest pose')
    held: bpy.props.BoolProperty(name='Hold the root', description='The root does not move')
    travels: bpy.props.BoolProperty(name='Travel', description='Gaits go along the ground', default=True)
    strip: bpy.props.BoolProperty(name='As NLA strip', description='On a track above what is there')
    mute: bpy.props.BoolProperty(name='Mute constraints', default=True,
                                 description='Constraints of bones would move them away from what is written')
    preset: bpy.props.EnumProperty(name='Preset', items=lambda self, context: PRESETS)
    swing: bpy.props.FloatProperty(name='Looseness', description='First frequency of loose parts, Hz; 0: their own', min=0, max=60)
    bounce: bpy.props.FloatProperty(name='Bounce', description='How much of a swing the next one has', min=0, max=0.99, default=0.4)
    playing: bpy.props.BoolProperty()
    said: bpy.props.StringProperty()


PRESETS = []  # Blender does not keep the strings of a callback


# ---- Operators

class Work(bpy.types.Operator):
    """Shows a failure as one line of Blender's."""
    bl_options = {'REGISTER', 'UNDO'}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == 'ARMATURE'

    def execute(self, context):
        stop(context.object)
        try:
            said = self.work(context, context.object, context.object.eigenrig)
        except (Refused, eigenrig.Error) as problem:
            self.report({'ERROR'}, str(problem))
            return {'CANCELLED'}
        if said:
            context.object.eigenrig.said = said
            self.report({'INFO'}, said)
        return {'FINISHED'}


class OnCharacter(Work):
    @classmethod
    def poll(cls, context):
        return super().poll(context) and character_of(context) is not None


def changes_of(armature):
    """Changes of the rig that bones ask for, as fields of er_rig_change."""
    joint, body = [], []
    for bone in armature.data.bones:
        asked, name = bone.eigenrig, bone.name.translate({ord(letter): '\\' + letter for letter in '*?[]\\'})
        change = {'pattern': name, 'optional': True}
        if asked.hz > 0:
            change['hz'] = asked.hz
        if asked.joint != 'AUTO':
            change['type'] = int(eigenrig.lib.er_joint_type[asked.joint])
        if asked.joint == 'REVOLUTE':
            change['axis'] = tuple((armature.matrix_world.to_3x3() @ bone.matrix_local.to_3x3()).col[0])
        if len(change) > 2:
            joint.append(change)
        if asked.mass > 0:
            body.append({'pattern': name, 'mass': asked.mass, 'optional': True})
    return {'change': {'joint': joint, 'body': body}} if joint or body else {}


class Compute(Work):
    """Find the natural modes of the armature with its meshes"""
    bl_idname, bl_label = 'eigenrig.compute', 'Compute'

    def work(self, context, armature, settings):
        root = {'root': eigenrig.lib.er_root.FIXED} if settings.held else {}
        found = Character(context, armature, settings.in_pose, **root, **changes_of(armature))
        CHARACTERS[key_of(armature)] = found
        settings.gaits.clear()
        settings.modes.clear()
        for name, index, mode in zip(found.modes.names, found.modes.index, found.modes):
            if mode.kind == eigenrig.lib.er_mode_kind.RIGID:
                continue
            item = settings.modes.add()
            item.name, item.index, item.hz = name, int(index), mode.frequency_hz
        settings.active = 0
        told = '; '.join(found.model.notes)
        return f'{found.model.body_count} bodies, {found.model.rig.total_mass:.4g} kg, {len(settings.modes)} modes. {told}'


def components(settings):
    """The modes that have an amplitude; without any the chosen one, by 10 degrees."""
    chosen = [(item.index, item.amplitude, item.phase, item.played_hz) for item in settings.modes if item.amplitude]
    if not chosen and settings.modes:
        chosen = [(settings.modes[settings.active].index, 10.0, 0.0, 0.0)]
    return chosen


def mute(armature, names):
    for name in names:
        for constraint in armature.pose.bones[name].constraints:
            constraint.mute = True


def bake(context, armature, name, poses):
    """Writes poses as an action, or as a strip."""
    settings, found = armature.eigenrig, character_of(context)
    former = armature.animation_data.action if armature.animation_data else None
    if settings.mute:
        mute(armature, [bone for bone, body in zip(found.names, found.body) if body >= 0])
    action = actions.write(armature, name, found.names, found.bases(poses), context.scene.frame_current)
    if settings.strip:
        actions.push_down(armature, action, former)
    return action


class Bake(OnCharacter):
    """Write the mix as an action or an NLA strip that loops on whole frames"""
    bl_idname, bl_label = 'eigenrig.bake', 'Bake mix'

    def work(self, context, armature, settings):
        chosen = components(settings)
        by_index = {item.index: item.name for item in settings.modes}
        poses = motions.mixed(character_of(context), chosen, frames_a_second(context))
        action = bake(context, armature, ' + '.join(by_index[index] for index, *_ in chosen)[:60], poses)
        return f'{action.name}: {len(poses) - 1} frames a cycle'


class FindGaits(OnCharacter):
    """Find the gaits that fit this body; it may take some seconds"""
    bl_idname, bl_label = 'eigenrig.gaits', 'Find gaits'

    def work(self, context, armature, settings):
        found = character_of(context)
        found.gaits = found.model.gaits(found.modes)
        settings.gaits.clear()
        for gait in found.gaits:
            item = settings.gaits.add()
            item.name, item.speed = gait.name, gait.speed
        settings.active_gait = 0
        return f'{len(settings.gaits)} gaits'


class BakeGait(OnCharacter):
    """Write one stride of the chosen gait, with the feet held"""
    bl_idname, bl_label = 'eigenrig.bake_gait', 'Bake gait'

    @classmethod
    def poll(cls, context):
        return super().poll(context) and len(context.object.eigenrig.gaits) > 0

    def work(self, context, armature, settings):
        found = character_of(context)
        gait = found.gaits[settings.active_gait]
        poses = motions.walked(found, gait, frames_a_second(context), settings.travels)
        action = bake(context, armature, gait.name, poses)
        return f'{action.name}: {len(poses) - 1} frames a stride'


class BakePreset(OnCharacter):
    """Write the chosen preset"""
    bl_idname, bl_label = 'eigenrig.preset', 'Bake preset'

    def work(self, context, armature, settings):
        poses = motions.preset(character_of(context), settings.preset, frames_a_second(context))
        action = bake(context, armature, settings.preset, poses)
        return f'{action.name}: {len(poses) - 1} frames'


class Follow(OnCharacter):
    """Let loose bones follow through on the active action, between the first and the last frame of the scene"""
    bl_idname, bl_label = 'eigenrig.follow', 'Follow through'

    def work(self, context, armature, settings):
        found, scene = character_of(context), context.scene
        loose = {bone.name for bone in armature.data.bones if bone.eigenrig.loose}
        if not loose:
            raise Refused('no bone is loose: mark bones as Loose in the panel of the bone')
        first, last = scene.frame_start, scene.frame_end
        if armature.animation_data and armature.animation_data.action:
            first, last = (round(frame) for frame in armature.animation_data.action.frame_range)
        frames = motions.present(context, armature, found.names, first, last)
        loops = motions.is_loop(frames, max(armature.dimensions))
        poses, parts = motions.followed(found, frames, loose, frames_a_second(context), loops,
                                        {'hz': settings.swing, 'bounce': settings.bounce})
        was = scene.frame_current
        scene.frame_current = first
        action = bake(context, armature, 'follow-through', poses)
        scene.frame_current = was
        told = ', '.join(f'{np.degrees(part.swing):.0f} degrees at {part.hz:.2f} Hz' for part in parts)
        return f'{action.name}{", a loop" if loops else ""}: {told}'


# ---- The live motion

class Live:
    """Plays the mix in the viewport, and puts the bones back where they were."""

    def __init__(self, armature, found):
        self.armature, self.found, self.began = armature, found, time.monotonic()
        self.was = [bone.matrix_basis.copy() for bone in (armature.pose.bones[name] for name in found.names)]
        self.muted = [constraint for name in found.names for constraint in armature.pose.bones[name].constraints
                      if not constraint.mute]
        self.kinematics = found.model.kinematics()
        self.shapes = {}
        for constraint in self.muted if armature.eigenrig.mute else []:
            constraint.mute = True

    def shape(self, index):
        """The displacement of a mode at one degree."""
        if index not in self.shapes:
            self.shapes[index] = self.kinematics.mode(self.found.modes[index], 1.0)
        return self.shapes[index]

    def show(self, seconds):
        x = 0.0
        for index, degrees, phase, hz in components(self.armature.eigenrig):
            turn = 2 * np.pi * (hz or self.found.modes[index].frequency_hz) * seconds + np.radians(phase)
            x = x + degrees * np.sin(turn) * self.shape(index)
        poses = self.kinematics.pose(x)[1]
        actions.show(self.armature, self.found.names, self.found.bases(poses[None])[0])

    def end(self):
        for name, basis in zip(self.found.names, self.was):
            self.armature.pose.bones[name].matrix_basis = basis
        for constraint in self.muted:
            constraint.mute = False


LIVE = {}


def tick():
    for key, live in list(LIVE.items()):
        try:
            live.show(time.monotonic() - live.began)
        except (ReferenceError, eigenrig.Error):  # the armature is gone, or a loop cannot be closed
            LIVE.pop(key)
    return TICK if LIVE else None


def stop(armature):
    live = LIVE.pop(key_of(armature), None)
    if live is not None:
        live.end()
    armature.eigenrig.playing = False


class Play(bpy.types.Operator):
    """Move the armature in the viewport; nothing is keyed"""
    bl_idname, bl_label = 'eigenrig.play', 'Play'

    @classmethod
    def poll(cls, context):
        return character_of(context) is not None and len(context.object.eigenrig.modes) > 0

    def execute(self, context):
        armature = context.object
        if armature.eigenrig.playing:
            stop(armature)
            return {'FINISHED'}
        LIVE[key_of(armature)] = Live(armature, character_of(context))
        armature.eigenrig.playing = True
        if not bpy.app.timers.is_registered(tick):
            bpy.app.timers.register(tick)
        return {'FINISHED'}


# ---- The panel

class EIGENRIG_UL_modes(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0):
        split = layout.split(factor=0.78)
        split.label(text=item.name, icon='PLAY' if item.amplitude else 'BLANK1')
        split.label(text=f'{item.hz:.2f}')


class EIGENRIG_UL_gaits(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0):
        layout.label(text=item.name)
        layout.label(text=f'{item.speed:.2f} m/s')


class Tab:
    bl_space_type, bl_region_type, bl_category = 'VIEW_3D', 'UI', 'eigenrig'

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == 'ARMATURE'


class EIGENRIG_PT_modes(Tab, bpy.types.Panel):
    bl_label = 'Modes'

    def draw(self, context):
        layout, settings = self.layout, context.object.eigenrig
        layout.prop(settings, 'in_pose')
        layout.prop(settings, 'held')
        layout.operator('eigenrig.compute')
        if settings.said:
            layout.label(text=settings.said)
        if not settings.modes:
            return
        layout.template_list('EIGENRIG_UL_modes', '', settings, 'modes', settings, 'active', rows=8)
        item = settings.modes[min(settings.active, len(settings.modes) - 1)]
        layout.label(text=item.name)
        column = layout.column(align=True)
        for name in ('amplitude', 'phase', 'played_hz'):
            column.prop(item, name, slider=name != 'played_hz')
        row = layout.row(align=True)
        row.operator('eigenrig.play', text='Stop' if settings.playing else 'Play')
        row.operator('eigenrig.bake')
        layout.prop(settings, 'strip')
        layout.prop(settings, 'mute')


class EIGENRIG_PT_gaits(Tab, bpy.types.Panel):
    bl_label = 'Gaits and presets'

    def draw(self, context):
        layout, settings = self.layout, context.object.eigenrig
        layout.operator('eigenrig.gaits')
        if settings.gaits:
            layout.template_list('EIGENRIG_UL_gaits', '', settings, 'gaits', settings, 'active_gait', rows=4)
            layout.prop(settings, 'travels')
            layout.operator('eigenrig.bake_gait')
        row = layout.row()
        row.prop(settings, 'preset', text='')
        row.operator('eigenrig.preset')


class EIGENRIG_PT_follow(Tab, bpy.types.Panel):
    bl_label = 'Follow-through'

    def draw(self, context):
        layout, settings = self.layout, context.object.eigenrig
        layout.prop(settings, 'swing')
        layout.prop(settings, 'bounce', slider=True)
        layout.operator('eigenrig.follow')


class EIGENRIG_PT_bone(Tab, bpy.types.Panel):
    bl_label = 'Bone'

    @classmethod
    def poll(cls, context):
        return super().poll(context) and context.active_bone is not None

    def draw(self, context):
        layout, asked = self.layout, context.object.data.bones[context.active_bone.name].eigenrig
        layout.label(text=context.active_bone.name)
        for name in ('hz', 'mass', 'joint', 'loose'):
            layout.prop(asked, name)


CLASSES = (ModeItem, GaitItem, BoneSettings, Settings, Compute, Bake, FindGaits, BakeGait, BakePreset, Follow, Play,
           EIGENRIG_UL_modes, EIGENRIG_UL_gaits, EIGENRIG_PT_modes, EIGENRIG_PT_gaits, EIGENRIG_PT_follow, EIGENRIG_PT_bone)


def register():
    PRESETS[:] = [(name, name.replace('_', ' '), '') for name in motions.preset_names()]
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Object.eigenrig = bpy.props.PointerProperty(type=Settings)
    bpy.types.Bone.eigenrig = bpy.props.PointerProperty(type=BoneSettings)


def unregister():
    for live in LIVE.values():
        live.end()
    LIVE.clear()
    CHARACTERS.clear()
    del bpy.types.Bone.eigenrig, bpy.types.Object.eigenrig
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)

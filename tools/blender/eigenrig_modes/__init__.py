"""eigenrig in Blender: the natural modes of the armature in front of you.

Sidebar of the 3D view, tab eigenrig. docs/blender.md is the manual.
"""
bl_info = {
    'name': 'eigenrig: modes of armatures',
    'author': 'The eigenrig developers',
    'version': (0, 1, 0),
    'blender': (3, 4, 0),
    'location': '3D View > Sidebar > eigenrig',
    'description': 'Natural modes, gaits and follow-through of the active armature',
    'category': 'Animation',
}


def register():
    from . import panel
    panel.register()


def unregister():
    from . import panel
    panel.unregister()

"""Pictures of the project's own models that are kept, small, in references/.

To make them anew, after looking at what changed: PYTHONPATH=tests python3 tests/viewer/render/references.py
"""
import os
import pathlib
import subprocess
import sys

from tap import BUILD, SOURCE

PROGRAM = BUILD / 'tools' / 'eigenrig' / 'eigenrig'
FOLDER = pathlib.Path(__file__).parent / 'references'
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY')} | {
    'EIGENRIG_IMPORTER': str(BUILD / 'tools' / 'importer' / 'eigenrig-import')}
PICTURES = {
    'horse': ['horse.glb'],
    'horse_mode': ['horse.glb', '--mode', '7', '--ghosts', '--transparent'],
    'gnome_mix': ['gnome.glb', '--mix', '8:20,10:15+90', '--time', '0.1', '--theme', 'dark'],
    'hand_wires': ['hand.glb', '--mode', '7', '--surface', 'wireframe', '--transparent'],
    'hand_bones': ['hand.glb', '--show', 'both', '--view', 'front', '--transparent'],
    'four_bar': ['four_bar.json', '--mode', '0', '--ghosts', '--transparent'],
    'loop_sheet': ['loop_4.json', '--sheet'],
}


def draw(name, path):
    size = '480x300' if '--sheet' in PICTURES[name] else '320x240'
    model, *words = PICTURES[name]
    return subprocess.run([PROGRAM, 'render', SOURCE / 'models' / model, *words, '--size', size, '-q', '-o', path],
                          env=ENVIRONMENT, capture_output=True, text=True, timeout=100)


if __name__ == '__main__':
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        done = draw(name, FOLDER / f'{name}.png')
        if done.returncode:
            sys.exit(done.stderr)

"""The report for pipelines: what was understood, and how sure it is."""
import json
import os
import pathlib

from program import Folder, fails, near, rig_of, run, works
from tap import promise, run as judge

FOX = pathlib.Path(os.environ['EIGENRIG_SOURCE']) / 'models' / 'fox.glb'


@promise
def a_report_has_facing_feet_pose_clips_units_and_warnings():
    with Folder() as folder:
        report = json.loads(works('info', FOX, '--report', '-', cwd=folder))
        assert (report['format'], report['version'], report['family']) == ('eigenrig-report', 1, 'walks')
        near(report['facing']['forward'], [0, 0, 1], 1e-9, 'forward', 1e-9)
        assert 0.9 < report['facing']['sure'] <= 1 and report['pose']['kind'] == 'rest'
        assert [foot['side'] for foot in report['feet']] == ['left', 'right'] * 2
        assert {clip['name'] for clip in report['clips']} >= {'run'} and report['metres_per_unit'] == 1
        near([report['mass']], [sum(body['mass'] for body in rig_of(FOX, cwd=folder)['bodies'])], 1e-8, 'mass')
        turned = json.loads(works('info', FOX, '--forward', '-z', '--report', '-', cwd=folder))
        near(turned['facing']['forward'], [0, 0, -1], 1e-9, 'forward', 1e-9)
        assert turned['facing']['sure'] == 1
        works('info', FOX, '--report', 'fox.json', '-q', cwd=folder)
        assert json.loads((folder / 'fox.json').read_text()) == report


@promise
def a_doubtful_facing_is_a_warning():
    with Folder() as folder:
        report = json.loads(works('info', 'bar.glb', '--report', '-', cwd=folder))
        told = run('info', 'bar.glb', '--report', '-', cwd=folder).stderr.decode()
        assert report['facing']['sure'] < 0.9 and '--forward' in told, (report['facing'], told)
        fails(1, 'info', 'bar.glb', '--strict', '--report', 'o.json', says='--strict', cwd=folder)
        works('info', 'bar.glb', '--strict', '--forward', 'x', '--report', 'o.json', '-q', cwd=folder)


judge()

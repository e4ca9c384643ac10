"""The report for pipelines: what was understood, and how sure it is."""
import json
import os
import pathlib

from program import Folder, fails, hertz, near, palette_of, rig_of, run, works
from tap import promise, run as judge

FOX = pathlib.Path(os.environ['EIGENRIG_SOURCE']) / 'models' / 'fox.glb'


@promise
def a_report_has_facing_feet_pose_clips_units_and_warnings():
    with Folder() as folder:
        report = json.loads(works('info', FOX, '--report', '-', cwd=folder))
        assert (report['format'], report['version']) == ('eigenrig-report', 1)
        assert report['family'] == {'kind': 'walks', 'by': 'names'}
        near(report['facing']['forward'], [0, 0, 1], 1e-9, 'forward', 1e-9)
        assert 0.9 < report['facing']['sure'] <= 1 and (report['pose']['kind'], report['pose']['by']) == ('rest', 'file')
        assert [(foot['side'], foot['by']) for foot in report['feet']] == [('left', 'names'), ('right', 'names')] * 2
        units = report['units']
        assert {clip['name'] for clip in report['clips']} >= {'run'} and (units['metres_per_unit'], units['by'], units['likely']) == (1, 'format', True)
        rig = rig_of(FOX, cwd=folder)
        near([report['mass']], [sum(body['mass'] for body in rig['bodies'])], 1e-8, 'mass')
        assert rig['report'] == report, 'info --json has another report'
        works('info', FOX, '--report', 'fox.json', '-q', cwd=folder)
        assert json.loads((folder / 'fox.json').read_text()) == report


@promise
def what_the_user_gives_is_said_to_be_given():
    with Folder() as folder:
        report = rig_of(FOX, '--forward', '-z', '--height', 100, '--mass', 3, '--pose', 'bind', cwd=folder)['report']
        near(report['facing']['forward'], [0, 0, -1], 1e-9, 'forward', 1e-9)
        assert report['facing']['sure'] == 1 and report['mass_source'] == report['pose']['by'] == report['units']['by'] == 'given'
        assert not report['units']['likely'] and any('100' in text or 'm across' in text for text in report['warnings'])
        assert rig_of('limbs.bvh', cwd=folder)['report']['units']['by'] == 'guess'
        swims = rig_of('bar.glb', cwd=folder)['report']
        assert swims['family']['by'] == 'form' and swims['feet'] == []
        (folder / 'fox.rig.lua').write_text('return {feet = "*hind_toes"}')
        feet = rig_of(FOX, '--rig', 'fox.rig.lua', cwd=folder)['report']['feet']
        assert [foot['by'] for foot in feet] == ['given'] * 2, feet


@promise
def a_rig_file_with_a_report_is_read_as_one_without():
    with Folder() as folder:
        (folder / 'fox.json').write_text(works('info', FOX, '--json', cwd=folder))
        rig = json.loads((folder / 'fox.json').read_text())
        del rig['report']
        (folder / 'bare.json').write_text(json.dumps(rig))
        assert hertz(palette_of('fox.json', '--strict', cwd=folder)) == hertz(palette_of('bare.json', '--strict', cwd=folder))


@promise
def a_doubtful_facing_is_a_warning():
    with Folder() as folder:
        report = json.loads(works('info', 'bar.glb', '--report', '-', cwd=folder))
        told = run('info', 'bar.glb', '--report', '-', cwd=folder).stderr.decode()
        assert report['facing']['sure'] < 0.9 and '--forward' in told, (report['facing'], told)
        assert any('--forward' in text for text in report['warnings'])
        for words in ([], ['--json'], ['-q'], ['--report', 'o.json']):
            fails(1, 'info', 'bar.glb', '--strict', *words, says='--strict', cwd=folder)
            works('info', 'bar.glb', '--strict', '--forward', 'x', *words, cwd=folder)


@promise
def a_manifest_has_the_report_and_a_strict_batch_fails_on_a_doubtful_facing():
    with Folder() as folder:
        works('batch', 'bar.glb', FOX, '-o', 'out', cwd=folder)
        line = {pathlib.Path(line['input']).name: line for line in map(json.loads, (folder / 'out' / 'manifest.jsonl').read_text().splitlines())}
        near([line['fox.glb']['report']['facing']['sure']], [rig_of(FOX, cwd=folder)['report']['facing']['sure']], 1e-8, 'sure')
        assert line['fox.glb']['report']['family'] == {'kind': 'walks', 'by': 'names'} and not line['fox.glb']['warnings']
        assert len(line['bar.glb']['warnings']) == 1 and '--forward' in line['bar.glb']['warnings'][0]
        assert run('batch', 'bar.glb', FOX, '-o', 'strict', '--strict', cwd=folder).returncode == 1
        status = {pathlib.Path(line['input']).name: line['reason'] for line in map(json.loads, (folder / 'strict' / 'manifest.jsonl').read_text().splitlines())}
        assert status == {'bar.glb': 'warnings', 'fox.glb': None}, status


judge()

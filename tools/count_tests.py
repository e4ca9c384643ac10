"""Counts the subtests of meson test runs: count_tests.py BUILD_FOLDER...

Reads the TAP text that meson keeps in meson-logs/testlog.json. A program that crashed, hung or broke off counts as one
failure more, unless its failing subtests say why already. Exit status 1 when anything failed or nothing ran.
"""
import json
import pathlib
import re
import sys

SUBTEST = re.compile(r'(?P<bad>not )?ok\b *\d* *(?:- )?(?P<name>.*?)(?: *# *SKIP\S* *(?P<reason>.*))?$', re.IGNORECASE)
SKIPPED_WHOLE = re.compile(r'1\.\.0\b *# *SKIP\S* *(?P<reason>.*)', re.IGNORECASE)
FINE = {'OK', 'SKIP'}


def outcomes(run):
    """(kind, what) of every subtest of one test program."""
    found = []
    for line in run.get('stdout', '').splitlines():
        whole = SKIPPED_WHOLE.match(line)
        subtest = SUBTEST.match(line)
        if whole:
            found.append(('skipped', whole['reason']))
        elif subtest and subtest['reason'] is not None and not subtest['bad']:
            found.append(('skipped', f"{subtest['name']}: {subtest['reason']}"))
        elif subtest:
            found.append(('failed' if subtest['bad'] else 'passed', subtest['name']))
    if run['result'] not in FINE and not any(kind == 'failed' for kind, _ in found):
        found.append(('failed', f"the program ended with {run['result']}, exit status {run.get('returncode')}"))
    return found


def main(folders):
    count = {'passed': 0, 'failed': 0, 'skipped': 0}
    for folder in folders:
        log = pathlib.Path(folder, 'meson-logs', 'testlog.json')
        runs = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        for run in runs:
            for kind, what in outcomes(run):
                count[kind] += 1
                if kind != 'passed':
                    print(f"{kind}: {folder}: {run['name']}: {what}")
        if not runs:
            count['failed'] += 1
            print(f'failed: {folder}: no test ran')
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count['failed'] or not count['passed'] else 0


sys.exit(main(sys.argv[1:]))

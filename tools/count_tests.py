"""Counts the subtests of meson test runs, and prints the output of failing programs: count_tests.py BUILD_FOLDER...

Reads the TAP text that meson keeps in meson-logs/testlog.json, because meson itself shows only stderr. A program that
hung or broke off counts as one failure more, and so does one that failed without a failing subtest. Exit status
1 when anything failed or nothing ran.
"""
import json
import pathlib
import re
import sys

SUBTEST = re.compile(r'(?P<bad>not )?ok\b *\d* *(?:- )?(?P<name>.*?)(?: *# *SKIP\S* *(?P<reason>.*))?$', re.IGNORECASE)
PLAN = re.compile(r'1\.\.(\d+)')
SKIPPED_WHOLE = re.compile(r'1\.\.0\b *# *SKIP\S* *(?P<reason>.*)', re.IGNORECASE)
FINE = {'OK', 'SKIP'}
SHOWN = 200  # last lines of a failing program's output


def outcomes(run):
    """(kind, what) of every subtest of one test program."""
    found = []
    planned = None
    for line in run.get('stdout', '').splitlines():
        whole = SKIPPED_WHOLE.match(line)
        subtest = SUBTEST.match(line)
        plan = PLAN.match(line)
        if plan:
            planned = int(plan[1])
        if whole:
            found.append(('skipped', whole['reason']))
        elif subtest and subtest['reason'] is not None and not subtest['bad']:
            found.append(('skipped', f"{subtest['name']}: {subtest['reason']}"))
        elif subtest:
            found.append(('failed' if subtest['bad'] else 'passed', subtest['name']))
    broke_off = run['result'] == 'TIMEOUT' or (planned and len(found) < planned)
    if broke_off or (run['result'] not in FINE and not any(kind == 'failed' for kind, _ in found)):
        found.append(('failed', f"the program ended with {run['result']}, exit status {run.get('returncode')}"))
    return found


def show(title, run):
    """The output of a program."""
    lines = (run.get('stdout', '') + run.get('stderr', '')).splitlines()
    print(f'---- {title}', *lines[-SHOWN:], '----', sep='\n')


def main(folders):
    count = {'passed': 0, 'failed': 0, 'skipped': 0}
    remarks = []
    for folder in folders:
        log = pathlib.Path(folder, 'meson-logs', 'testlog.json')
        runs = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        for run in runs:
            title = f"{folder}: {run['name']}"
            if run['result'] not in FINE:
                show(title, run)
            for kind, what in outcomes(run):
                count[kind] += 1
                if kind != 'passed':
                    remarks.append(f'{kind}: {title}: {what}')
        if not runs:
            count['failed'] += 1
            remarks.append(f'failed: {folder}: no test ran')
    for remark in remarks:
        print(remark)
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count['failed'] or not count['passed'] else 0


sys.exit(main(sys.argv[1:]))

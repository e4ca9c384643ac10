"""Runs a cmocka program and mends its TAP: cmocka 1.1.5 reports skip() as "not ok 3 # SKIP name", a failure by the rules.

A test that skips itself prints its reason first: print_message("no rigs: ...\\n"); skip();
"""
import re
import subprocess
import sys

SKIP = re.compile(r'(?:not )?ok (\d+) # SKIP (.*)')

reason = ''
with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True, errors='replace') as program:
    for line in program.stdout:
        skip = SKIP.match(line)
        print(f'ok {skip[1]} - {skip[2]} # SKIP {reason}' if skip else line.rstrip('\n'), flush=True)
        reason = line.strip(' #\n')
sys.exit(program.returncode if program.returncode >= 0 else 128 - program.returncode)

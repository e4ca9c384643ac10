"""Runs a cmocka program and mends its TAP: cmocka 1.1.5 reports skip() as "not ok 3 # SKIP name", a failure by the rules.

A test that skips itself prints its reason first: print_message("no rigs: ...\\n"); skip();
"""
import re
import subprocess
import sys

SKIP = re.compile(r'(?:not )?ok (\d+) # SKIP (.*)')

TRACER = 'LeakSanitizer has encountered a fatal error'  # its own, now and then; it is no verdict of the test


def run(words):
    """What the program prints, its messages, and its status."""
    done = subprocess.run(words, capture_output=True, text=True, errors='replace')
    return done.stdout, done.stderr, done.returncode


output, messages, status = run(sys.argv[1:])
for again in range(2):
    if status != 0 and TRACER in messages:
        output, messages, status = run(sys.argv[1:])
reason = ''
for line in output.splitlines():
    skip = SKIP.match(line)
    print(f'ok {skip[1]} - {skip[2]} # SKIP {reason}' if skip else line)
    reason = line.strip(' #')
sys.stdout.flush()
sys.stderr.write(messages)
sys.exit(status if status >= 0 else 128 - status)

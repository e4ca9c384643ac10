"""The wording of messages stands in one file, messages.txt, so that a change of it is meant. Tests look at codes and places.

EIGENRIG_UPDATE=1 in the environment writes the file anew.
"""
import os
import re

from rooms import CODE
from tap import SOURCE, promise, run

GOLDEN = SOURCE / 'tests' / 'house' / 'messages.txt'
CALL = re.compile(r'\b(?:er_fail|\w+_(?:fail|wrong|broken|note|notes_add|tell)|say|say_warning|fail_usage|luaL_error)\(')
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
JOINT = re.compile(r'\s+|PRI\w+')


def format_after(text, place):
    """The first run of string literals in a call's arguments, joined; None before a semicolon without one."""
    start = re.compile(r'["; {]').search(text, place)
    while start and start[0] == ' ':
        start = re.compile(r'["; {]').search(text, start.end())
    if not start or start[0] != '"':
        return None
    place, found = start.start(), []
    while match := LITERAL.match(text, place) or JOINT.match(text, place):
        found.append(match[1] if match.re is LITERAL else match[0].strip())
        place = match.end()
    return ''.join(found)


def messages():
    """Every sentence with a space in it, by the room of its file, sorted."""
    found = set()
    for top in CODE:
        for path in (SOURCE / top).glob('**/*.c*'):
            text = path.read_text()
            for call in CALL.finditer(text):
                sentence = format_after(text, call.end())
                if sentence and ' ' in sentence:
                    found.add(f'{path.parent.relative_to(SOURCE)}: {sentence}')
    return sorted(found)


@promise
def messages_are_worded_as_the_file_says():
    now = messages()
    if os.environ.get('EIGENRIG_UPDATE'):
        GOLDEN.write_text('\n'.join(now) + '\n')
    before = GOLDEN.read_text().splitlines()
    assert len(now) > 500, len(now)
    changed = [f'- {line}' for line in before if line not in now] + [f'+ {line}' for line in now if line not in before]
    assert not changed, '\n' + '\n'.join(changed) + '\nIf this is meant: EIGENRIG_UPDATE=1'


run()

"""Committed files speak of the project alone, wherever it lies; pages are plain to read."""
import re

from committed import committed
from tap import SOURCE, promise, run

# Written so that this file does not hold them.
ABSOLUTE = re.compile(rb'(?<![\w.$}])/' + rb'(?:work|home|root)/')
RELATIVE = re.compile(r'(?:^(?:- |\| )?|[.:;] |\*\* )(?:What|Who|Whose|Of|Whatever) (?!if\b)[a-z][^?]*$')
TICKET = re.compile(rb'\bissue ' + rb'#', re.IGNORECASE)


def places(pattern):
    return [f'{path.relative_to(SOURCE)}:{number}' for path in committed()
            for number, line in enumerate(path.read_bytes().split(b'\n'), 1) if pattern.search(line)]


@promise
def no_file_names_a_folder_of_one_machine():
    assert not places(ABSOLUTE), places(ABSOLUTE)


@promise
def no_file_names_a_ticket():
    assert not places(TICKET), places(TICKET)


def prose(path):
    """(number, line) of a page, without code."""
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith('```'):
            fenced = not fenced
        elif not fenced and not line.startswith('    '):
            yield number, line


def pages():
    """(place, line) of all pages."""
    return [(f'{path.relative_to(SOURCE)}:{number}', line) for path in committed('*.md')
            for number, line in prose(path)]


@promise
def lines_of_pages_have_120_characters_at_most():
    long = [place for place, line in pages() if len(line) > 120 and '](http' not in line]
    assert not long, long


@promise
def no_sentence_of_pages_begins_with_a_relative():
    wrong = [f'{place}: {line.strip()}' for place, line in pages() if RELATIVE.search(line) and not line.startswith('#')]
    assert not wrong, '\n'.join(wrong)


run()

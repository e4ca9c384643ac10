"""Committed files speak of the project alone, wherever it lies."""
import re

from committed import committed
from tap import SOURCE, promise, run

# Written so that this file does not hold them.
ABSOLUTE = re.compile(rb'(?<![\w.$}])/' + rb'(?:work|home|root)/')
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


run()

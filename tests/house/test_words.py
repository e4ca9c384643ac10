"""Committed files speak of the project alone, wherever it lies; pages and comments are plain to read."""
import ast
import io
import re
import tokenize

from committed import committed
from tap import SOURCE, promise, run

# Written so that this file does not hold them.
ABSOLUTE = re.compile(rb'(?<![\w.$}])/' + rb'(?:work|home|root)/')
TICKET = re.compile(rb'\bissue ' + rb'#', re.IGNORECASE)
RELATIVE = re.compile(r'(?:What|Who|Whose|Of|Whatever|Whichever) (?!if\b)[a-z]')
SENTENCE = re.compile(r'(?<=[.:;!?])\s+|\s+\|\s+|\*\*\s+')
FRESH = re.compile(r'[-*|@] ?|\d+\. |(?:Errors|Memory|Threads|Source)\b')  # lines that continue no sentence
SLASHES = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?P<comment>///?<?(?=\s|$).*)')
DASHES = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?P<comment>---?(?=\s|$).*)')


def places(pattern):
    return [f'{path.relative_to(SOURCE)}:{number}' for path in committed()
            for number, line in enumerate(path.read_bytes().split(b'\n'), 1) if pattern.search(line)]


@promise
def no_file_names_a_folder_of_one_machine():
    assert not places(ABSOLUTE), places(ABSOLUTE)


@promise
def no_file_names_a_ticket():
    assert not places(TICKET), places(TICKET)


def page_lines(path):
    """(number, line, whether it begins a paragraph) of a page, without code."""
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith('```'):
            fenced = not fenced
        elif not fenced and not line.startswith(('    ', '#')):
            yield number, line, False


def comment_lines(path):
    """The same of the comments of a source. A comment beside code begins a paragraph."""
    text = path.read_text()
    if path.suffix == '.py':
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string.lstrip('#! '), token.line[:token.start[1]].strip() != ''
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
                for number, line in enumerate(node.body[0].value.value.splitlines(), node.body[0].lineno):
                    yield number, line, False
        return
    for number, line in enumerate(text.splitlines(), 1):
        for match in (DASHES if path.suffix == '.lua' else SLASHES).finditer(line):
            if match['comment']:
                yield number, match['comment'].lstrip('/-< '), line[:match.start()].strip() != ''


def sentences(lines):
    """(number, sentence) of paragraphs: each with the number of the paragraph's first line."""
    paragraphs, last = [], None
    for number, line, begins in lines:
        line = line.strip()
        if not line:
            continue
        if begins or last != number - 1 or FRESH.match(line):
            paragraphs.append((number, []))
        paragraphs[-1][1].append(re.sub(r'^(?:[-*|]|\d+\.) ', '', line))
        last = number
    for number, parts in paragraphs:
        for sentence in SENTENCE.split(' '.join(parts)):
            yield number, sentence


def begins_with_relative(paths, lines_of):
    return [f'{path.relative_to(SOURCE)}:{number}: {sentence}' for path in paths
            for number, sentence in sentences(lines_of(path))
            if RELATIVE.match(sentence) and not sentence.endswith('?')]


def pages():
    return committed('*.md')


@promise
def lines_of_pages_have_120_characters_at_most():
    long = [f'{path.relative_to(SOURCE)}:{number}' for path in pages() for number, line, _ in page_lines(path)
            if len(line) > 120 and '](http' not in line]
    assert not long, long


@promise
def no_sentence_of_pages_begins_with_a_relative():
    wrong = begins_with_relative(pages(), page_lines)
    assert not wrong, '\n' + '\n'.join(wrong)


@promise
def no_sentence_of_comments_begins_with_a_relative():
    sources = [path for end in ('c', 'h', 'cpp', 'lua', 'py') for path in committed(f'*.{end}')]
    assert len(sources) > 500, len(sources)
    wrong = begins_with_relative(sources, comment_lines)
    assert not wrong, '\n' + '\n'.join(wrong)


run()

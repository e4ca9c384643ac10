"""Reads the public headers: structs, enums, functions and their comments, as plain data.

A type is one word: `double`, `er_body*`, `double[6][2]`, `char**`, or `callback:RESULT(TYPE,...)`. A shape, such as
`[count x body_count]` in a comment, becomes a Python expression over the names beside it: `(count, body_count,)`.
"""
import re

LINE = re.compile(r'^(?P<code>.*?)(?://(?P<slash>/<?)?(?P<doc>.*))?$')
CALLBACK = re.compile(r'^(?P<result>[\w ]+?[ *]+)\(\*(?P<name>\w+)\)\((?P<params>.*)\)$')
NOT_SHAPES = re.compile(r'^.*,.*$')  # ranges


def lines_of(text):
    """(code, mark, doc) of each line; mark is '/' before what it describes, '/<' behind it."""
    for line in text.splitlines():
        if line.startswith('#') or line.startswith('extern "C"'):
            continue
        found = LINE.match(line)
        yield found['code'].strip(), found['slash'], (found['doc'] or '').rstrip()


def type_of(words, stars, dims=''):
    base = ' '.join(word for word in words.split() if word not in ('const', 'struct', 'ER_API'))
    return {'unsigned': 'unsigned int'}.get(base, base) + '*' * stars + dims


def declared(text):
    """[(name, type, constant)] of a field or a parameter."""
    text = text.strip()
    found = CALLBACK.match(text)
    if found:
        inside = ','.join(kind for _, kind, _ in parameters(found['params']))
        result = type_of(found['result'].replace('*', ' '), found['result'].count('*'))
        return [(found['name'], f'callback:{result}({inside})', False)]
    first, *others = text.split(',')
    head = re.match(r'^((?:\w+\s+)+(?=\w|\*)|\w+\s*(?=\*))', first)
    base = head.group(1)
    results = []
    for part in [first[head.end():], *others]:
        stars = part.count('*')
        name = re.search(r'(\w+)\s*((?:\[[^\]]*\])*)\s*$', part)
        results.append((name.group(1), type_of(base, stars, name.group(2)), 'const' in base.split()))
    return results


def parameters(text):
    """Like declared(), of all parameters; commas inside a callback do not part them."""
    found, depth, part = [], 0, ''
    for letter in text + ',':
        depth += (letter == '(') - (letter == ')')
        if letter == ',' and depth == 0:
            if part.strip() not in ('', 'void', '...'):
                found += declared(part)
            part = ''
        else:
            part += letter
    return found


def shape_of(doc):
    """The shape that a comment begins with, as a Python expression; '' if there is none."""
    found = re.search(r'(?:^|: |and |NULL, or |written: )\s*\[((?:[^\[\]]|\[[^\]]*\])+)\]((?:\[\d+\])*)', doc)
    if not found or NOT_SHAPES.match(found.group(1)):
        return ''
    dims = [found.group(1)] + re.findall(r'\[(\d+)\]', found.group(2))
    dims = [each for dim in dims for each in re.split(r' x ', dim)]
    written = []
    for dim in dims:
        dim = re.sub(r'(\w+)\(\)', r'\1', dim.replace('->', '.'))
        owner = re.search(r'^((?:\d+ )?)(\w+) of (?:the )?(\w+)$', dim)
        if owner:
            dim = owner[1] + (owner[2] if owner[3] not in ('modes', 'gaits', 'aims') else f'{owner[3]}.{owner[2]}')
        times = 2 if re.search(r'( square|\^2)$', dim) else 1
        dim = re.sub(r'( square|\^2)$', '', dim)
        dim = re.sub(r'^(\d+) ?([A-Za-z(])', r'\1 * \2', dim)
        if not re.fullmatch(r'[\w .*+()\[\]-]+', dim) or re.search(r'[A-Za-z_)\]] [A-Za-z_(]', dim):
            return ''
        written += [dim] * times
    return f'({", ".join(written)},)'


class Headers:
    """All of them: structs[name] = {'doc', 'fields': [(name, type, constant, shape, doc)]}; opaque; enums[name] =
    {'doc', 'values': [(name, value, doc)]}; constants; functions[name] = {'doc', 'result', 'params': [...]}."""

    def __init__(self, paths):
        self.structs, self.opaque, self.enums, self.constants = {}, {}, {}, {}
        self.functions, self.inlines, self.callbacks, self.file_of = {}, [], {}, {}
        for path in paths:
            self.read(path)

    def read(self, path):
        for number in re.findall(r'^#define (ER_\w+) ([\d.x\w]+)$', path.read_text(), re.MULTILINE):
            self.constants[number[0]] = eval(number[1].rstrip('u'))
        pending, statement, held, shared = [], '', [], []  # shared: of neighbours that have one comment
        for code, mark, doc in lines_of(path.read_text()):
            if not code and mark == '/' and not statement:
                pending.append(doc)
            elif not code and not statement:
                pending, shared = [], []
            else:
                statement += ' ' + code
                held.append((code, mark, doc))
                if statement.count('{') == statement.count('}') and re.search(r'[;}]\s*$', statement):
                    shared = pending or shared
                    self.take(path.stem, statement.strip(), held, shared)
                    pending, statement, held = [], '', []

    def take(self, stem, statement, held, pending):
        doc = '\n'.join(line[1:] if line.startswith(' ') else line for line in pending)
        opened = re.match(r'^(?:typedef )?(struct|enum) ?(\w*) ?\{', statement)
        before = set(self.structs) | set(self.opaque) | set(self.enums) | set(self.functions)
        if statement.startswith('static inline'):
            self.inlines.append(re.search(r'(\w+)\(', statement).group(1))
        elif opened and opened.group(1) == 'struct':
            self.structs[opened.group(2)] = {'doc': doc, 'fields': self.fields(held)}
        elif opened:
            self.enumeration(opened.group(2), doc, held)
        elif re.match(r'^typedef struct (\w+) \1;', statement):
            self.opaque[statement.split()[2]] = doc
        elif statement.startswith('typedef'):
            found = re.match(r'^typedef (\w+) (\w+)\((.*)\);', statement)
            inside = ','.join(kind for _, kind, _ in parameters(found.group(3)))
            self.callbacks[found.group(2)] = f'callback:{found.group(1)}({inside})'
        elif statement.startswith('ER_API'):
            self.function(statement, doc)
        for name in (set(self.structs) | set(self.opaque) | set(self.enums) | set(self.functions)) - before:
            self.file_of[name] = stem

    @staticmethod
    def members(held):
        """(statement, doc) of each field or value between the braces."""
        found, statement, leading = [], '', []
        for code, mark, doc in held:
            code = re.sub(r'^(?:typedef )?(struct|enum) ?\w* ?\{', '', code)
            code = re.sub(r'\} ?\w*;$', '', code).strip()
            if not code and mark == '/':
                leading.append(doc)
            elif not code and mark == '/<' and found and not statement:
                found[-1][1].append(doc)
            elif code or mark:
                statement = f'{statement} {code}'.strip()
                if mark == '/<':
                    leading.append(doc)
                if code.endswith((';', ',')) or statement and mark and not code.endswith('const double'):
                    found.append([statement.rstrip(';,'), leading])
                    statement, leading = '', []
        if statement:
            found.append([statement.rstrip(';,'), leading])
        return [(statement, ' '.join(' '.join(doc).split())) for statement, doc in found]

    def fields(self, held):
        found, before = [], ''
        for statement, doc in self.members(held):
            for name, kind, constant in declared(statement):
                shape = '' if '*' not in kind or ':' in kind else \
                    before if re.match('likewise|same shape', doc) else shape_of(doc)
                if not shape and '*' in kind and found and found[-1][0] == name + '_count':
                    shape = f'({name}_count,)'  # an array preceded by its count
                found.append((name, kind, constant, shape, doc))
                before = shape or before
        return found

    def enumeration(self, name, doc, held):
        values, now = [], 0
        for statement, said in self.members(held):
            parts = [part.strip() for part in statement.split(',')]
            for part in parts:
                word, _, value = part.partition('=')
                now = int(eval(value, {}, {word: value for word, value, _ in values})) if value else now
                values.append((word.strip(), now, said))
                now += 1
        if name:
            self.enums[name] = {'doc': doc, 'values': values}
        self.constants |= {word: value for word, value, _ in values}

    @staticmethod
    def parameter(name, kind, constant, doc):
        base, opened, dims = kind.partition('[')
        if opened:  # an array is a pointer here
            return name, base + '*', constant, f'({dims[:-1].replace("][", ", ")},)', doc
        return name, kind, constant, shape_of(doc) if '*' in kind else '', doc

    def function(self, statement, doc):
        statement = re.sub(r'ER_PRINTF\(.*?\)', '', statement)
        found = re.match(r'^ER_API (.*?)(\w+)\((.*)\) ?;$', statement)
        said = {}
        for names, text in re.findall(r'@param +(\w+(?:, ?\w+)*) +((?:.|\n(?!@| *\n|[A-Z]\w*  |Errors|Memory|Threads|Time))*)', doc):
            said |= {name.strip(): ' '.join(text.split()) for name in names.split(',')}
        params = [self.parameter(name, kind, constant, said.get(name, '')) for name, kind, constant in parameters(found.group(3))]
        words = found.group(1)
        self.functions[found.group(2)] = {'doc': doc, 'result': type_of(words.replace('*', ' '), words.count('*')),
                                          'constant': 'const' in words.split(), 'params': params}

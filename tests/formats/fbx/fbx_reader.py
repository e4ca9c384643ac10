"""Reads binary FBX 7.4 strictly: every offset, count and sentinel is checked against the bytes."""
import struct
import zlib

HEAD = b'Kaydara FBX Binary  \0\x1a\0'
FOOT = bytes.fromhex('f85a8c6adef5d97eece90ce3758f290b')
NULL = bytes(13)
ARRAYS = {'f': 'f', 'd': 'd', 'i': 'i', 'l': 'q', 'b': 'b'}
SCALARS = {'Y': 'h', 'C': 'B', 'I': 'i', 'F': 'f', 'D': 'd', 'L': 'q'}


class Record:
    def __init__(self, name, values, records):
        self.name, self.values, self.records = name, values, records

    def all(self, name):
        return [record for record in self.records if record.name == name]

    def one(self, name):
        found = self.all(name)
        assert len(found) == 1, f'{self.name} has {len(found)} of {name}'
        return found[0]

    def value(self, name):
        values = self.one(name).values
        assert len(values) == 1, f'{name} has {len(values)} values'
        return values[0]

    def properties(self):
        """Of its Properties70: name to values."""
        return {p.values[0]: p.values[4:] for p in self.one('Properties70').records}


def read_value(data, at):
    kind = chr(data[at])
    at += 1
    if kind in SCALARS:
        size = struct.calcsize('<' + SCALARS[kind])
        return struct.unpack_from('<' + SCALARS[kind], data, at)[0], at + size
    if kind in 'SR':
        size, = struct.unpack_from('<I', data, at)
        raw = data[at + 4:at + 4 + size]
        return (raw.decode() if kind == 'S' else raw), at + 4 + size
    assert kind in ARRAYS, f'a value of kind {kind!r}'
    count, squeezed, size = struct.unpack_from('<III', data, at)
    raw = data[at + 12:at + 12 + size]
    if squeezed:
        raw = zlib.decompress(raw)
    assert squeezed in (0, 1) and len(raw) == count * struct.calcsize(ARRAYS[kind])
    return list(struct.unpack(f'<{count}{ARRAYS[kind]}', raw)), at + 12 + size


def read_record(data, at):
    end, count, size = struct.unpack_from('<III', data, at)
    length = data[at + 12]
    name = data[at + 13:at + 13 + length].decode()
    at += 13 + length
    values, begin, records = [], at, []
    for _ in range(count):
        value, at = read_value(data, at)
        values.append(value)
    assert at - begin == size, f'{name}: {at - begin} bytes of values, not {size}'
    assert end >= at, f'{name} ends before its values'
    if end > at:
        records, at = read_list(data, at)
    assert at == end, f'{name} ends at {at}, not {end}'
    return Record(name, values, records), at


def read_list(data, at):
    records = []
    while data[at:at + 13] != NULL:
        record, at = read_record(data, at)
        records.append(record)
    return records, at + 13


def read(data):
    assert data.startswith(HEAD) and struct.unpack_from('<I', data, 23)[0] == 7400
    records, at = read_list(data, 27)
    foot = data[at:]
    pad = 16 - (at + 20) % 16
    assert len(foot) == 16 + 4 + pad + 4 + 120 + 16 and foot.endswith(FOOT)
    assert struct.unpack_from('<I', foot, 20 + pad)[0] == 7400 and len(data) % 16 in (12, 0, 4, 8)
    assert not any(foot[16:20 + pad]) and not any(foot[24 + pad:-16])
    return Record('', [], records)

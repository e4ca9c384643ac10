"""PNG and animated PNG by the letter of their specifications, on zlib alone, but for the pixels of one picture, which are
many: they come by libpng. It reads the colours that we write, RGB and RGBA of 8 bits."""
import struct
import zlib

import png_rows


def chunks(data):
    assert data[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG signature'
    at, found = 8, []
    while at < len(data):
        length, kind = struct.unpack_from('>I4s', data, at)
        body = data[at + 8:at + 8 + length]
        crc, = struct.unpack_from('>I', data, at + 8 + length)
        assert len(body) == length and crc == zlib.crc32(kind + body), f'{kind}: length or CRC is off'
        found.append((kind, body))
        at += 12 + length
    assert at == len(data) and found[0][0] == b'IHDR' and found[-1] == (b'IEND', b'')
    return found


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfilter(data, width, height, depth):
    """Rows of bytes; `depth` bytes a pixel."""
    stride, rows, before = width * depth, [], bytes(width * depth)
    assert len(data) == height * (stride + 1), 'as many bytes as pixels need'
    for y in range(height):
        kind, line = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            a, c = (line[i - depth], before[i - depth]) if i >= depth else (0, 0)
            b = before[i]
            line[i] = (line[i] + (a if kind == 1 else b if kind == 2 else (a + b) // 2 if kind == 3 else paeth(a, b, c))) & 255
        rows.append(bytes(line))
        before = rows[-1]
    return rows


class Picture:
    """width, height, rows of RGBA bytes."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    def pixel(self, x, y):
        return tuple(self.rows[y][4 * x:4 * x + 4])

    def __eq__(self, other):
        return self.rows == other.rows


def header(data):
    width, height, bits, colour, packing, filtering, lacing = struct.unpack('>IIBBBBB', dict(chunks(data))[b'IHDR'])
    assert (bits, packing, filtering, lacing) == (8, 0, 0, 0) and colour in (2, 6), 'RGB or RGBA of 8 bits'
    return width, height, 3 if colour == 2 else 4


def rgba(rows, depth):
    if depth == 4:
        return rows
    return [b''.join(row[i:i + 3] + b'\xff' for i in range(0, len(row), 3)) for row in rows]


def read(path):
    data = path.read_bytes() if hasattr(path, 'read_bytes') else path
    width, height, depth = header(data)
    packed = b''.join(body for kind, body in chunks(data) if kind == b'IDAT')
    assert len(zlib.decompress(packed)) == height * (1 + width * depth), 'as many bytes as pixels need'
    return Picture(*png_rows.read(data, 4))


def over(below, above):
    """Source over destination, straight alpha (PNG, third edition, 11.3.6)."""
    if above[3] == 255 or below[3] == 0 and above[3]:
        return above
    if above[3] == 0:
        return below
    a, b = above[3] * 255, (255 - above[3]) * below[3]
    return bytes([round((a * u + b * v) / (a + b)) for u, v in zip(above[:3], below[:3])] + [round((a + b) / 255)])


def read_animation(path):
    """(frames, delays in seconds, times it is played; 0 is for ever)."""
    data = path.read_bytes()
    width, height, depth = header(data)
    found = chunks(data)
    kinds = [kind for kind, _ in found]
    assert kinds.index(b'acTL') < kinds.index(b'fcTL') < kinds.index(b'IDAT')
    count, plays = struct.unpack('>II', dict(found)[b'acTL'])
    canvas, frames, delays, sequence, parts = [bytearray(4 * width) for _ in range(height)], [], [], 0, []
    for kind, body in found:
        if kind in (b'fcTL', b'fdAT'):
            number, = struct.unpack_from('>I', body)
            assert number == sequence, 'numbers follow each other'
            sequence += 1
        if kind == b'fcTL':
            parts.append([struct.unpack('>IIIIIHHBB', body), b''])
        elif kind == b'fdAT':
            parts[-1][1] += body[4:]
        elif kind == b'IDAT':
            parts[-1][1] += body
    for (_, wide, high, x, y, top, bottom, dispose, blend), packed in parts:
        assert dispose == 0 and wide and high and x + wide <= width and y + high <= height
        rows = rgba(unfilter(zlib.decompress(packed), wide, high, depth), depth)
        for j, row in enumerate(rows):
            if blend == 0:
                canvas[y + j][4 * x:4 * (x + wide)] = row
                continue
            for i in range(wide):
                at = 4 * (x + i)
                canvas[y + j][at:at + 4] = over(canvas[y + j][at:at + 4], row[4 * i:4 * i + 4])
        frames.append(Picture(width, height, [bytes(row) for row in canvas]))
        delays.append(top / (bottom or 100))
    assert len(frames) == count, f'{count} frames are promised, {len(frames)} there'
    return frames, delays, plays

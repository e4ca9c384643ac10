"""Files of the glTF writer: valid, and keeping everything of a glTF source.
usage: test_gltf.py GLTF_SAMPLES"""
import base64
import collections
import functools
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

import tap
from gltf_reader import Gltf
from lossless import same_data, same_elements
from program import validator

SAMPLES = sys.argv[1]
SCENES = ["strip", "parts", "crowd", "bones", "blank"]


def promise(test):
    """Makes a function a test, that has FOLDER to itself."""
    @tap.promise
    @functools.wraps(test)
    def in_a_folder():
        global FOLDER
        with tempfile.TemporaryDirectory(prefix="eigenrig-gltf-") as FOLDER:
            test()


def write(*arguments, ok=True):
    """Runs gltf_samples; its message."""
    run = subprocess.run([SAMPLES, *arguments], capture_output=True, text=True)
    assert (run.returncode == 0) == ok, f"{arguments}: exit {run.returncode}: {run.stderr}"
    return run.stderr


def report(path):
    """What Khronos' validator says."""
    run = subprocess.run([*validator(), path], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def listed(report, severity):
    """Codes and pointers of a report."""
    return collections.Counter(re.findall(severity + r" (\S+ \S+):", report))


# --- scenes written whole


@promise
def scenes_are_valid():
    for name in SCENES:
        for ending in ("glb", "gltf"):
            path = os.path.join(FOLDER, f"{name}.{ending}")
            write(name, path)
            said = report(path)
            assert not listed(said, "error"), f"{path}: {said}"
            # scenes carry no tangents; viewers make them (glTF 2.0, 3.7.2.1)
            other = [code for code in listed(said, "warning") if "GENERATED_TANGENT_SPACE" not in code]
            assert not other, f"{path}: {other}"


# --- tests of glTF sources


def add(source, target, how="add"):
    write(how, source, target)
    same_elements(source, target)
    same_data(source, target)


def glb(path, document, binary=None, extra=()):
    text = document.encode() if isinstance(document, str) else json.dumps(document).encode()
    chunks = [(0x4E4F534A, text + b" " * (-len(text) % 4))]
    if binary is not None:
        chunks.append((0x004E4942, binary + b"\0" * (-len(binary) % 4)))
    body = b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks + list(extra))
    with open(path, "wb") as file:
        file.write(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)
    return path


ODD = r"""{ "zeta": [1, 2.0, -0.0, 1e-320, 9007199254740993, 0.1, 1.7976931348623157e308, true, null],
  "nodes": [ {"matrix": [0,2,0,0, -3,0,0,0, 0,0,0.5,0, 7,8,9,1], "name": "turned \u0000 \ud83e\uddb4 \/ \"",
              "extras": {"b": 1, "a": {}}},
             {"translation": [1, 2, 3], "children": [0],
              "extensions": {"VENDOR_odd": {"x": [[[]]], "id": 4611686018427387904}}} ],
  "extensionsUsed": ["VENDOR_odd"], "scenes": [{"nodes": [1]}], "scene": 0,
  "buffers": [{"byteLength": 13, "extras": "mine"}],
  "bufferViews": [{"byteLength": 13, "buffer": 0}],
  "animations": [{"name": "mode 03  1.42 Hz",
                  "channels": [{"sampler": 0, "target": {"path": "pointer", "extensions": {"X": 1}}}],
                  "samplers": [{"input": 0, "output": 0}]}],
  "extras": {"deep": {"deeper": [{"k\u00e9y": "v"}]}},
  "asset": {"version": "2.0", "generator": "by hand", "minVersion": "2.0"} }"""


@promise
def unknown_things_survive():
    extra = [(0x31415926, b"unknown chunk..."), (0x00000001, b"")]
    source = glb(os.path.join(FOLDER, "odd.glb"), ODD, bytes(range(200, 213)), extra)
    target = os.path.join(FOLDER, "odd-out.glb")
    add(source, target)
    before, after = Gltf(source), Gltf(target)
    assert after.chunks[1:] == before.chunks[1:] == extra
    assert after.bin()[:16] == before.bin()
    add(source, os.path.join(FOLDER, "odd-out.gltf"))
    add(os.path.join(FOLDER, "odd-out.gltf"), os.path.join(FOLDER, "odd-again.glb"))


@promise
def a_glb_without_buffers_gains_one():
    document = {"asset": {"version": "2.0"}, "nodes": [{"name": "a"}], "scenes": [{"nodes": [0]}]}
    source = glb(os.path.join(FOLDER, "bare.glb"), document)
    target = os.path.join(FOLDER, "bare-out.glb")
    add(source, target)
    assert len(Gltf(target).json["buffers"]) == 1 and Gltf(target).bin() is not None


@promise
def a_first_buffer_that_is_no_bin_keeps_its_place():
    uri = "data:application/octet-stream;base64,AAECAw=="
    document = {"asset": {"version": "2.0"}, "nodes": [{}], "buffers": [{"uri": uri, "byteLength": 4}]}
    source = glb(os.path.join(FOLDER, "uri.glb"), document, b"loose BIN chunk!")
    target = os.path.join(FOLDER, "uri-out.glb")
    add(source, target)
    assert Gltf(target).bin() == b"loose BIN chunk!" and Gltf(target).json["buffers"][0]["uri"] == uri
    fallback = {"asset": {"version": "2.0"}, "nodes": [{}], "buffers": [{"byteLength": 4}]}
    source = glb(os.path.join(FOLDER, "fallback.glb"), fallback)
    target = os.path.join(FOLDER, "fallback-out.glb")
    write("add", source, target)
    same_elements(source, target, may_move=())
    assert Gltf(target).bin() is None and "uri" not in Gltf(target).json["buffers"][0]


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    return path


def side_document(buffer_uri="data%20files/my%C3%A9sh.bin", image_uri="skin.png"):
    return json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "n"}], "scenes": [{"nodes": [0]}],
                       "images": [{"uri": image_uri}], "textures": [{"source": 0}],
                       "buffers": [{"uri": buffer_uri, "byteLength": 5}, {"uri": buffer_uri, "byteLength": 4}],
                       "bufferViews": [{"buffer": 0, "byteLength": 5}, {"buffer": 1, "byteLength": 4}]}).encode()


PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLv"
                           "AAAAAElFTkSuQmCC")


def side_folder(name):
    folder = os.path.join(FOLDER, name)
    put(os.path.join(folder, "data files", "myésh.bin"), b"bytes+")
    put(os.path.join(folder, "skin.png"), PICTURE)
    return put(os.path.join(folder, "model.gltf"), side_document())


@promise
def files_beside_a_gltf_come_along():
    source = side_folder("side")
    for name in ("alone.glb", "out/copy.gltf"):
        target = os.path.join(FOLDER, "side-out", name)
        os.makedirs(os.path.dirname(target))
        add(source, target)
        add(source, target)  # and again, over what is there
    out = os.path.join(FOLDER, "side-out")
    found = sorted(os.path.relpath(os.path.join(d, f), out) for d, _, files in os.walk(out) for f in files)
    assert found == ["alone.glb", "out/copy.gltf", "out/data files/myésh.bin", "out/skin.png"], found
    with open(os.path.join(out, "out", "data files", "myésh.bin"), "rb") as file:
        assert file.read() == b"bytes", "as long as the longest buffer in it"
    add(source, os.path.join(FOLDER, "side", "neighbour.gltf"))
    found = sorted(os.listdir(os.path.join(FOLDER, "side")))
    assert found == ["data files", "model.gltf", "neighbour.gltf", "skin.png"]


@promise
def a_different_file_in_the_way_is_kept():
    source = side_folder("way")
    target = os.path.join(FOLDER, "way-out", "model.gltf")
    put(os.path.join(FOLDER, "way-out", "skin.png"), b"somebody's own")
    message = write("add", source, target, ok=False)
    assert "skin.png" in message and "\n" not in message.strip(), message
    assert os.listdir(os.path.join(FOLDER, "way-out")) == ["skin.png"], "what was copied before is removed"


@promise
def paths_that_leave_the_folder_are_embedded():
    put(os.path.join(FOLDER, "climb", "up.bin"), b"bytes+")
    put(os.path.join(FOLDER, "climb", "up.png"), PICTURE)
    source = put(os.path.join(FOLDER, "climb", "in", "model.gltf"), side_document("../up.bin", "../up.png"))
    target = os.path.join(FOLDER, "climbed", "model.gltf")
    os.makedirs(os.path.dirname(target))
    message = write("add", source, target, ok=False)  # unless they may
    assert "up.bin" in message and "--allow-outside" in message and os.listdir(os.path.dirname(target)) == [], message
    add(source, target, "outside")
    assert os.listdir(os.path.dirname(target)) == ["model.gltf"] and not os.path.exists(os.path.join(FOLDER, "up.bin"))


@promise
def missing_files_are_told():
    source = put(os.path.join(FOLDER, "missing", "model.gltf"), side_document())
    for name in ("missing.glb", "missing.gltf"):
        message = write("add", source, os.path.join(FOLDER, name), ok=False)
        assert "myésh.bin" in message and "model.gltf needs it" in message, message
        assert not os.path.exists(os.path.join(FOLDER, name))
    put(os.path.join(FOLDER, "missing", "data files", "myésh.bin"), b"bytes+")
    target = os.path.join(FOLDER, "missing.glb")
    write("add", source, target)  # without its picture, as the source is
    assert Gltf(target).json["images"] == [{"uri": "skin.png"}]
    os.mkfifo(os.path.join(FOLDER, "missing", "skin.png"))  # must not be waited for
    write("add", source, target)


@promise
def broken_sources_are_told():
    sound = open(glb(os.path.join(FOLDER, "sound.glb"), ODD, bytes(13)), "rb").read()
    asset = {"asset": {"version": "2.0"}, "nodes": [{}]}
    broken = {
        "cut off": sound[:-5], "no JSON chunk": struct.pack("<III", 0x46546C67, 2, 12), "JSON": b'{"nodes": [}',
        "empty": b"",
        "array": b"[]", "binary": bytes(range(256)), "short": b"glTF", "surrogate": b'{"nodes": ["\\ud800"]}',
        "buffers": json.dumps({**asset, "buffers": 5}).encode(),
        "accessors": json.dumps({**asset, "accessors": {}}).encode(),
        "animations": json.dumps({**asset, "animations": "none"}).encode(),
        "matrix": json.dumps({**asset, "nodes": [{"matrix": [1, 2, "x"]}]}).encode(),
        "huge": json.dumps(asset).replace("{}", '{"x": 1e999}').encode(),
        "length": sound.replace(b'"byteLength": 13', b'"byteLength": 99', 1),
        "negative": sound.replace(b'"byteLength": 13', b'"byteLength": -1', 1), "deep": b"[" * 100000,
    }
    for name, data in broken.items():
        source = put(os.path.join(FOLDER, "broken", name + ".gltf"), data)
        for ending in ("glb", "gltf"):
            target = os.path.join(FOLDER, "never." + ending)
            message = write("add", source, target, ok=False)
            assert message.startswith(("ER_ERROR_FORMAT: ", "ER_ERROR_FILE: ")), f"{name}: {message!r}"
            assert message.count("\n") == 1, f"{name}: {message!r}"
            assert not os.path.exists(target), name


@promise
def cut_and_changed_bytes_do_no_harm():
    sound = open(glb(os.path.join(FOLDER, "fuzz.glb"), ODD, bytes(13), [(5, b"1234")]), "rb").read()
    seed = 1
    for round_ in range(150):
        data = bytearray(sound)
        for _ in range(1 + round_ % 4):
            seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
            data[(seed >> 33) % len(data)] = (seed >> 20) % 256
        if round_ % 5 == 0:
            del data[(seed >> 40) % len(data):]
        source = put(os.path.join(FOLDER, "fuzzed.glb"), bytes(data))
        target = os.path.join(FOLDER, "fuzzed-out.glb")
        run = subprocess.run([SAMPLES, "add", source, target], capture_output=True)
        assert run.returncode in (0, 1) and b"Sanitizer" not in run.stderr, run.stderr
        if os.path.exists(target):
            Gltf(target)
            os.remove(target)


tap.run()

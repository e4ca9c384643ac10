#!/usr/bin/env python3
"""reproduce.py GENERATOR MODELS_DIR FILE...: the generator writes the committed files again, byte for byte."""
import pathlib
import subprocess
import sys
import tempfile


def main():
    generator, models, *names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as out:
        characters = [pathlib.Path(n).stem for n in names if n.endswith(".glb")]
        subprocess.run([generator, out, *characters], check=True, stdout=subprocess.DEVNULL)
        print(f"1..{len(names) + 1}")
        for i, name in enumerate(names, 1):
            same = (pathlib.Path(out) / name).read_bytes() == (pathlib.Path(models) / name).read_bytes()
            print("ok" if same else "not ok", i, f"- {name} is what the generator writes")
        written = sorted(p.relative_to(out).as_posix() for p in pathlib.Path(out).rglob("*") if p.is_file())
        print("ok" if written == sorted(names) else "not ok", len(names) + 1, f"- nothing else is written: {written}")


main()

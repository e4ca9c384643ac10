"""python -m eigenrig is the command eigenrig."""
import os
import subprocess
import sys

from .program import program


def main() -> None:
    words = [program(), *sys.argv[1:]]
    if os.name == 'nt':
        sys.exit(subprocess.run(words).returncode)
    os.execv(words[0], words)


if __name__ == '__main__':
    main()

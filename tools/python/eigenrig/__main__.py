"""python -m eigenrig is the command eigenrig."""
import subprocess
import sys

from .program import program

sys.exit(subprocess.run([program(), *sys.argv[1:]]).returncode)

"""C files look as .clang-format says."""
import re
import shutil
import subprocess

from committed import committed
from tap import SOURCE, promise, run, skip

VERSION = '14'  # others break lines elsewhere


@promise
def every_c_file_is_formatted():
    program = shutil.which(f'clang-format-{VERSION}') or shutil.which('clang-format')
    if not program:
        skip('there is no clang-format')
    version = subprocess.run([program, '--version'], capture_output=True, text=True).stdout.strip()
    if not re.search(rf'version {VERSION}\.', version):
        skip(f'this is {version}; the format is that of {VERSION}')
    files = [path.relative_to(SOURCE) for path in committed('*.c', '*.h')]
    judged = subprocess.run([program, '--dry-run', '--Werror', *files], cwd=SOURCE, capture_output=True, text=True)
    wrong = sorted(set(re.findall(r'^(.+?):\d+:\d+: error:', judged.stderr, re.M)))
    assert judged.returncode == 0 and not wrong, judged.stderr[-2000:] + '\nclang-format -i ' + ' '.join(wrong)


run()

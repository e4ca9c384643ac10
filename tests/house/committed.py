"""The files that git keeps."""
import subprocess

from tap import SOURCE, skip


def committed(*patterns):
    """Their paths, below SOURCE; only those that match a pattern when there is one."""
    try:
        listing = subprocess.run(['git', 'ls-files', '-z', *patterns], cwd=SOURCE, capture_output=True, text=True)
    except FileNotFoundError:
        skip('there is no git')
    if listing.returncode != 0:
        skip(f'git cannot list the files: {listing.stderr.strip().splitlines()[0]}')
    return [SOURCE / name for name in listing.stdout.split('\0') if name and (SOURCE / name).is_file()]

"""Residuals of modes under several kernels of OpenBLAS, which it otherwise chooses by the processor."""
import os
import pathlib
import subprocess

from tap import BUILD, promise, run, skip

KERNELS = {'Prescott': 'pni', 'Haswell': 'avx2', 'SkylakeX': 'avx512vl'}  # and what a processor must have to run them


def judge(kernel):
    flags = pathlib.Path('/proc/cpuinfo').read_text().split()
    if KERNELS[kernel] not in flags:
        skip(f'this processor has no {KERNELS[kernel]}')
    done = subprocess.run([BUILD / 'tests' / 'test_modal_parts'], env={**os.environ, 'OPENBLAS_CORETYPE': kernel},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    assert done.returncode == 0, done.stdout


@promise
def residuals_are_small_with_kernels_of_sse3():
    judge('Prescott')


@promise
def residuals_are_small_with_kernels_of_avx2():
    judge('Haswell')


@promise
def residuals_are_small_with_kernels_of_avx512():
    judge('SkylakeX')


run()

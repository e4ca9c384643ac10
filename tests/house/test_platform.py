"""Only base/platform knows the operating system: no other file includes a system header or calls what is behind one."""
import re

from rooms import CODE
from tap import SOURCE, promise, run

# base/platform's own files, and the importer's sandbox, which asks Linux for Landlock and seccomp.
DOOR = re.compile(r'src/base/platform(_\w+)?\.[ch]|tools/importer/sandbox\.c')

SYSTEM = re.compile(r'(?:sys|linux|net|netinet|arpa)/|(?:dirent|dlfcn|fcntl|fnmatch|glob|libgen|malloc|poll|pthread|sched'
                    r'|semaphore|spawn|strings|termios|unistd|utime|pwd|grp|ftw|aio|regex|wordexp|langinfo|execinfo'
                    r'|ucontext|windows|io|direct|process)\.h$')
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)

# Functions that headers of C declare beside their own, under POSIX or GNU.
EXTRAS = '''fileno fdopen popen pclose open_memstream fmemopen getline getdelim
    secure_getenv setenv unsetenv putenv mkstemp mkostemp mkdtemp realpath qsort_r
    memmem mempcpy stpcpy strcasestr strerror_r strerrordesc_np sigdescr_np strsignal
    sigaction sigprocmask pthread_sigmask sigemptyset sigaddset kill killpg
    clock_gettime clock_getres nanosleep clock_nanosleep newlocale uselocale freelocale'''.split()
CALL = re.compile(r'(?<![\w.>])(' + '|'.join(EXTRAS) + r')\s*\(')
SIGNALS = re.compile(r'\bSIG(?:HUP|KILL|PIPE|XCPU|XFSZ|CHLD|ALRM|USR[12])\b')
WORDS = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')


def outside():
    """(path, its text) of every C or C++ file that must not know the system."""
    files = [path for top in CODE for path in sorted((SOURCE / top).glob('**/*')) if path.suffix in ('.c', '.h', '.cpp', '.hpp')]
    for path in files:
        name = str(path.relative_to(SOURCE))
        if not DOOR.fullmatch(name):
            yield name, path.read_text()


@promise
def no_file_but_the_platform_includes_a_system_header():
    wrong = [f'{name}: <{header}>' for name, text in outside() for header in INCLUDE.findall(text) if SYSTEM.match(header)]
    assert not wrong, '\n' + '\n'.join(wrong)


@promise
def no_file_but_the_platform_calls_the_system():
    wrong = []
    for name, text in outside():
        code = WORDS.sub('', text)
        wrong += [f'{name}: {word}' for word in sorted(set(CALL.findall(code)) | set(SIGNALS.findall(code)))]
    assert not wrong, '\n' + '\n'.join(wrong)


@promise
def the_platform_is_there_and_includes_system_headers():
    headers = {header for path in (SOURCE / 'src' / 'base').glob('platform*') for header in INCLUDE.findall(path.read_text())}
    assert {'unistd.h', 'pthread.h', 'spawn.h'} <= headers, headers


run()

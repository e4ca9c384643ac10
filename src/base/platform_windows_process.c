// Processes, requests to end and the environment on Windows.
#include "base/platform_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <psapi.h>

#include "base/platform.h"

// ---- Children. A number means its process as long as a handle to it is open.

enum { MOST_CHILDREN = 256 };

typedef struct child {
    HANDLE process, job; // the job ends all of its processes when its last handle is closed
    int number;          // 0: none
    bool killed;
} child;

static child children[MOST_CHILDREN]; // under the lock of the process

static child *child_of(int number)
{
    for (int i = 0; i < MOST_CHILDREN; ++i)
        if (children[i].number == number) return &children[i];
    return NULL;
}

// Words as one command line, by the rules that C programs of Windows take it apart by.   @return from malloc()
static char *command_line(const char *const *words)
{
    size_t size = 1;
    for (int i = 0; words[i] != NULL; ++i)
        size += 2 * strlen(words[i]) + 3;
    char *line = malloc(size), *to = line;
    for (int i = 0; line != NULL && words[i] != NULL; ++i) {
        if (i > 0) *to++ = ' ';
        *to++ = '"';
        size_t slashes = 0;
        for (const char *c = words[i];; ++c) {
            size_t more = *c == '"' ? slashes + 1 : *c == '\0' ? slashes : 0;
            memset(to, '\\', more);
            to += more;
            if (*c == '\0') break;
            slashes = *c == '\\' ? slashes + 1 : 0;
            *to++ = *c;
        }
        *to++ = '"';
    }
    if (line != NULL) *to = '\0';
    return line;
}

// A handle that a new process inherits: that of a file, or one that leads nowhere.
static HANDLE inherited(int file, bool nowhere)
{
    SECURITY_ATTRIBUTES inherit = {.nLength = sizeof inherit, .bInheritHandle = TRUE};
    HANDLE self = GetCurrentProcess(), out = NULL;
    if (nowhere)
        return CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit,
                           OPEN_EXISTING, 0, NULL);
    HANDLE from = (HANDLE)_get_osfhandle(file);
    return DuplicateHandle(self, from, self, &out, 0, TRUE, DUPLICATE_SAME_ACCESS) ? out : NULL;
}

// The new process gets these handles and no others.
static bool start(const wchar_t *program, wchar_t *line, HANDLE *stream, DWORD flags, PROCESS_INFORMATION *out)
{
    STARTUPINFOEXW how = {.StartupInfo = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES}};
    HANDLE list[3];
    SIZE_T size = 0;
    DWORD count = 0;
    for (int i = 0; i < 3; ++i)
        if (stream[i] != NULL && stream[i] != INVALID_HANDLE_VALUE) list[count++] = stream[i];
    how.StartupInfo.hStdInput = stream[0];
    how.StartupInfo.hStdOutput = stream[1];
    how.StartupInfo.hStdError = stream[2];
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    how.lpAttributeList = malloc(size);
    bool done = how.lpAttributeList != NULL && InitializeProcThreadAttributeList(how.lpAttributeList, 1, 0, &size);
    if (done) {
        done = UpdateProcThreadAttribute(how.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, list,
                                         count * sizeof *list, NULL, NULL) &&
               CreateProcessW(program, line, NULL, NULL, TRUE, flags | EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED,
                              NULL, NULL, &how.StartupInfo, out);
        DeleteProcThreadAttributeList(how.lpAttributeList);
    }
    free(how.lpAttributeList);
    return done;
}

// Puts a process that does not run yet in a job of its own: its children end with it.
static HANDLE make_job(HANDLE process)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
        .BasicLimitInformation = {.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}};
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (job == NULL) return NULL;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    if (AssignProcessToJobObject(job, process)) return job;
    CloseHandle(job);
    return NULL;
}

static int remember(const PROCESS_INFORMATION *made, bool alone)
{
    eri_platform_lock_process();
    child *c = child_of(0);
    if (c != NULL) *c = (child){.process = made->hProcess, .number = (int)made->dwProcessId};
    eri_platform_unlock_process();
    if (c == NULL) return EAGAIN;
    if (alone) c->job = make_job(made->hProcess);
    return 0;
}

int eri_process_spawn(const eri_spawn_def *def, int *process)
{
    const int file[] = {def->input, def->output, def->errors};
    HANDLE stream[3];
    PROCESS_INFORMATION made;
    char *line = command_line(def->words);
    wchar_t *wide = line != NULL ? eri_windows_text(line) : NULL;
    wchar_t *program = def->search ? NULL : eri_windows_path(def->program);
    int error = wide == NULL || (program == NULL && !def->search) ? ENOMEM : 0;
    for (int i = 0; i < 3; ++i)
        stream[i] = inherited(file[i] >= 0 ? file[i] : i, def->quiet && i != 1);
    if (error == 0 && !start(program, wide, stream, def->alone ? CREATE_NEW_PROCESS_GROUP : 0, &made)) {
        eri_windows_failed();
        error = errno;
    }
    for (int i = 0; i < 3; ++i)
        if (stream[i] != NULL && stream[i] != INVALID_HANDLE_VALUE) CloseHandle(stream[i]);
    free(program);
    free(wide);
    free(line);
    if (error != 0) return error;
    *process = (int)made.dwProcessId;
    error = remember(&made, def->alone);
    if (error == 0)
        ResumeThread(made.hThread);
    else
        TerminateProcess(made.hProcess, 1);
    CloseHandle(made.hThread);
    return error;
}

int eri_process_fork(void)
{
    errno = ENOSYS;
    return -1;
}

void eri_process_become(const char *program, char **words)
{
    char self[ER_FILE_NAME_MAX];
    int process;
    if (program == NULL && eri_platform_program(self)) program = self;
    const eri_spawn_def def = eri_default_spawn_def(program, (const char *const *)words);
    eri_process_end end;
    if (program == NULL || eri_process_spawn(&def, &process) != 0) return;
    eri_process_wait(process, &end);
    exit(end.status);
}

// ---- Ending

void eri_process_await(int process)
{
    const child *c = child_of(process);
    if (c != NULL) WaitForSingleObject(c->process, INFINITE);
}

static bool collect(int process, DWORD wait, eri_process_end *end)
{
    PROCESS_MEMORY_COUNTERS used = {.cb = sizeof used};
    child *c = child_of(process);
    DWORD status = 0;
    *end = (eri_process_end){0};
    if (c == NULL) return true;
    if (WaitForSingleObject(c->process, wait) != WAIT_OBJECT_0) return false;
    GetExitCodeProcess(c->process, &status);
    end->known = true;
    end->killed = c->killed;
    end->signal = c->killed ? SIGTERM : status >= 0xC0000000u ? SIGSEGV : 0;
    end->status = end->signal == 0 ? (int)status : 0;
    if (GetProcessMemoryInfo(c->process, &used, sizeof used)) end->peak = (double)used.PeakPagefileUsage;
    if (c->job != NULL) CloseHandle(c->job);
    CloseHandle(c->process);
    *c = (child){0};
    return true;
}

bool eri_process_wait(int process, eri_process_end *end)
{
    collect(process, INFINITE, end);
    return end->known;
}

bool eri_process_has_ended(int process, eri_process_end *end)
{
    return collect(process, 0, end);
}

void eri_process_kill(int process)
{
    child *c = child_of(process);
    if (c == NULL) return;
    c->killed = true;
    TerminateProcess(c->process, 1);
}

void eri_process_kill_group(int process)
{
    child *c = child_of(process);
    if (c != NULL && c->job != NULL) TerminateJobObject(c->job, 1);
    eri_process_kill(process);
}

bool eri_process_exists(int process)
{
    DWORD status = 0;
    HANDLE handle = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)process);
    bool exists = handle != NULL ? GetExitCodeProcess(handle, &status) && status == STILL_ACTIVE
                                 : GetLastError() == ERROR_ACCESS_DENIED;
    if (handle != NULL) CloseHandle(handle);
    return exists;
}

// ---- Families. Jobs end with their process, so there is nothing to adopt.

void eri_process_make_group(int process)
{
    (void)process;
}

int eri_process_children(int *child_number, int most)
{
    int count = 0;
    for (int i = 0; i < MOST_CHILDREN && count < most; ++i)
        if (children[i].number != 0) child_number[count++] = children[i].number;
    return count;
}

void eri_platform_adopt(bool adopt)
{
    (void)adopt;
}

void eri_platform_end_with_parent(void)
{
}

int eri_platform_process(void)
{
    return (int)GetCurrentProcessId();
}

uint64_t eri_platform_system_number(void)
{
    return 0;
}

// ---- Streams and environment

void eri_platform_fill_streams(void)
{
    for (int file = ERI_INPUT; file <= ERI_ERRORS; ++file)
        if (_get_osfhandle(file) < 0) _open("NUL", file == ERI_INPUT ? _O_WRONLY : _O_RDONLY);
    _setmode(ERI_INPUT, _O_BINARY);
    _setmode(ERI_OUTPUT, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

void eri_platform_close_streams(void)
{
    int null = _open("NUL", _O_RDWR | _O_NOINHERIT);
    for (int file = ERI_INPUT; null >= 0 && file <= ERI_ERRORS; ++file)
        _dup2(null, file);
}

FILE *eri_platform_take_output(void)
{
    int file = _dup(ERI_OUTPUT);
    FILE *output = file >= 0 ? _fdopen(file, "wb") : NULL;
    int null = _open("NUL", _O_WRONLY | _O_NOINHERIT);
    bool done = output != NULL && null >= 0 && _dup2(null, ERI_OUTPUT) >= 0 && _dup2(null, ERI_ERRORS) >= 0;
    if (null > ERI_ERRORS) _close(null);
    return done ? output : NULL;
}

const char *eri_platform_trusted_variable(const char *name)
{
    return getenv(name);
}

void eri_platform_set_variable(const char *name, const char *value, bool replace)
{
    if (replace || getenv(name) == NULL) _putenv_s(name, value);
}

// ---- Requests to end: the console's events, in a thread of their own

static void (*note_end)(int signal);

static BOOL WINAPI on_event(DWORD event)
{
    void (*note)(int) = note_end;
    if (note == NULL) return FALSE;
    note(event == CTRL_C_EVENT ? SIGINT : SIGTERM);
    return TRUE;
}

void eri_platform_catch_ends(void (*note)(int signal))
{
    note_end = note;
    SetConsoleCtrlHandler(on_event, TRUE);
}

void eri_platform_release_ends(void)
{
    SetConsoleCtrlHandler(on_event, FALSE);
    note_end = NULL;
}

void eri_platform_obey_ends(void)
{
    eri_platform_release_ends();
}

void eri_platform_hold_ends(void)
{
}

static void (*later)(int signal);
static HANDLE timer;

static void CALLBACK on_time(void *unused, BOOLEAN fired)
{
    (void)unused;
    (void)fired;
    if (later != NULL) later(SIGTERM);
}

void eri_platform_end_later(unsigned seconds, void (*end)(int signal))
{
    if (timer != NULL) DeleteTimerQueueTimer(NULL, timer, NULL);
    timer = NULL;
    later = end;
    if (seconds > 0) CreateTimerQueueTimer(&timer, NULL, on_time, NULL, 1000 * seconds, 0, WT_EXECUTEONLYONCE);
}

void eri_platform_ignore_file_limit(void)
{
}

// Memory, limits and libraries on Windows.
#include "base/platform_windows.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <windows.h>

#include <psapi.h>

#include "base/platform.h"

// ---- Memory and limits

void eri_platform_limit(eri_limit limit, double most)
{
    HANDLE job = CreateJobObjectW(NULL, NULL); // jobs nest, and a limit lasts as long as the process
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    if (job == NULL || limit == ERI_LIMIT_CORE) return;
    if (limit == ERI_LIMIT_MEMORY) {
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
        limits.ProcessMemoryLimit = (SIZE_T)fmin(most, 9e18);
    } else {
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_TIME;
        limits.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart = (LONGLONG)fmin(1e7 * most, 9e18);
    }
    if (SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
        AssignProcessToJobObject(job, GetCurrentProcess());
}

double eri_platform_memory_limit(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    bool known = QueryInformationJobObject(NULL, JobObjectExtendedLimitInformation, &limits, sizeof limits, NULL);
    bool limited = known && (limits.BasicLimitInformation.LimitFlags & JOB_OBJECT_LIMIT_PROCESS_MEMORY) != 0;
    return limited ? (double)limits.ProcessMemoryLimit : HUGE_VAL;
}

double eri_platform_memory_mapped(void)
{
    PROCESS_MEMORY_COUNTERS used = {.cb = sizeof used};
    return GetProcessMemoryInfo(GetCurrentProcess(), &used, sizeof used) ? (double)used.PagefileUsage : 0.0;
}

double eri_platform_memory_physical(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? (double)memory.ullTotalPhys : 0.0;
}

double eri_platform_heap_used(void)
{
    return 0.0;
}

bool eri_platform_can_map(size_t bytes)
{
    void *trial = VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_READWRITE);
    return trial != NULL && VirtualFree(trial, 0, MEM_RELEASE);
}

int eri_platform_cores(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwNumberOfProcessors > 0 ? (int)system.dwNumberOfProcessors : 1;
}

// ---- Libraries loaded at run time

void *eri_library_load(const char *name, bool now)
{
    (void)now;
    wchar_t *wide = eri_windows_path(name);
    HMODULE library = wide != NULL ? LoadLibraryW(wide) : NULL;
    free(wide);
    return (void *)library;
}

void *eri_library_symbol(void *library, const char *name)
{
    return (void *)(uintptr_t)GetProcAddress((HMODULE)library, name);
}

void eri_library_unload(void *library)
{
    FreeLibrary((HMODULE)library);
}

const char *eri_library_error(void)
{
    static _Thread_local char text[64];
    snprintf(text, sizeof text, "Windows error %lu", GetLastError());
    return text;
}

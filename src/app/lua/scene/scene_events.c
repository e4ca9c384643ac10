// Files of key and mouse events, one a line: STEP NAME KEY CODE MODIFIERS, or STEP NAME BUTTON X Y CLICKS DELTA
// MODIFIERS and, optionally, the three numbers of scene_event.way.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/grow.h"
#include "app/lua/scene/scene_player.h"
#include "base/failure.h"
#include "base/platform.h"
#include "base/text.h"

typedef struct timed {
    long step;
    scene_event event;
} timed;

struct scene_events {
    er_context *context;
    timed *item; // by step
    int count, room;
};

er_result scene_events_create(er_context *context, scene_events **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) return eri_no_memory_for(context, "events");
    (*out)->context = context;
    return ER_OK;
}

void scene_events_destroy(scene_events *events)
{
    if (events == NULL) return;
    free(events->item);
    free(events);
}

er_result scene_events_add(scene_events *events, long step, const scene_event *event)
{
    if (!engine_grow(&events->item, &events->room, events->count, sizeof *events->item))
        return eri_no_memory_for(events->context, "events");
    events->item[events->count++] = (timed){step, *event};
    return ER_OK;
}

void scene_events_post(const scene_events *events, long step, scene_player *p)
{
    int low = 0, high = events->count; // the first of that step is at `low`
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (events->item[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < events->count && events->item[low].step == step; ++low)
        scene_player_post(p, &events->item[low].event);
}

int scene_events_count(const scene_events *events)
{
    return events->count;
}

// ---- Files

static const char *const known[] = {"key_down",   "key_up",      "key_press",  "mouse_down", "mouse_up",
                                    "mouse_drag", "mouse_click", "mouse_move", "mouse_wheel"};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strcmp(known[i], name) == 0) return true;
    return false;
}

// Whether a line is an event.
static bool read_line(const char *line, long *step, scene_event *e)
{
    int used = 0;
    *e = (scene_event){0};
    if (sscanf(line, "%ld %15s%n", step, e->name, &used) != 2 || *step < 0 || !is_known(e->name)) return false;
    char rest[2];
    if (strncmp(e->name, "key", 3) == 0)
        return sscanf(line + used, "%31s %d %d %1s", e->key, &e->code, &e->modifiers, rest) == 3;
    int numbers = sscanf(line + used, "%7s %lf %lf %d %lf %d %lf %lf %lf %1s", e->button, &e->x, &e->y, &e->clicks,
                         &e->delta, &e->modifiers, &e->way.x, &e->way.y, &e->way.z, rest);
    return numbers == 6 || numbers == 9;
}

er_result scene_events_read(er_context *context, const char *path, scene_events **out)
{
    *out = NULL;
    char line[512];
    long step, last = 0;
    scene_event e;
    scene_events *events = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return er_fail(context, ER_ERROR_FILE, "%s: cannot be read: %s; check the path", path, strerror(errno));
    er_result r = scene_events_create(context, &events);
    for (int number = 1; r == ER_OK && fgets(line, sizeof line, file) != NULL; ++number) {
        const char *text = line + (number == 1 ? eri_utf8_mark(line, strlen(line)) : 0);
        if (text[strspn(text, " \t\r\n")] == '\0' || text[0] == '#') continue;
        if (!read_line(text, &step, &e) || step < last)
            r = er_fail(context, ER_ERROR_FORMAT,
                        "%s:%d: not an event; expected STEP key_down KEY CODE MODIFIERS, or STEP mouse_down BUTTON X Y "
                        "CLICKS DELTA MODIFIERS WAY, in the order of steps",
                        path, number);
        else
            r = scene_events_add(events, last = step, &e);
    }
    fclose(file);
    if (r == ER_OK)
        *out = events;
    else
        scene_events_destroy(events);
    return r;
}

static void write_event(FILE *file, const timed *t)
{
    const scene_event *e = &t->event;
    fprintf(file, "%ld %s ", t->step, e->name);
    if (strncmp(e->name, "key", 3) == 0)
        fprintf(file, "%s %d %d\n", *e->key != '\0' ? e->key : "none", e->code, e->modifiers);
    else
        fprintf(file, "%s %.17g %.17g %d %.17g %d %.17g %.17g %.17g\n", e->button, e->x, e->y, e->clicks, e->delta,
                e->modifiers, e->way.x, e->way.y, e->way.z);
}

static er_result append(er_context *context, const char *path, const char *text, size_t size)
{
    int file = eri_platform_open(path, ERI_OPEN_WRITE | ERI_OPEN_APPEND);
    int error = file >= 0 ? eri_platform_write_all(file, text, size) : errno;
    if (file >= 0) eri_platform_close(file);
    return error == 0
               ? ER_OK
               : er_fail(context, ER_ERROR_FILE, "%s: cannot be written: %s", path, eri_platform_error_text(error));
}

er_result scene_events_write(er_context *context, const scene_events *events, int from, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = eri_platform_text_stream(&text, &size);
    if (file == NULL) return eri_no_memory_for(context, "events");
    if (from == 0)
        fputs("# STEP key_down KEY CODE MODIFIERS, or STEP mouse_down BUTTON X Y CLICKS DELTA MODIFIERS WAY\n", file);
    for (int i = from; i < events->count; ++i)
        write_event(file, &events->item[i]);
    er_result r = eri_platform_text_end(file, &text, &size) != 0 ? eri_no_memory_for(context, "events")
                  : from > 0                                     ? append(context, path, text, size)
                                                                 : er_file_write(context, path, text, size);
    free(text);
    return r;
}

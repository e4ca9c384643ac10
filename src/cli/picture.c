// Options of pictures, sheets and films.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"

static bool parse_view(render_def *d, const char *text)
{
    char yaw[32];
    for (render_view view = RENDER_VIEW_THREE_QUARTER; view < RENDER_VIEW_GIVEN; ++view)
        if (strcmp(text, render_view_name(view)) == 0) {
            d->view = view;
            return true;
        }
    const char *comma = strchr(text, ',');
    if (comma == NULL || (size_t)(comma - text) >= sizeof yaw) return false;
    snprintf(yaw, sizeof yaw, "%.*s", (int)(comma - text), text);
    bool sound = number(yaw, &d->yaw) && number(comma + 1, &d->pitch) && fabs(d->pitch) <= 90.0;
    d->view = RENDER_VIEW_GIVEN;
    d->yaw *= ER_PI / 180.0;
    d->pitch *= ER_PI / 180.0;
    return sound;
}

bool set_picture_option(options *o, int which, const char *value)
{
    static const char *const shows[] = {"mesh", "joints", "both"},
                             *const surfaces[] = {"shaded", "wireframe", "points"}, *const themes[] = {"light", "dark"};
    render_def *d = &o->picture;
    int choice;
    switch (which) {
    case OPT_MODE:
        return o->mode_given = whole(value, 0, &d->mode);
    case OPT_PHASE:
        o->phase_given = true;
        if (!number(value, &d->phase) || fabs(d->phase) > 1e6) return false;
        d->phase *= ER_PI / 180.0;
        return true;
    case OPT_TIME:
        o->time_given = true;
        return number(value, &d->time) && fabs(d->time) <= 1e5;
    case OPT_SHEET:
        d->what = RENDER_SHEET;
        return true;
    case OPT_PICTURE_SIZE:
        return parse_sides(value, 16, 8192, &d->width, &d->height);
    case OPT_GHOSTS:
        return d->ghosts = true;
    case OPT_VIEW:
        return parse_view(d, value);
    case OPT_SHOW:
        choice = one_of(value, shows, 3);
        d->mesh = choice != 1;
        d->skeleton = choice != 0;
        return choice >= 0;
    case OPT_SURFACE:
        choice = one_of(value, surfaces, 3);
        d->surface = (draw_surface)(choice >= 0 ? choice : 0); // in the order of the names
        return choice >= 0;
    case OPT_THEME:
        choice = one_of(value, themes, 2);
        d->dark = choice == 1;
        return choice >= 0;
    default:
        return d->transparent = true;
    }
}

// Reads values of options of pictures, sheets and films.
#include <math.h>
#include <string.h>

#include "tools/eigenrig/options.h"

bool read_picture_size(const given_option *s)
{
    return read_sides(s->text, 16, 8192, &s->o->picture.width, &s->o->picture.height);
}

bool read_view(const given_option *s)
{
    render_def *d = &s->o->picture;
    double angle[2]; // degrees
    for (render_view view = RENDER_VIEW_THREE_QUARTER; view < RENDER_VIEW_GIVEN; ++view)
        if (strcmp(s->text, render_view_name(view)) == 0) {
            d->view = view;
            return true;
        }
    if (!read_pair(s->text, ',', angle) || fabs(angle[1]) > 90.0) return false;
    d->view = RENDER_VIEW_GIVEN;
    d->yaw = angle[0] * (ER_PI / 180.0);
    d->pitch = angle[1] * (ER_PI / 180.0);
    return true;
}

bool read_show(const given_option *s)
{
    static const char *const shows[] = {"mesh", "joints", "both", NULL};
    int choice = setting_choice(s->text, shows);
    s->o->picture.mesh = choice != 1;
    s->o->picture.skeleton = choice != 0;
    return choice >= 0;
}

bool read_theme(const given_option *s)
{
    static const char *const themes[] = {"light", "dark", NULL};
    int choice = setting_choice(s->text, themes);
    s->o->picture.dark = choice == 1;
    return choice >= 0;
}

// Parameters of simulated walks, in words.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/walk.h"
#include "app/settings/setting.h"

const project_walk_number project_walk_numbers[PROJECT_WALK_NUMBERS] = {
    {"speed", 0.2, 2.0, 1.0},      {"tempo", 0.5, 2.0, 1.0}, {"duty", 0.25, 0.9, 0.5}, {"lowering", 0.0, 0.3, 0.07},
    {"clearance", 0.0, 0.4, 0.12}, {"width", 0.5, 3.0, 1.0}, {"sway", 0.0, 1.0, 0.7},  {"even", 0.0, 1.0, 0.0}};

static int find_number(const char *name, size_t length)
{
    for (int i = 0; i < PROJECT_WALK_NUMBERS; ++i)
        if (strlen(project_walk_numbers[i].name) == length && strncmp(project_walk_numbers[i].name, name, length) == 0)
            return i;
    return -1;
}

er_result project_walk_read_style(er_context *context, const char *text, project_walk_style *style)
{
    double number[PROJECT_WALK_NUMBERS];
    memcpy(number, style, sizeof number);
    for (const char *at = text;; ++at) {
        const size_t length = strcspn(at, "=,");
        int which = find_number(at, length);
        if (which < 0)
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "\"%.*s\" is no number of a walk; there are speed, tempo, duty, lowering, clearance, width, "
                           "sway and even",
                           (int)length, at);
        const project_walk_number *of = &project_walk_numbers[which];
        size_t digits = at[length] == '=' ? strcspn(at + length + 1, ",") : 0;
        char digit[32] = "";
        if (digits < sizeof digit) memcpy(digit, at + length + (at[length] == '='), digits);
        bool fine = setting_number(digit, &number[which]);
        if (!fine || !(number[which] >= of->least && number[which] <= of->most))
            return er_fail(context, ER_ERROR_ARGUMENT, "%s must be a number from %g to %g, as in %s=%g", of->name,
                           of->least, of->most, of->name, of->usual);
        at += length + 1 + digits;
        if (*at == '\0') break;
    }
    memcpy(style, number, sizeof number);
    return ER_OK;
}

void project_walk_write_style(const project_walk_style *style, char *text, size_t size)
{
    double number[PROJECT_WALK_NUMBERS];
    memcpy(number, style, sizeof number);
    *text = '\0';
    for (int i = 0; i < PROJECT_WALK_NUMBERS; ++i) {
        size_t at = strlen(text);
        if (number[i] != project_walk_numbers[i].usual)
            snprintf(text + at, size - at, "%s%s=%.4g", at > 0 ? "," : "", project_walk_numbers[i].name, number[i]);
    }
}

// Text about modes, and text cut to the room it has.
#include "viewer/render/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/project/moving_joints.h"
#include "base/letters.h"

// Names may hold control characters, which would break the line.
static void copy_line(const char *text, char line[LABEL_SIZE])
{
    snprintf(line, LABEL_SIZE, "%s", text);
    for (char *c = line; *c != '\0'; ++c)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = ' ';
}

void label_draw(canvas *e, double x, double y, double size, double align, double room, const float rgba[4],
                const char *text)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    char line[LABEL_SIZE + sizeof ellipsis];
    copy_line(text, line);
    double width = gui_text_width(e->overlay, size, line);
    for (size_t length = strlen(line); width > room && length > 0; width = gui_text_width(e->overlay, size, line)) {
        do
            --length;
        while (length > 0 && ((unsigned char)line[length] & 0xc0) == 0x80); // not within a character of several bytes
        while (length > 0 && strchr(" ,", line[length - 1]) != NULL)
            --length;
        memcpy(line + length, ellipsis, sizeof ellipsis);
    }
    gui_draw_text(e->overlay, x - align * width, y, size, rgba, line);
}

// Whether a file has one of the names that archives give to every model.
static bool is_common(const char *name, size_t stem)
{
    static const char *const common[] = {"scene", "model", "untitled", "source"};
    for (size_t i = 0; i < sizeof common / sizeof common[0]; ++i)
        if (strlen(common[i]) == stem && eri_same_start(name, common[i], stem)) return true;
    return false;
}

// "dragon/scene.gltf" of "models/dragon/scene.gltf"; NULL if the name is no common one.
static const char *name_with_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path || !is_common(slash + 1, strcspn(slash + 1, "."))) return NULL;
    const char *folder = slash;
    while (folder > path && folder[-1] != '/')
        --folder;
    return *folder != '.' ? folder : NULL;
}

void label_title(canvas *e, double width, const render_def *def, const char *subtitle)
{
    const char *path = e->subject->target->scene->path, *whole = path != NULL ? name_with_folder(path) : NULL;
    const char *name = def->title != NULL ? def->title : whole != NULL ? whole : e->subject->model->name;
    enum { LARGE = 26, SMALL = 14, PAGE = 24 };
    double left = PAGE, room = 0.5 * (width - 2.0 * PAGE);
    label_draw(e, left, 18.0, LARGE, 0.0, room, e->colours.text, name);
    left += fmin(gui_text_width(e->overlay, LARGE, name), room) + 18.0;
    if (subtitle != NULL) label_draw(e, left, 29.0, SMALL, 0.0, width - PAGE - left, e->colours.dim, subtitle);
}

void label_hz(double hz, char text[32])
{
    bool usual = hz >= 1e-3 && hz < 1e4;
    snprintf(text, 32, !usual ? "%.2e Hz" : hz < 0.1 ? "%.4f Hz" : hz < 100.0 ? "%.2f Hz" : "%.0f Hz", hz);
}

void label_joints(const er_model *model, const er_mode *mode, double *travel, char text[LABEL_SIZE])
{
    int joint[6], count = project_moving_joints(model, mode, travel, 6, joint);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < LABEL_SIZE; ++i)
        used +=
            (size_t)snprintf(text + used, LABEL_SIZE - used, "%s%s", i > 0 ? ", " : "", model->joint[joint[i]].name);
}

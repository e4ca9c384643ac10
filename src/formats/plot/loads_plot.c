// Forces of a motion as a drawing: what joints have most of, feet, and what no contact gives.
#include <math.h>
#include <stdio.h>

#include "formats/curves/curve_names.h"
#include "formats/curves/loads.h"
#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

enum { TOP = 52, HEIGHT = 190, MOST = 6, PANELS = 5 }; // MOST: as many lines as there are colours

typedef struct loads_panel {
    int lines;
    eri_line line[MOST];
    const char *name;
    char besides[120];
} loads_panel;

typedef struct loads_sheet {
    eri_out out;
    const er_loads *loads;
    const char **joint, **body;
    int count;
    loads_panel panel[PANELS];
} loads_sheet;

// Adds a line; its values are to be filled.   NULL when there is no memory.
static double *add_line(loads_sheet *s, loads_panel *p, const char *name)
{
    double *value = ERI_NEW(s->out.text.arena, double, s->loads->frame_count);
    if (value != NULL && name != NULL)
        p->line[p->lines] = (eri_line){name, eri_line_colour(p->lines), value}, ++p->lines;
    return name != NULL ? value : NULL;
}

static loads_panel *add_panel(loads_sheet *s, const char *name)
{
    loads_panel *p = &s->panel[s->count++];
    p->name = name;
    return p;
}

// ---- Joints

typedef struct peak {
    int joint, axis, index;
    double most;
} peak;

// The coordinates of one kind with the largest peaks, descending; equal ones by index.
static int find_peaks(const er_loads *l, const double *data, bool shifts, peak out[MOST], int *all)
{
    const er_model *m = l->model;
    int count = 0;
    *all = 0;
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], freedom = er_joint_type_freedom(m->joint[k].type, axis);
        for (int c = 0; c < freedom; ++c) {
            if ((axis[c] >= 3) != shifts) continue;
            peak p = {k, axis[c], m->coordinate[k] + c, 0.0};
            for (int f = 0; f < l->frame_count; ++f)
                p.most = fmax(p.most, fabs(data[(size_t)f * (size_t)m->coordinate_count + (size_t)p.index]));
            int at = count < MOST ? count : MOST;
            ++*all;
            for (; at > 0 && out[at - 1].most < p.most; --at)
                if (at < MOST) out[at] = out[at - 1];
            if (at < MOST) out[at] = p;
            if (count < MOST) ++count;
        }
    }
    return count;
}

static er_result add_joints(loads_sheet *s, const char *name, const double *data, bool shifts, const char *unit)
{
    const er_loads *l = s->loads;
    peak top[MOST];
    int all, count = find_peaks(l, data, shifts, top, &all);
    if (count == 0) return ER_OK;
    loads_panel *p = add_panel(s, name);
    snprintf(p->besides, sizeof p->besides, all > count ? "%s; the %d of %d coordinates with the largest peaks" : "%s",
             unit, count, all);
    for (int i = 0; i < count; ++i) {
        const char *words =
            eri_arena_printf(s->out.text.arena, "%s %s", s->joint[top[i].joint], eri_coordinate_name(top[i].axis));
        double *value = add_line(s, p, words);
        if (value == NULL) return ER_ERROR_MEMORY;
        for (int f = 0; f < l->frame_count; ++f)
            value[f] = data[(size_t)f * (size_t)l->model->coordinate_count + (size_t)top[i].index];
    }
    return ER_OK;
}

// ---- The ground

static er_result add_feet(loads_sheet *s)
{
    const er_loads *l = s->loads;
    if (l->foot_count == 0) return ER_OK;
    loads_panel *p = add_panel(s, "Ground, upwards");
    int count = l->foot_count < MOST ? l->foot_count : MOST;
    int used = count < l->foot_count
                   ? snprintf(p->besides, sizeof p->besides, "newtons on the first %d of %d feet", count, l->foot_count)
                   : snprintf(p->besides, sizeof p->besides, "newtons on each foot");
    if (l->weight > 0.0)
        snprintf(p->besides + used, sizeof p->besides - (size_t)used, "; the body weighs %.4g N", l->weight);
    for (int i = 0; i < count; ++i) {
        double *value = add_line(s, p, s->body[l->foot[i]]);
        if (value == NULL) return ER_ERROR_MEMORY;
        for (int f = 0; f < l->frame_count; ++f)
            value[f] = er_v3_dot(l->up, l->load[(size_t)f * (size_t)l->foot_count + (size_t)i].force);
    }
    return ER_OK;
}

static er_result add_residual(loads_sheet *s)
{
    const er_loads *l = s->loads;
    loads_panel *p = add_panel(s, "Residual");
    snprintf(p->besides, sizeof p->besides,
             "newtons that the ground cannot give; 0 if motion, masses and contacts agree");
    double *value = add_line(s, p, "force");
    if (value == NULL) return ER_ERROR_MEMORY;
    for (int f = 0; f < l->frame_count; ++f)
        value[f] = er_v3_norm(l->residual[f].force);
    return ER_OK;
}

static er_result arrange(loads_sheet *s)
{
    const er_loads *l = s->loads;
    er_result r = ER_OK;
    s->joint = eri_joint_names(s->out.text.arena, l->model);
    s->body = eri_body_names(s->out.text.arena, l->model);
    ERI_TRY(s->joint != NULL && s->body != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(add_joints(s, "Torques of joints", l->force, false, "newton metres"));
    ERI_TRY(add_joints(s, "Forces along shifts", l->force, true, "newtons"));
    ERI_TRY(add_joints(s, "Powers of joints", l->power, false, "watts"));
    ERI_TRY(add_feet(s));
    ERI_TRY(add_residual(s));
done:
    return r;
}

er_result er_loads_plot(er_context *context, const er_loads *loads, const char *title, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    loads_sheet s = {.loads = loads};
    ERI_TRY(eri_loads_check(context, loads, path, "er_loads_plot"));
    ERI_TRY(eri_out_begin(&s.out, context));
    ERI_TRY(arrange(&s));
    const int step = ERI_PANEL_HEADING + HEIGHT + ERI_PANEL_FOOT;
    eri_panels_begin(&s.out, TOP + s.count * step, title != NULL ? title : "");
    eri_svg_text(&s.out, ERI_PLOT_LEFT, 29.0, " font-size=\"16\" font-weight=\"bold\"", title != NULL ? title : "");
    for (int i = 0; i < s.count; ++i) {
        double top = TOP + i * step + ERI_PANEL_HEADING;
        const loads_panel *p = &s.panel[i];
        ERI_TRY(eri_panel_lines(&s.out, (eri_frame){top, top + HEIGHT}, loads->frame_count, loads->time, p->lines,
                                p->line, p->name, p->besides));
    }
    eri_out_text(&s.out, "</svg>\n");
    ERI_TRY(eri_out_write(&s.out, path));
done:
    eri_out_end(&s.out);
    return r;
}

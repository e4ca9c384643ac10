// Gaits that fall are walked again, with more care.
#include "app/project/walk.h"

// Factors on the usual speed, tempo and width; the least duty; how even footfalls are.
typedef struct manner {
    double speed, tempo, width, duty, even;
} manner;

static const manner manners[] = {{0.6, 1.0, 1.0, 0.5, 0.0},  // slow
                                 {0.6, 1.0, 1.4, 0.65, 0.0}, // slow and wide
                                 {1.0, 2.0, 1.0, 0.5, 1.0}}; // quick, even steps

double project_walk_score(const project_walk *walk, const project_walk_def *def)
{
    double way = fmin(walk->distance / walk->length / def->lengths, 1.0);
    bool fell = walk->fell != ER_WALKER_UPRIGHT || walk->late;
    if (fell) return fmin(way, 0.99);
    return 1.0 + (walk->pushes > 0 ? (double)walk->survived / walk->pushes : 1.0);
}

static project_walk_style style_of(const project_walk_style *usual, const manner *m)
{
    project_walk_style out = *usual;
    out.speed *= m->speed;
    out.tempo *= m->tempo;
    out.width *= m->width;
    out.duty = fmax(out.duty, m->duty);
    out.even = fmax(out.even, m->even);
    return out;
}

er_result project_walk_carefully(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                 const er_gaits *gaits, const er_gait *gait, const project_walk_def *def,
                                 project_walk *out)
{
    er_result r = project_walk_simulate(context, model, rig, modes, gaits, gait, def, out);
    double best = r == ER_OK ? project_walk_score(out, def) : 0.0;
    int count = gaits->body->foot_count > 0 ? (int)(sizeof manners / sizeof manners[0]) : 0;
    for (int i = 0; i < count && r == ER_OK && !out->stopped && best < PROJECT_WALK_PERFECT; ++i) {
        project_walk_def other = *def;
        project_walk walk;
        other.style = style_of(&def->style, &manners[i]);
        r = project_walk_simulate(context, model, rig, modes, gaits, gait, &other, &walk);
        if (r != ER_OK) break;
        double score = walk.stopped ? -1.0 : project_walk_score(&walk, def);
        project_walk worse = score > best ? *out : walk;
        if (score > best) *out = walk, best = score;
        project_walk_clear(&worse);
    }
    if (r != ER_OK) project_walk_clear(out);
    return r;
}

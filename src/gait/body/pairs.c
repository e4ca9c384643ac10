// Twins (left and right), independent of the pose: by names, or by the structure of the rig.
#include <string.h>

#include "gait/body/body.h"

// --- names

static const char *role_of(const eri_body_reader *b, int body)
{
    const char *role = b->rig != NULL ? b->rig->scene->node[b->rig->body_node[body]].role : NULL;
    return role != NULL ? role : "";
}

// A humanoid map replaces names. If it names the feet, no other bone counts as one.
static void take_names(eri_body_reader *b)
{
    const unsigned leg = ERI_PART_FOOT | ERI_PART_ANKLE | ERI_PART_LEG;
    for (int i = 0; i < b->model->body_count; ++i) {
        const char *role = role_of(b, i);
        b->named[i] = eri_gait_read_name(*role != '\0' ? role : b->model->body[i].name);
        b->mapped |= strcmp(role, "leftFoot") == 0;
        b->twin[i] = -1;
    }
    for (int i = 0; i < b->model->body_count && b->mapped; ++i)
        if (*role_of(b, i) == '\0') b->named[i].parts &= ~leg;
}

// The only body of the other side with the same name, or -1 if either is not unique.
static int find_named_twin(const eri_body_reader *b, int body, bool loose)
{
    int twin = -1, same = 0, found = 0;
    const eri_named *here = &b->named[body];
    for (int i = 0; i < b->model->body_count && here->side != 0; ++i) {
        const eri_named *there = &b->named[i];
        if (strcmp(loose ? here->loose : here->twin, loose ? there->loose : there->twin) != 0) continue;
        same += there->side == here->side;
        found += there->side == -here->side;
        if (there->side == -here->side) twin = i;
    }
    return same == 1 && found == 1 ? twin : -1;
}

static void pair_by_names(eri_body_reader *b)
{
    for (int loose = 0; loose < 2; ++loose)
        for (int i = 0; i < b->model->body_count; ++i) {
            if (b->twin[i] >= 0) continue;
            int twin = find_named_twin(b, i, loose != 0);
            if (twin < 0) continue; // nor has that one a twin: it would be another of this side
            b->twin[i] = twin;
            b->twin[twin] = i;
        }
}

// --- structure

// Properties of a limb that do not depend on the pose.
typedef struct paired_limb {
    int bodies;
    double mass, length; // of the limb; of all its bones
} paired_limb;

static void measure_limbs(const eri_body_reader *b, paired_limb *out)
{
    const er_model *m = b->model;
    for (int k = m->body_count - 1; k >= 0; --k) {
        int i = m->order[k], up = m->tree_parent[i];
        out[i].bodies += 1;
        out[i].mass += m->body[i].mass;
        if (up < 0) continue;
        out[up].bodies += out[i].bodies;
        out[up].mass += out[i].mass;
        out[up].length += out[i].length + er_v3_distance(eri_body_origin(b, i), eri_body_origin(b, up));
    }
}

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

// Whether two places lie on opposite sides of the middle.
static bool are_across(const eri_body_reader *b, int i, int k)
{
    er_vec3 d = er_v3_sub(eri_body_origin(b, i), eri_body_origin(b, k));
    return fabs(er_v3_dot(d, b->out->left)) > 0.7 * er_v3_norm(d);
}

// Whether two limbs, on both sides of one body or on twins, have the same structure.
static bool are_alike(const eri_body_reader *b, const paired_limb *of, int i, int k)
{
    const er_model *m = b->model;
    int up = m->tree_parent[i], other = m->tree_parent[k];
    if (i == k || up < 0 || other < 0 || b->twin[i] >= 0 || b->twin[k] >= 0) return false;
    bool same_side = b->named[i].side != 0 && b->named[i].side == b->named[k].side;
    if (same_side || (up == other ? !are_across(b, i, k) : b->twin[up] != other)) return false;
    double root = er_v3_distance(eri_body_origin(b, i), eri_body_origin(b, up)),
           other_root = er_v3_distance(eri_body_origin(b, k), eri_body_origin(b, other));
    double tolerance = up == other ? 0.1 : 0.5; // of limbs made by hand; what hangs on twins is most likely one
    return of[i].bodies == of[k].bodies && near(of[i].mass, of[k].mass, tolerance) &&
           near(of[i].length, of[k].length, tolerance) && near(root, other_root, tolerance);
}

static int find_alike(const eri_body_reader *b, const paired_limb *of, int body)
{
    int found = -1;
    for (int k = 0; k < b->model->body_count; ++k) {
        if (!are_alike(b, of, body, k)) continue;
        if (found >= 0) return -1;
        found = k;
    }
    return found;
}

// Parents come first, so limbs on twins are paired after the twins.
static void pair_by_build(eri_body_reader *b, const paired_limb *of)
{
    for (int k = 0; k < b->model->body_count; ++k) {
        int i = b->model->order[k], other = find_alike(b, of, i);
        if (other < 0 || find_alike(b, of, other) != i) continue;
        b->twin[i] = other;
        b->twin[other] = i;
    }
}

er_result eri_gait_read_names(eri_body_reader *b)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(b->named, b->scratch, eri_named, b->model->body_count);
    ERI_TRY_NEW(b->twin, b->scratch, int, b->model->body_count);
    take_names(b);
    pair_by_names(b);
done:
    return r;
}

er_result eri_gait_pair_limbs(eri_body_reader *b)
{
    er_result r = ER_OK;
    paired_limb *of;
    ERI_TRY_NEW(of, b->scratch, paired_limb, b->model->body_count);
    measure_limbs(b, of);
    pair_by_build(b, of);
done:
    return r;
}

// Twins (left and right), independent of the pose: by names, or by the structure of the rig.
#include <string.h>

#include "rig/mirror/mirror.h"

// --- names

static const char *role_of(const eri_mirror_search *s, int body)
{
    const char *role = s->rig != NULL ? s->rig->scene->node[s->rig->body_node[body]].role : NULL;
    return role != NULL ? role : "";
}

// A humanoid map replaces names. If it names the feet, no other bone counts as one.
static void take_names(eri_mirror_search *s)
{
    const unsigned leg = ERI_PART_FOOT | ERI_PART_ANKLE | ERI_PART_LEG;
    for (int i = 0; i < s->model->body_count; ++i) {
        const char *role = role_of(s, i);
        s->named[i] = eri_read_bone_name(*role != '\0' ? role : s->model->body[i].name);
        s->mapped |= strcmp(role, "leftFoot") == 0;
        s->twin[i] = -1;
    }
    for (int i = 0; i < s->model->body_count && s->mapped; ++i)
        if (*role_of(s, i) == '\0') s->named[i].parts &= ~leg;
}

// The only body of the other side with the same name, or -1 if either is not unique.
static int find_named_twin(const eri_mirror_search *s, int body, bool loose)
{
    int twin = -1, same = 0, found = 0;
    const eri_named *here = &s->named[body];
    for (int i = 0; i < s->model->body_count && here->side != 0; ++i) {
        const eri_named *there = &s->named[i];
        if (strcmp(loose ? here->loose : here->twin, loose ? there->loose : there->twin) != 0) continue;
        same += there->side == here->side;
        found += there->side == -here->side;
        if (there->side == -here->side) twin = i;
    }
    return same == 1 && found == 1 ? twin : -1;
}

static void pair_by_names(eri_mirror_search *s)
{
    for (int loose = 0; loose < 2; ++loose)
        for (int i = 0; i < s->model->body_count; ++i) {
            if (s->twin[i] >= 0) continue;
            int twin = find_named_twin(s, i, loose != 0);
            if (twin < 0) continue; // nor has that one a twin: it would be another of this side
            s->twin[i] = twin;
            s->twin[twin] = i;
        }
}

// --- structure

// Properties of a limb that do not depend on the pose.
typedef struct paired_limb {
    int bodies;
    double mass, length; // of the limb; of all its bones
} paired_limb;

static void measure_limbs(const eri_mirror_search *s, paired_limb *out)
{
    const er_model *m = s->model;
    for (int k = m->body_count - 1; k >= 0; --k) {
        int i = m->order[k], up = m->tree_parent[i];
        out[i].bodies += 1;
        out[i].mass += m->body[i].mass;
        if (up < 0) continue;
        out[up].bodies += out[i].bodies;
        out[up].mass += out[i].mass;
        out[up].length += out[i].length + er_v3_distance(eri_mirror_origin(s, i), eri_mirror_origin(s, up));
    }
}

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

// Whether two places lie on opposite sides of the middle.
static bool are_across(const eri_mirror_search *s, int i, int k)
{
    er_vec3 d = er_v3_sub(eri_mirror_origin(s, i), eri_mirror_origin(s, k));
    return fabs(er_v3_dot(d, s->left)) > 0.7 * er_v3_norm(d);
}

// Whether two limbs, on both sides of one body or on twins, have the same structure.
static bool are_alike(const eri_mirror_search *s, const paired_limb *of, int i, int k)
{
    const er_model *m = s->model;
    int up = m->tree_parent[i], other = m->tree_parent[k];
    if (i == k || up < 0 || other < 0 || s->twin[i] >= 0 || s->twin[k] >= 0) return false;
    bool same_side = s->named[i].side != 0 && s->named[i].side == s->named[k].side;
    if (same_side || (up == other ? !are_across(s, i, k) : s->twin[up] != other)) return false;
    double root = er_v3_distance(eri_mirror_origin(s, i), eri_mirror_origin(s, up)),
           other_root = er_v3_distance(eri_mirror_origin(s, k), eri_mirror_origin(s, other));
    double tolerance = up == other ? 0.1 : 0.5; // of limbs made by hand; what hangs on twins is most likely one
    return of[i].bodies == of[k].bodies && near(of[i].mass, of[k].mass, tolerance) &&
           near(of[i].length, of[k].length, tolerance) && near(root, other_root, tolerance);
}

static int find_alike(const eri_mirror_search *s, const paired_limb *of, int body)
{
    int found = -1;
    for (int k = 0; k < s->model->body_count; ++k) {
        if (!are_alike(s, of, body, k)) continue;
        if (found >= 0) return -1;
        found = k;
    }
    return found;
}

// Parents come first, so limbs on twins are paired after the twins.
static void pair_by_build(eri_mirror_search *s, const paired_limb *of)
{
    for (int k = 0; k < s->model->body_count; ++k) {
        int i = s->model->order[k], other = find_alike(s, of, i);
        if (other < 0 || find_alike(s, of, other) != i) continue;
        s->twin[i] = other;
        s->twin[other] = i;
    }
}

er_result eri_mirror_read_names(eri_mirror_search *s)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(s->named, s->arena, eri_named, s->model->body_count);
    ERI_TRY_NEW(s->twin, s->arena, int, s->model->body_count);
    take_names(s);
    pair_by_names(s);
done:
    return r;
}

er_result eri_mirror_pair_limbs(eri_mirror_search *s)
{
    er_result r = ER_OK;
    paired_limb *of;
    ERI_TRY_NEW(of, s->arena, paired_limb, s->model->body_count);
    measure_limbs(s, of);
    pair_by_build(s, of);
done:
    return r;
}

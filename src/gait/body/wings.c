// Wings: paired limbs on a body in the middle, with a body named so, or with fingers like those of a bat.
#include "gait/body/body.h"

static const double long_finger = 0.5; // of the arm: a bat's are longer than its arm, a person's a sixth of it
enum { FEWEST_FINGERS = 3 };

// The first body of a body's limb: it has a twin, and its parent is in the middle.
static int limb_of(const eri_body_reader *b, int body)
{
    const int *mirror = b->out->mirror;
    for (int up; mirror[body] >= 0 && mirror[body] != body; body = up) {
        up = b->model->tree_parent[body];
        if (up < 0) return -1;
        if (mirror[up] == up) return body;
    }
    return -1;
}

static int wing_at(const er_gait_wing *wing, int count, int body)
{
    for (int i = 0; i < count; ++i)
        if (wing[i].body == body) return i;
    return -1;
}

static er_vec3 hinge_of(const eri_body_reader *b, int body)
{
    return b->model->joint[b->model->tree_joint[body]].frame.p;
}

static er_gait_wing read_wing(const eri_body_reader *b, int first)
{
    er_gait_wing out = {.body = first, .trunk = b->model->tree_parent[first], .tip = first};
    er_vec3 hinge = hinge_of(b, first);
    for (int i = 0; i < b->cloud.count; ++i) {
        int of = b->cloud.body[i];
        double far = er_v3_distance(b->cloud.point[i], hinge);
        if (far <= out.span || limb_of(b, of) != first) continue;
        out.span = far;
        out.tip = of;
        out.end = er_pose_point_inverse(b->model->body[of].pose, b->cloud.point[i]);
    }
    out.side = er_v3_dot(hinge, b->out->left) > b->offset ? 1 : -1;
    return out;
}

static bool has_foot(const eri_body_reader *b, int first)
{
    for (int i = 0; i < b->out->foot_count; ++i)
        if (limb_of(b, b->out->foot[i].body) == first) return true;
    return false;
}

// How far each body of a limb and all below it reach from its joint.   @param reach  [body_count], 0
static void measure_reach(const eri_body_reader *b, double *reach)
{
    const int *mirror = b->out->mirror;
    for (int i = 0; i < b->cloud.count; ++i)
        for (int of = b->cloud.body[i]; of >= 0 && mirror[of] >= 0 && mirror[of] != of; of = b->model->tree_parent[of])
            if (b->model->tree_joint[of] >= 0)
                reach[of] = fmax(reach[of], er_v3_distance(b->cloud.point[i], hinge_of(b, of)));
}

// The limb that ends in a fan: three fingers or more, each at least half as long as the arm that bears them.
static int limb_of_fan(const eri_body_reader *b, int hand, const double *reach)
{
    int first = limb_of(b, hand), fingers = 0;
    if (first < 0 || first == hand || has_foot(b, first)) return -1;
    for (int i = 0; i < b->model->body_count && fingers < FEWEST_FINGERS; ++i)
        fingers += b->model->tree_parent[i] == hand &&
                   reach[i] >= long_finger * er_v3_distance(hinge_of(b, i), hinge_of(b, first));
    return fingers >= FEWEST_FINGERS ? first : -1;
}

er_result eri_gait_read_wings(eri_body_reader *b)
{
    er_result r = ER_OK;
    const double least = 0.15; // of the size: what is shorter carries nothing
    er_gait_wing *wing;
    double *reach;
    int count = 0;
    ERI_TRY_NEW(wing, b->arena, er_gait_wing, b->model->body_count);
    ERI_TRY_NEW(reach, b->scratch, double, b->model->body_count);
    measure_reach(b, reach);
    for (int i = 0; i < b->model->body_count; ++i) {
        int first = (b->named[i].parts & ERI_PART_WING) != 0 ? limb_of(b, i) : limb_of_fan(b, i, reach);
        if (first < 0 || wing_at(wing, count, first) >= 0 || b->out->mirror[b->out->mirror[first]] != first) continue;
        er_gait_wing pair[2] = {read_wing(b, first), read_wing(b, b->out->mirror[first])};
        if (fmin(pair[0].span, pair[1].span) < least * b->model->size || pair[0].side == pair[1].side) continue;
        for (int k = 0; k < 2; ++k) { // left first
            int at = count + (pair[k].side < 0);
            pair[k].mirror = at ^ 1;
            wing[at] = pair[k];
        }
        count += 2;
    }
    b->out->wing = wing;
    b->out->wing_count = count;
done:
    return r;
}

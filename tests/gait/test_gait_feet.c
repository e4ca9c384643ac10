// Feet at their bounds: bodies a metre high, on either side of each part of the height, or of the size, by which feet,
// soles and sides are told.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "gait/body/body.h"
#include "walkers.h"

static er_gait_body *read_and_lose(walker_maker *m, const char *feet, er_model **model)
{
    er_gait_def def = er_default_gait_def();
    def.feet = feet;
    def.forward = er_v3(0, 0, 1);
    *model = walker_finish(m);
    er_gait_body *body = read_body(*model, &def);
    return body;
}

static int count_feet(walker_maker *m)
{
    er_model *model;
    er_gait_body *body = read_and_lose(m, NULL, &model);
    int count = body->foot_count;
    return count;
}

// Where a word is in the name of the first foot's body.
static bool foot_is(walker_maker *m, const char *word)
{
    er_model *model;
    er_gait_body *body = read_and_lose(m, NULL, &model);
    assert_int_equal(body->foot_count, 2);
    bool is = strstr(model->body[body->foot[0].body].name, word) != NULL;
    return is;
}

static walker_maker *begin(double low, double heavy)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    walker_box(&m, "trunk", -1, er_v3(0, 0.6, 0), er_v3(-0.2, low, -0.4), er_v3(0.2, 1.0, 0.4), heavy);
    return &m;
}

// A box of each side, from `top` down to `low`, hung at its top.
static void add_pair(walker_maker *m, const char *name, int parent[2], double z, double top, double low, double front)
{
    for (int k = 0; k < 2; ++k) {
        char own[32];
        double x = k == 0 ? 0.15 : -0.15;
        snprintf(own, sizeof own, name, k == 0 ? 'L' : 'R');
        parent[k] = walker_box(m, own, parent[k], er_v3(x, top, z), er_v3(x - 0.03, low, z - 0.03),
                               er_v3(x + 0.03, fmax(top, low + 0.01), z + front), 1.0);
    }
}

// ---- which bodies

// Nobody calls them so: what comes down to a twentieth of the height above the ground stands.
static int low_bodies_stand(double low)
{
    walker_maker *m = begin(0.6, 1.0);
    add_pair(m, "a%c.", (int[2]){0, 0}, 0.3, 0.6, 0.0, 0.03);
    add_pair(m, "b%c.", (int[2]){0, 0}, -0.3, 0.6, low, 0.03);
    return count_feet(m);
}

// A foot below what is low all the way begins where that has its joint above a fifth of the height.
static int feet_begin_below_high_joints(double top)
{
    walker_maker *m = begin(0.6, 1.0);
    int up[2] = {0, 0};
    add_pair(m, "a%c.", up, 0.0, 0.6, top, 0.03);
    add_pair(m, "b%c.", up, 0.0, top, 0.01, 0.03);
    add_pair(m, "c%c.", up, 0.0, 0.05, 0.0, 0.1);
    return foot_is(m, "c");
}

// If more than six tenths of a body lie low, only parts that are called feet are feet.
static int what_lies_flat_has_no_feet(double share)
{
    walker_maker *m = begin(0.6, 1.0);
    for (int k = 0; k < 2; ++k)
        add_pair(m, k == 0 ? "a%c." : "b%c.", (int[2]){0, 0}, k == 0 ? 0.3 : -0.3, 0.6, 0.0, 0.03);
    double legs = 0.0;
    for (int i = 1; i <= 4; ++i)
        legs += m->body[i].mass;
    double heavy = legs * (1.0 - share) / share / m->body[0].mass;
    m->body[0].mass *= heavy;
    for (int i = 0; i < 3; ++i)
        m->body[0].inertia.m[i][i] *= heavy;
    return count_feet(m);
}

// The foot of a leg is its highest part whose joint is within a fifth of the height.
static int the_foot_of_a_leg_is_low(double top)
{
    walker_maker *m = begin(0.6, 1.0);
    int up[2] = {0, 0};
    add_pair(m, "leg_1_%c", up, 0.0, 0.6, top, 0.03);
    add_pair(m, "leg_2_%c", up, 0.0, top, 0.1, 0.03);
    add_pair(m, "leg_3_%c", up, 0.0, 0.1, 0.0, 0.1);
    return foot_is(m, "leg_2");
}

// Nor is it the leg's greater part.
static int the_foot_of_a_leg_is_its_lesser_part(double top)
{
    walker_maker *m = begin(0.25, 1.0);
    int up[2] = {0, 0};
    add_pair(m, "leg_1_%c", up, 0.0, top, 0.19, 0.03);
    add_pair(m, "leg_2_%c", up, 0.0, 0.19, 0.05, 0.03);
    add_pair(m, "leg_3_%c", up, 0.0, 0.05, 0.0, 0.1);
    return foot_is(m, "leg_2");
}

// A pair that hangs a fifth of the height above the other stands on nothing.
static int pairs_that_hang_are_no_feet(double low)
{
    walker_maker *m = begin(0.6, 1.0);
    add_pair(m, "fore_foot_%c", (int[2]){0, 0}, 0.3, 0.6, low, 0.03);
    add_pair(m, "hind_foot_%c", (int[2]){0, 0}, -0.3, 0.6, 0.0, 0.03);
    return count_feet(m);
}

// Beside feet that are called so what stands counts where it is ahead of them, not above: at forty-five degrees from
// the middle between these.
static int hands_stand_ahead_of_feet(double rise)
{
    walker_maker *m = begin(0.4, 1.0);
    add_pair(m, "hand_%c", (int[2]){0, 0}, 0.1, 0.4 + rise, 0.0, 0.03);
    add_pair(m, "foot_%c", (int[2]){0, 0}, -0.2, 0.4, 0.0, 0.03);
    return count_feet(m);
}

// A leg that ends in a finger, a wing or a fin is none; nor are these feet, though they stand.
static void legs_that_end_in_something_else_are_none(void **state)
{
    static const char *const ends[] = {"finger_%c", "wing_%c", "fin_%c", "part_%c", "claw_%c"};
    for (int i = 0; i < 5; ++i) {
        walker_maker *m = begin(0.6, 1.0);
        int up[2] = {0, 0};
        add_pair(m, "leg_%c", up, 0.3, 0.6, 0.3, 0.03);
        add_pair(m, ends[i], up, 0.3, 0.3, 0.0, 0.03);
        add_pair(m, "foot_%c", (int[2]){0, 0}, -0.3, 0.6, 0.0, 0.03);
        assert_int_equal(count_feet(m), i < 3 ? 2 : 4);
    }
}

// The most telling word on a limb says where its foot is: foot, ankle, toe, leg.
static void the_most_telling_word_is_the_foot(void **state)
{
    static const struct {
        const char *one, *two, *three, *foot;
    } rows[] = {{"leg_%c", "foot_%c", "toe_%c", "foot"},   {"leg_%c", "ankle_%c", "toe_%c", "ankle"},
                {"leg_%c", "ankle_%c", "foot_%c", "foot"}, {"leg_%c", "x_%c", "toe_%c", "toe"},
                {"thigh_%c", "calf_%c", "x_%c", "calf"},   {"ankle_%c", "x_%c", "leg_%c", "ankle"}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        walker_maker *m = begin(0.6, 1.0);
        int up[2] = {0, 0};
        add_pair(m, rows[i].one, up, 0.0, 0.6, 0.16, 0.03);
        add_pair(m, rows[i].two, up, 0.0, 0.16, 0.05, 0.03);
        add_pair(m, rows[i].three, up, 0.0, 0.05, 0.0, 0.1);
        if (!foot_is(m, rows[i].foot)) fail_msg("row %zu: the foot is not \"%s\"", i, rows[i].foot);
    }
}

// ---- soles

// The sole reaches a fiftieth of the height above the lowest point.
static int soles_are_thin(double rise)
{
    walker_maker *m = begin(0.6, 1.0);
    int up[2] = {0, 0}, corners = 0;
    er_model *model;
    add_pair(m, "leg_%c", up, 0.0, 0.6, 0.1, 0.03);
    add_pair(m, "foot_%c", up, 0.0, 0.1, 0.0, 0.05);
    for (int k = 0; k < 2; ++k) {
        double x = k == 0 ? 0.15 : -0.15;
        walker_box(m, k == 0 ? "toe_L" : "toe_R", up[k], er_v3(x, 0.05, 0.05), er_v3(x - 0.03, rise, 0.05),
                   er_v3(x + 0.03, 0.06, 0.15), 1.0);
    }
    er_gait_body *body = read_and_lose(m, NULL, &model);
    for (int i = 0; i < body->foot[0].point_count; ++i)
        corners += body->foot[0].point[i].z > 0.1;
    return corners > 0;
}

// A foot is flat where its ankle is within a fifth of the height.
static int ankles_are_low(double top)
{
    walker_maker *m = begin(0.6, 1.0);
    int up[2] = {0, 0};
    er_model *model;
    add_pair(m, "leg_%c", up, 0.0, 0.6, top, 0.03);
    add_pair(m, "foot_%c", up, 0.0, top, 0.0, 0.1);
    er_gait_body *body = read_and_lose(m, NULL, &model);
    bool flat = body->foot[0].flat;
    assert_true(fabs(body->foot[0].rest - (flat ? top : 0.0)) < 1e-9);
    return flat;
}

// However low it hangs, a foot of one joint has no ankle, and turns with that.
static void feet_of_one_joint_are_not_flat(void **state)
{
    walker_maker *m = begin(0.15, 1.0);
    er_model *model;
    add_pair(m, "foot_%c", (int[2]){0, 0}, 0.0, 0.15, 0.0, 0.1);
    er_gait_body *body = read_and_lose(m, NULL, &model);
    assert_int_equal(body->foot_count, 2);
    assert_true(!body->foot[0].flat && body->foot[0].joint_count == 1 && fabs(body->foot[0].rest) < 1e-12);
}

static bool is_sole_of_leg(walker_maker *m)
{
    er_model *model;
    er_gait_body *body = read_and_lose(m, NULL, &model);
    bool is = body->foot_count > 0 && strstr(model->body[body->foot[0].sole].name, "foot") != NULL &&
              body->foot[0].body != body->foot[0].sole;
    return is;
}

// A foot that hangs elsewhere is the sole of a leg that ends within a tenth of the height of it.
static int soles_lie_where_legs_end(double apart)
{
    walker_maker *m = begin(0.6, 1.0);
    int up[2] = {0, 0};
    add_pair(m, "thigh_%c", up, 0.0, 0.6, 0.3, 0.03);
    add_pair(m, "shin_%c", up, 0.0, 0.3, 0.04, 0.03);
    add_pair(m, "foot_%c", (int[2]){0, 0}, apart, 0.06, 0.0, 0.1);
    return is_sole_of_leg(m);
}

// And is no leg itself: of six tenths of the other's reach at most.
static int soles_are_shorter_than_legs(double part)
{
    walker_maker *m = begin(0.6, 1.0);
    int up[2] = {0, 0};
    double reach = 0.56; // of the leg, down to the middle of its end
    add_pair(m, "thigh_%c", up, 0.0, 0.6, 0.3, 0.03);
    add_pair(m, "shin_%c", up, 0.0, 0.3, 0.04, 0.03);
    add_pair(m, "foot_%c", (int[2]){0, 0}, 0.0, part * reach, 0.0, 0.03);
    return is_sole_of_leg(m);
}

// Three bodies in a row lie where they are within 0.08 of the height.
static int what_touches_in_a_row_lies(double low)
{
    static walker_maker m;
    er_model *model;
    m = (walker_maker){.def = usual};
    walker_box(&m, "p", -1, er_v3(0, 0.5, 0), er_v3(-0.1, 0.0, -0.1), er_v3(0.1, 1.0, 0.1), 1.0);
    walker_box(&m, "q", 0, er_v3(0, 0.1, -0.1), er_v3(-0.1, low, -0.4), er_v3(0.1, 0.2, -0.1), 1.0);
    walker_box(&m, "r", 1, er_v3(0, 0.1, -0.4), er_v3(-0.1, 0.0, -0.7), er_v3(0.1, 0.2, -0.4), 1.0);
    er_gait_body *body = read_and_lose(&m, NULL, &model);
    assert_int_equal(body->foot_count, 0);
    bool lies = body->lies;
    return lies;
}

// A foot whose hip is a hundredth of the size off the middle is of that side.
static int sides_begin_off_the_middle(double part)
{
    walker_maker *m = begin(0.6, 1.0);
    er_model *model = NULL;
    double size = 0.0;
    for (int turn = 0; turn < 2; ++turn) { // once for the size
        m = begin(0.6, 1.0);
        add_pair(m, "foot_%c", (int[2]){0, 0}, 0.3, 0.6, 0.0, 0.03);
        double x = turn == 0 ? 0.0 : part * size;
        walker_box(m, "wheel", 0, er_v3(x, 0.6, -0.3), er_v3(x - 0.03, 0, -0.33), er_v3(x + 0.03, 0.6, -0.27), 1.0);
        er_gait_body *body = read_and_lose(m, "foot*,wheel", &model);
        size = model->size;
        int side = 2;
        for (int i = 0; i < body->foot_count; ++i)
            if (strcmp(model->body[body->foot[i].body].name, "wheel") == 0) side = body->foot[i].side;
        if (turn == 1) return side;
    }
    return 2;
}

// Feet that are no image of one another, since something else is, are a pair where they are within a tenth of the size
// of that; wherever the body stands.
static int feet_are_pairs_by_their_places(double part)
{
    double size = 1.0;
    bool pair = false;
    const double x = 0.7;
    for (int turn = 0; turn < 6; ++turn) { // the size follows them a little
        static walker_maker m;
        er_model *model;
        m = (walker_maker){.def = usual};
        walker_box(&m, "trunk", -1, er_v3(x, 0.6, 0), er_v3(x - 0.3, 0.5, -0.6), er_v3(x + 0.3, 1.0, 0.6), 1.0);
        for (int k = 0; k < 2; ++k) {
            double at = k == 0 ? x + 0.2 : x - 0.2, z = k == 0 ? 0.0 : part * size;
            walker_box(&m, k == 0 ? "a" : "c", 0, er_v3(at, 0.5, z), er_v3(at - 0.02, 0, z - 0.02),
                       er_v3(at + 0.02, 0.5, z + 0.02), 1.0);
        }
        const double half = 0.5 * cbrt(0.04 * 0.04 * 0.5); // as heavy
        walker_box(&m, "weight", 0, er_v3(x - 0.2, 0.5, 0), er_v3(x - 0.2 - half, 0.25 - half, -half),
                   er_v3(x - 0.2 + half, 0.25 + half, half), 1.0);
        er_gait_body *body = read_and_lose(&m, "a,c", &model);
        size = model->size;
        assert_true(body->foot_count == 2 && fabs(body->left.x - 1.0) < 1e-12 && body->mirror[1] == 3);
        pair = body->foot[0].mirror == 1 && body->foot[1].mirror == 0;
        assert_true(pair || (body->foot[0].mirror < 0 && body->foot[1].mirror < 0));
    }
    return pair;
}

// Wings are longer than 0.15 of the size.
static int wings_are_long(double part)
{
    double size = 1.0;
    int count = 0;
    for (int turn = 0; turn < 6; ++turn) { // the size follows the wings a little
        walker_maker *m = begin(0.4, 1.0);
        er_model *model;
        for (int k = 0; k < 2; ++k) {
            double s = k == 0 ? 1.0 : -1.0, far = sqrt(pow(part * size, 2) - 2.0 * 0.02 * 0.02);
            walker_box(m, k == 0 ? "wing_L" : "wing_R", 0, er_v3(0.2 * s, 0.6, 0),
                       er_v3(fmin(0.2 * s, (0.2 + far) * s), 0.58, -0.02),
                       er_v3(fmax(0.2 * s, (0.2 + far) * s), 0.62, 0.02), 1.0);
        }
        er_gait_body *body = read_and_lose(m, NULL, &model);
        size = model->size;
        count = body->wing_count;
    }
    return count;
}

// Wings without a name end in a fan: fingers are at least half as long as the arm, and three.
static int wings_are_fans(double part, int fingers)
{
    walker_maker *m = begin(0.4, 1.0);
    er_model *model;
    for (int k = 0; k < 2; ++k) {
        double s = k == 0 ? 1.0 : -1.0, thin = 0.005, length = sqrt(pow(0.5 * part, 2) - 2.0 * thin * thin);
        int arm = 0;
        for (int i = 0; i < 2; ++i) {
            double from = (0.2 + 0.25 * i) * s, to = from + 0.25 * s;
            arm = walker_box(m, i == 0 ? (k == 0 ? "arm_L" : "arm_R") : (k == 0 ? "elbow_L" : "elbow_R"), arm,
                             er_v3(from, 0.6, 0), er_v3(fmin(from, to), 0.6 - thin, -thin),
                             er_v3(fmax(from, to), 0.6 + thin, thin), 1.0);
        }
        for (int i = 0; i < fingers; ++i) {
            char name[16];
            double z = 0.1 * (i - 1); // the middle one is the shortest
            snprintf(name, sizeof name, "f%d_%c", i, k == 0 ? 'L' : 'R');
            walker_box(m, name, arm, er_v3(0.7 * s, 0.6, 0),
                       er_v3(fmin(0.7 * s, (0.7 + length) * s), 0.6 - thin, z - thin),
                       er_v3(fmax(0.7 * s, (0.7 + length) * s), 0.6 + thin, z + thin), 1.0);
        }
    }
    return read_and_lose(m, NULL, &model)->wing_count;
}

static int three_fingers_are_wings(double part)
{
    return wings_are_fans(part, 3);
}

static int claws_are_wings(double part)
{
    return wings_are_fans(part, 2);
}

// ---- limbs that are made alike

// Differences of the right one of two unnamed limbs: mass, length, distance of the root, and height above the other.
typedef struct unlike {
    double mass, length, root, above;
} unlike;

// Whether the left limb, which hangs down, and the right one, which is held up, are each other's images: of things so
// far apart only twins are. On a body between named legs, or each on one of two arms that are named.
static bool are_twins(unlike by, bool on_arms)
{
    walker_maker *m = begin(0.6, 1.0);
    int on[2] = {0, 0}, limb[2], count = on_arms ? 1 : 2;
    er_model *model;
    add_pair(m, "thigh_%c", (int[2]){0, 0}, 0.0, 0.6, 0.0, 0.03);
    for (int k = 0; k < 2 && on_arms; ++k) {
        double s = k == 0 ? 1.0 : -1.0;
        on[k] = walker_rod(m, k == 0 ? "arm_L" : "arm_R", 0, er_v3(0.2 * s, 0.6, 0), er_v3(0.5 * s, 0.6, 0));
    }
    for (int k = 0; k < 2; ++k) {
        double s = k == 0 ? 1.0 : -1.0, off = (on_arms ? 0.1 : 0.3) * (k == 1 ? by.root : 1.0),
               y = 0.6 - 0.5 * s * by.above, long_ = 0.2 * (k == 1 ? by.length : 1.0);
        int up = on[k];
        for (int part = 0; part < count; ++part, y -= s * long_) {
            double x = s * ((on_arms ? 0.2 : 0.0) + off);
            up = walker_box(m, part == 0 ? "x" : "y", up, er_v3(x, y, 0), er_v3(x - 0.02, fmin(y, y - 0.4 * s), -0.02),
                            er_v3(x + 0.02, fmax(y, y - 0.4 * s), 0.02), k == 1 ? by.mass : 1.0);
            if (part == 0) limb[k] = up;
        }
    }
    er_gait_body *body = read_and_lose(m, NULL, &model);
    assert_true(fabs(body->left.x - 1.0) < 1e-12);
    bool twins = body->mirror[limb[0]] == limb[1];
    assert_int_equal(twins, body->mirror[limb[1]] == limb[0]);
    return twins;
}

// By a tenth limbs of one body may differ, by a half those that hang on twins; and those of one body lie across it.
static void limbs_made_alike_are_twins(void **state)
{
    static const double within[2] = {1.0 / (1.0 - 0.0999), 1.0 / (1.0 - 0.499)},
                        beyond[2] = {1.0 / (1.0 - 0.1001), 1.0 / (1.0 - 0.501)};
    for (int arms = 0; arms < 2; ++arms) {
        assert_true(are_twins((unlike){1, 1, 1, 0}, arms == 1));
        assert_true(are_twins((unlike){within[arms], 1, 1, 0}, arms == 1));
        assert_false(are_twins((unlike){beyond[arms], 1, 1, 0}, arms == 1));
        assert_true(are_twins((unlike){1, 1, within[arms], 0}, arms == 1));
        assert_false(are_twins((unlike){1, 1, beyond[arms], 0}, arms == 1));
    }
    assert_true(are_twins((unlike){1, within[0], 1, 0}, false));
    assert_false(are_twins((unlike){1, beyond[0], 1, 0}, false));
    // |x| > 0.7 of all of the way
    const double steep = 0.6 * sqrt(1.0 / 0.49 - 1.0);
    assert_true(are_twins((unlike){1, 1, 1, steep - 0.01}, false));
    assert_false(are_twins((unlike){1, 1, 1, steep + 0.01}, false));
}

// Limbs that are twins by their names are nobody else's, however alike.
static void limbs_with_twins_are_not_asked(void **state)
{
    walker_maker *m = begin(0.6, 1.0);
    int limb[4];
    er_model *model;
    add_pair(m, "thigh_%c", (int[2]){0, 0}, 0.0, 0.6, 0.0, 0.03);
    for (int k = 0; k < 4; ++k) { // two arms that hang, and of two others one hangs and one is held up
        static const char *const names[] = {"arm_L", "arm_R", "x", "y"};
        double x = k % 2 == 0 ? 0.3 : -0.3, z = k < 2 ? 0.2 : -0.2, end = k < 3 ? 0.2 : 1.0;
        limb[k] = walker_box(m, names[k], 0, er_v3(x, 0.6, z), er_v3(x - 0.02, fmin(0.6, end), z - 0.02),
                             er_v3(x + 0.02, fmax(0.6, end), z + 0.02), 1.0);
    }
    er_gait_body *body = read_and_lose(m, NULL, &model);
    for (int k = 0; k < 4; ++k)
        assert_int_equal(body->mirror[limb[k]], limb[k ^ 1]);
}

// One of each side is a pair, by its name or, where that ends in a number, without it; two of one side are none. So it
// is of limbs made alike, unless their names say that both are of one side.
static void pairs_are_of_one_of_each_side(void **state)
{
    static const struct {
        const char *name[3];
        double heavy; // of those to the right
        int twin;     // of the first
    } rows[] = {{{"arm_L", "arm_R", "x"}, 3.0, 1},
                {{"arm_L", "arm_R", "arm_R"}, 3.0, -1},
                {{"arm_L", "arm_R", "arm_L"}, 3.0, -1},
                {{"arm_L_01", "arm_R_07", "x"}, 3.0, 1},
                {{"arm_L_01", "arm_R_07", "arm_R_01"}, 3.0, 2},
                {{"arm_L_01", "arm_R_07", "arm_R_08"}, 3.0, -1},
                {{"arm_L_01", "hand_R_01", "x"}, 3.0, -1},
                {{"x", "y", "arm_L"}, 1.0, 1},
                {{"x", "y", "z"}, 1.0, -1},
                {{"claw_L", "fang_L", "x"}, 1.0, 2},
                {{"claw_L", "fang_R", "arm_L"}, 1.0, 1}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        walker_maker *m = begin(0.6, 1.0);
        int limb[3];
        er_model *model;
        add_pair(m, "thigh_%c", (int[2]){0, 0}, 0.0, 0.6, 0.0, 0.03);
        for (int k = 0; k < 3; ++k) { // the first hangs, others are held up; the third is alike where it may be one
            double x = k == 0 ? 0.3 : -0.3, z = k == 1 ? -0.2 : 0.2, end = k == 0 ? 0.2 : 1.0;
            bool other = k == 2 && rows[i].twin == 1;
            limb[k] = walker_box(m, rows[i].name[k], 0, er_v3(x, 0.6, z), er_v3(x - 0.02, fmin(0.6, end), z - 0.02),
                                 er_v3(x + 0.02, fmax(0.6, end), z + 0.02),
                                 other    ? 9.0
                                 : k == 0 ? 1.0
                                          : rows[i].heavy);
        }
        er_gait_body *body = read_and_lose(m, NULL, &model);
        for (int k = 1; k < 3; ++k)
            if ((body->mirror[limb[0]] == limb[k]) != (rows[i].twin == k))
                fail_msg("%s is %s twin of %s", rows[i].name[k], rows[i].twin == k ? "no" : "a", rows[i].name[0]);
    }
}

// ---- one foot a leg

// Ropes, plates and helpers are part of the leg that they hang on, whatever they are called and however low they hang.
static void one_foot_a_leg(void **state)
{
    static const struct {
        const char *thigh, *shin, *foot, *more;
        int on; // what hangs besides: on the thigh 0, the shin 1
        double top, low;
    } rows[] = {{"thigh_%c", "shin_%c", "foot_%c", "foot_rope_%c", 1, 0.2, 0.02},
                {"thigh_%c", "shin_%c", "foot_%c", "plate_%c", 1, 0.25, 0.0},
                {"thigh_%c", "shin_%c", "foot_%c", "leg_scale_1_max_%c", 0, 0.45, 0.3},
                {"a_%c", "b_%c", "c_%c", "leg_scale_1_max_%c", 0, 0.45, 0.3},
                {"a_%c", "b_%c", "c_%c", "knee_plate_%c", 1, 0.3, 0.15},
                {"a_%c", "b_%c", "c_%c", "rope_%c", 0, 0.35, 0.03},
                {"a_%c", "b_%c", "c_%c", "d_%c", 1, 0.2, 0.02},
                {"upper_leg_%c", "b_%c", "c_%c", "leg_helper_%c", 0, 0.45, 0.35}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        walker_maker *m = begin(0.6, 1.0);
        int up[2] = {0, 0}, on[2];
        er_model *model;
        add_pair(m, rows[i].thigh, up, 0.0, 0.6, 0.32, 0.03);
        memcpy(on, up, sizeof on);
        add_pair(m, rows[i].shin, up, 0.0, 0.32, 0.06, 0.03);
        if (rows[i].on == 1) memcpy(on, up, sizeof on);
        add_pair(m, rows[i].foot, up, 0.0, 0.06, 0.0, 0.12);
        add_pair(m, rows[i].more, on, -0.04, rows[i].top, rows[i].low, -0.02);
        er_gait_body *body = read_and_lose(m, NULL, &model);
        if (body->foot_count != 2 || body->foot[0].joint_count < 2 || body->foot[0].trunk != 0 ||
            strcmp(model->body[body->foot[0].body].name, rows[i].more) == 0)
            fail_msg("row %zu: %d feet, the first \"%s\" of %d joints", i, body->foot_count,
                     body->foot_count > 0 ? model->body[body->foot[0].body].name : "",
                     body->foot_count > 0 ? body->foot[0].joint_count : 0);
        bool rope = strstr(model->body[body->foot[0].body].name, rows[i].more[0] == 'd' ? "d_" : "e_") != NULL;
        if (rope) fail_msg("row %zu: the foot is \"%s\"", i, model->body[body->foot[0].body].name);
    }
}

// Legs of one side that hang on a rail, as those of a machine do, are legs of their own.
static void legs_on_a_rail_have_feet_of_their_own(void **state)
{
    walker_maker *m = begin(0.5, 1.0);
    int rail[2] = {0, 0};
    er_model *model;
    add_pair(m, "rail_%c", rail, 0.0, 0.6, 0.55, 0.03);
    for (int k = 0; k < 3; ++k) {
        static const char *const names[] = {"a%c_1", "b%c_1", "c%c_1"}, *const lower[] = {"a%c_2", "b%c_2", "c%c_2"};
        int up[2] = {rail[0], rail[1]};
        add_pair(m, names[k], up, 0.3 * (k - 1), 0.6, 0.3, 0.03);
        add_pair(m, lower[k], up, 0.3 * (k - 1), 0.3, 0.0, 0.03);
    }
    er_gait_body *body = read_and_lose(m, NULL, &model);
    assert_int_equal(body->foot_count, 6);
}

// ---- six legs

// Legs of a bee hang at heights of their own, below wings that are held up; and a machine numbers its legs.
static void insects_and_machines_have_six_feet(void **state)
{
    static const struct {
        const char *format; // of the side's letter, the leg's number and the part's
        double low[3];
    } rows[] = {{"leg%2$d.%1$c.%3$d", {0.0, 0.1, 0.25}},
                {"leg_%1$c_%2$d_%3$d", {0.0, 0.1, 0.25}},
                {"Leg%2$d%1$c_%3$d", {0.0, 0.0, 0.0}},
                {"leg_%2$d%4$s_%3$d", {0.0, 0.0, 0.0}},
                {"b%2$d%4$s_%3$d", {0.0, 0.0, 0.0}}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        walker_maker *m = begin(0.45, 1.0);
        er_model *model;
        for (int k = 0; k < 2 && i < 2; ++k) {
            double s = k == 0 ? 1.0 : -1.0;
            walker_rod(m, k == 0 ? "wing_L" : "wing_R", 0, er_v3(0.2 * s, 0.9, 0), er_v3(0.9 * s, 1.1, 0));
        }
        for (int leg = 0; leg < 6; ++leg) {
            int up = 0, pair = leg / 2;
            double s = leg % 2 == 0 ? 1.0 : -1.0, z = 0.3 * (pair - 1);
            er_vec3 at[4] = {er_v3(0.2 * s, 0.5, z), er_v3(0.35 * s, 0.6, z), er_v3(0.45 * s, 0.3, z),
                             er_v3(0.5 * s, rows[i].low[pair], z)};
            for (int part = 0; part < 3; ++part) {
                char name[32];
                snprintf(name, sizeof name, rows[i].format, s > 0 ? 'L' : 'R', i < 3 ? pair + 1 : leg + 1, part + 1,
                         "");
                up = walker_rod(m, name, up, at[part], at[part + 1]);
            }
        }
        er_gait_body *body = read_and_lose(m, NULL, &model);
        if (body->foot_count != 6) fail_msg("row %zu has %d feet", i, body->foot_count);
    }
}

// ---- all of them

static void feet_are_told_by_these_bounds(void **state)
{
    static const struct {
        const char *name;
        int (*look)(double at);
        double inside, outside;
        int in, out;
    } rows[] = {{"low bodies", low_bodies_stand, 0.049, 0.051, 4, 2},
                {"joints above feet", feet_begin_below_high_joints, 0.201, 0.199, true, false},
                {"flat bodies", what_lies_flat_has_no_feet, 0.59, 0.61, 4, 0},
                {"feet of legs", the_foot_of_a_leg_is_low, 0.199, 0.201, true, false},
                {"greater parts of legs", the_foot_of_a_leg_is_its_lesser_part, 0.335, 0.325, true, false},
                {"hanging pairs", pairs_that_hang_are_no_feet, 0.199, 0.201, 4, 2},
                {"hands", hands_stand_ahead_of_feet, 0.333, 0.338, 4, 2},
                {"soles", soles_are_thin, 0.0199, 0.0201, true, false},
                {"ankles", ankles_are_low, 0.199, 0.201, true, false},
                {"soles below legs", soles_lie_where_legs_end, 0.099, 0.101, true, false},
                {"short soles", soles_are_shorter_than_legs, 0.595, 0.605, true, false},
                {"bodies that lie", what_touches_in_a_row_lies, 0.079, 0.081, true, false},
                {"feet to the left", sides_begin_off_the_middle, 0.0101, 0.0099, 1, 0},
                {"feet to the right", sides_begin_off_the_middle, -0.0101, -0.0099, -1, 0},
                {"pairs of feet", feet_are_pairs_by_their_places, 0.099, 0.101, true, false},
                {"wings", wings_are_long, 0.151, 0.149, 2, 0},
                {"fans", three_fingers_are_wings, 0.501, 0.499, 2, 0},
                {"claws", claws_are_wings, 0.6, 2.0, 0, 0}};
    int wrong = 0;
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        int in = rows[i].look(rows[i].inside), out = rows[i].look(rows[i].outside);
        if (in == rows[i].in && out == rows[i].out) continue;
        print_message("# %s: %d and %d, not %d and %d\n", rows[i].name, in, out, rows[i].in, rows[i].out);
        ++wrong;
    }
    assert_int_equal(wrong, 0);
}

// "none" says that there are none, whatever a body is called.
static void no_feet_are_none_though_a_body_is_called_so(void **state)
{
    walker_maker *m = begin(0.6, 1.0);
    er_model *model;
    add_pair(m, "foot_%c", (int[2]){0, 0}, 0.3, 0.6, 0.0, 0.03);
    walker_box(m, "none", 0, er_v3(0, 0.6, 0), er_v3(-0.05, 0.0, -0.05), er_v3(0.05, 0.6, 0.05), 1.0);
    er_gait_body *body = read_and_lose(m, "none", &model);
    assert_int_equal(body->foot_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_are_told_by_these_bounds),
        cmocka_unit_test(legs_that_end_in_something_else_are_none),
        cmocka_unit_test(the_most_telling_word_is_the_foot),
        cmocka_unit_test(feet_of_one_joint_are_not_flat),
        cmocka_unit_test(one_foot_a_leg),
        cmocka_unit_test(legs_on_a_rail_have_feet_of_their_own),
        cmocka_unit_test(insects_and_machines_have_six_feet),
        cmocka_unit_test(limbs_made_alike_are_twins),
        cmocka_unit_test(limbs_with_twins_are_not_asked),
        cmocka_unit_test(pairs_are_of_one_of_each_side),
        cmocka_unit_test(no_feet_are_none_though_a_body_is_called_so),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

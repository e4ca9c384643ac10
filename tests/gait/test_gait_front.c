// The front of bodies that are put together by dice: every piece of evidence measured anew from boxes, names and
// joints, and the sentence and the certainty that come of them.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "gait/body/body.h"
#include "support/hand.h"
#include "support/judge.h"
#include "walkers.h"

// A body as its maker knows it: whose twin each box is, and its corners.
typedef struct built {
    walker_maker m;
    int twin[MOST_PARTS];
} built;

static int add_box(built *b, const char *name, int parent, er_vec3 at, er_vec3 low, er_vec3 high)
{
    int i = walker_box(&b->m, name, parent, at, low, high, 1.0);
    b->twin[i] = -1;
    return i;
}

// A pair of boxes about x of either sign, called NAME_L and NAME_R, or the other way round.
static void add_pair(built *b, const char *name, const int parent[2], er_vec3 at, er_vec3 low, er_vec3 high,
                     bool swapped, int out[2])
{
    for (int k = 0; k < 2; ++k) {
        char own[32];
        double s = k == 0 ? 1.0 : -1.0;
        snprintf(own, sizeof own, "%s_%c", name, (k == 0) != swapped ? 'L' : 'R');
        er_vec3 from = {fmin(s * low.x, s * high.x), low.y, low.z}, to = {fmax(s * low.x, s * high.x), high.y, high.z};
        out[k] = add_box(b, own, parent[k], er_v3(s * at.x, at.y, at.z), from, to);
    }
    b->twin[out[0]] = out[1];
    b->twin[out[1]] = out[0];
}

static bool toss(dice *d)
{
    return dice_below(d, 2) == 0;
}

// A leg of two boxes to each side, a toe where the dice say so.
static void add_legs(built *b, dice *d, int trunk, const char *word, double z, bool swapped)
{
    char name[24];
    int hip[2] = {trunk, trunk}, thigh[2], foot[2], toe[2];
    double front = dice_uniform(d, 0.01, 0.12), back = dice_uniform(d, 0.01, 0.12), x = 0.12;
    snprintf(name, sizeof name, "%sleg", word);
    add_pair(b, name, hip, er_v3(x, 0.6, z), er_v3(x - 0.03, 0.08, z - 0.03), er_v3(x + 0.03, 0.6, z + 0.03), swapped,
             thigh);
    const char *const end[] = {"foot", "ankle", "shin"};
    snprintf(name, sizeof name, "%s%s", word, end[dice_below(d, 3)]);
    add_pair(b, name, thigh, er_v3(x, 0.08, z), er_v3(x - 0.03, 0.0, z - back), er_v3(x + 0.03, 0.08, z + front),
             swapped, foot);
    if (!toss(d)) return;
    double way = toss(d) ? 1.0 : -1.0, far = dice_uniform(d, 0.001, 0.05);
    er_vec3 at = {x, 0.02, z + far * way};
    add_pair(b, toss(d) ? "toe" : "hindtoe", foot, at, er_v3(x - 0.02, 0.0, at.z - 0.02),
             er_v3(x + 0.02, 0.03, at.z + 0.02), swapped, toe);
}

static er_model *throw_body(built *b, dice *d)
{
    b->m = (walker_maker){.def = usual};
    bool swapped = toss(d), stands = dice_below(d, 4) > 0;
    double long_ = dice_uniform(d, 0.15, 0.6), low = stands ? 0.55 : 0.3, thick = dice_uniform(d, 0.1, 0.3),
           off = dice_uniform(d, -0.1, 0.1);
    int trunk =
        add_box(b, "body", -1, er_v3(0, low, 0), er_v3(-0.15, low, off - long_), er_v3(0.15, low + thick, off + long_));
    if (stands) {
        add_legs(b, d, trunk, toss(d) ? "front_" : "", 0.8 * long_, swapped);
        if (toss(d)) add_legs(b, d, trunk, toss(d) ? "hind_" : "mid_", -0.8 * long_, swapped);
    }
    if (toss(d)) { // a head, on a neck or not, with what a head has in front
        double z = dice_uniform(d, -0.7, 0.7), y = low + thick + dice_uniform(d, 0.0, 0.4);
        int up = trunk;
        if (toss(d))
            up = add_box(b, "neck", up, er_v3(0, low + thick, z), er_v3(-0.05, low + thick, z - 0.05),
                         er_v3(0.05, y, z + 0.05));
        up = add_box(b, toss(d) ? "head" : "skull", up, er_v3(0, y, z), er_v3(-0.08, y, z - 0.08),
                     er_v3(0.08, y + 0.16, z + 0.08));
        double nose = dice_uniform(d, -0.2, 0.2);
        if (toss(d))
            add_box(b, toss(d) ? "nose" : "jaw", up, er_v3(0, y + 0.05, z + nose),
                    er_v3(-0.02, y + 0.03, z + nose - 0.02), er_v3(0.02, y + 0.07, z + nose + 0.02));
        if (toss(d))
            add_box(b, "hair_head", up, er_v3(0, y + 0.16, z), er_v3(-0.05, y + 0.16, z - 0.3),
                    er_v3(0.05, y + 0.2, z));
    }
    if (toss(d)) {
        double z = dice_uniform(d, -0.8, 0.8), y = low + thick * dice_uniform(d, 0.5, 3.0);
        add_box(b, dice_below(d, 3) > 0 ? "tail" : "ponytail", trunk, er_v3(0, y, z), er_v3(-0.03, y - 0.03, z - 0.1),
                er_v3(0.03, y + 0.03, z + 0.1));
    }
    if (toss(d)) { // something high that says nothing by its name
        double z = dice_uniform(d, -0.5, 0.5);
        add_box(b, "hump", trunk, er_v3(0, low + thick, z), er_v3(-0.05, low + thick, z - 0.05),
                er_v3(0.05, low + thick + 0.5, z + 0.05));
    }
    return walker_finish(&b->m);
}

// Corners of the box that a body along the axes is.
static er_vec3 corner_of(const er_body *body, int corner)
{
    double half[3];
    for (int i = 0; i < 3; ++i)
        half[i] = sqrt(1.5 *
                       (body->inertia.m[(i + 1) % 3][(i + 1) % 3] + body->inertia.m[(i + 2) % 3][(i + 2) % 3] -
                        body->inertia.m[i][i]) /
                       body->mass);
    er_vec3 own = {(corner & 1) != 0 ? half[0] : -half[0], (corner & 2) != 0 ? half[1] : -half[1],
                   (corner & 4) != 0 ? half[2] : -half[2]};
    return er_pose_point(body->pose, er_v3_add(body->com, own));
}

typedef struct view {
    const er_model *model;
    const er_gait_body *body;
    const int *twin;
    er_vec3 middle[MOST_PARTS], centre;
    unsigned parts[MOST_PARTS];
    int side[MOST_PARTS];
} view;

static view view_of(const er_model *model, const er_gait_body *body, const built *b)
{
    view v = {.model = model, .body = body, .twin = b->twin};
    double mass = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        eri_named named = eri_read_bone_name(model->body[i].name);
        v.middle[i] = er_pose_point(model->body[i].pose, model->body[i].com);
        v.parts[i] = named.parts;
        v.side[i] = named.side;
        v.centre = er_v3_madd(v.centre, model->body[i].mass, v.middle[i]);
        mass += model->body[i].mass;
    }
    v.centre = er_v3_scale(1.0 / mass, v.centre);
    return v;
}

static double ahead(const view *v, er_vec3 to, er_vec3 from)
{
    return er_v3_dot(er_v3_sub(to, from), v->body->forward);
}

// The mean of bodies that are of these parts and not of those; of pairs alone where that is asked for.
static bool mean_of(const view *v, unsigned parts, unsigned but, bool paired, er_vec3 *out)
{
    int count = 0;
    *out = er_v3(0, 0, 0);
    for (int i = 0; i < v->model->body_count; ++i) {
        if ((v->parts[i] & parts) == 0 || (v->parts[i] & but) != 0 || (paired && v->twin[i] < 0)) continue;
        *out = er_v3_add(*out, v->middle[i]);
        ++count;
    }
    if (count > 0) *out = er_v3_scale(1.0 / count, *out);
    return count > 0;
}

// How far bodies of a part are ahead of the joint of what they hang on, of the parts that are asked for first.
static double ahead_of_joint(const view *v, unsigned part, unsigned but, const unsigned above[2])
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < v->model->body_count; ++i) {
        int found = -1;
        if ((v->parts[i] & part) == 0 || (v->parts[i] & but) != 0) continue;
        for (int k = 0; k < 2 && found < 0; ++k)
            for (int up = v->model->tree_parent[i]; up >= 0 && found < 0; up = v->model->tree_parent[up])
                if ((v->parts[up] & above[k]) != 0 && (v->parts[up] & part) == 0) found = up;
        if (found < 0) continue;
        sum += ahead(v, v->middle[i], v->model->body[found].pose.p);
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

enum { EVIDENCE = 10 };

// docs/math/gait.md's table without the format: what each says along the front, and from how much of the size on it
// counts.
static const char *const names[EVIDENCE] = {"toes",           "face",  "head", "tail", "front and hind",
                                            "left and right", "soles", "top",  "bulk", "the axis"};
static const double least[EVIDENCE] = {0.01, 0.01, 0.1, 0.05, 0.05, 0.02, 0.015, 0.1, 0.01, 0.5},
                    odds[EVIDENCE] = {2.5, 2.5, 2.7, 2.5, 2.2, 2.0, 1.8, 1.8, 1.7, 1.5};

static void measure(const view *v, double said[EVIDENCE])
{
    const er_gait_body *body = v->body;
    const er_model *model = v->model;
    er_vec3 one, other;
    double top = body->ground + 0.85 * body->height, low = HUGE_VAL, high = -HUGE_VAL, sum = 0.0;
    int count = 0;
    memset(said, 0, EVIDENCE * sizeof *said);
    said[0] = ahead_of_joint(v, ERI_PART_TOE, ERI_PART_HIND,
                             (const unsigned[2]){ERI_PART_FOOT | ERI_PART_ANKLE, ERI_PART_LEG});
    said[1] = ahead_of_joint(v, ERI_PART_FACE, 0, (const unsigned[2]){ERI_PART_HEAD, 0});
    if (mean_of(v, ERI_PART_HEAD | ERI_PART_FACE, ERI_PART_LOOSE, false, &one)) said[2] = ahead(v, one, v->centre);
    if (mean_of(v, ERI_PART_TAIL, ERI_PART_LOOSE, false, &one)) said[3] = ahead(v, v->centre, one);
    if (mean_of(v, ERI_PART_FRONT, ERI_PART_HIND, true, &one) &&
        mean_of(v, ERI_PART_HIND, ERI_PART_FRONT, true, &other))
        said[4] = ahead(v, one, other);
    for (int i = 0; i < model->body_count; ++i) {
        int up = model->tree_parent[i];
        if (v->twin[i] > i && v->twin[up] < 0) // the first of a limb
            said[5] +=
                v->side[i] * er_v3_dot(er_v3_sub(model->body[i].pose.p, model->body[v->twin[i]].pose.p), body->left);
    }
    for (int f = 0; f < body->foot_count; ++f)
        for (int k = 0; k < body->foot[f].point_count; ++k)
            said[6] += ahead(v, body->foot[f].point[k], model->body[body->foot[f].sole].pose.p) /
                       body->foot[f].point_count / body->foot_count;
    for (int k = 0; k < 8 * model->body_count; ++k) {
        er_vec3 at = corner_of(&model->body[k / 8], k % 8);
        low = fmin(low, er_v3_dot(at, body->forward));
        high = fmax(high, er_v3_dot(at, body->forward));
        if ((v->parts[k / 8] & ERI_PART_TAIL) != 0 || er_v3_dot(at, body->up) < top - 1e-9) continue;
        sum += ahead(v, at, v->centre);
        ++count;
    }
    if (body->foot_count > 0 && count > 0) said[7] = sum / count;
    if (body->foot_count == 0) said[8] = er_v3_dot(v->centre, body->forward) - 0.5 * (low + high);
    said[9] = model->size * body->forward.z; // up is +Y
}

static bool warns(const er_gait_body *body, const char *option)
{
    bool any = false;
    for (int i = 0; i < body->note_count; ++i)
        any |= body->note[i].kind == ER_NOTE_WARNING && strstr(body->note[i].text, option) != NULL;
    return any;
}

static bool is_noted(const er_gait_body *body, er_note_kind kind, const char *text)
{
    bool any = false;
    for (int i = 0; i < body->note_count; ++i)
        any |= body->note[i].kind == kind && strstr(body->note[i].text, text) != NULL;
    return any;
}

static void the_front_is_where_most_of_the_evidence_says(void **state)
{
    dice d = {4401};
    int spoke[EVIDENCE] = {0}, against[EVIDENCE] = {0}, kept[EVIDENCE] = {0}, guesses = 0, swims = 0;
    for (int turn = 0; turn < trials(600); ++turn) {
        static built b;
        er_model *model = throw_body(&b, &d);
        double said[EVIDENCE], sum = 0.0;
        char text[400] = "the front by ";
        bool near = false;
        er_gait_body *body = read_body(model, NULL);
        view v = view_of(model, body, &b);
        measure(&v, said);
        for (int i = 0; i < EVIDENCE; ++i) {
            double part = said[i] / model->size;
            near |= fabs(fabs(part) - least[i]) < 1e-6;
            kept[i] += part != 0.0 && fabs(part) < least[i];
            if (fabs(part) < least[i]) continue;
            double own = part > 0.0 ? odds[i] : -odds[i];
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s %+.1f", sum == 0.0 && used == 13 ? "" : ", ", names[i],
                     own);
            ++(part > 0.0 ? spoke : against)[i];
            sum += own;
        }
        if (!near && sum > -1e-9) {
            if (!is_noted(body, ER_NOTE_FACT, text)) {
                for (int i = 0; i < body->note_count; ++i)
                    print_message("# %s\n", body->note[i].text);
                fail_msg("body %d does not say \"%s\"", turn, text);
            }
            measure_at_most("how sure the front is", fabs(body->facing - 1.0 / (1.0 + exp(-sum))), 1e-9);
            assert_int_equal(warns(body, "--forward"), body->facing < 0.9);
            guesses += body->facing < 0.9;
        }
        assert_true(near || sum > -1e-9);
        swims += body->foot_count == 0;
    }
    for (int i = 0; i < EVIDENCE; ++i)
        print_message("# %s: %d for it, %d against, %d too little\n", names[i], spoke[i], against[i], kept[i]);
    for (int i = 0; i < EVIDENCE && !ERI_SANITIZED; ++i) // few trials meet few kinds
        assert_true(spoke[i] > 0 && (against[i] > 0 || i == 2) && (kept[i] > 0 || i == 9 || i == 5));
    assert_true(ERI_SANITIZED || (guesses > 3 && swims > 20));
}

// Without evidence a body looks along +Z if Y is up, along -Y if Z is up, and along neither if X is up.
static void models_look_along_an_axis(void **state)
{
    static const struct {
        er_vec3 up, along, forward;
        const char *said;
    } rows[] = {{{0, 1, 0}, {0, 0, 1}, {0, 0, 1}, "the front by the axis +1.5"},
                {{0, 0, 1}, {0, 1, 0}, {0, -1, 0}, "the front by the axis +1.5"},
                {{0, 0.1, 2}, {0, 1, 0}, {0, -1, 0.05}, "the front by the axis +1.5"},
                {{1, 0, 0}, {0, 0, 1}, {0, 0, 1}, "the front by the axis +1.5"}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        static walker_maker m;
        m = (walker_maker){.def = usual};
        er_vec3 half = er_v3_madd(er_v3(0.1, 0.1, 0.1), 0.4, rows[i].along);
        int trunk = walker_box(&m, "a", -1, er_v3(0, 0, 0), er_v3_scale(-1.0, half), half, 1.0);
        for (int k = 0; k < 2; ++k) { // alike ahead and behind
            er_vec3 at = er_v3_scale(k == 0 ? 0.5 : -0.5, rows[i].along), low = er_v3_sub(at, er_v3(0.05, 0.05, 0.05));
            walker_box(&m, "b", trunk, at, low, er_v3_add(at, er_v3(0.05, 0.05, 0.05)), 1.0);
        }
        er_model *model = walker_finish(&m);
        er_gait_def def = er_default_gait_def();
        def.up = rows[i].up;
        er_gait_body *body = read_body(model, &def);
        assert_true(er_v3_dot(body->forward, er_v3_unit(rows[i].forward, rows[i].forward)) > 0.99);
        assert_true(is_noted(body, ER_NOTE_FACT, rows[i].said) && fabs(body->facing - 1.0 / (1.0 + exp(-1.5))) < 1e-12);
        assert_true(er_v3_distance(body->left, er_v3_cross(body->up, body->forward)) < 1e-12);
    }
}

// Nodes that bear nothing say it too: an eye, a toe, whatever their file or their map calls them; and the format
// itself.
static void nodes_without_bodies_say_where_the_front_is(void **state)
{
    static const struct {
        const char *eye, *role, *toe;
        double forward; // that the format says, along z
        const char *said;
    } rows[] = {{"eye", NULL, "x", 0, "face"},    {"x", "nose", "x", 0, "face"}, {"x", NULL, "x", 0, NULL},
                {"x", NULL, "toe", 0, "toes"},    {"x", "", "toe", 0, "toes"},   {"eye", "x", "x", 0, NULL},
                {"x", NULL, "x", 1, "the format"}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i)
        for (int way = -1; way <= 1; way += 2) {
            static hand h;
            hand_init(&h);
            double scale = way < 0 ? 1.0 : 2.0;
            int joints[6], hips = joints[0] = hand_node(&h, "hips", -1, hand_at(0, 1, 0)), eye, toe;
            joints[1] = hand_node(&h, "head", hips, hand_at(0, 0.6, 0));
            for (int k = 0; k < 2; ++k) {
                int thigh = joints[2 + 2 * k] = hand_node(&h, "leg", hips, hand_at(k == 0 ? 0.1 : -0.1, -0.1, 0));
                joints[3 + 2 * k] = hand_node(&h, "foot", thigh, hand_at(0, -0.8, 0));
            }
            int skin = hand_skin(&h, "skin", 6, joints), mesh = hand_mesh(&h);
            hand_box(&h, er_v3(-0.2, 0.9, -0.1), er_v3(0.2, 1.6, 0.1), 0);
            hand_box(&h, er_v3(-0.1, 1.6, -0.1), er_v3(0.1, 1.8, 0.1), 1);
            for (int k = 0; k < 2; ++k) {
                double x = k == 0 ? 0.1 : -0.1;
                hand_box(&h, er_v3(x - 0.05, 0.1, -0.05), er_v3(x + 0.05, 0.9, 0.05), 2 + 2 * k);
                hand_box(&h, er_v3(x - 0.05, 0.0, -0.1), er_v3(x + 0.05, 0.1, 0.1), 3 + 2 * k);
            }
            hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, skin);
            eye = hand_node(&h, rows[i].eye, joints[1], hand_at(0, 0.1, 0.1 * way));
            toe = hand_node(&h, rows[i].toe, joints[3], hand_at(0, -0.05, 0.08 * way));
            h.node[eye].role = rows[i].role;
            h.node[toe].role = rows[i].role != NULL && *rows[i].role == '\0' ? "" : NULL;
            h.scene.forward = er_v3(0, 0, rows[i].forward * way);
            er_rig_def def = er_default_rig_def();
            def.height = 1.8 * scale;
            er_rig *made = hand_rig(context, &h.scene, &def);
            assert_true(made->node_body[eye] >= 0 && made->body_node[made->node_body[eye]] != eye);
            er_gait_body *body;
            ok(er_gait_body_read(context, made->model, made, NULL, &body));
            assert_int_equal(body->foot_count, 2);
            const char *text = "";
            for (int k = 0; k < body->note_count; ++k)
                if (strncmp(body->note[k].text, "the front by ", 13) == 0) text = body->note[k].text + 13;
            char known[60] = "the axis +1.5"; // which alone is for +z
            if (rows[i].said != NULL)
                snprintf(known, sizeof known, "%s +%.1f, the axis %+.1f", rows[i].said,
                         rows[i].forward != 0.0 ? 4.0 : 2.5, 1.5 * way);
            assert_string_equal(text, known);
            assert_true(fabs(body->forward.z - (rows[i].said != NULL ? way : 1)) < 1e-12);
            er_gait_body_destroy(body);
            er_rig_destroy(made);
        }
}

// ---- sides, and the pose

// A trunk with arms and legs by pairs, each of the right ones a little elsewhere and of another mass.
static er_model *throw_uneven(built *b, dice *d, double by)
{
    b->m = (walker_maker){.def = usual};
    int trunk = add_box(b, "body", -1, er_v3(0, 0.8, 0), er_v3(-0.15, 0.75, -0.1), er_v3(0.15, 1.3, 0.1));
    int up[2] = {trunk, trunk}, thigh[2], shin[2], foot[2], arm[2];
    double bent = dice_uniform(d, 0.0, 0.5);
    add_pair(b, "thigh", up, er_v3(0.12, 0.8, 0), er_v3(0.09, 0.4, -0.03), er_v3(0.15, 0.8, 0.03), false, thigh);
    add_pair(b, "shin", thigh, er_v3(0.12, 0.4, bent), er_v3(0.09, 0.08, -0.03), er_v3(0.15, 0.4, 0.03), false, shin);
    add_pair(b, "foot", shin, er_v3(0.12, 0.08, 0), er_v3(0.09, 0.0, -0.05), er_v3(0.15, 0.08, 0.15), false, foot);
    add_pair(b, "arm", up, er_v3(0.2, 1.2, 0), er_v3(0.17, 0.8, -0.03), er_v3(0.23, 1.2, 0.03), false, arm);
    if (toss(d)) add_box(b, "head", trunk, er_v3(0, 1.3, 0), er_v3(-0.1, 1.3, -0.1), er_v3(0.1, 1.5, 0.1));
    const int *pairs[] = {thigh, shin, foot, arm};
    for (int k = 0; k < 4; ++k) {
        er_body *body = &b->m.body[pairs[k][1]];
        er_vec3 shift = {dice_uniform(d, -by, by), dice_uniform(d, -by, by), dice_uniform(d, -0.2 * by, 0.2 * by)};
        double heavy = dice_uniform(d, 0.8, 1.25);
        body->pose.p = b->m.joint[pairs[k][1] - 1].frame.p = er_v3_add(body->pose.p, shift);
        body->mass *= heavy;
        for (int i = 0; i < 3; ++i)
            body->inertia.m[i][i] *= heavy;
    }
    return walker_finish(&b->m);
}

// How far a body's image is from another, over the size, with what their masses are apart.
static double apart(const view *v, double offset, int i, int k)
{
    const er_body *body = v->model->body;
    double across = er_v3_dot(v->middle[i], v->body->left) - offset;
    er_vec3 image = er_v3_madd(v->middle[i], -2.0 * across, v->body->left);
    return er_v3_distance(image, v->middle[k]) / v->model->size + 0.02 * fabs(log(body[k].mass / body[i].mass));
}

// The plane is between shoulders and hips, by the squares of how far these are apart; symmetry, images and how well the
// pose stands follow from it.
static void uneven_bodies_are_as_uneven_as_they_were_made(void **state)
{
    dice d = {4402};
    int without = 0, low = 0;
    for (int turn = 0; turn < trials(200); ++turn) {
        static built b;
        er_model *model = throw_uneven(&b, &d, turn % 4 == 0 ? 0.0 : 0.12);
        er_gait_body *body = read_body(model, NULL);
        view v = view_of(model, body, &b);
        double offset = 0.0, weight = 0.0, cost = 0.0, asymmetry = 0.0, roll = 0.0;
        int n = model->body_count, pairs = 0, tops = 0, image[MOST_PARTS];
        assert_true(er_v3_distance(body->left, er_v3(body->left.x > 0.0 ? 1.0 : -1.0, 0, 0)) < 1e-12);
        for (int i = 0; i < n; ++i) {
            er_vec3 here = model->body[i].pose.p, there = model->body[b.twin[i] >= 0 ? b.twin[i] : i].pose.p,
                    way = er_v3_sub(here, there);
            if (b.twin[i] <= i || model->tree_parent[i] != 0) continue; // hips and shoulders
            offset += 0.5 * er_v3_dot(way, way) * er_v3_dot(er_v3_add(here, there), body->left);
            weight += er_v3_dot(way, way);
            roll += fabs(er_v3_dot(way, body->up)) / er_v3_norm(way);
            ++tops;
        }
        offset /= weight;
        for (int i = 0; i < n; ++i) {
            double nearest = HUGE_VAL;
            image[i] = -1;
            for (int k = 0; k < n; ++k) {
                double far = apart(&v, offset, i, k);
                bool may = b.twin[i] >= 0 ? k == b.twin[i] : b.twin[k] < 0;
                if (may && far < nearest) nearest = far, image[i] = k;
            }
            if (nearest >= 0.15 && b.twin[i] < 0) image[i] = -1;
            cost += fmin(nearest, 0.3) / n;
            if (b.twin[i] < 0) continue;
            er_vec3 here = model->body[i].pose.p;
            er_vec3 over = er_v3_madd(here, -2.0 * (er_v3_dot(here, body->left) - offset), body->left);
            asymmetry += er_v3_distance(over, model->body[b.twin[i]].pose.p) / model->size;
            ++pairs;
        }
        measure_at_most("symmetry", fabs(body->symmetry - cost), 1e-12);
        for (int i = 0; i < n; ++i)
            assert_int_equal(body->mirror[i], image[i] >= 0 && image[image[i]] == i ? image[i] : -1);
        double sole[2] = {HUGE_VAL, HUGE_VAL}, hips = 0.0, reach = 0.0;
        if (body->foot_count != 2) { // one hangs too high above the other
            ++without;
        } else {
            for (int f = 0; f < 2; ++f) {
                const er_gait_foot *foot = &body->foot[f];
                for (int k = 0; k < foot->point_count; ++k)
                    sole[f] = fmin(sole[f], er_v3_dot(foot->point[k], body->up) - body->ground);
                hips += er_v3_dot(model->joint[foot->joint[0]].frame.p, body->up) - body->ground - foot->rest;
                reach += foot->reach;
            }
            double step = 2.0 * fabs(sole[0] - sole[1]) / reach, crouch = fmax(0.0, 0.75 - hips / reach);
            low += crouch > 0.0;
            double known = exp(-8.0 * asymmetry / pairs - 2.0 * step - 2.0 * crouch - roll / tops);
            measure_at_most("how well a pose stands", fabs(body->stance - known), 1e-12);
        }
    }
    print_message("# %d bodies without feet, %d that crouch\n", without, low);
    assert_true(without < trials(150) && low > trials(20));
}

// Hips that are askew by less than fifteen degrees on a body that is straight are those of a stride; by more they say
// how the body lies.
static void straight_bodies_are_along_the_axes(void **state)
{
    for (int more = 0; more < 2; ++more)
        for (int quarter = 0; quarter < 2; ++quarter) { // along z, or along x
            static walker_maker m;
            double angle = (more == 1 ? 15.2 : 14.8) * ER_PI / 180.0;
            er_vec3 along = quarter == 1 ? er_v3(1, 0, 0) : er_v3(0, 0, 1), across = er_v3_cross(er_v3(0, 1, 0), along);
            er_vec3 hips = er_v3_add(er_v3_scale(cos(angle), across), er_v3_scale(-sin(angle), along));
            const er_vec3 half = {0.05, 0.05, 0.05};
            m = (walker_maker){.def = usual};
            for (int i = 0; i < 6; ++i) {
                er_vec3 at = er_v3_add(er_v3(0, 1, 0), er_v3_scale(0.2 * i - 0.5, along));
                walker_box(&m, "a", i - 1, at, er_v3_sub(at, half), er_v3_add(at, half), 1.0);
            }
            for (int s = 1; s >= -1; s -= 2) {
                er_vec3 at = er_v3_madd(er_v3(0, 0.9, 0), 0.1 * s, hips), low = er_v3(at.x - 0.02, 0.0, at.z - 0.02);
                walker_box(&m, s > 0 ? "thigh_L" : "thigh_R", 2, at, low, er_v3(at.x + 0.02, 0.9, at.z + 0.02), 1.0);
            }
            er_model *model = walker_finish(&m);
            er_gait_body *body = read_body(model, NULL);
            double straight = fabs(er_v3_dot(body->left, across)), askew = fabs(er_v3_dot(body->left, hips));
            assert_true(fabs((more == 1 ? askew : straight) - 1.0) < 1e-12);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_front_is_where_most_of_the_evidence_says),
                                       cmocka_unit_test(models_look_along_an_axis),
                                       cmocka_unit_test(nodes_without_bodies_say_where_the_front_is),
                                       cmocka_unit_test(straight_bodies_are_along_the_axes),
                                       cmocka_unit_test(uneven_bodies_are_as_uneven_as_they_were_made)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

// The front: evidence for one of the two ways across left and right, each weighed by how often it has been right
// (tests/gait/facing prints how often); then the order and the names of feet.
#include <stdio.h>
#include <string.h>

#include "gait/body/body.h"

// --- marks: bodies and nodes with a name and a place

// A body, or a node that moves with one: eyes and toes without weights are evidence too.
typedef struct facing_mark {
    eri_named named;
    er_vec3 at;   // its centre of mass, or where the node is
    er_vec3 root; // where its frame is
    int up;       // the facing_mark that it hangs on, -1 for none
} facing_mark;

typedef struct front {
    const eri_body_reader *b;
    er_vec3 way;
    int count;
    facing_mark *mark; // [count]
} front;

static void mark_bodies(const eri_body_reader *b, front *f)
{
    f->count = b->model->body_count;
    for (int i = 0; i < f->count; ++i)
        f->mark[i] = (facing_mark){b->named[i], b->middle[i], eri_body_origin(b, i), b->model->tree_parent[i]};
}

static void mark_nodes(const eri_body_reader *b, front *f)
{
    const er_rig *rig = b->rig;
    f->count = rig->scene->node_count;
    for (int i = 0; i < f->count; ++i) {
        const er_node *node = &rig->scene->node[i];
        int body = rig->node_body[i], up = body >= 0 ? b->model->tree_parent[body] : -1;
        bool is_body = body >= 0 && rig->body_node[body] == i;
        er_vec3 at = er_v3_scale(rig->metres_per_unit, rig->world[i].translation);
        bool has_role = node->role != NULL && *node->role != '\0';
        f->mark[i] = (facing_mark){is_body     ? b->named[body]
                                   : body >= 0 ? eri_read_bone_name(has_role ? node->role : node->name)
                                               : (eri_named){0},
                                   is_body ? b->middle[body] : at, is_body ? eri_body_origin(b, body) : at,
                                   is_body ? (up >= 0 ? rig->body_node[up] : -1) : node->parent};
    }
}

// The nearest mark above that is one of these parts and none of those, or -1.
static int find_above(const front *f, int at, unsigned parts, unsigned but)
{
    for (at = f->mark[at].up; at >= 0; at = f->mark[at].up)
        if ((f->mark[at].named.parts & parts) != 0 && (f->mark[at].named.parts & but) == 0) return at;
    return -1;
}

static double along(const front *f, er_vec3 to, er_vec3 from)
{
    return er_v3_dot(er_v3_sub(to, from), f->way);
}

// --- evidence, as lengths along the direction; it counts from `least` of the size

// The format defines the front: VRM.
static double by_format(const front *f)
{
    return f->b->rig != NULL ? f->b->model->size * er_v3_dot(f->b->rig->scene->forward, f->way) : 0.0;
}

// Toes are in front of the ankle.
static double by_toes(const front *f)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < f->count; ++i) {
        const unsigned foot = ERI_PART_FOOT | ERI_PART_ANKLE;
        if ((f->mark[i].named.parts & ERI_PART_TOE) == 0 || (f->mark[i].named.parts & ERI_PART_HIND) != 0) continue;
        int up = find_above(f, i, foot, ERI_PART_TOE);
        if (up < 0) up = find_above(f, i, ERI_PART_LEG, ERI_PART_TOE);
        if (up < 0) continue;
        sum += along(f, f->mark[i].at, f->mark[up].root);
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

// Eyes, noses and jaws are in front of the head's joint.
static double by_face(const front *f)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < f->count; ++i) {
        if ((f->mark[i].named.parts & ERI_PART_FACE) == 0) continue;
        int up = find_above(f, i, ERI_PART_HEAD, ERI_PART_FACE);
        if (up < 0) continue;
        sum += along(f, f->mark[i].at, f->mark[up].root);
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

// The mean place of bodies that are these parts and none of those.   @return whether there are any
static bool mean_of(const front *f, unsigned parts, unsigned but, bool paired, er_vec3 *out)
{
    const eri_body_reader *b = f->b;
    int count = 0;
    *out = er_v3(0, 0, 0);
    for (int i = 0; i < b->model->body_count; ++i) {
        unsigned part = b->named[i].parts;
        if ((part & parts) == 0 || (part & but) != 0 || (paired && b->twin[i] < 0)) continue;
        *out = er_v3_add(*out, b->middle[i]);
        ++count;
    }
    *out = er_v3_scale(1.0 / (count > 0 ? count : 1), *out);
    return count > 0;
}

static double by_head(const front *f)
{
    er_vec3 head;
    bool any = mean_of(f, ERI_PART_HEAD | ERI_PART_FACE, ERI_PART_LOOSE, false, &head);
    return any ? along(f, head, f->b->centre) : 0.0;
}

static double by_tail(const front *f)
{
    er_vec3 tail;
    bool any = mean_of(f, ERI_PART_TAIL, ERI_PART_LOOSE, false, &tail);
    return any ? along(f, f->b->centre, tail) : 0.0;
}

// Limbs named front and hind.
static double by_limbs(const front *f)
{
    er_vec3 fore, hind;
    bool any = mean_of(f, ERI_PART_FRONT, ERI_PART_HIND, true, &fore) &&
               mean_of(f, ERI_PART_HIND, ERI_PART_FRONT, true, &hind);
    return any ? along(f, fore, hind) : 0.0;
}

// Limbs named left are usually on the left.
static double by_sides(const front *f)
{
    const eri_body_reader *b = f->b;
    er_vec3 left = er_v3_cross(b->out->up, f->way);
    double sum = 0.0;
    for (int i = 0; i < b->model->body_count; ++i)
        if (b->twin[i] > i && eri_tops_limb(b->model, b->twin, i))
            sum += b->named[i].side * er_v3_dot(er_v3_sub(eri_body_origin(b, i), eri_body_origin(b, b->twin[i])), left);
    return sum;
}

// Soles reach farther in front of the ankle than behind it.
static double by_soles(const front *f)
{
    const er_gait_body *out = f->b->out;
    double sum = 0.0;
    for (int i = 0; i < out->foot_count; ++i) {
        const er_gait_foot *foot = &out->foot[i];
        for (int k = 0; k < foot->point_count; ++k)
            sum += along(f, foot->point[k], eri_body_origin(f->b, foot->sole)) / foot->point_count;
    }
    return out->foot_count > 0 ? sum / out->foot_count : 0.0;
}

// Standing bodies carry their head high and in front; tails are excluded by name.
static double by_top(const front *f)
{
    const eri_body_reader *b = f->b;
    if (b->out->foot_count == 0) return 0.0;
    double sum = 0.0, top = b->out->ground + 0.85 * b->out->height;
    int count = 0;
    for (int i = 0; i < b->cloud.count; ++i) {
        bool tail = (b->named[b->cloud.body[i]].parts & ERI_PART_TAIL) != 0;
        if (tail || er_v3_dot(b->cloud.point[i], b->out->up) < top) continue;
        sum += along(f, b->cloud.point[i], b->centre);
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

// Bodies that crawl or swim are thicker in front.
static double by_bulk(const front *f)
{
    const eri_body_reader *b = f->b;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < b->cloud.count && b->out->foot_count == 0; ++i) {
        low = fmin(low, er_v3_dot(b->cloud.point[i], f->way));
        high = fmax(high, er_v3_dot(b->cloud.point[i], f->way));
    }
    return b->out->foot_count == 0 ? er_v3_dot(b->centre, f->way) - 0.5 * (low + high) : 0.0;
}

// Models usually face +Z, or -Y if Z is up.
static double by_axis(const front *f)
{
    double size = f->b->model->size;
    return f->b->out->up.z > 0.7 ? -size * f->way.y : size * f->way.z;
}

// Each evidence, the least length that counts (over the size), and its log odds of being right.
static const struct {
    const char *name;
    double (*say)(const front *f);
    double least, odds;
} evidence[] = {
    {"the format", by_format, 0.5, 4.0},
    {"toes", by_toes, 0.01, 2.5},
    {"face", by_face, 0.01, 2.5},
    {"head", by_head, 0.1, 2.7},
    {"tail", by_tail, 0.05, 2.5},
    {"front and hind", by_limbs, 0.05, 2.2},
    {"left and right", by_sides, 0.02, 2.0},
    {"soles", by_soles, 0.015, 1.8},
    {"top", by_top, 0.1, 1.8},
    {"bulk", by_bulk, 0.01, 1.7},
    {"the axis", by_axis, 0.5, 1.5},
};

static er_result tell(eri_body_reader *b, const double said[ERI_COUNT(evidence)])
{
    char text[400] = "";
    for (size_t i = 0; i < ERI_COUNT(evidence); ++i) {
        size_t used = strlen(text);
        if (said[i] != 0.0)
            snprintf(text + used, sizeof text - used, "%s%s %+.1f", used > 0 ? ", " : "", evidence[i].name, said[i]);
    }
    er_vec3 forward = b->out->forward;
    er_result r = eri_notes_add(&b->notes, ER_NOTE_FACT, "the front by %s", *text != '\0' ? text : "nothing");
    if (r == ER_OK && b->out->facing < 0.9)
        r = eri_notes_add(&b->notes, ER_NOTE_WARNING,
                          "the body is assumed to face (%.2g, %.2g, %.2g), with a probability of %.0f %%; --forward "
                          "sets the direction",
                          forward.x, forward.y, forward.z, 100.0 * b->out->facing);
    return r;
}

// Adds the log odds for `forward` and subtracts those for the other direction.
static er_result weigh_evidence(eri_body_reader *b)
{
    er_result r = ER_OK;
    front f = {.b = b, .way = er_v3_cross(b->out->left, b->out->up)};
    double said[ERI_COUNT(evidence)], sum = 0.0;
    int room = b->rig != NULL ? b->rig->scene->node_count : b->model->body_count;
    ERI_TRY_NEW(f.mark, b->scratch, facing_mark, room);
    if (b->rig != NULL)
        mark_nodes(b, &f);
    else
        mark_bodies(b, &f);
    for (size_t i = 0; i < ERI_COUNT(evidence); ++i) {
        double length = evidence[i].say(&f) / b->model->size;
        said[i] = fabs(length) < evidence[i].least ? 0.0 : length > 0.0 ? evidence[i].odds : -evidence[i].odds;
        sum += said[i];
    }
    double sign = sum < 0.0 ? -1.0 : 1.0;
    for (size_t i = 0; i < ERI_COUNT(evidence); ++i)
        said[i] *= sign;
    b->out->forward = er_v3_scale(sign, f.way);
    b->out->facing = 1.0 / (1.0 + exp(-fabs(sum)));
    b->out->forward = er_v3_add(b->out->forward, er_v3(0, 0, 0)); // people read it, and -0 is none to them
    r = tell(b, said);
done:
    return r;
}

static er_result choose_front(eri_body_reader *b)
{
    er_result r = ER_OK;
    er_gait_body *out = b->out;
    if (er_v3_norm(b->def.forward) > 0.0) {
        er_vec3 flat = er_v3_madd(b->def.forward, -er_v3_dot(b->def.forward, out->up), out->up);
        out->forward = er_v3_add(er_v3_unit(flat, er_v3_cross(out->left, out->up)), er_v3(0, 0, 0));
        out->facing = 1.0;
    } else {
        r = weigh_evidence(b);
    }
    out->left = er_v3_cross(out->up, out->forward);
    return r;
}

// --- feet from the front to the back

static double ahead(const eri_body_reader *b, const er_gait_foot *foot)
{
    er_vec3 sum = {0, 0, 0};
    for (int k = 0; k < foot->point_count; ++k)
        sum = er_v3_madd(sum, 1.0 / foot->point_count, foot->point[k]);
    return er_v3_dot(sum, b->out->forward);
}

static er_result name_feet(eri_body_reader *b)
{
    er_gait_foot *foot = (er_gait_foot *)b->out->foot;
    int count = b->out->foot_count;
    static const char *const of_four[] = {"LF", "RF", "LH", "RH"};
    bool pairs = count > 0;
    for (int i = 0; i < count; ++i)
        pairs &= foot[i].mirror >= 0;
    for (int i = 0; i < count; ++i) {
        const char *letter = foot[i].side > 0 ? "L" : foot[i].side < 0 ? "R" : "M";
        foot[i].name = pairs && count == 2   ? letter
                       : pairs && count == 4 ? of_four[i]
                       : count == 1          ? "foot"
                                             : eri_arena_printf(b->arena, "%s%d", letter, pairs ? i / 2 + 1 : i + 1);
        if (foot[i].name == NULL) return ER_ERROR_MEMORY;
    }
    return ER_OK;
}

// Both feet of a pair are ordered by their mean place, so pairs stay together.
static er_result order_feet(eri_body_reader *b)
{
    er_result r = ER_OK;
    er_gait_foot *foot = (er_gait_foot *)b->out->foot, swap;
    int count = b->out->foot_count, *body;
    double *key;
    ERI_TRY_NEW(key, b->scratch, double, count);
    ERI_TRY_NEW(body, b->scratch, int, count);
    for (int i = 0; i < count; ++i) {
        foot[i].side = eri_gait_side_of_foot(b, &foot[i], foot[i].mirror >= 0 ? &foot[foot[i].mirror] : NULL);
        body[i] = foot[i].mirror >= 0 ? foot[foot[i].mirror].body : -1;
    }
    for (int i = 0; i < count; ++i) {
        double here = ahead(b, &foot[i]);
        key[i] = foot[i].mirror >= 0 ? 0.5 * (here + ahead(b, &foot[foot[i].mirror])) : here;
        key[i] += 1e-6 * b->model->size * foot[i].side;
    }
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && key[k] > key[k - 1]; --k) {
            double t = key[k];
            int other = body[k];
            swap = foot[k], foot[k] = foot[k - 1], foot[k - 1] = swap;
            key[k] = key[k - 1], key[k - 1] = t;
            body[k] = body[k - 1], body[k - 1] = other;
        }
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k)
            if (foot[k].body == body[i]) foot[i].mirror = k;
    r = name_feet(b);
done:
    return r;
}

er_result eri_gait_read_facing(eri_body_reader *b)
{
    er_vec3 before = b->out->left;
    er_result r = choose_front(b);
    if (er_v3_dot(before, b->out->left) < 0.0) b->offset = -b->offset;
    return r == ER_OK ? order_feet(b) : r;
}

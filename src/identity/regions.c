// Regions of a body: legs and wings as they were read, then humanoid maps, names, and the place in the tree.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "gait/body/body.h"
#include "identity/region_words.h"
#include "rig/mirror/bone_names.h"

enum { NONE = -1, LABEL = 24 };

typedef struct region_place {
    int kind, ordinal, side;
    double sure;
    char label[LABEL]; // of props and parts
} region_place;

typedef struct region_builder {
    er_context *context;
    const er_model *model;
    const er_rig *rig; // or NULL
    er_arena *arena, *scratch;
    er_regions *out;
    region_place *place; // [body_count]
    er_vec3 *middle;     // [body_count], centres of mass
    int *word;           // [body_count], the kind that the name says, or NONE
    bool *carries;       // [body_count], limbs
    int pair_count;      // of feet
    bool hand;           // the rig is one hand, or a pair, and nothing else
} region_builder;

static const struct {
    const char *name, *one, *many;
    bool main, paired; // paired: in the middle it is trunk
} kinds[ER_REGION_KIND_COUNT] = {
    [ER_REGION_TRUNK] = {"trunk", "trunk", "trunk", true, false},
    [ER_REGION_NECK] = {"neck", "neck", "necks", true, false},
    [ER_REGION_HEAD] = {"head", "head", "heads", true, false},
    [ER_REGION_TAIL] = {"tail", "tail", "tails", true, false},
    [ER_REGION_LEG] = {"leg", "leg", "legs", true, true},
    [ER_REGION_ARM] = {"arm", "arm", "arms", true, true},
    [ER_REGION_WING] = {"wing", "wing", "wings", true, true},
    [ER_REGION_FIN] = {"fin", "fin", "fins", true, false},
    [ER_REGION_FOOT] = {"foot", "foot", "feet", false, true},
    [ER_REGION_HAND] = {"hand", "hand", "hands", false, true},
    [ER_REGION_FINGER] = {"finger", "fingers", "fingers", false, true},
    [ER_REGION_JAW] = {"jaw", "jaw", "jaws", false, false},
    [ER_REGION_TONGUE] = {"tongue", "tongue", "tongues", false, false},
    [ER_REGION_FACE] = {"face", "face", "face", false, false},
    [ER_REGION_EAR] = {"ear", "ear", "ears", false, false},
    [ER_REGION_HAIR] = {"hair", "hair", "hair", false, false},
    [ER_REGION_FEELER] = {"feeler", "feeler", "feelers", false, false},
    [ER_REGION_CLOTH] = {"cloth", "cloth", "cloth", false, false},
    [ER_REGION_PROP] = {"prop", "prop", "props", false, false},
    [ER_REGION_PART] = {"part", "part", "parts", true, false},
};

const char *er_region_kind_name(er_region_kind kind)
{
    return (unsigned)kind < ER_REGION_KIND_COUNT ? kinds[kind].name : "unknown";
}

bool er_region_kind_is_main(er_region_kind kind)
{
    return (unsigned)kind < ER_REGION_KIND_COUNT && kinds[kind].main;
}

// --- bodies

static bool is_below(const er_model *m, int body, int top)
{
    for (; body >= 0; body = m->tree_parent[body])
        if (body == top) return true;
    return false;
}

static bool is_accessory(int kind)
{
    return kind == ER_REGION_CLOTH || kind == ER_REGION_PROP || kind == ER_REGION_HAIR;
}

static const char *name_of(const region_builder *b, int body)
{
    const char *role = b->rig != NULL ? b->rig->scene->node[b->rig->body_node[body]].role : NULL;
    return role != NULL && *role != '\0' ? role : b->model->body[body].name;
}

static bool in_middle(const region_builder *b, int body)
{
    return b->out->mirror->body[body] == body;
}

// A tail that hangs on a bone of a hip, and a neck or trunk that carries a leg, are no part of the leg.
static bool is_of_limb(const region_builder *b, int body, int top)
{
    for (;; body = b->model->tree_parent[body]) {
        int kind = b->word[body];
        bool trunk = kind == ER_REGION_TRUNK && in_middle(b, body);
        if (trunk || kind == ER_REGION_TAIL || kind == ER_REGION_NECK || kind == ER_REGION_HEAD) return false;
        if (body == top || kind == ER_REGION_LEG || kind == ER_REGION_WING) return true;
    }
}

static void mark_limb(region_builder *b, int top, int kind, int ordinal)
{
    for (int i = 0; i < b->model->body_count; ++i)
        if (is_below(b->model, i, top) && b->place[i].kind == NONE && is_of_limb(b, i, top))
            b->place[i] = (region_place){.kind = kind, .ordinal = ordinal, .sure = 1.0};
}

static void mark_feet(region_builder *b)
{
    const er_gait_body *body = b->out->body;
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        int top = foot->body, twin = foot->mirror, ordinal;
        for (int k = 1; k < foot->joint_count; ++k)
            top = b->model->tree_parent[top];
        bool first = twin < 0 || twin > i;
        ordinal = first ? b->pair_count++ : b->place[body->foot[twin].body].ordinal;
        if (foot->flat && foot->joint_count > 2) mark_limb(b, foot->body, ER_REGION_FOOT, ordinal);
        mark_limb(b, top, ER_REGION_LEG, ordinal);
        if (b->place[foot->sole].kind == NONE) mark_limb(b, foot->sole, ER_REGION_LEG, ordinal);
    }
    for (int i = 0; i < body->wing_count; ++i)
        mark_limb(b, body->wing[i].body, ER_REGION_WING, 0);
}

// A bone called after cloth or hair that carries a limb is a part of the body: collars above arms are shoulders.
static int carried_by(const region_builder *b, int body, int kind)
{
    for (int i = 0; i < b->model->body_count; ++i) {
        int below = b->model->tree_parent[i] == body ? b->word[i] : NONE;
        if (below != NONE && kinds[below].main) return kinds[below].paired ? below : ER_REGION_TRUNK;
    }
    return kind;
}

// Names of limbs in the middle, such as "shoulders", mean the trunk between them.
static void mark_named(region_builder *b, int body)
{
    region_place *p = &b->place[body];
    int kind = b->word[body];
    unsigned parts = eri_read_bone_name(name_of(b, body)).parts;
    if (b->rig != NULL && b->rig->prop[b->rig->body_node[body]]) kind = ER_REGION_PROP;
    if (is_accessory(kind)) kind = carried_by(b, body, kind);
    if (kind == NONE || (p->kind != NONE && !is_accessory(kind))) return;
    if (kinds[kind].paired && in_middle(b, body)) kind = ER_REGION_TRUNK;
    *p = (region_place){.kind = kind, .sure = 1.0};
    if (kind == ER_REGION_LEG && b->pair_count == 1 && (parts & ERI_PART_FRONT) != 0) p->kind = ER_REGION_ARM;
    if (kind == ER_REGION_LEG && b->pair_count > 1)
        p->ordinal = (parts & ERI_PART_HIND) != 0 ? b->pair_count - 1 : 0; // a leg whose foot was not found
    if (kind == ER_REGION_PROP || kind == ER_REGION_FEELER) eri_name_stem(b->model->body[body].name, p->label, LABEL);
}

// Fingers of a rig that is a hand are parts of their own.
static bool is_hand(const region_builder *b)
{
    bool fingers = false;
    for (int i = 0; i < b->model->body_count; ++i) {
        int kind = b->word[i];
        if (kind != NONE && kind != ER_REGION_FINGER && kind != ER_REGION_HAND && kind != ER_REGION_ARM) return false;
        fingers |= kind == ER_REGION_FINGER;
    }
    return fingers;
}

// In a hand "middle" is a finger.
static void mark_part_of_hand(region_builder *b, int body)
{
    region_place *p = &b->place[body];
    const char *name = name_of(b, body), *word = eri_finger_of_name(name);
    int kind = b->word[body];
    if (kind == NONE && strcmp(word, "finger") == 0) return;
    if (kind == ER_REGION_HAND || kind == ER_REGION_ARM) word = kinds[kind].one;
    *p = (region_place){.kind = ER_REGION_PART, .sure = 1.0};
    memcpy(p->label, word, strlen(word) + 1);
}

static bool any_of(const region_builder *b, int kind)
{
    for (int i = 0; i < b->model->body_count; ++i)
        if (b->place[i].kind == kind) return true;
    return false;
}

// Whether a limb hangs on a body or on one below it.
static void find_carriers(region_builder *b)
{
    for (int k = b->model->body_count - 1; k >= 0; --k) {
        int i = b->model->order[k], up = b->model->tree_parent[i];
        b->carries[i] |= !in_middle(b, i) || b->place[i].kind == ER_REGION_LEG;
        if (up >= 0) b->carries[up] |= b->carries[i];
    }
}

// A body that nothing names, on the trunk: by its place.
static region_place by_place(const region_builder *b, int body)
{
    const er_gait_body *frame = b->out->body;
    int up = b->model->tree_parent[body];
    if (up < 0) return (region_place){.kind = ER_REGION_TRUNK, .sure = 0.8};
    er_vec3 from = er_v3_sub(b->middle[body], b->middle[up]);
    bool limbs = frame->foot_count > 0 || frame->wing_count > 0;
    if (!in_middle(b, body) && b->out->mirror->body[body] >= 0) {
        bool upright =
            frame->foot_count == 2 && er_v3_dot(b->middle[body], frame->up) - frame->ground > 0.4 * frame->height;
        return (region_place){.kind = upright ? ER_REGION_ARM : limbs ? ER_REGION_FEELER : ER_REGION_FIN, .sure = 0.5};
    }
    if (!limbs || b->carries[body]) return (region_place){.kind = ER_REGION_TRUNK, .sure = 0.7};
    double ahead = er_v3_dot(from, frame->forward), high = er_v3_dot(from, frame->up);
    if (ahead < 0.0 && fabs(ahead) > high && !any_of(b, ER_REGION_TAIL))
        return (region_place){.kind = ER_REGION_TAIL, .sure = 0.5};
    if ((ahead > 0.0 || high > 0.0) && !any_of(b, ER_REGION_HEAD))
        return (region_place){.kind = ER_REGION_HEAD, .sure = 0.5};
    return (region_place){.kind = ER_REGION_TRUNK, .sure = 0.6};
}

// A body that nothing names goes with the one above it, except on the trunk.
static region_place inherited(const region_builder *b, int body)
{
    int up = b->model->tree_parent[body], kind = up >= 0 ? b->place[up].kind : NONE;
    if (kind == NONE || kind == ER_REGION_TRUNK) return by_place(b, body);
    region_place p = b->place[up];
    p.sure *= 0.9;
    if (kind == ER_REGION_HAND) p.kind = ER_REGION_FINGER;
    return p;
}

// Machines and plants: bodies by what their names share.
static bool is_machine(const region_builder *b)
{
    double named = 0.0, mass = 0.0;
    for (int i = 0; i < b->model->body_count; ++i) {
        mass += b->model->body[i].mass;
        if (b->place[i].kind != NONE && b->place[i].kind != ER_REGION_PROP) named += b->model->body[i].mass;
    }
    return b->out->body->foot_count == 0 && b->out->body->wing_count == 0 && named < 0.3 * mass;
}

static void mark_part(region_builder *b, int body)
{
    region_place *p = &b->place[body];
    *p = (region_place){.kind = ER_REGION_PART, .sure = 0.7};
    eri_name_stem(b->model->body[body].name, p->label, LABEL);
    if (p->label[0] == '\0') *p = (region_place){.kind = ER_REGION_TRUNK, .sure = 0.5};
}

// A word that most of the mass is called by tells no part.
static void drop_common_word(region_builder *b)
{
    int n = b->model->body_count;
    double whole = 0.0;
    for (int i = 0; i < n; ++i)
        whole += b->model->body[i].mass;
    for (int i = 0; i < n; ++i) {
        double shared = 0.0;
        char label[LABEL];
        memcpy(label, b->place[i].label, LABEL);
        for (int k = 0; k < n; ++k)
            if (b->place[k].kind == ER_REGION_PART && strcmp(b->place[k].label, label) == 0)
                shared += b->model->body[k].mass;
        for (int k = 0; k < n && shared > 0.8 * whole; ++k)
            if (b->place[k].kind == ER_REGION_PART && strcmp(b->place[k].label, label) == 0)
                b->place[k] = (region_place){.kind = ER_REGION_TRUNK, .sure = 0.7};
    }
}

// The side of a body of a limb without twin: by its place, because names may mean the viewer's left; near the middle by
// its name.
static int side_alone(const region_builder *b, int body)
{
    const er_mirror *mirror = b->out->mirror;
    double off = er_v3_dot(b->middle[body], mirror->normal) - mirror->offset,
           left = er_v3_dot(mirror->normal, b->out->body->left) >= 0.0 ? off : -off;
    if (!kinds[b->place[body].kind].paired || fabs(left) < 0.02 * b->model->size)
        return eri_read_bone_name(name_of(b, body)).side;
    return left > 0.0 ? 1 : -1;
}

static void set_side(region_builder *b, int body)
{
    const er_mirror *mirror = b->out->mirror;
    int top = body, kind = b->place[body].kind;
    b->place[body].side = 0;
    if (kind == ER_REGION_HAIR || kind == ER_REGION_CLOTH || kind == ER_REGION_TRUNK || kind == ER_REGION_FACE ||
        kind == ER_REGION_JAW || kind == ER_REGION_HEAD || kind == ER_REGION_NECK)
        return;
    bool named = kinds[kind].paired && eri_read_bone_name(name_of(b, body)).side != 0, own = mirror->body[body] == body;
    if (own && !named && !b->hand) return;
    if (mirror->body[body] < 0 || own || b->hand) {
        b->place[body].side = side_alone(b, body);
        return;
    }
    for (int up = b->model->tree_parent[top]; up >= 0 && !in_middle(b, up) && b->place[up].kind == kind;
         up = b->model->tree_parent[top])
        top = up;
    int twin = mirror->body[top] >= 0 ? mirror->body[top] : top;
    er_vec3 apart = er_v3_sub(b->middle[top], b->middle[twin]);
    b->place[body].side = er_v3_dot(apart, b->out->body->left) >= 0.0 ? 1 : -1;
}

// The last body of a neck is the head, if no other is; or a face on the trunk.
static void find_head(region_builder *b)
{
    if (any_of(b, ER_REGION_HEAD)) return;
    for (int k = 0; k < b->model->body_count; ++k) {
        int i = b->model->order[k], up = b->model->tree_parent[i];
        if (b->place[i].kind == ER_REGION_FACE && up >= 0 && b->place[up].kind == ER_REGION_TRUNK && in_middle(b, i))
            b->place[i].kind = ER_REGION_HEAD;
        bool last = b->place[i].kind == ER_REGION_NECK && up >= 0 && b->place[up].kind == ER_REGION_NECK;
        for (int c = 0; c < b->model->body_count && last; ++c)
            last = b->model->tree_parent[c] != i || b->place[c].kind != ER_REGION_NECK;
        if (last) b->place[i] = (region_place){.kind = ER_REGION_HEAD, .sure = 0.8};
    }
}

// Without limbs and trunk, as in a snake, neck and tail are the body.
static void merge_body(region_builder *b)
{
    if (any_of(b, ER_REGION_LEG) || any_of(b, ER_REGION_ARM) || any_of(b, ER_REGION_WING) || any_of(b, ER_REGION_FIN) ||
        any_of(b, ER_REGION_TRUNK))
        return;
    for (int i = 0; i < b->model->body_count; ++i)
        if (b->place[i].kind == ER_REGION_NECK || b->place[i].kind == ER_REGION_TAIL)
            b->place[i] = (region_place){.kind = ER_REGION_TRUNK, .sure = 0.8};
}

static void place_bodies(region_builder *b)
{
    int n = b->model->body_count;
    for (int i = 0; i < n; ++i)
        b->place[i].kind = NONE;
    b->hand = is_hand(b);
    if (!b->hand) mark_feet(b);
    for (int i = 0; i < n; ++i)
        if (b->hand)
            mark_part_of_hand(b, i);
        else
            mark_named(b, i);
    merge_body(b);
    bool machine = is_machine(b);
    find_carriers(b);
    for (int k = 0; k < n; ++k) {
        int i = b->model->order[k];
        if (b->place[i].kind != NONE) continue;
        if (machine)
            mark_part(b, i);
        else
            b->place[i] = inherited(b, i);
    }
    if (machine) drop_common_word(b);
    find_head(b);
    for (int k = 0; k < n; ++k)
        set_side(b, b->model->order[k]);
}

// --- regions and groups

static int compare(const region_place *a, const region_place *b, bool sides)
{
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->ordinal != b->ordinal) return a->ordinal < b->ordinal ? -1 : 1;
    int labels = strcmp(a->label, b->label);
    if (labels != 0) return labels;
    bool middle = a->side == 0, other = b->side == 0;
    if (middle != other) return middle ? 1 : -1; // a fin in the middle is a group of its own
    return !sides || a->side == b->side ? 0 : a->side > b->side ? -1 : 1;
}

static bool has_ordinal(int kind)
{
    return kind == ER_REGION_LEG || kind == ER_REGION_FOOT;
}

static const char *legs_ordinal(const region_builder *b, int ordinal)
{
    static const char *const of_two[] = {"fore ", "hind "}, *const of_three[] = {"front ", "middle ", "hind "},
                             *const of_more[] = {"first ", "second ", "third ", "fourth ", "fifth ", "sixth "};
    return b->pair_count < 2    ? ""
           : b->pair_count == 2 ? of_two[ordinal % 2]
           : b->pair_count == 3 ? of_three[ordinal % 3]
           : ordinal < 6        ? of_more[ordinal]
                                : "last ";
}

static const char *word_of(const region_builder *b, const region_place *p, bool many)
{
    static const char *const plain[] = {"prop", "part"};
    if (p->kind == ER_REGION_TRUNK) return any_of(b, ER_REGION_LEG) || any_of(b, ER_REGION_ARM) ? "trunk" : "body";
    if (p->kind >= ER_REGION_PROP) return *p->label != '\0' ? p->label : plain[p->kind - ER_REGION_PROP];
    if (p->kind == ER_REGION_FEELER && *p->label != '\0') return p->label;
    return many ? kinds[p->kind].many : kinds[p->kind].one;
}

static er_result name_region(const region_builder *b, const region_place *p, bool alone, er_region *out)
{
    const char *side = p->side > 0 ? "left " : p->side < 0 ? "right " : !alone ? "middle " : "";
    out->name = eri_arena_printf(b->arena, "%s%s%s", side, has_ordinal(p->kind) ? legs_ordinal(b, p->ordinal) : "",
                                 word_of(b, p, false));
    return out->name != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static er_result name_group(const region_builder *b, const region_place *p, er_region_group *out)
{
    bool pair = out->region_count > 1;
    out->plural = pair || p->kind == ER_REGION_FINGER;
    if (!pair) {
        out->name = b->out->region[out->region[0]].name;
        return ER_OK;
    }
    out->name = eri_arena_printf(b->arena, "%s%s", has_ordinal(p->kind) ? legs_ordinal(b, p->ordinal) : "",
                                 word_of(b, p, true));
    if (*p->label != '\0') out->name = eri_arena_printf(b->arena, "%ss", word_of(b, p, true));
    return out->name != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static er_vec3 joint_of(const region_builder *b, int body)
{
    int joint = b->model->tree_joint[body];
    return joint >= 0 ? b->model->joint[joint].frame.p : b->model->body[body].pose.p;
}

// Trunks lie along the direction in which their joints and limbs are spread most.
static er_vec3 along_trunk(const region_builder *b, int index)
{
    const er_gait_body *frame = b->out->body;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < b->model->body_count; ++i) {
        int up = b->model->tree_parent[i];
        bool own = b->out->of_body[i] == index, child = up >= 0 && b->out->of_body[up] == index;
        if (!own && !child) continue;
        er_vec3 at = child ? joint_of(b, i) : b->middle[i];
        double x[2] = {er_v3_dot(at, frame->forward), er_v3_dot(at, frame->up)};
        for (int k = 0; k < 2; ++k) {
            low[k] = fmin(low[k], x[k]);
            high[k] = fmax(high[k], x[k]);
        }
    }
    return high[1] - low[1] > high[0] - low[0] ? frame->up : frame->forward;
}

// To the farthest centre of mass, or the farthest joint if a bone has its mass about its own joint.
static er_vec3 along_limb(const region_builder *b, const er_region *region)
{
    int index = b->out->of_body[region->body[0]];
    er_vec3 root = joint_of(b, region->body[0]), far = {0, 0, 0}, end = {0, 0, 0};
    for (int i = 0; i < b->model->body_count; ++i) {
        int up = b->model->tree_parent[i];
        bool own = b->out->of_body[i] == index, child = up >= 0 && b->out->of_body[up] == index;
        er_vec3 middle = er_v3_sub(b->middle[i], root), joint = er_v3_sub(joint_of(b, i), root);
        if (own && er_v3_norm(middle) > er_v3_norm(far) * (1.0 + 1e-9)) far = middle;
        if (child && er_v3_norm(joint) > er_v3_norm(end) * (1.0 + 1e-9)) end = joint;
    }
    return er_v3_unit(er_v3_norm(far) < 0.5 * er_v3_norm(end) ? end : far, b->out->body->forward);
}

static er_result fill_region(const region_builder *b, er_region *region, int index, int *of_body)
{
    er_result r = ER_OK;
    int *body, count = 0, n = b->model->body_count;
    double sure = 0.0;
    for (int i = 0; i < n; ++i)
        count += of_body[i] == index;
    ERI_TRY_NEW(body, b->arena, int, count);
    for (int k = 0; k < n; ++k) {
        int i = b->model->order[k];
        if (of_body[i] != index) continue;
        body[region->body_count++] = i;
        region->mass += b->model->body[i].mass;
        sure += b->model->body[i].mass * b->place[i].sure;
    }
    region->body = body;
    region->sure = sure / region->mass;
    region->along = region->kind == ER_REGION_TRUNK ? along_trunk(b, index) : along_limb(b, region);
done:
    return r;
}

static bool has_other(const region_builder *b, const int *first, int count, int index)
{
    const region_place *p = &b->place[first[index]];
    for (int i = 0; i < count; ++i) {
        const region_place *other = &b->place[first[i]];
        if (i != index && other->kind == p->kind && other->ordinal == p->ordinal && strcmp(other->label, p->label) == 0)
            return true;
    }
    return false;
}

static er_result list_regions(region_builder *b)
{
    er_result r = ER_OK;
    er_regions *out = b->out;
    int n = b->model->body_count, *first, *of_body, *anchor, count = 0;
    er_region *region;
    er_region_group *group;
    ERI_TRY_NEW(first, b->scratch, int, n);
    for (int i = 0; i < n; ++i) { // distinct places, in order
        int at = 0;
        while (at < count && compare(&b->place[first[at]], &b->place[i], true) < 0)
            ++at;
        if (at < count && compare(&b->place[first[at]], &b->place[i], true) == 0) continue;
        memmove(first + at + 1, first + at, (size_t)(count - at) * sizeof *first);
        first[at] = i;
        ++count;
    }
    ERI_TRY_NEW(of_body, b->arena, int, n);
    ERI_TRY_NEW(anchor, b->arena, int, n);
    ERI_TRY_NEW(region, b->arena, er_region, count);
    ERI_TRY_NEW(group, b->arena, er_region_group, count);
    out->of_body = of_body;
    out->anchor = anchor;
    out->region = region;
    out->group = group;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < count; ++k)
            if (compare(&b->place[first[k]], &b->place[i], true) == 0) of_body[i] = k;
    for (int i = 0; i < n; ++i) {
        anchor[i] = b->model->tree_parent[i];
        while (anchor[i] >= 0 && of_body[anchor[i]] == of_body[i])
            anchor[i] = b->model->tree_parent[anchor[i]];
    }
    for (int k = 0; k < count; ++k) {
        const region_place *p = &b->place[first[k]];
        region[k] = (er_region){.kind = (er_region_kind)p->kind, .side = p->side, .twin = -1};
        ERI_TRY(name_region(b, p, !has_other(b, first, count, k), &region[k]));
        ERI_TRY(fill_region(b, &region[k], k, of_body));
    }
    out->count = count;
    for (int k = 0, end; k < count; k = end) {
        int *member;
        for (end = k + 1; end < count && compare(&b->place[first[k]], &b->place[first[end]], false) == 0;)
            ++end;
        ERI_TRY_NEW(member, b->arena, int, end - k);
        er_region_group *g = &group[out->group_count];
        *g = (er_region_group){.kind = region[k].kind, .region_count = end - k, .region = member};
        for (int i = k; i < end; ++i) {
            member[i - k] = i;
            region[i].group = out->group_count;
            if (end - k == 2) region[i].twin = i == k ? k + 1 : k;
        }
        ERI_TRY(name_group(b, &b->place[first[k]], g));
        ++out->group_count;
    }
done:
    return r;
}

static er_result read_bodies(region_builder *b)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(b->middle, b->scratch, er_vec3, b->model->body_count);
    ERI_TRY_NEW(b->place, b->scratch, region_place, b->model->body_count);
    ERI_TRY_NEW(b->carries, b->scratch, bool, b->model->body_count);
    ERI_TRY_NEW(b->word, b->scratch, int, b->model->body_count);
    for (int i = 0; i < b->model->body_count; ++i) {
        b->middle[i] = er_pose_point(b->model->body[i].pose, b->model->body[i].com);
        b->word[i] = eri_region_of_name(name_of(b, i));
    }
done:
    return r;
}

er_result er_regions_create(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                            er_regions **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_gait_body *body = NULL;
    er_mirror *mirror = NULL;
    er_regions *regions;
    ERI_TRY(eri_gait_body_and_mirror(context, model, rig, def, &body, &mirror));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(regions, arena, er_regions, 1);
    *regions = (er_regions){.body = body, .mirror = mirror, .body_count = model->body_count, .arena = arena};
    region_builder b = {
        .context = context, .model = model, .rig = rig, .arena = arena, .scratch = scratch, .out = regions};
    ERI_TRY(read_bodies(&b));
    place_bodies(&b);
    ERI_TRY(list_regions(&b));
    *out = regions;
    arena = NULL;
    body = NULL;
    mirror = NULL;
done:
    er_gait_body_destroy(body);
    er_mirror_destroy(mirror);
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_regions_destroy(er_regions *regions)
{
    if (regions == NULL) return;
    er_gait_body_destroy((er_gait_body *)regions->body);
    er_mirror_destroy((er_mirror *)regions->mirror);
    eri_arena_destroy(regions->arena);
}

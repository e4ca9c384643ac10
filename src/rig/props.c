// Props are carried things: shields, guns, hats. They are light and rigid with the body that carries them, and of
// several in one place only one has mass. Otherwise a hand with four shields would have more mass than its arm, and the
// low modes would be those of shields.
#include <string.h>

#include "base/platform.h"
#include "rig/build.h"

static const double prop_density = 0.1; // of the body's: thin and hollow
static const double same_space = 0.3;   // of the smaller's box: both are in one place
static const double own_skin = 0.5;     // of a rigid part's area: it is worn if the bone has this much skin of its own

// --- the list of patterns

// Whether a name matches one of patterns separated by commas.
static bool is_listed(const char *list, const char *name)
{
    char one[256];
    for (const char *at = list; *at != '\0';) {
        size_t n = strcspn(at, ",");
        if (n < sizeof one) {
            memcpy(one, at, n);
            one[n] = '\0';
            if (eri_platform_match(one, name)) return true;
        }
        at += n + (at[n] == ',');
    }
    return false;
}

eri_prop_rule eri_rig_prop_rule(const builder *b)
{
    const char *said = b->def.props;
    if (said == NULL || strcmp(said, "auto") == 0) return PROPS_AUTO;
    return strcmp(said, "none") == 0 ? PROPS_NONE : PROPS_LISTED;
}

bool eri_rig_lists_prop(const builder *b, const char *name)
{
    return eri_rig_prop_rule(b) == PROPS_LISTED && is_listed(b->def.props, name);
}

// --- parts

typedef struct prop_part {
    int bone; // that has it all, or -1
    bool skinned;
    double area;
    er_vec3 low, high;
} prop_part;

static int only_bone(const builder *b, const eri_skin_surface *s)
{
    for (int k = 1; k < s->influence_start[s->vertex_count]; ++k)
        if (s->influence_body[k] != s->influence_body[0]) return -1;
    return s->influence_body[0] < b->scene->node_count ? s->influence_body[0] : -1;
}

static prop_part look_at(const builder *b, const eri_skin_surface *s)
{
    prop_part p = {.bone = only_bone(b, s), .low = eri_surface_point(s, 0), .high = eri_surface_point(s, 0)};
    for (int v = 0; v < s->vertex_count; ++v) {
        er_vec3 at = eri_surface_point(s, v);
        p.low = er_v3(fmin(p.low.x, at.x), fmin(p.low.y, at.y), fmin(p.low.z, at.z));
        p.high = er_v3(fmax(p.high.x, at.x), fmax(p.high.y, at.y), fmax(p.high.z, at.z));
    }
    return p;
}

double eri_rig_add_area(const builder *b, const eri_skin_surface *s, double *area)
{
    double all = 0.0;
    for (int t = 0; t < s->triangle_count; ++t) {
        const int *v = s->index + 3 * (size_t)t;
        er_vec3 a = eri_surface_point(s, v[0]);
        double third = er_v3_norm(er_v3_cross(er_v3_sub(eri_surface_point(s, v[1]), a),
                                              er_v3_sub(eri_surface_point(s, v[2]), a))) /
                       6.0;
        all += 3.0 * third;
        for (int c = 0; area != NULL && c < 3; ++c)
            for (int k = s->influence_start[v[c]]; k < s->influence_start[v[c] + 1]; ++k)
                if (s->influence_body[k] < b->scene->node_count)
                    area[s->influence_body[k]] += third * s->influence_weight[k];
    }
    return all;
}

typedef struct skins {
    double *all;    // [node_count], area of skin that a bone has
    double *shared; // likewise, of surfaces that it shares
} skins;

// By the names of the node that draws it, or of its bone.
static bool names_prop(const builder *b, const prop_part *p, int node)
{
    if (eri_rig_prop_rule(b) == PROPS_LISTED) return eri_rig_lists_prop(b, b->name[node]);
    return !p->skinned && eri_rig_names_socket(b->name[node], b->hands);
}

static bool looks_like_prop(const builder *b, const prop_part *p, const skins *skin)
{
    int up = b->parent[p->bone];
    const char *bone = b->name[p->bone];
    if (eri_rig_prop_rule(b) == PROPS_LISTED) return eri_rig_lists_prop(b, bone);
    if (eri_rig_names_socket(bone, b->hands)) return true;
    double own = p->skinned ? skin->shared[p->bone] : skin->all[p->bone];
    bool held = eri_rig_names_hand(bone) && own > 0.0;
    bool held_below = up >= 0 && !p->skinned && eri_rig_names_hand(b->name[up]) && skin->all[up] > 0.0;
    return held || held_below || (!p->skinned && own > 0.0 && own >= own_skin * p->area);
}

static double overlap(double low, double high, double other_low, double other_high)
{
    return fmax(0.0, fmin(high, other_high) - fmax(low, other_low));
}

static bool share_space(const builder *b, const prop_part *a, const prop_part *o)
{
    double thin = 1e-3 * b->extent, space = 1.0, first = 1.0, second = 1.0;
    const double box[2][2][3] = {{{a->low.x, a->low.y, a->low.z}, {a->high.x, a->high.y, a->high.z}},
                                 {{o->low.x, o->low.y, o->low.z}, {o->high.x, o->high.y, o->high.z}}};
    for (int i = 0; i < 3; ++i) {
        double al = box[0][0][i] - thin, ah = box[0][1][i] + thin, ol = box[1][0][i] - thin, oh = box[1][1][i] + thin;
        space *= overlap(al, ah, ol, oh);
        first *= ah - al;
        second *= oh - ol;
    }
    return space > same_space * fmin(first, second);
}

// Surfaces, and the nodes that draw them.
typedef struct drawn {
    int meshes, count;
    const int *node, *place; // [meshes]
    const eri_skin_surface *surface;
} drawn;

// Marks surfaces that are props, and those in the place of an earlier one on the same bone.
static er_result find_props(builder *b, const drawn *d, bool *prop, bool *spare)
{
    er_result r = ER_OK;
    prop_part *parts;
    skins skin;
    bool *skinned;
    ERI_TRY_NEW(skinned, b->scratch, bool, b->scene->node_count);
    for (int i = 0; i < b->scene->instance_count; ++i)
        skinned[b->scene->instance[i].node] |= b->scene->instance[i].skin >= 0;
    ERI_TRY_NEW(parts, b->scratch, prop_part, d->count);
    ERI_TRY_NEW(skin.all, b->scratch, double, b->scene->node_count);
    ERI_TRY_NEW(skin.shared, b->scratch, double, b->scene->node_count);
    for (int k = 0; k < d->count; ++k)
        parts[k] = look_at(b, &d->surface[k]);
    for (int m = 0; m < d->meshes; ++m)
        parts[d->place[m]].skinned |= skinned[d->node[m]];
    for (int k = 0; k < d->count; ++k) {
        parts[k].area = eri_rig_add_area(b, &d->surface[k], parts[k].skinned ? skin.all : NULL);
        if (parts[k].skinned && parts[k].bone < 0) eri_rig_add_area(b, &d->surface[k], skin.shared);
    }
    for (int m = 0; m < d->meshes; ++m)
        prop[d->place[m]] |= names_prop(b, &parts[d->place[m]], d->node[m]);
    for (int k = 0; k < d->count; ++k) {
        prop[k] = parts[k].bone >= 0 && (prop[k] || looks_like_prop(b, &parts[k], &skin));
        for (int i = 0; i < k && prop[k]; ++i)
            spare[k] |= prop[i] && !spare[i] && parts[i].bone == parts[k].bone && share_space(b, &parts[i], &parts[k]);
    }
done:
    return r;
}

er_result eri_rig_split_props(builder *b, int meshes, const int *node, const int *place, int *count,
                              eri_skin_surface *surface, eri_skin_surface **held, int *held_count)
{
    er_result r = ER_OK;
    bool *prop, *spare;
    int kept = 0;
    *held_count = 0;
    ERI_TRY_NEW(*held, b->scratch, eri_skin_surface, *count);
    if (eri_rig_prop_rule(b) == PROPS_NONE) return ER_OK;
    ERI_TRY_NEW(prop, b->scratch, bool, *count);
    ERI_TRY_NEW(spare, b->scratch, bool, *count);
    ERI_TRY(find_props(b, &(drawn){meshes, *count, node, place, surface}, prop, spare));
    for (int m = 0; m < meshes; ++m)
        b->prop[node[m]] |= prop[place[m]];
    for (int k = 0; k < *count; ++k) {
        if (!prop[k])
            surface[kept++] = surface[k];
        else if (!spare[k])
            (*held)[(*held_count)++] = surface[k];
    }
    *count = kept;
done:
    return r;
}

static void add_mass(eri_mass *to, double factor, const eri_mass *mass)
{
    to->mass += factor * mass->mass;
    to->moment = er_v3_madd(to->moment, factor, mass->moment);
    to->second = er_m3_madd(to->second, factor, mass->second);
}

er_result eri_rig_weigh_props(builder *b, int count, const eri_skin_surface *held)
{
    eri_mass_info info;
    int n = b->scene->node_count;
    if (count == 0) return ER_OK;
    er_result r =
        eri_mass_from_surfaces(b->context, count, held, n + 1, prop_density * b->def.density, b->carried, &info);
    for (int i = 0; i <= n && r == ER_OK; ++i)
        add_mass(&b->mass[i], 1.0, &b->carried[i]);
    return r;
}

void eri_rig_lighten(builder *b, int bone)
{
    eri_mass own = b->mass[bone];
    add_mass(&own, -1.0, &b->carried[bone]);
    add_mass(&b->mass[bone], prop_density - 1.0, &own);
}

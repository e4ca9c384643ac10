// The mass of bones, and which of them are welded.
#include <string.h>

#include "rig/build.h"

static const double least_share = 1e-6; // of the whole mass: a bone with less is no body
static const double flat_model = 0.02;  // of the extent: how thick plates are if all of a model is flat
static const double flat_part = 0.002;  // likewise, of flat parts beside solid ones
static const double least_area = 1e-3;  // of all area, that a bone of flat parts has: eyelashes have less
static const double much_capped = 0.2;  // of the area

static double total_mass(const builder *b)
{
    double total = 0.0;
    for (int i = 0; i < b->scene->node_count; ++i)
        total += b->mass[i].mass;
    return total;
}

double eri_rig_least_mass(const builder *b)
{
    return least_share * total_mass(b);
}

// From file units to metres: m scales by the third, m x by the fourth, m x x' by the fifth power.
static void scale_to_metres(const builder *b, eri_mass *mass)
{
    double cube = b->unit * b->unit * b->unit;
    for (int i = 0; i <= b->scene->node_count; ++i) {
        eri_mass *m = &mass[i];
        m->mass *= cube;
        m->moment = er_v3_scale(cube * b->unit, m->moment);
        m->second = er_m3_madd((er_mat3){0}, cube * b->unit * b->unit, m->second);
    }
}

// Surfaces without volume have the mass of plates. A triangle is lumped in three, each at the centroid of the part
// nearest to its vertex, with that part's own spread.
//   @param thickness  file units   @param only  [node_count], bones that are weighed so; NULL for all
static void weigh_plates(builder *b, const eri_skin_surface *s, double thickness, const bool *only)
{
    for (int t = 0; t < s->triangle_count; ++t) {
        er_vec3 v[3];
        for (int c = 0; c < 3; ++c)
            v[c] = eri_surface_point(s, s->index[3 * t + c]);
        double area = 0.5 * er_v3_norm(er_v3_cross(er_v3_sub(v[1], v[0]), er_v3_sub(v[2], v[0])));
        for (int c = 0; c < 3; ++c) {
            er_vec3 at = er_v3_add(er_v3_scale(22.0 / 36.0, v[c]),
                                   er_v3_scale(7.0 / 36.0, er_v3_add(v[(c + 1) % 3], v[(c + 2) % 3])));
            for (int k = s->influence_start[s->index[3 * t + c]]; k < s->influence_start[s->index[3 * t + c] + 1];
                 ++k) {
                int bone = s->influence_body[k];
                if (only != NULL && (bone == b->scene->node_count || !only[bone])) continue;
                double m = b->def.density * thickness * area / 3.0 * s->influence_weight[k];
                eri_mass *into = &b->mass[bone];
                into->mass += m;
                into->moment = er_v3_madd(into->moment, m, at);
                into->second = er_m3_madd(into->second, m, er_m3_outer(at, at));
                into->second =
                    er_m3_madd(into->second, m * (area / 36.0 + thickness * thickness / 12.0), er_m3_identity());
            }
        }
    }
}

// Flat parts beside solid ones: wings, capes, leaves, cards of hair. Bones that move nothing else weigh as plates.
static er_result weigh_flat_parts(builder *b, int count, const eri_skin_surface *surface)
{
    er_result r = ER_OK;
    const double thickness = flat_part * b->rig->extent / b->unit;
    int n = b->scene->node_count, flat = 0;
    double *area, all = 0.0;
    bool *only;
    ERI_TRY_NEW(area, b->scratch, double, n);
    ERI_TRY_NEW(only, b->scratch, bool, n);
    for (int k = 0; k < count; ++k)
        all += eri_rig_add_area(b, &surface[k], area);
    for (int i = 0; i < n; ++i)
        flat += only[i] = b->bone[i] && !(b->mass[i].mass > 0.0) && area[i] > least_area * all;
    if (flat == 0) return ER_OK;
    for (int k = 0; k < count; ++k)
        weigh_plates(b, &surface[k], thickness, only);
    return eri_notes_add(&b->notes, ER_NOTE_FACT, "%d bones move only flat parts, which weigh as plates %.3g m thick",
                         flat, thickness * b->unit);
done:
    return r;
}

// Without a mesh names decide which bones are controls, unless they would leave fewer than two other bones.
static er_result find_controls(builder *b)
{
    er_result r = ER_OK;
    bool *control, deforming = false;
    int n = b->scene->node_count, left = 0, found = 0;
    ERI_TRY_NEW(control, b->scratch, bool, n);
    for (int i = 0; i < n; ++i)
        deforming |= b->bone[i] && eri_rig_names_deforming(b->name[i]);
    for (int i = 0; i < n; ++i) {
        if (!b->bone[i]) continue;
        control[i] = deforming ? !eri_rig_names_deforming(b->name[i]) : eri_rig_names_control(b->name[i]);
        found += control[i];
        left += !control[i];
    }
    if (found > 0 && left > 1) b->control = control;
done:
    return r;
}

// Clothes and heads have holes for necks and eyes. Where caps are much of the surface, the volume is a guess.
static er_result report_caps(builder *b, const eri_mass_info *info)
{
    bool guessed = info->cap_share > much_capped;
    return eri_notes_add(
        &b->notes, guessed ? ER_NOTE_WARNING : ER_NOTE_FACT,
        "%d of %d surfaces are not closed; their holes were capped to weigh them (%.0f %% of the volume)%s",
        info->open_count, info->open_count + info->closed_count, 100.0 * info->open_share,
        guessed ? "; the caps are so large that the volume is a guess" : "");
}

static er_result weigh_anew(builder *b)
{
    er_result r = ER_OK;
    int n = b->scene->node_count, count = 0, left_out = 0, closed;
    int held_count = 0, meshes, *node = NULL, *place;
    eri_skin_surface *surface = NULL, *held = NULL;
    eri_mass_info info = {0};
    for (int i = 0; i < b->scene->instance_count; ++i)
        left_out += !eri_rig_drawn_on_bones(b, &b->scene->instance[i]);
    if (left_out > 0)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "%d meshes belong to no bone of the rig and have no mass",
                              left_out));
    ERI_TRY(eri_rig_surfaces(b, b->rest, &surface, &count, &node));
    meshes = count;
    ERI_TRY_NEW(place, b->scratch, int, count);
    ERI_TRY(eri_rig_close_seams(b, count, surface, &closed));
    if (closed > 0)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT,
                              "%d edges of seams were open by less than 0.1 %% of the size "
                              "and were closed to weigh the meshes",
                              closed));
    ERI_TRY(eri_rig_join_seams(b, &count, surface, place));
    ERI_TRY(eri_rig_split_props(b, meshes, node, place, &count, surface, &held, &held_count));
    ERI_TRY(eri_mass_from_surfaces(b->context, count, surface, n + 1, b->def.density, b->mass, &info));
    if (total_mass(b) > 0.0) {
        ERI_TRY(weigh_flat_parts(b, count, surface));
        ERI_TRY(eri_rig_weigh_props(b, held_count, held));
    }
    scale_to_metres(b, b->mass);
    scale_to_metres(b, b->carried);
    b->rig->volume = info.volume * b->unit * b->unit * b->unit;
    if (total_mass(b) > 0.0) {
        b->rig->mass_source = info.open_count == 0     ? "meshes, closed"
                              : info.closed_count == 0 ? "meshes, open: their holes were capped"
                                                       : "meshes, some open: their holes were capped";
        if (info.open_count > 0) ERI_TRY(report_caps(b, &info));
        return ER_OK;
    }
    for (int k = 0; k < count; ++k)
        weigh_plates(b, &surface[k], flat_model * b->rig->extent / b->unit, NULL);
    scale_to_metres(b, b->mass);
    b->rig->mass_source = "flat meshes, taken as plates";
    if (total_mass(b) > 0.0) {
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_WARNING,
                              "the meshes bound no volume: they weigh as plates %.3g m thick",
                              flat_model * b->rig->extent));
        return ER_OK;
    }
    ERI_TRY(find_controls(b));
    ERI_TRY(eri_rig_weigh_rods(b));
    b->rig->mass_source = "capsules along the bones";
    ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "there is no mesh: bones weigh as capsules"));
    if (!(total_mass(b) > 0.0))
        r = er_fail(b->context, ER_ERROR_RIG,
                    "no bone has any mass: there is no mesh on them, and they have no length");
done:
    return r;
}

static bool weighs_the_same(const builder *b, const er_rig *like)
{
    if (like == NULL || like->scene != b->scene || like->weights->density != b->def.density) return false;
    const char *props = like->weights->props;
    if ((props == NULL) != (b->def.props == NULL) || (props != NULL && strcmp(props, b->def.props) != 0)) return false;
    return like->weights->unit == b->unit && like->weights->infer_parents == b->def.infer_parents &&
           memcmp(like->weights->bone, b->bone, (size_t)b->scene->node_count * sizeof *b->bone) == 0;
}

static er_result weigh_like(builder *b, const er_rig *like)
{
    er_result r = ER_OK;
    const er_weights *w = like->weights;
    memcpy(b->mass, w->mass, ((size_t)b->scene->node_count + 1) * sizeof *b->mass);
    memcpy(b->carried, w->carried, ((size_t)b->scene->node_count + 1) * sizeof *b->carried);
    memcpy(b->prop, w->prop, (size_t)b->scene->node_count * sizeof *b->prop);
    b->rig->volume = like->volume;
    b->rig->mass_source = like->mass_source;
    for (int i = w->note_first; i < w->note_first + w->note_count; ++i)
        ERI_TRY(eri_notes_add(&b->notes, like->note[i].kind, "%s", like->note[i].text));
done:
    return r;
}

er_result eri_rig_weigh(builder *b)
{
    er_result r = ER_OK;
    size_t n = (size_t)b->scene->node_count;
    int first = b->notes.count;
    bool *bone;
    eri_mass *mass;
    er_weights *w;
    if (weighs_the_same(b, b->def.like)) b->weighed_like = b->def.like->weights;
    ERI_TRY(b->weighed_like != NULL ? weigh_like(b, b->def.like) : weigh_anew(b));
    ERI_TRY_NEW(w, b->notes.arena, er_weights, 1);
    ERI_TRY_NEW(bone, b->notes.arena, bool, n);
    ERI_TRY_NEW(mass, b->notes.arena, eri_mass, n + 1);
    memcpy(bone, b->bone, n * sizeof *bone);
    memcpy(mass, b->mass, (n + 1) * sizeof *mass);
    *w = (er_weights){.density = b->def.density,
                      .unit = b->unit,
                      .infer_parents = b->def.infer_parents,
                      .props = b->def.props != NULL ? eri_arena_string(b->notes.arena, b->def.props) : NULL,
                      .prop = b->prop,
                      .carried = b->carried,
                      .bone = bone,
                      .mass = mass,
                      .note_first = first,
                      .note_count = b->notes.count - first};
    b->rig->weights = b->weights = w;
done:
    return r;
}

// A joint of a BVH without rotation channels cannot turn.
static bool is_frozen(const builder *b, int node)
{
    const er_node *n = &b->scene->node[node];
    if (b->scene->format != ER_FORMAT_BVH || b->def.joints != ER_JOINTS_AUTO || b->parent[node] < 0) return false;
    for (int c = 0; c < n->channel_count; ++c)
        if (n->channels[c] >= ER_BVH_X_ROTATION) return false;
    return true;
}

static bool is_light(const builder *b, int node, double least)
{
    return b->mass[node].mass <= least || b->stray[node] || b->prop[node];
}

er_result eri_rig_find_bodies(builder *b, int *dropped)
{
    er_result r = ER_OK;
    int n = b->scene->node_count, *order = NULL, *heaviest, count = 0;
    *dropped = 0;
    double *below, least = eri_rig_least_mass(b);
    ERI_TRY(eri_rig_parents_first(b, &order, &count));
    ERI_TRY_NEW(below, b->scratch, double, n);
    ERI_TRY_NEW(heaviest, b->scratch, int, n); // branch of a bone, the first of equal ones; -1: none
    for (int i = 0; i < n; ++i)
        b->body[i] = heaviest[i] = -1;
    for (int k = count - 1; k >= 0; --k) {
        int i = order[k];
        int p = b->parent[i];
        if (!is_light(b, i, least)) below[i] += b->mass[i].mass;
        if (p < 0) continue;
        below[p] += below[i];
        int other = heaviest[p];
        if (other < 0 || below[i] > below[other] || (below[i] == below[other] && i < other)) heaviest[p] = i;
    }
    for (int k = 0; k < count; ++k) {
        int i = order[k], p = b->parent[i];
        if (p < 0 && is_light(b, i, least)) {
            // a root without mass is welded to the bones down the heaviest branches to the first with mass
            int at = i;
            while (is_light(b, at, least) && heaviest[at] >= 0)
                at = heaviest[at];
            if (is_light(b, at, least)) {
                ++*dropped;
                continue;
            }
            for (int up = at; up >= 0; up = b->parent[up])
                b->body[up] = at;
        } else {
            b->body[i] = p < 0 || (!is_light(b, i, least) && !is_frozen(b, i)) ? i : b->body[p];
        }
    }
done:
    return r;
}

er_result eri_rig_weld(builder *b)
{
    er_result r = ER_OK;
    int n = b->scene->node_count, welded = 0, dropped = 0;
    ERI_TRY(eri_rig_find_bodies(b, &dropped));
    ERI_TRY(eri_rig_keep_character(b));
    for (int i = 0; i < n; ++i) {
        int into = b->body[i];
        if (into < 0) continue;
        b->body_count += into == i;
        if (into == i) continue;
        ++welded;
        b->mass[into].mass += b->mass[i].mass;
        b->mass[into].moment = er_v3_add(b->mass[into].moment, b->mass[i].moment);
        b->mass[into].second = er_m3_madd(b->mass[into].second, 1.0, b->mass[i].second);
    }
    if (welded > 0)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT,
                              "%d bones have no volume (or no freedom) of their own and are welded to a neighbour",
                              welded));
    if (dropped > 0)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "%d bone trees without any mass were left out", dropped));
done:
    return r;
}

// Orients components outward, and cavities inward. A component and its cavities are a region, which is integrated by
// itself.
#include "rig/mass/face_tree.h"

#define INSIDE_SAMPLES 33 // faces of a component that must all lie inside to make it a cavity
#define FEW_SAMPLES 5     // as many instead once rays have crossed MANY faces
#define MANY 1000000      // a ray crosses thousands in a tangle, else a handful
#define FLAT 1e-6         // |volume| / area^1.5 below which a component has no inside

typedef struct orientation {
    eri_mass_solid *solid;
    eri_face_tree *tree;    // of all faces; NULL until a component is oriented inward
    eri_crossing *crossing; // [face_count]
    int *net;               // [component_count], winding numbers; zero between samples
    int *leader;            // [component_count], of a union of components
    int around_count;
    int *around;     // [component_count], the components around some sample of a component
    bool *is_around; // [component_count]
    int64_t met;     // faces, by lines
} orientation;

// +1 outward, -1 inward, 0 without an inside.
static int component_sign(const eri_component *component)
{
    if (!(fabs(component->volume) > FLAT * pow(component->area, 1.5))) return 0;
    return component->volume > 0.0 ? 1 : -1;
}

static int leader_of(orientation *t, int component)
{
    while (t->leader[component] != component)
        component = t->leader[component] = t->leader[t->leader[component]];
    return component;
}

// The winding number of the other components, each as if oriented outward, at the centroid of a face. Those
// around that place are listed.
static int winding_of_others(orientation *t, const eri_face *face)
{
    const eri_mass_solid *solid = t->solid;
    er_vec3 a = solid->position[face->vertex[0]], b = solid->position[face->vertex[1]],
            c = solid->position[face->vertex[2]];
    er_vec3 x = er_v3_scale(1.0 / 3.0, er_v3_add(er_v3_add(a, b), c));
    int winding = 0, crossings = eri_face_tree_line(t->tree, 0, x, x.x, t->crossing);
    t->met += crossings;
    for (int i = 0; i < crossings; ++i) {
        int other = solid->face[t->crossing[i].face].component;
        int step = other == face->component ? 0 : t->crossing[i].step * component_sign(&solid->component[other]);
        t->net[other] += step;
        winding += step;
    }
    for (int i = 0; i < crossings; ++i) {
        int other = solid->face[t->crossing[i].face].component;
        if (t->net[other] != 0 && !t->is_around[other]) {
            t->is_around[other] = true;
            t->around[t->around_count++] = other;
        }
        t->net[other] = 0;
    }
    return winding;
}

// Whether a component lies inside the others. If so it is united with all that are around it.
static bool join_cavity(orientation *t, int component)
{
    const eri_component *p = &t->solid->component[component];
    int most = t->met < MANY ? INSIDE_SAMPLES : FEW_SAMPLES, samples = p->count < most ? p->count : most;
    bool inside = true;
    t->around_count = 0;
    for (int s = 0; s < samples && inside; ++s) {
        int face = t->solid->member[p->first + (int)((int64_t)s * p->count / samples)];
        inside = winding_of_others(t, &t->solid->face[face]) > 0;
    }
    for (int i = 0; i < t->around_count; ++i) {
        if (inside) t->leader[leader_of(t, t->around[i])] = leader_of(t, component);
        t->is_around[t->around[i]] = false;
    }
    return inside;
}

static er_result orient_components(er_arena *arena, orientation *t, bool *turn)
{
    er_result r = ER_OK;
    eri_mass_solid *solid = t->solid;
    double total = 0.0;
    for (int p = 0; p < solid->component_count; ++p)
        total += solid->component[p].volume;
    for (int p = 0; p < solid->component_count; ++p) {
        turn[p] = total < 0.0;
        if (component_sign(&solid->component[p]) != (total < 0.0 ? 1 : -1)) continue;
        if (t->tree == NULL) {
            ERI_TRY_NEW(t->crossing, arena, eri_crossing, solid->face_count);
            ERI_TRY_NEW(t->net, arena, int, solid->component_count);
            ERI_TRY_NEW(t->around, arena, int, solid->component_count);
            ERI_TRY_NEW(t->is_around, arena, bool, solid->component_count);
            ERI_TRY(eri_face_tree_build(arena, solid, solid->face_count, solid->order, &t->tree));
        }
        if (!join_cavity(t, p)) turn[p] = !turn[p];
    }
    for (int p = 0; p < solid->component_count; ++p) {
        if (!turn[p]) continue;
        solid->component[p].sign = -1;
        solid->component[p].volume = -solid->component[p].volume;
    }
done:
    return r;
}

// Regions are numbered as their first components are; within one, faces keep their order.
static er_result gather_regions(er_arena *arena, orientation *t)
{
    er_result r = ER_OK;
    eri_mass_solid *solid = t->solid;
    ERI_TRY_NEW(solid->region, arena, eri_region, solid->component_count);
    for (int p = 0; p < solid->component_count; ++p) {
        eri_component *component = &solid->component[p], *first = &solid->component[leader_of(t, p)];
        if (first->region < 0) first->region = solid->region_count++;
        component->region = first->region;
        solid->region[component->region].volume += component->volume;
        solid->region[component->region].area += component->area;
    }
    for (int f = 0; f < solid->face_count; ++f)
        ++solid->region[solid->component[solid->face[f].component].region].count;
    for (int s = 1; s < solid->region_count; ++s)
        solid->region[s].first = solid->region[s - 1].first + solid->region[s - 1].count;
    for (int s = 0; s < solid->region_count; ++s)
        solid->region[s].count = 0;
    for (int f = 0; f < solid->face_count; ++f) {
        eri_region *region = &solid->region[solid->component[solid->face[f].component].region];
        int owner = solid->face[f].owner;
        region->owner = region->count == 0 || region->owner == owner ? owner : -1;
        solid->order[region->first + region->count++] = f;
    }
done:
    return r;
}

er_result eri_solid_orient(er_arena *arena, eri_mass_solid *solid)
{
    er_result r = ER_OK;
    orientation t = {.solid = solid};
    bool *turn = NULL;
    ERI_TRY_NEW(turn, arena, bool, solid->component_count);
    ERI_TRY_NEW(t.leader, arena, int, solid->component_count);
    ERI_TRY_NEW(solid->order, arena, int, solid->face_count);
    ERI_TRY_NEW(solid->plane, arena, eri_face_plane, solid->face_count);
    for (int p = 0; p < solid->component_count; ++p)
        t.leader[p] = p;
    for (int f = 0; f < solid->face_count; ++f)
        solid->order[f] = f;
    ERI_TRY(orient_components(arena, &t, turn));
    ERI_TRY(gather_regions(arena, &t));
done:
    return r;
}

// Which way out is: parts are turned outward, and those that are cavities go with what they are cavities of. What then
// hangs together is a shell, and is weighed by itself.
#include "rig/mass/face_tree.h"

#define INSIDE_SAMPLES 33 // faces of a part that must all lie inside to make it a cavity
#define FEW_SAMPLES 5     // as many instead once lines have met MANY faces
#define MANY 1000000      // a line meets thousands in a tangle, else a handful
#define FLAT 1e-6         // |volume| / area^1.5 below which a part has no inside

typedef struct turning {
    eri_mass_solid *solid;
    eri_face_tree *tree;    // of all faces; NULL while no part is turned inward
    eri_crossing *crossing; // [face_count]
    int *net;               // [part_count], winding numbers; zero between samples
    int *leader;            // [part_count], of a union of parts
    int around_count;
    int *around;     // [part_count], the parts around some sample of a part
    bool *is_around; // [part_count]
    int64_t met;     // faces, by lines
} turning;

// +1 or -1 as the part is turned, 0 where it has no inside.
static int part_sign(const eri_skin_part *part)
{
    if (!(fabs(part->volume) > FLAT * pow(part->area, 1.5))) return 0;
    return part->volume > 0.0 ? 1 : -1;
}

static int leader_of(turning *t, int part)
{
    while (t->leader[part] != part)
        part = t->leader[part] = t->leader[t->leader[part]];
    return part;
}

// The winding number that the other parts, each taken as if turned outward, have in the middle of a face. Those around
// that place are listed.
static int winding_of_others(turning *t, const eri_face *face)
{
    const eri_mass_solid *solid = t->solid;
    er_vec3 a = solid->position[face->vertex[0]], b = solid->position[face->vertex[1]],
            c = solid->position[face->vertex[2]];
    er_vec3 x = er_v3_scale(1.0 / 3.0, er_v3_add(er_v3_add(a, b), c));
    int winding = 0, crossings = eri_face_tree_line(t->tree, 0, x, x.x, t->crossing);
    t->met += crossings;
    for (int i = 0; i < crossings; ++i) {
        int other = solid->face[t->crossing[i].face].part;
        int step = other == face->part ? 0 : t->crossing[i].step * part_sign(&solid->part[other]);
        t->net[other] += step;
        winding += step;
    }
    for (int i = 0; i < crossings; ++i) {
        int other = solid->face[t->crossing[i].face].part;
        if (t->net[other] != 0 && !t->is_around[other]) {
            t->is_around[other] = true;
            t->around[t->around_count++] = other;
        }
        t->net[other] = 0;
    }
    return winding;
}

// Whether a part lies inside the others. If so it is united with all that are around it.
static bool join_cavity(turning *t, int part)
{
    const eri_skin_part *p = &t->solid->part[part];
    int most = t->met < MANY ? INSIDE_SAMPLES : FEW_SAMPLES, samples = p->count < most ? p->count : most;
    bool inside = true;
    t->around_count = 0;
    for (int s = 0; s < samples && inside; ++s) {
        int face = t->solid->member[p->first + (int)((int64_t)s * p->count / samples)];
        inside = winding_of_others(t, &t->solid->face[face]) > 0;
    }
    for (int i = 0; i < t->around_count; ++i) {
        if (inside) t->leader[leader_of(t, t->around[i])] = leader_of(t, part);
        t->is_around[t->around[i]] = false;
    }
    return inside;
}

static er_result turn_parts(er_arena *arena, turning *t, bool *turn)
{
    er_result r = ER_OK;
    eri_mass_solid *solid = t->solid;
    double total = 0.0;
    for (int p = 0; p < solid->part_count; ++p)
        total += solid->part[p].volume;
    for (int p = 0; p < solid->part_count; ++p) {
        turn[p] = total < 0.0;
        if (part_sign(&solid->part[p]) != (total < 0.0 ? 1 : -1)) continue;
        if (t->tree == NULL) {
            ERI_TRY_NEW(t->crossing, arena, eri_crossing, solid->face_count);
            ERI_TRY_NEW(t->net, arena, int, solid->part_count);
            ERI_TRY_NEW(t->around, arena, int, solid->part_count);
            ERI_TRY_NEW(t->is_around, arena, bool, solid->part_count);
            ERI_TRY(eri_face_tree_build(arena, solid, solid->face_count, solid->order, &t->tree));
        }
        if (!join_cavity(t, p)) turn[p] = !turn[p];
    }
    for (int p = 0; p < solid->part_count; ++p) {
        if (!turn[p]) continue;
        solid->part[p].sign = -1;
        solid->part[p].volume = -solid->part[p].volume;
    }
done:
    return r;
}

// Shells are numbered as their first parts are; within one, faces keep their order.
static er_result gather_shells(er_arena *arena, turning *t)
{
    er_result r = ER_OK;
    eri_mass_solid *solid = t->solid;
    ERI_TRY_NEW(solid->shell, arena, eri_shell, solid->part_count);
    for (int p = 0; p < solid->part_count; ++p) {
        eri_skin_part *part = &solid->part[p], *first = &solid->part[leader_of(t, p)];
        if (first->shell < 0) first->shell = solid->shell_count++;
        part->shell = first->shell;
        solid->shell[part->shell].volume += part->volume;
        solid->shell[part->shell].area += part->area;
    }
    for (int f = 0; f < solid->face_count; ++f)
        ++solid->shell[solid->part[solid->face[f].part].shell].count;
    for (int s = 1; s < solid->shell_count; ++s)
        solid->shell[s].first = solid->shell[s - 1].first + solid->shell[s - 1].count;
    for (int s = 0; s < solid->shell_count; ++s)
        solid->shell[s].count = 0;
    for (int f = 0; f < solid->face_count; ++f) {
        eri_shell *shell = &solid->shell[solid->part[solid->face[f].part].shell];
        int owner = solid->face[f].owner;
        shell->owner = shell->count == 0 || shell->owner == owner ? owner : -1;
        solid->order[shell->first + shell->count++] = f;
    }
done:
    return r;
}

er_result eri_solid_turn(er_arena *arena, eri_mass_solid *solid)
{
    er_result r = ER_OK;
    turning t = {.solid = solid};
    bool *turn = NULL;
    ERI_TRY_NEW(turn, arena, bool, solid->part_count);
    ERI_TRY_NEW(t.leader, arena, int, solid->part_count);
    ERI_TRY_NEW(solid->order, arena, int, solid->face_count);
    ERI_TRY_NEW(solid->flat, arena, eri_flat, solid->face_count);
    for (int p = 0; p < solid->part_count; ++p)
        t.leader[p] = p;
    for (int f = 0; f < solid->face_count; ++f)
        solid->order[f] = f;
    ERI_TRY(turn_parts(arena, &t, turn));
    ERI_TRY(gather_shells(arena, &t));
done:
    return r;
}

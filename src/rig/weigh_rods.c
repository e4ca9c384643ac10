// The mass of bones without a mesh: rods. A limb tapers towards its tip; a trunk, with limbs at both ends, is as thick
// as all of them side by side. So a person's parts have about their real masses, however many bones they are made of
// (docs/math/mass.md).
#include "rig/build.h"

static const double thick = 0.045, taper = 1.25; // radius of a limb as long as the model, over that; power of its area
static const double least_limb = 0.15;           // of the model's size: shorter branches are fingers, toes, ears

// Measures of the rod from a bone to a child or an end site, or of all rods below a bone.
typedef struct branch {
    double way; // to the farthest tip, m
    int limbs;
    double area; // m^2, of the limbs where they begin
} branch;

// The bone whose rod ends at a node, -1 for none.
static int begins_at(const builder *b, int node)
{
    int bone = b->bone[node] ? b->parent[node] : (b->scene->node[node].flags & ER_NODE_END_SITE) ? b->owner[node] : -1;
    bool control = bone >= 0 && b->control != NULL && (b->control[bone] || (b->bone[node] && b->control[node]));
    return control ? -1 : bone;
}

static er_vec3 place_of(const builder *b, int node)
{
    return er_v3_scale(b->unit, b->rest[node].translation);
}

static double length_of(const builder *b, int node, int bone)
{
    return er_v3_distance(b->rest_pose[bone].p, place_of(b, node));
}

static double area_of_limb(const builder *b, double way)
{
    double radius = thick * b->rig->extent;
    return ER_PI * radius * radius * pow(way / b->rig->extent, taper);
}

// One limb continues past short branches; several limbs stay several.
static branch rod_of(const builder *b, const branch *below, int node, int bone)
{
    branch rod = below[node];
    rod.way += length_of(b, node, bone);
    if (rod.limbs >= 2) return rod;
    rod.limbs = rod.way >= least_limb * b->rig->extent;
    rod.area = rod.limbs * area_of_limb(b, rod.way);
    return rod;
}

static void join(branch *below, branch rod)
{
    below->way = fmax(below->way, rod.way);
    below->limbs += rod.limbs;
    below->area += rod.area;
}

static double area_of(const builder *b, branch rod, branch whole, double length)
{
    if (rod.limbs < 2) return area_of_limb(b, rod.way);
    return whole.limbs - rod.limbs >= 2 ? whole.area : area_of_limb(b, length); // a root's rod into the body
}

// The mass of a cylinder, with round ends.
static void add_rod(builder *b, int bone, er_vec3 tail, double area)
{
    er_vec3 head = b->rest_pose[bone].p;
    double length = er_v3_distance(head, tail), radius = sqrt(area / ER_PI), ends = 4.0 / 3.0 * radius;
    if (length > 1e-4 * b->rig->extent)
        eri_mass_add_capsule(&b->mass[bone], head, tail, radius, b->def.density * length / (length + ends));
}

er_result eri_rig_weigh_rods(builder *b)
{
    er_result r = ER_OK;
    int n = b->scene->node_count, count = 0, *order = NULL, *root;
    branch *below;
    ERI_TRY(eri_rig_parents_first(b, &order, &count));
    ERI_TRY_NEW(below, b->scratch, branch, n);
    ERI_TRY_NEW(root, b->scratch, int, n);
    for (int i = 0; i < n; ++i) // end sites first, then bones from the tips on
        if (!b->bone[i] && begins_at(b, i) >= 0) join(&below[begins_at(b, i)], rod_of(b, below, i, begins_at(b, i)));
    for (int k = count - 1; k >= 0; --k)
        if (begins_at(b, order[k]) >= 0)
            join(&below[b->parent[order[k]]], rod_of(b, below, order[k], b->parent[order[k]]));
    for (int k = 0; k < count; ++k)
        root[order[k]] = b->parent[order[k]] >= 0 ? root[b->parent[order[k]]] : order[k];
    for (int i = 0; i < n; ++i) {
        int bone = begins_at(b, i);
        if (bone < 0) continue;
        branch rod = rod_of(b, below, i, bone);
        add_rod(b, bone, place_of(b, i), area_of(b, rod, below[root[bone]], length_of(b, i, bone)));
    }
done:
    return r;
}

// The equilibrium pose, rigid frames, and sizes.
#include <string.h>

#include "math/polar.h"
#include "rig/build.h"

static er_result sample_clip(builder *b, er_affine *local)
{
    const er_scene *s = b->scene;
    const er_clip *clip;
    er_result r = er_scene_find_clip(b->context, s, b->def.pose_clip != NULL ? b->def.pose_clip : "", &clip);
    if (r != ER_OK) return r;
    if (b->def.pose_time < 0.0 || b->def.pose_time > clip->duration)
        return er_fail(b->context, ER_ERROR_ARGUMENT, "clip \"%s\" runs from 0 to %g s; %g s is outside", clip->name,
                       clip->duration, b->def.pose_time);
    er_scene_sample(s, clip, b->def.pose_time, local);
    b->rig->pose_clip = clip->name;
    return ER_OK;
}

// Joints of a skin that move a vertex. Exporters write any bind pose for the others.
static void mark_weighted(const er_scene *s, int skin, bool *weighted)
{
    for (int i = 0; i < s->instance_count; ++i) {
        const er_mesh *mesh = &s->mesh[s->instance[i].mesh];
        if (s->instance[i].skin != skin || mesh->influence_start == NULL) continue;
        for (int k = 0; k < mesh->influence_start[mesh->vertex_count]; ++k)
            weighted[mesh->influence_joint[k]] = true;
    }
}

// The transform of a skin's joint from the mesh to the world, and its scale.
static double joint_place(const builder *b, const er_skin *skin, int joint, er_affine *place)
{
    *place = er_affine_mul(b->rest[skin->joint[joint]], skin->inverse_bind[joint]);
    return cbrt(fabs(er_m3_det(place->linear)));
}

// The skin's first joint for which `only` is true, -1 without one.
static int first_joint(const er_skin *skin, const bool *only)
{
    int first = -1;
    for (int j = 0; j < skin->joint_count; ++j)
        if (only[j] && (first < 0 || skin->joint[j] < skin->joint[first])) first = j;
    return first;
}

// Joints whose bind pose counts: those with weight, and others of the same scale. Without any weight, all.
static void mark_trusted(const builder *b, int which, bool *trusted)
{
    const er_skin *skin = &b->scene->skin[which];
    er_affine place;
    mark_weighted(b->scene, which, trusted);
    int first = first_joint(skin, trusted);
    double scale = first >= 0 ? joint_place(b, skin, first, &place) : 0.0;
    for (int j = 0; j < skin->joint_count; ++j)
        trusted[j] |= first < 0 || fabs(joint_place(b, skin, j, &place) - scale) <= 0.01 * scale;
}

// The skins' bind pose in the scene: each skin placed so that its first joint lies where it is at rest.
static er_result bind_world(builder *b, er_affine *world, bool *bound)
{
    er_result r = ER_OK;
    const er_scene *s = b->scene;
    for (int k = s->skin_count - 1; k >= 0; --k) { // the first skin wins
        const er_skin *skin = &s->skin[k];
        bool *trusted;
        ERI_TRY_NEW(trusted, b->scratch, bool, skin->joint_count);
        mark_trusted(b, k, trusted);
        int first = first_joint(skin, trusted);
        if (first < 0) continue;
        er_affine place;
        joint_place(b, skin, first, &place);
        for (int j = 0; j < skin->joint_count; ++j) {
            if (!trusted[j] || !(fabs(er_m3_det(skin->inverse_bind[j].linear)) > 0.0)) continue;
            world[skin->joint[j]] = er_affine_mul(place, er_affine_inverse(skin->inverse_bind[j]));
            bound[skin->joint[j]] = true;
        }
    }
    for (int i = 0; i < s->node_count; ++i) {
        int p = s->node[i].parent;
        if (!bound[i]) world[i] = p >= 0 ? er_affine_mul(world[p], s->node[i].local) : s->node[i].local;
    }
done:
    return r;
}

static double turn_between(er_affine a, er_affine b)
{
    er_quat qa = eri_polar_rotation(a.linear, er_q_identity(), NULL),
            qb = eri_polar_rotation(b.linear, er_q_identity(), NULL);
    return er_v3_norm(er_q_log(er_q_mul(er_q_conj(qa), qb)));
}

static er_vec3 box_sides(er_vec3 lo, er_vec3 hi)
{
    return er_v3(fmax(hi.x - lo.x, 0.0), fmax(hi.y - lo.y, 0.0), fmax(hi.z - lo.z, 0.0));
}

static void grow(er_vec3 *lo, er_vec3 *hi, er_vec3 p)
{
    *lo = er_v3(fmin(lo->x, p.x), fmin(lo->y, p.y), fmin(lo->z, p.z));
    *hi = er_v3(fmax(hi->x, p.x), fmax(hi->y, p.y), fmax(hi->z, p.z));
}

// Height along `up` and the longest side, in file units: of the meshes that the rig carries, else of bones and end
// sites.
static er_result measure_extent(builder *b, double *height, double *extent, double *lowest)
{
    er_result r = ER_OK;
    const er_scene *s = b->scene;
    er_vec3 lo = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), hi = er_v3_scale(-1.0, lo);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < s->instance_count; ++i) {
        const er_mesh *mesh = &s->mesh[s->instance[i].mesh];
        if (s->instance[i].skin < 0 && b->owner[s->instance[i].node] < 0) continue;
        double *position;
        ERI_TRY_NEW(position, b->scratch, double, 3 * (size_t)mesh->vertex_count);
        er_scene_skin(s, i, b->rest, position);
        for (int v = 0; v < mesh->vertex_count; ++v) {
            er_vec3 p = er_v3(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
            grow(&lo, &hi, p);
            low = fmin(low, er_v3_dot(p, s->up));
            high = fmax(high, er_v3_dot(p, s->up));
        }
    }
    bool no_mesh = low > high;
    for (int i = 0; i < s->node_count && no_mesh; ++i) {
        if (b->owner[i] < 0) continue;
        grow(&lo, &hi, b->rest[i].translation);
        low = fmin(low, er_v3_dot(b->rest[i].translation, s->up));
        high = fmax(high, er_v3_dot(b->rest[i].translation, s->up));
    }
    er_vec3 sides = box_sides(lo, hi);
    *extent = fmax(sides.x, fmax(sides.y, sides.z));
    *height = high - low;
    *lowest = low;
    b->box[0] = lo;
    b->box[1] = hi;
    if (!isfinite(*extent) || !(*extent > 0.0))
        r = er_fail(b->context, ER_ERROR_RIG,
                    "the model has no extent: all its points fall together, or are not finite");
done:
    return r;
}

er_result eri_rig_choose_pose(builder *b)
{
    er_result r = ER_OK;
    const er_scene *s = b->scene;
    er_affine *local, *bind = b->bind;
    bool *bound;
    int joints = 0;
    double reach = 0.0;
    ERI_TRY_NEW(local, b->scratch, er_affine, s->node_count);
    ERI_TRY_NEW(bound, b->scratch, bool, s->node_count);
    ERI_TRY(bind_world(b, bind, bound));
    ERI_TRY(measure_extent(b, &b->height, &b->extent, &b->low));
    const char *widest = "";
    for (int i = 0; i < s->node_count; ++i) {
        if (!bound[i] || !b->bone[i]) continue;
        double turn = turn_between(b->rest[i], bind[i]);
        ++joints;
        if (turn > b->rig->bind_turn) widest = b->name[i];
        b->rig->bind_turn = fmax(b->rig->bind_turn, turn);
        reach = fmax(reach, er_v3_distance(b->rest[i].translation, bind[i].translation) / b->extent);
    }
    b->rig->bind_shift = reach;
    bool large = b->rig->bind_turn > 0.17 || reach > 0.05; // ten degrees, a twentieth of the size
    bool same = b->rig->bind_turn < 1e-5 && reach < 1e-5;
    if (joints > 0 && same)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "the rest pose is the bind pose of the skin"));
    if (joints > 0 && !same)
        ERI_TRY(eri_notes_add(
            &b->notes, large && b->def.pose == ER_POSE_REST ? ER_NOTE_WARNING : ER_NOTE_FACT,
            "rest pose against bind pose of the skin: joints turned by up to %.3g degrees%s%s%s, moved by up "
            "to %.3g %% of the size%s",
            b->rig->bind_turn * 180.0 / ER_PI, large ? " (\"" : "", large ? widest : "", large ? "\")" : "",
            100.0 * reach,
            large && b->def.pose == ER_POSE_REST ? "; the rest pose is used, --pose bind takes the other" : ""));
    b->rig->pose = b->def.pose;
    if (b->def.pose == ER_POSE_BIND) {
        if (joints == 0) return er_fail(b->context, ER_ERROR_ARGUMENT, "there is no bind pose: the file has no skin");
        memcpy(b->world, bind, (size_t)s->node_count * sizeof *bind);
    } else if (b->def.pose == ER_POSE_CLIP) {
        ERI_TRY(sample_clip(b, local));
        er_scene_world(s, local, b->world);
    } else if (b->def.pose == ER_POSE_GIVEN) {
        er_scene_world(s, b->def.pose_local, b->world);
    } else {
        memcpy(b->world, b->rest, (size_t)s->node_count * sizeof *bind);
    }
done:
    return r;
}

static er_pose rigid(const er_pose *parent, er_affine world, double unit, eri_stretch *stretch)
{
    er_pose p = {eri_polar_rotation(world.linear, parent != NULL ? parent->q : er_q_identity(), stretch),
                 er_v3_scale(unit, world.translation)};
    return p;
}

static er_result report_stretch(builder *b, int uneven, int mirrored, int singular, int scaled, const char *first)
{
    er_result r = ER_OK;
    if (scaled > 0)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "%d bones carry a scale; it went into the geometry", scaled));
    if (uneven > 0)
        ERI_TRY(eri_notes_add(
            &b->notes, ER_NOTE_WARNING,
            "%d bones are scaled unevenly or sheared (\"%s\" first): their frames are the nearest rotation, and "
            "parts below them may shear when they turn",
            uneven, first));
    if (mirrored > 0) ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "%d bones are mirrored", mirrored));
    if (singular > 0)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_WARNING,
                              "%d bones have a scale of 0; they are taken to stand as their parents do", singular));
done:
    return r;
}

// Warns of joints that take much less or much more room than the meshes, or stand apart from them: an armature may have
// lost its scale, or a mesh its place.
static er_result check_fit(builder *b)
{
    const double least = 0.05, most = 20.0; // of the extent
    enum { FEWEST = 3 };
    int count = 0;
    er_vec3 low = {0, 0, 0}, high = {0, 0, 0};
    for (int i = 0; i < b->scene->node_count; ++i) {
        er_vec3 at = b->rest[i].translation;
        if ((b->scene->node[i].flags & ER_NODE_JOINT) == 0) continue;
        low = count == 0 ? at : er_v3(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
        high = count == 0 ? at : er_v3(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
        ++count;
    }
    if (count < FEWEST || b->scene->instance_count == 0) return ER_OK;
    er_vec3 side = er_v3_sub(high, low), under = er_v3_sub(b->box[0], high), over = er_v3_sub(low, b->box[1]);
    double room = fmax(side.x, fmax(side.y, side.z)),
           apart = fmax(fmax(fmax(under.x, over.x), fmax(under.y, over.y)), fmax(under.z, over.z));
    if (room < least * b->extent || room > most * b->extent)
        return eri_notes_add(
            &b->notes, ER_NOTE_WARNING,
            "the %d joints span %.2g %% of the meshes' size, so the skeleton may have lost a scale; apply the scale of "
            "the armature and export the model again",
            count, 100.0 * room / b->extent);
    if (apart > least * b->extent)
        return eri_notes_add(&b->notes, ER_NOTE_WARNING,
                             "the %d joints are %.2g %% of the meshes' size away from them, so the meshes may be bound "
                             "to another place; apply all transforms and export the model again",
                             count, 100.0 * apart / b->extent);
    return ER_OK;
}

// Warns of a size that no character has, and names the height that another usual unit would give.
static er_result check_size(builder *b)
{
    static const struct {
        double metres;
        const char *name;
    } units[] = {{0.01, "centimetres"}, {0.0254, "inches"}, {0.001, "millimetres"}, {100.0, "hundreds of metres"}};
    const double most = 20.0, least = 0.02, likely[2] = {0.2, 5.0}; // m
    const double extent = b->rig->extent;
    if (extent >= least && extent <= most) return ER_OK;
    for (size_t i = 0; i < ERI_COUNT(units); ++i)
        if (extent * units[i].metres >= likely[0] && extent * units[i].metres <= likely[1] && b->rig->height > 0.0)
            return eri_notes_add(
                &b->notes, ER_NOTE_WARNING,
                "the model is %.3g m across, which is unlikely for a character, and speeds are those of that size; "
                "--height %.2g takes the file to be in %s (the frequencies of graded stiffness stay the same)",
                extent, b->rig->height * units[i].metres, units[i].name);
    return eri_notes_add(&b->notes, ER_NOTE_WARNING,
                         "the model is %.3g m across, which is unlikely for a character, and speeds are those of that "
                         "size; --height METRES rescales it (the frequencies of graded stiffness stay the same)",
                         extent);
}

er_result eri_rig_measure(builder *b)
{
    er_result r = ER_OK;
    const er_scene *s = b->scene;
    b->unit = s->metres_per_unit;
    if (b->def.height > 0.0) {
        if (!(b->height > 1e-6 * b->extent))
            return er_fail(b->context, ER_ERROR_ARGUMENT,
                           "--height cannot rescale this model: it has no height along its up axis");
        b->unit = b->def.height / b->height;
    }
    b->rig->metres_per_unit = b->unit;
    b->rig->height = b->height * b->unit;
    b->rig->extent = b->extent * b->unit;
    ERI_TRY(check_size(b));
    ERI_TRY(check_fit(b));
    int uneven = 0, mirrored = 0, singular = 0, scaled = 0;
    const char *first = "";
    for (int i = 0; i < s->node_count; ++i) {
        if (!b->bone[i]) continue;
        int p = b->scene->node[i].parent;
        bool has_parent = p >= 0 && b->bone[p];
        eri_stretch stretch;
        b->rest_pose[i] = rigid(has_parent ? &b->rest_pose[p] : NULL, b->rest[i], b->unit, &stretch);
        b->pose[i] = rigid(has_parent ? &b->pose[p] : NULL, b->world[i], b->unit, NULL);
        bool is_uneven = !stretch.singular && (stretch.anisotropy > 1e-3 || stretch.shear > 1e-3);
        if (is_uneven && uneven++ == 0) first = b->name[i];
        mirrored += stretch.mirrored && !stretch.singular;
        singular += stretch.singular;
        scaled += !stretch.singular && fabs(stretch.scale - 1.0) > 1e-3;
        if (!er_v3_finite(b->pose[i].p) || !er_v3_finite(b->rest_pose[i].p))
            return er_fail(b->context, ER_ERROR_RIG, "bone \"%s\" is at a place that is not finite", b->name[i]);
    }
    ERI_TRY(report_stretch(b, uneven, mirrored, singular, scaled, first));
done:
    return r;
}

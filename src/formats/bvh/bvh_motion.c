// Channels of a BVH file's joints, frame by frame.
// Joint by joint, parents first. A joint is placed against its parent as that is written, not as it was meant to be, so
// what one joint's channels cannot hold the next ones make good, and errors do not add up along a chain.
#include "formats/bvh/bvh_motion.h"

#include "formats/bvh/bvh_angles.h"

#define STRAY_LIMIT 1e-6 // of a head, relative to the skeleton's size
#define TURN_LIMIT 1e-6  // rad, off the axes of a source's channels

typedef struct bvh_mover {
    er_arena *arena;
    const er_scene *scene;
    const eri_bvh_skeleton *skeleton;
    eri_bvh_motion *motion;
    const char *path;
    er_pose **pose; // [joints][frames] in the world: as meant; of joints whose channels are filled, as written
} bvh_mover;

// The values of a joint's channels in a frame, and where they put it.
typedef struct placement {
    er_vec3 position; // relative to the parent
    double angle[3];  // rad
    er_pose pose;     // in the world
} placement;

// ---- sampling ----

// From rest to now: the parent's turn where a joint has none of its own (a scale of 0).
static er_result place_joint(const bvh_mover *m, const er_affine *world, int j, int frame)
{
    const eri_bvh_joint *joint = &m->skeleton->joint[j];
    er_quat held = joint->parent >= 0 ? m->pose[joint->parent][frame].q : er_q_identity();
    er_pose pose = {held, joint->head};
    if (joint->node >= 0) {
        er_quat turn = eri_bvh_turn_of(m->skeleton, &world[joint->node], er_q_mul(held, joint->turn));
        pose.q = er_q_unit(er_q_mul(turn, er_q_conj(joint->turn)));
        pose.p = er_affine_point(m->skeleton->upright, world[joint->node].translation);
    }
    if (!eri_bvh_writable(pose.p))
        return er_fail(eri_arena_context(m->arena), ER_ERROR_ARGUMENT,
                       "%s: cannot be written: the clip moves \"%s\" to (%g, %g, %g) in frame %d; mend the clip",
                       m->path, joint->name, pose.p.x, pose.p.y, pose.p.z, frame);
    m->pose[j][frame] = pose;
    return ER_OK;
}

static er_result sample(bvh_mover *m, const er_clip *clip, double fps)
{
    er_result r = ER_OK;
    er_affine *local, *world;
    ERI_TRY_NEW(local, m->arena, er_affine, m->scene->node_count);
    ERI_TRY_NEW(world, m->arena, er_affine, m->scene->node_count);
    ERI_TRY_NEW(m->pose, m->arena, er_pose *, m->skeleton->count);
    for (int j = 0; j < m->skeleton->count; ++j)
        if (!m->skeleton->joint[j].is_end) ERI_TRY_RESERVE(m->pose[j], m->arena, er_pose, m->motion->frame_count);
    for (int f = 0; f < m->motion->frame_count; ++f) {
        er_scene_sample(m->scene, clip, f / fps, local);
        er_scene_world(m->scene, local, world);
        for (int j = 0; j < m->skeleton->count; ++j)
            if (!m->skeleton->joint[j].is_end) ERI_TRY(place_joint(m, world, j, f));
    }
done:
    return r;
}

// ---- channels ----

static bool is_position(int kind)
{
    return kind <= ER_BVH_Z_POSITION;
}

static eri_bvh_axes axes_of(const eri_bvh_channels *channels)
{
    eri_bvh_axes axes = {0};
    unsigned seen = 0;
    for (int k = 0; k < channels->count; ++k)
        if (!is_position(channels->kind[k])) {
            axes.axis[axes.count] = channels->kind[k] - ER_BVH_X_ROTATION;
            seen |= 1u << axes.axis[axes.count++];
        }
    for (int axis = 0, n = axes.count; axis < 3; ++axis)
        if ((seen & 1u << axis) == 0) axes.axis[n++] = axis;
    return axes;
}

static er_vec3 held_position(const eri_bvh_channels *channels, er_vec3 offset, er_vec3 position)
{
    for (int k = 0; k < channels->count; ++k) {
        if (channels->kind[k] == ER_BVH_X_POSITION) offset.x = position.x;
        if (channels->kind[k] == ER_BVH_Y_POSITION) offset.y = position.y;
        if (channels->kind[k] == ER_BVH_Z_POSITION) offset.z = position.z;
    }
    return offset;
}

// The channels' best at a frame; `p->angle` holds the angles of the frame before.
static void place(const bvh_mover *m, int j, const eri_bvh_channels *channels, const eri_bvh_axes *axes, int frame,
                  placement *p)
{
    const eri_bvh_joint *joint = &m->skeleton->joint[j];
    er_pose parent = joint->parent >= 0 ? m->pose[joint->parent][frame] : er_pose_identity();
    er_pose wanted = er_pose_mul(er_pose_inverse(parent), m->pose[j][frame]);
    p->position = held_position(channels, joint->offset, wanted.p);
    eri_bvh_angles(axes, wanted.q, p->angle);
    er_pose local = {eri_bvh_turn(axes, p->angle), p->position};
    p->pose = er_pose_mul(parent, local);
}

// How far the channels miss, at most: heads, and turns in radians.
static void misses(const bvh_mover *m, int j, const eri_bvh_channels *channels, double *stray, double *turn)
{
    eri_bvh_axes axes = axes_of(channels);
    placement p = {0};
    *stray = *turn = 0.0;
    for (int f = 0; f < m->motion->frame_count; ++f) {
        place(m, j, channels, &axes, f, &p);
        er_pose meant = m->pose[j][f];
        *stray = fmax(*stray, er_v3_distance(p.pose.p, meant.p));
        *turn = fmax(*turn, er_v3_norm(er_q_log(er_q_mul(er_q_conj(meant.q), p.pose.q))));
    }
}

static void add(eri_bvh_channels *channels, int kind)
{
    channels->kind[channels->count++] = (uint8_t)kind;
}

// A source's own list, with the positions or the rotations put for those that do not do.
static eri_bvh_channels mend(const eri_bvh_channels *old, bool positions, bool rotations)
{
    eri_bvh_channels fresh = {0};
    if (!positions && !rotations) return *old;
    for (int kind = ER_BVH_X_POSITION; kind <= ER_BVH_Z_POSITION && positions; ++kind)
        add(&fresh, kind);
    for (int k = 0; k < old->count; ++k)
        if (is_position(old->kind[k]) ? !positions : !rotations) add(&fresh, old->kind[k]);
    if (rotations) {
        add(&fresh, ER_BVH_Z_ROTATION);
        add(&fresh, ER_BVH_X_ROTATION);
        add(&fresh, ER_BVH_Y_ROTATION);
    }
    return fresh;
}

// A source's list, each channel once.
static eri_bvh_channels listed(const er_node *node)
{
    eri_bvh_channels channels = {0};
    unsigned seen = 0;
    for (int k = 0; k < node->channel_count; ++k) {
        if ((seen & 1u << node->channels[k]) == 0) add(&channels, node->channels[k]);
        seen |= 1u << node->channels[k];
    }
    return channels;
}

static eri_bvh_channels choose(const bvh_mover *m, int j)
{
    const eri_bvh_joint *joint = &m->skeleton->joint[j];
    eri_bvh_channels none = {0};
    if (joint->is_end) return none;
    bool is_source = m->scene->format == ER_FORMAT_BVH;
    eri_bvh_channels channels = is_source ? listed(&m->scene->node[joint->node]) : mend(&none, joint->parent < 0, true);
    double stray, turn;
    misses(m, j, &channels, &stray, &turn);
    return mend(&channels, stray > STRAY_LIMIT * m->skeleton->size, turn > TURN_LIMIT);
}

static er_result fill_channels(bvh_mover *m, int j)
{
    er_result r = ER_OK;
    eri_bvh_channels *channels = &m->motion->channels[j];
    double **column = m->motion->column + m->motion->column_count;
    *channels = choose(m, j);
    eri_bvh_axes axes = axes_of(channels);
    placement p = {0};
    for (int k = 0; k < channels->count; ++k)
        ERI_TRY_RESERVE(column[k], m->arena, double, m->motion->frame_count);
    for (int f = 0; f < m->motion->frame_count && !m->skeleton->joint[j].is_end; ++f) {
        place(m, j, channels, &axes, f, &p);
        m->pose[j][f] = p.pose;
        double position[3] = {p.position.x, p.position.y, p.position.z};
        for (int k = 0, turns = 0; k < channels->count; ++k)
            column[k][f] =
                is_position(channels->kind[k]) ? position[channels->kind[k]] : p.angle[turns++] * (180.0 / ER_PI);
    }
    m->motion->column_count += channels->count;
done:
    return r;
}

er_result eri_bvh_motion_build(er_arena *arena, const er_scene *scene, const eri_bvh_skeleton *skeleton,
                               const er_clip *clip, double fps, int frame_count, const char *path, eri_bvh_motion *out)
{
    er_result r = ER_OK;
    bvh_mover m = {arena, scene, skeleton, out, path, NULL};
    *out = (eri_bvh_motion){.frame_count = frame_count};
    ERI_TRY_NEW(out->channels, arena, eri_bvh_channels, skeleton->count);
    ERI_TRY_NEW(out->column, arena, double *, 6 * (size_t)skeleton->count);
    ERI_TRY(sample(&m, clip, fps));
    for (int j = 0; j < skeleton->count; ++j)
        ERI_TRY(fill_channels(&m, j));
done:
    return r;
}

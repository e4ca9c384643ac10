// Faces as balls: a few instructions each say which can be nearest to a place.
#include "rig/mass/box.h"

#define FAR 1e9f // no coordinate is
#define BLOCK 16 // balls tried together

static void add_ball(eri_face_balls *balls, const eri_face_plane *plane, double fine)
{
    int i = balls->count++;
    balls->x[i] = plane->middle[0];
    balls->y[i] = plane->middle[1];
    balls->z[i] = plane->middle[2];
    balls->radius[i] = (float)larger((double)plane->radius - fine, 0.0);
    balls->largest = larger(balls->largest, (double)balls->radius[i]);
    balls->face[i] = plane->face;
}

void eri_face_balls_fill(eri_face_balls *balls, const eri_face_tree *tree, eri_near near, eri_cube cube,
                         const eri_nearest *nearest, double fine)
{
    double reach = eri_cube_reach2(tree->solid, cube, nearest);
    int stack[ERI_TREE_STACK];
    balls->count = 0;
    balls->largest = 0.0;
    balls->plane = tree->plane;
    for (int i = 0; i < near.count; ++i) {
        int depth = 0;
        stack[depth++] = near.node[i];
        while (depth > 0) {
            int at = stack[--depth];
            const eri_face_tree_node *node = &tree->node[at];
            if (box_distance2(node, cube.centre, cube.half) > reach) continue;
            while (node->face < 0 && node->extent < fine) // one face stands for all
                ++node;
            if (node->face >= 0) {
                add_ball(balls, &tree->plane[node->face], fine);
                continue;
            }
            stack[depth++] = node->second;
            stack[depth++] = at + 1;
        }
    }
    for (int i = balls->count; i < balls->count + BLOCK; ++i) {
        balls->x[i] = FAR;
        balls->radius[i] = 0.0f;
    }
}

// Squared distances of x to the middles of all faces. Returns the face of the nearest middle.
static int nearest_middle(const eri_face_balls *balls, const float *x)
{
    const float *restrict px = balls->x, *restrict py = balls->y, *restrict pz = balls->z;
    float *restrict distance2 = balls->distance2, least[BLOCK], best = FLT_MAX;
    int at = 0, whole = balls->count / BLOCK * BLOCK;
    for (int i = 0; i < BLOCK; ++i)
        least[i] = FLT_MAX;
    for (int first = 0; first < whole + BLOCK; first += BLOCK) // padded with what is far away
        for (int k = 0; k < BLOCK; ++k) {
            float dx = px[first + k] - x[0], dy = py[first + k] - x[1], dz = pz[first + k] - x[2];
            float d2 = dx * dx + dy * dy + dz * dz;
            distance2[first + k] = d2;
            least[k] = least[k] < d2 ? least[k] : d2;
        }
    for (int k = 0; k < BLOCK; ++k)
        if (least[k] < best) {
            best = least[k];
            at = k;
        }
    while (distance2[at] > best) // in that lane
        at += BLOCK;
    return balls->face[at];
}

// Balls around faces say which may be nearer; a block of them is passed over at once.
eri_nearest eri_face_balls_nearest(const eri_face_balls *balls, er_vec3 x)
{
    float p[3] = {(float)x.x, (float)x.y, (float)x.z};
    eri_nearest best = {nearest_middle(balls, p), {1.0, 0.0, 0.0}, DBL_MAX};
    eri_face_plane_try(&balls->plane[best.face], x, &best);
    if (!(balls->largest > 0.0)) return best;
    const float *restrict radius = balls->radius, *restrict distance2 = balls->distance2;
    float bound = sqrtf((float)best.distance2);
    for (int first = 0; first < balls->count; first += BLOCK) {
        float least[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < BLOCK; k += 4)
            for (int l = 0; l < 4; ++l) {
                float r = radius[first + k + l] + bound, beyond = distance2[first + k + l] - r * r;
                least[l] = least[l] < beyond ? least[l] : beyond;
            }
        if (least[0] + least[1] + least[2] + least[3] >= 0.0f) continue;
        for (int i = first; i < first + BLOCK && i < balls->count; ++i) {
            float r = balls->radius[i] + bound;
            if (balls->distance2[i] >= r * r) continue;
            eri_face_plane_try(&balls->plane[balls->face[i]], x, &best);
            bound = sqrtf((float)best.distance2);
        }
    }
    return best;
}

er_result eri_face_balls_create(er_arena *arena, int faces, eri_face_balls *balls)
{
    er_result r = ER_OK;
    size_t room = (size_t)faces + BLOCK;
    *balls = (eri_face_balls){0};
    ERI_TRY_NEW(balls->x, arena, float, room);
    ERI_TRY_NEW(balls->y, arena, float, room);
    ERI_TRY_NEW(balls->z, arena, float, room);
    ERI_TRY_NEW(balls->radius, arena, float, room);
    ERI_TRY_NEW(balls->distance2, arena, float, room);
    ERI_TRY_NEW(balls->face, arena, int, room);
done:
    return r;
}

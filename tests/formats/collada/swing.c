// A clip for any scene: every node turns, by lines and splines.
#include "swing.h"

#include <string.h>

#include "scene/trs.h"

enum { KEYS = 9 };

static er_channel turn(er_arena *arena, int node, const double *time, er_quat rest)
{
    bool cubic = node % 2 == 1;
    double *value = ERI_NEW(arena, double, 12 * KEYS), *v = value;
    for (int k = 0; k < KEYS; ++k, v += cubic ? 12 : 4) {
        double phase = ER_PI * time[k] + node;
        er_quat q = er_q_mul(rest, er_q_exp(er_v3(0.7 * sin(phase), 0.3 * cos(phase), 0.2 * sin(2 * phase))));
        double entry[4] = {q.x, q.y, q.z, q.w};
        memcpy(cubic ? v + 4 : v, entry, sizeof entry);
        for (int i = 0; cubic && i < 4; ++i)
            v[8 + i] = v[i] = 0.3 * sin(phase + i); // tangents that bend the way
    }
    er_channel c = {node, ER_PATH_ROTATION, cubic ? ER_CUBIC : ER_LINEAR, KEYS, time, value};
    return c;
}

static er_channel travel(er_arena *arena, int node, const double *time, er_vec3 rest, double size)
{
    double *value = ERI_NEW(arena, double, 9 * KEYS);
    for (int k = 0; k < KEYS; ++k) {
        double entry[9] = {size, -size, 0, rest.x + size * (k % 2), rest.y, rest.z + size * (k % 3), size, -size, 0};
        memcpy(value + 9 * k, entry, sizeof entry);
    }
    er_channel c = {node, ER_PATH_TRANSLATION, ER_CUBIC, KEYS, time, value};
    return c;
}

er_clip make_swing(er_arena *arena, const er_scene *scene)
{
    double *time = ERI_NEW(arena, double, KEYS);
    er_channel *channel = ERI_NEW(arena, er_channel, (size_t)scene->node_count + 1);
    int count = 0;
    double size = 0.0;
    for (int k = 0; k < KEYS; ++k)
        time[k] = 2.0 * k / (KEYS - 1);
    for (int i = 0; i < scene->node_count; ++i)
        size = fmax(size, er_v3_norm(scene->node[i].local.translation));
    for (int i = 0; i < scene->node_count; ++i) {
        eri_trs rest = eri_trs_from_affine(scene->node[i].local);
        if (i == 0) channel[count++] = travel(arena, i, time, rest.translation, 0.2 * size);
        channel[count++] = turn(arena, i, time, rest.rotation);
    }
    er_clip clip = {"swing", 2.0, count, channel};
    return clip;
}

// Clips of the fox: a rotary gallop on the spot, and standing. The motion of the trunk is given; legs reach from it to
// the places of their toes.
#include <stdio.h>

#include "fox_clips.h"
#include "turn.h"

static const er_vec3 x_axis = {1, 0, 0}, y_axis = {0, 1, 0};

static double wave(double time)
{
    return turn(time).cosine;
}

typedef struct key {
    double time, value;
} key;

// A smooth loop through keys: cubic between them, its slope at each that of the line between its neighbours.
// @param key  [count], by time in [0, 1); two at least
static double loop_through(const key *k, int count, double time)
{
    int i = count - 1; // the key before
    while (i > 0 && k[i].time > time)
        --i;
    if (k[0].time > time) {
        i = count - 1;
        time += 1.0;
    }
    double t[4], v[4];
    for (int j = 0; j < 4; ++j) {
        int n = i + j - 1;
        t[j] = k[(n + count) % count].time + (n < 0 ? -1.0 : n >= count ? 1.0 : 0.0);
        v[j] = k[(n + count) % count].value;
    }
    double span = t[2] - t[1], u = (time - t[1]) / span;
    double from = span * (v[2] - v[0]) / (t[2] - t[0]), to = span * (v[3] - v[1]) / (t[3] - t[1]);
    return v[1] + u * (from + u * (3.0 * (v[2] - v[1]) - 2.0 * from - to + u * (2.0 * (v[1] - v[2]) + from + to)));
}

#define LOOP(keys, time) loop_through(keys, (int)(sizeof(keys) / sizeof(keys)[0]), time)

// ---- Legs ----

typedef struct leg {
    bool hind;
    int bone[4]; // two that bend at knee or elbow, then foot and toes
} leg;

static leg leg_of(const figure *f, bool hind, const char *side)
{
    static const char *const name[2][4] = {{"upper_arm", "forearm", "front_foot", "front_toes"},
                                           {"thigh", "shin", "hind_foot", "hind_toes"}};
    leg l = {.hind = hind};
    for (int i = 0; i < 4; ++i) {
        char text[32];
        snprintf(text, sizeof text, "%s_%s", side, name[hind][i]);
        l.bone[i] = find_bone(f, text);
    }
    return l;
}

// The motion that a bone gives to points at rest.
static er_pose moved_by(const figure *f, const stance *s, int bone)
{
    if (bone < 0) return (er_pose){er_q_identity(), s->shift};
    er_pose up = moved_by(f, s, f->bones[bone].parent);
    er_vec3 head = f->bones[bone].head;
    er_quat q = er_q_mul(up.q, s->turn[bone]);
    return (er_pose){q, er_v3_sub(er_pose_point(up, head), er_q_rotate(q, head))};
}

static er_vec3 along(const figure *f, int bone)
{
    return er_v3_sub(f->bones[bone].tail, f->bones[bone].head);
}

static er_vec3 from_aside(er_vec3 v)
{
    return er_v3(0, v.y, v.z);
}

// The turn about x that takes one direction to another, both seen from aside.
static er_quat swing_between(er_vec3 from, er_vec3 to)
{
    from = er_v3_unit(from_aside(from), y_axis);
    to = er_v3_unit(from_aside(to), y_axis);
    return er_q_unit(er_q(1.0 + er_v3_dot(from, to), er_v3_cross(from, to).x, 0, 0));
}

static void point_bone(const figure *f, stance *s, int bone, er_quat turned_to)
{
    s->turn[bone] = er_q_mul(er_q_conj(moved_by(f, s, f->bones[bone].parent).q), turned_to);
}

// The point of the ground below the tip of a leg's toes, at rest.
static er_vec3 tread_of(const figure *f, const leg *l)
{
    er_vec3 tip = f->bones[l->bone[3]].tail;
    return er_v3(tip.x, 0, tip.z);
}

// Places a leg's tread, with foot and toes turned about it. Solves the triangle of the two upper bones.
static void reach(const figure *f, stance *s, const leg *l, er_vec3 tread, double foot_degrees, double toe_degrees)
{
    int upper = l->bone[0], lower = l->bone[1], foot = l->bone[2], toes = l->bone[3];
    er_vec3 from_tread = er_v3_sub(f->bones[toes].head, tread_of(f, l));
    er_vec3 knuckle = er_v3_add(tread, turned(from_tread, x_axis, toe_degrees));
    er_vec3 ankle = er_v3_sub(knuckle, turned(along(f, foot), x_axis, foot_degrees));
    er_vec3 start = er_pose_point(moved_by(f, s, f->bones[upper].parent), f->bones[upper].head);
    er_vec3 way = from_aside(er_v3_sub(ankle, start));
    double a = er_v3_norm(from_aside(along(f, upper))), b = er_v3_norm(from_aside(along(f, lower)));
    double length = fmin(er_v3_norm(way), 0.9999 * (a + b));
    er_vec3 ahead = er_v3_unit(way, y_axis), aside = er_v3_cross(ahead, x_axis);
    if (!l->hind) aside = er_v3_scale(-1.0, aside); // elbows point back, knees forward
    double cosine = (a * a + length * length - b * b) / (2.0 * a * length);
    er_vec3 middle = er_v3_madd(er_v3_scale(a * cosine, ahead), a * sqrt(1.0 - cosine * cosine), aside);
    point_bone(f, s, upper, swing_between(along(f, upper), middle));
    point_bone(f, s, lower, swing_between(along(f, lower), er_v3_sub(er_v3_scale(length, ahead), middle)));
    point_bone(f, s, foot, rotation(x_axis, foot_degrees));
    point_bone(f, s, toes, rotation(x_axis, toe_degrees));
}

// ---- Run ----

static const double stride_seconds = 0.5, speed = 3.2; // m/s, of the ground under the feet
static const char *const sides[2] = {"left", "right"};
static const char *const tail[5] = {"tail_1", "tail_2", "tail_3", "tail_4", "tail_5"};

static void turn_ear(const figure *f, stance *s, const char *side, int joint, er_vec3 axis, double degrees)
{
    char ear[32];
    snprintf(ear, sizeof ear, "%s_ear_%d", side, joint);
    turn_bone(f, s, ear, axis, degrees);
}

// A foot in its own time, from touchdown: carried back with the ground, then lifted and brought forward.
static void gallop_leg(const figure *f, stance *s, const leg *l, double time)
{
    static const key foot[2][7] = {
        {{0.00, -24}, {0.11, 8}, {0.219, 64}, {0.36, 108}, {0.55, 108}, {0.74, 16}, {0.89, -42}},
        {{0.00, -34}, {0.125, -4}, {0.25, 46}, {0.385, 66}, {0.56, 32}, {0.76, -8}, {0.90, -34}}};
    static const key toes[7] = {{0.00, 0}, {0.10, 0}, {0.225, 38}, {0.36, 92}, {0.56, 80}, {0.76, 20}, {0.92, -10}};
    static const double stance_time[2] = {7.0 / 32.0, 8.0 / 32.0}, height[2] = {0.115, 0.050},
                        middle[2] = {0.168, -0.160};
    double ground = stance_time[l->hind] * stride_seconds * speed; // m, travelled in stance
    double ahead = middle[l->hind] + 0.5 * ground, u = time / stance_time[l->hind];
    er_vec3 tread = tread_of(f, l);
    if (u < 1.0) {
        tread.z = ahead - u * ground;
    } else { // a cubic that leaves and comes with half the ground's speed
        double air = 1.0 - stance_time[l->hind];
        u = (time - stance_time[l->hind]) / air;
        double slope = -0.5 * air * stride_seconds * speed;
        tread.z = ahead - ground + u * (slope + u * (3.0 * (ground - slope) + u * (2.0 * slope - 2.0 * ground)));
        tread.y += height[l->hind] * 4.0 * u * (1.0 - u);
    }
    reach(f, s, l, tread, LOOP(foot[l->hind], time), LOOP(toes, time));
}

static void run(const figure *f, double time, stance *s)
{
    double bent = wave(time - 0.94), dive = 2.0 + 3.0 * wave(time - 0.80); // gathered; the head's end down
    double arch = 6.0 + 20.0 * bent;                                       // degrees from end to end
    turn_bone(f, s, "hips", x_axis, dive - 0.65 * arch);
    turn_bone(f, s, "spine_1", x_axis, 0.4 * arch);
    turn_bone(f, s, "spine_2", x_axis, 0.4 * arch);
    turn_bone(f, s, "chest", x_axis, 0.2 * arch);
    double shoulders = dive + 0.35 * arch;
    // the neck carries the head low and keeps it level
    turn_bone(f, s, "neck_1", x_axis, 20.0 - 0.8 * shoulders);
    turn_bone(f, s, "neck_2", x_axis, 12.0 - 0.8 * shoulders);
    turn_bone(f, s, "head", x_axis, -24.0 + 0.6 * shoulders);
    turn_bone(f, s, "jaw", x_axis, 8.0 + 3.0 * wave(time - 0.9));
    // the middle of the trunk goes straight on, up and down twice a stride
    int middle = find_bone(f, "chest");
    er_vec3 rest = f->bones[middle].head, now = er_pose_point(moved_by(f, s, middle), rest);
    s->shift = er_v3(0, rest.y - now.y - 0.020 + 0.010 * wave(2.0 * (time - 0.89)), rest.z - now.z);

    static const struct {
        bool hind;
        const char *side;
        double touchdown;
    } step[4] = {
        {true, "left", 0.0}, {true, "right", 2.0 / 32.0}, {false, "right", 14.0 / 32.0}, {false, "left", 17.0 / 32.0}};
    for (int i = 0; i < 4; ++i) {
        leg l = leg_of(f, step[i].hind, step[i].side);
        double own = time - step[i].touchdown;
        own -= floor(own);
        const bone_def *trunk = &f->bones[f->bones[l.bone[0]].parent];
        if (!l.hind) turn_bone(f, s, trunk->name, x_axis, -shoulders + 14.0 * wave(own - 0.55)); // the blade
        gallop_leg(f, s, &l, own);
    }

    // tail and ears stream, and lag
    turn_bone(f, s, tail[0], x_axis, 0.65 * arch - dive + 6.0 + 8.0 * wave(time - 0.10));
    for (int i = 1; i < 5; ++i)
        turn_bone(f, s, tail[i], x_axis, 3.0 + 7.0 * wave(time - 0.10 - 0.12 * i));
    for (int i = 0; i < 2; ++i) {
        turn_ear(f, s, sides[i], 1, x_axis, -18.0 + 4.0 * wave(2.0 * time - 0.10));
        turn_ear(f, s, sides[i], 2, x_axis, -8.0 + 5.0 * wave(2.0 * time - 0.25));
    }
}

// ---- Idle ----

// From 0 up to 1 and back, within `width` of a time.
static double twitch(double time, double at, double width)
{
    double u = (time - at) / width, left = fmax(0.0, 1.0 - u * u);
    return left * left;
}

static void idle(const figure *f, double time, stance *s)
{
    static const key look[6] = {{0.05, 0}, {0.18, 24}, {0.40, 26}, {0.58, -4}, {0.70, -16}, {0.88, -14}};
    double breath = wave(2.0 * time), aside = LOOP(look, time);
    s->shift = er_v3(0, -0.003 - 0.0015 * breath, 0);
    turn_bone(f, s, "spine_2", x_axis, -0.5 * breath);
    turn_bone(f, s, "chest", x_axis, 0.8 * breath);
    turn_bone(f, s, "neck_1", y_axis, 0.3 * aside);
    turn_bone(f, s, "neck_2", y_axis, 0.3 * aside);
    turn_bone(f, s, "head", y_axis, 0.4 * aside);
    turn_bone(f, s, "head", x_axis, 2.0 * wave(time - 0.3));
    for (int i = 0; i < 5; ++i) {
        turn_bone(f, s, tail[i], y_axis, 6.0 * wave(time - 0.1 * i));
        turn_bone(f, s, tail[i], x_axis, 1.5 * wave(2.0 * time - 0.1 * i));
    }
    for (int i = 0; i < 2; ++i) {
        double flick = i == 0 ? twitch(time, 0.47, 0.05) + twitch(time, 0.55, 0.05) : twitch(time, 0.80, 0.06);
        turn_ear(f, s, sides[i], 1, y_axis, (i == 0 ? 1.0 : -1.0) * (4.0 + 26.0 * flick));
        turn_ear(f, s, sides[i], 1, x_axis, -12.0 * flick);
        turn_ear(f, s, sides[i], 2, x_axis, -10.0 * flick);
        for (int hind = 0; hind < 2; ++hind) {
            leg l = leg_of(f, hind, sides[i]);
            reach(f, s, &l, tread_of(f, &l), 0.0, 0.0);
        }
    }
}

void add_fox_clips(figure *f)
{
    add_clip(f, (clip_def){.name = "run", .seconds = stride_seconds, .keys = 33, .pose = run});
    add_clip(f, (clip_def){.name = "idle", .seconds = 4.0, .keys = 65, .pose = idle});
}

// A garden gnome, arms out from the sides: 0.9 m from the soles to the bend of the hat.
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "turn.h"

typedef struct regions {
    int coat, trim, trousers, boots, skin, hair, hat, band, belt, gold, eyes;
} regions;

static const er_vec3 x_axis = {1, 0, 0}, y_axis = {0, 1, 0}, z_axis = {0, 0, 1};

static void trunk(figure *f, const regions *r)
{
    add_bone(f, "hips", NULL, er_v3(0, 0.230, 0), er_v3(0, 0.290, 0));
    add_bone(f, "spine", "hips", er_v3(0, 0.290, 0), er_v3(0, 0.365, 0));
    add_bone(f, "chest", "spine", er_v3(0, 0.365, 0), er_v3(0, 0.455, 0));
    add_bone(f, "neck", "chest", er_v3(0, 0.455, 0), er_v3(0, 0.495, 0.004));
    add_bone(f, "head", "neck", er_v3(0, 0.495, 0.004), er_v3(0, 0.626, 0.004));

    f->pen.blend = 0.05;
    ball(f, "chest", er_v3(0, 0.405, -0.005), 0.122, 0.080, 0.096);
    carried_by(f, ball(f, "spine", er_v3(0, 0.315, 0.018), 0.148, 0.115, 0.132), "hips", "chest");
    // the coat's skirt, open below
    stretch(limb(f, "hips", er_v3(0, 0.280, 0.006), 0.135, er_v3(0, 0.232, 0.006), 0.150), z_axis, 0.92);
    shape *s = ball(f, "hips", er_v3(0, -9.825, 0), 10.0, 10.0, 10.0);
    s->use = SHAPE_CARVE;
    s->blend = 0.006;
    f->pen.blend = 0.008;
    f->pen.region = r->trim;
    s = stretch(ring(f, "hips", er_v3(0, 0.186, 0.006), 0.142, 0.0155), z_axis, 0.92);
    stretch(s, y_axis, 1.15);
    // belt and buckle
    f->pen.region = r->belt;
    f->pen.blend = 0.002;
    s = stretch(ring(f, "hips", er_v3(0, 0.262, 0.010), 0.1500, 0.0105), z_axis, 0.92);
    stretch(s, y_axis, 1.9);
    f->pen.region = r->gold;
    f->pen.detail = 1.0;
    stretch(limb(f, "hips", er_v3(-0.013, 0.261, 0.159), 0.0225, er_v3(0.013, 0.261, 0.159), 0.0225), z_axis, 0.60);
    s = limb(f, "hips", er_v3(-0.011, 0.261, 0.170), 0.0115, er_v3(0.011, 0.261, 0.170), 0.0115);
    s->use = SHAPE_PAINT;
    s->over = r->gold;
    s->region = r->belt;
    s = ball(f, "hips", er_v3(0, 0.275, 0.140), 0.120, 0.120, 0.0180); // the seam behind it is belt
    s->use = SHAPE_PAINT;
    s->over = r->gold;
    s->region = r->belt;
    f->pen.detail = 2.2;
    // neck and collar
    f->pen.region = r->skin;
    limb(f, "neck", er_v3(0, 0.455, 0), 0.064, er_v3(0, 0.500, 0.000), 0.066);
    f->pen.region = r->trim;
    f->pen.blend = 0.006;
    stretch(ring(f, "neck", er_v3(0, 0.456, -0.004), 0.064, 0.0165), z_axis, 0.95);
}

static void head(figure *f, const regions *r)
{
    f->pen.part = add_part(f, 0, 0.012);
    f->pen.region = r->skin;
    f->pen.blend = 0.020;
    ball(f, "head", er_v3(0, 0.560, 0.006), 0.097, 0.094, 0.090);
    for (int side = -1; side <= 1; side += 2) {
        ball(f, "head", er_v3(0.047 * side, 0.535, 0.066), 0.033, 0.026, 0.030);             // cheek
        shape *s = ball(f, "head", er_v3(0.104 * side, 0.556, -0.006), 0.016, 0.034, 0.024); // ear
        tilt(tilt(s, z_axis, -22.0 * side), y_axis, -15.0 * side);
        s->blend = 0.010;
        s = ball(f, "head", er_v3(0.114 * side, 0.556, 0.006), 0.008, 0.020, 0.012);
        s->use = SHAPE_CARVE;
        s->blend = 0.006;
    }
    shape *nose = ball(f, "head", er_v3(0, 0.545, 0.112), 0.034, 0.031, 0.033);
    nose->blend = 0.008;
    for (int side = -1; side <= 1; side += 2) {
        shape *s = ball(f, "head", er_v3(0.037 * side, 0.577, 0.087), 0.0125, 0.0140, 0.0125);
        s->region = r->eyes;
        s->detail = 0.6;
        s->blend = 0.001;
    }
    f->pen.region = r->hair;
    f->pen.blend = 0.006;
    for (int side = -1; side <= 1; side += 2) // brows
        limb(f, "head", er_v3(0.016 * side, 0.606, 0.092), 0.0100, er_v3(0.060 * side, 0.606, 0.070), 0.0080)->detail =
            0.9;
    ball(f, "head", er_v3(0, 0.552, -0.022), 0.099, 0.086, 0.084); // hair behind
}

static void beard(figure *f, const regions *r, int head_part)
{
    add_bone(f, "beard_1", "head", er_v3(0, 0.505, 0.070), er_v3(0, 0.420, 0.112));
    add_bone(f, "beard_2", "beard_1", er_v3(0, 0.420, 0.112), er_v3(0, 0.325, 0.158));
    f->pen.part = add_part(f, head_part, 0.006);
    f->pen.region = r->hair;
    f->pen.blend = 0.010;
    static const struct {
        double x[4], y[4], z[4], r[4]; // of one lock, from the face down; mirrored unless it lies in the middle
    } lock[] = {{{0.000, 0.000, 0.006, 0.012},
                 {0.500, 0.440, 0.380, 0.322},
                 {0.076, 0.116, 0.142, 0.163},
                 {0.040, 0.040, 0.030, 0.006}},
                {{0.034, 0.034, 0.030, 0.030},
                 {0.500, 0.440, 0.390, 0.345},
                 {0.070, 0.106, 0.130, 0.154},
                 {0.036, 0.034, 0.026, 0.006}},
                {{0.064, 0.062, 0.054, 0.056},
                 {0.515, 0.450, 0.405, 0.370},
                 {0.052, 0.086, 0.110, 0.134},
                 {0.030, 0.032, 0.024, 0.006}},
                {{0.090, 0.086, 0.076, 0.080},
                 {0.560, 0.490, 0.440, 0.405},
                 {0.026, 0.050, 0.078, 0.102},
                 {0.016, 0.026, 0.022, 0.006}}};
    for (int i = 0; i < 4; ++i)
        for (int side = -1; side <= 1; side += 2)
            for (int k = 0; k < 3 && (side > 0 || i > 0); ++k) {
                er_vec3 a = er_v3(side * lock[i].x[k], lock[i].y[k], lock[i].z[k]);
                er_vec3 b = er_v3(side * lock[i].x[k + 1], lock[i].y[k + 1], lock[i].z[k + 1]);
                shape *s = limb(f, "beard_1", a, lock[i].r[k], b, lock[i].r[k + 1]);
                carried_by(f, s, "beard_1", k == 0 ? "beard_1" : "beard_2");
                s->blend = k == 0 ? 0.006 : 0.010;
            }
    // moustache: two curls under the nose
    f->pen.blend = 0.008;
    for (int side = -1; side <= 1; side += 2) {
        limb(f, "head", er_v3(0.010 * side, 0.519, 0.118), 0.017, er_v3(0.048 * side, 0.505, 0.108), 0.019);
        limb(f, "head", er_v3(0.048 * side, 0.505, 0.108), 0.019, er_v3(0.088 * side, 0.502, 0.088), 0.011);
        limb(f, "head", er_v3(0.088 * side, 0.502, 0.088), 0.011, er_v3(0.108 * side, 0.520, 0.078), 0.005);
    }
}

static void hat(figure *f, const regions *r, int head_part)
{
    static const er_vec3 joint[4] = {{0, 0.626, 0}, {0, 0.716, -0.012}, {0.010, 0.806, -0.030}, {0.092, 0.864, -0.052}};
    add_bone(f, "hat_1", "head", joint[0], joint[1]);
    add_bone(f, "hat_2", "hat_1", joint[1], joint[2]);
    add_bone(f, "hat_3", "hat_2", joint[2], joint[3]);
    f->pen.part = add_part(f, head_part, 0.012);
    f->pen.region = r->hat;
    f->pen.blend = 0.025;
    limb(f, "hat_1", er_v3(0, 0.632, -0.002), 0.106, joint[1], 0.078);
    limb(f, "hat_2", joint[1], 0.078, er_v3(0.004, 0.797, -0.026), 0.047);
    limb(f, "hat_3", er_v3(0.004, 0.797, -0.026), 0.047, er_v3(0.030, 0.862, -0.042), 0.031);
    limb(f, "hat_3", er_v3(0.030, 0.862, -0.042), 0.031, er_v3(0.085, 0.877, -0.054), 0.018);
    limb(f, "hat_3", er_v3(0.085, 0.877, -0.054), 0.018, er_v3(0.122, 0.842, -0.060), 0.008);
    // what would stick out below
    shape *s = ball(f, "hat_1", er_v3(0, -9.390, 0), 10.0, 10.0, 10.0);
    s->use = SHAPE_CARVE;
    s->blend = 0.004;
    f->pen.region = r->band;
    f->pen.blend = 0.004;
    s = stretch(ring(f, "head", er_v3(0, 0.625, -0.002), 0.099, 0.0150), y_axis, 1.2);
    tilt(s, x_axis, -4.0);
}

// A boot with its toe turned up, and the leg that stands in it.
static void left_leg(figure *f, const regions *r)
{
    er_vec3 hip = er_v3(0.066, 0.225, 0), knee = er_v3(0.070, 0.150, 0.010), ankle = er_v3(0.072, 0.070, -0.006),
            ball_of_foot = er_v3(0.079, 0.026, 0.064), toe = er_v3(0.085, 0.052, 0.142);
    add_bone(f, "left_thigh", "hips", hip, knee);
    add_bone(f, "left_shin", "left_thigh", knee, ankle);
    add_bone(f, "left_foot", "left_shin", ankle, ball_of_foot);
    add_bone(f, "left_toes", "left_foot", ball_of_foot, toe);
    f->pen.part = add_part(f, 0, 0.004);
    f->pen.region = r->trousers;
    f->pen.blend = 0.012;
    limb(f, "left_thigh", hip, 0.055, knee, 0.053);
    limb(f, "left_shin", knee, 0.053, er_v3(0.071, 0.115, 0.004), 0.050);
    f->pen.region = r->boots;
    f->pen.blend = 0.003;
    stretch(ring(f, "left_shin", er_v3(0.071, 0.112, 0.002), 0.0435, 0.0125), y_axis, 1.1);
    f->pen.blend = 0.020;
    limb(f, "left_shin", er_v3(0.071, 0.098, 0), 0.044, ankle, 0.042);
    limb(f, "left_foot", er_v3(0.072, 0.046, -0.014), 0.043, er_v3(0.079, 0.040, 0.060), 0.042);
    limb(f, "left_toes", er_v3(0.079, 0.040, 0.066), 0.041, er_v3(0.082, 0.040, 0.098), 0.033);
    limb(f, "left_toes", er_v3(0.082, 0.042, 0.102), 0.028, er_v3(0.085, 0.066, 0.136), 0.010);
    shape *s = ball(f, "left_foot", er_v3(0.075, -10.0, 0.03), 10.0, 10.0, 10.0);
    s->use = SHAPE_CARVE;
    s->blend = 0.006;
}

// Three bones in a row with round cones on them.
static void left_finger(figure *f, int palm, const char *finger, er_vec3 root, er_vec3 along, er_vec3 hinge,
                        double length, double radius)
{
    static const char *const joint[3] = {"proximal", "middle", "distal"};
    static const double share[3] = {0.42, 0.31, 0.27}, bend[3] = {4.0, 14.0, 10.0};
    f->pen.part = add_part(f, palm, 0.005);
    f->pen.blend = 0.002;
    char name[32], parent[32] = "left_hand";
    er_vec3 p = root;
    for (int i = 0; i < 3; ++i) {
        along = turned(along, hinge, bend[i]);
        er_vec3 q = er_v3_madd(p, share[i] * length, along);
        snprintf(name, sizeof name, "left_%s_%s", finger, joint[i]);
        add_bone(f, name, parent, p, q);
        memcpy(parent, name, sizeof parent);
        double a = radius * (1.06 - 0.06 * i), b = radius * (1.0 - 0.06 * i);
        limb(f, name, p, a, i == 2 ? er_v3_madd(q, -b, along) : q, i == 2 ? b * 1.02 : b);
        p = q;
    }
}

static void left_arm(figure *f, const regions *r)
{
    er_vec3 socket = er_v3(0.112, 0.428, -0.002), elbow = er_v3(0.190, 0.352, -0.004),
            wrist = er_v3(0.254, 0.282, 0.014);
    er_vec3 along = er_v3_unit(er_v3(0.62, -0.77, 0.14), x_axis);                   // down the hand
    er_vec3 forward = er_v3_unit(er_v3_cross(along, er_v3(0.77, 0.62, 0)), z_axis); // across it, towards the thumb
    er_vec3 palm_side = er_v3_cross(along, forward);                                // inwards and down
    er_vec3 knuckles = er_v3_madd(wrist, 0.052, along);
    add_bone(f, "left_shoulder", "chest", er_v3(0.030, 0.440, -0.002), socket);
    add_bone(f, "left_upper_arm", "left_shoulder", socket, elbow);
    add_bone(f, "left_forearm", "left_upper_arm", elbow, wrist);
    add_bone(f, "left_hand", "left_forearm", wrist, knuckles);

    int arm = f->pen.part = add_part(f, 0, 0.025);
    f->pen.region = r->coat;
    f->pen.blend = 0.015;
    limb(f, "left_shoulder", er_v3(0.060, 0.425, -0.002), 0.050, socket, 0.050);
    limb(f, "left_upper_arm", socket, 0.050, elbow, 0.042);
    limb(f, "left_forearm", elbow, 0.042, er_v3_madd(wrist, -0.030, along), 0.039);
    f->pen.region = r->trim;
    f->pen.blend = 0.003;
    shape *s = ring(f, "left_forearm", er_v3_madd(wrist, 0.006, along), 0.0300, 0.0125);
    tilt(s, er_v3_cross(y_axis, along), 140.4); // y onto `along`

    int palm = f->pen.part = add_part(f, arm, 0.003);
    f->pen.detail = 1.2;
    f->pen.region = r->skin;
    f->pen.blend = 0.010;
    for (int i = 0; i < 4; ++i) {
        er_vec3 end = er_v3_madd(er_v3_madd(knuckles, 0.0200 * (1.5 - i), forward), -0.004 * (i == 3), along);
        er_vec3 start = er_v3_madd(er_v3_madd(wrist, 0.008, along), 0.0090 * (1.5 - i), forward);
        limb(f, "left_hand", start, 0.0165, end, 0.0120);
    }
    limb(f, "left_hand", er_v3_madd(er_v3_madd(wrist, 0.020, along), 0.008, palm_side), 0.018,
         er_v3_madd(er_v3_madd(wrist, 0.040, along), 0.005, palm_side), 0.016);
    static const char *const finger[4] = {"index", "middle", "ring", "pinky"};
    static const double length[4] = {0.054, 0.058, 0.054, 0.045}, radius[4] = {0.0082, 0.0084, 0.0081, 0.0074};
    for (int i = 0; i < 4; ++i) {
        double across = 1.5 - i;
        er_vec3 root = er_v3_madd(er_v3_madd(knuckles, 0.0205 * across, forward), i == 3 ? -0.002 : 0.002, along);
        er_vec3 out = er_v3_unit(er_v3_madd(along, 0.18 * across, forward), along);
        left_finger(f, palm, finger[i], root, out, er_v3_unit(er_v3_cross(out, palm_side), forward), length[i],
                    radius[i]);
    }
    er_vec3 thumb_root = er_v3_madd(er_v3_madd(er_v3_madd(wrist, 0.018, along), 0.017, forward), 0.006, palm_side);
    er_vec3 thumb_along =
        er_v3_unit(er_v3_madd(er_v3_madd(er_v3_scale(0.62, along), 0.75, forward), 0.25, palm_side), along);
    left_finger(f, palm, "thumb", thumb_root, thumb_along, er_v3_unit(er_v3_cross(thumb_along, along), palm_side),
                0.056, 0.0108);
}

// He breathes, looks about, and his hat follows late.
static void idle(const figure *f, double time, stance *s)
{
    static const struct {
        const char *bone;
        double x, y, z, degrees, cycles, phase;
    } swing[] = {
        {"spine", 0, 0, 1, 1.6, 1, 0.00},          {"chest", 1, 0, 0, 1.4, 2, 0.00},
        {"head", 0, 1, 0, 7.0, 1, 0.10},           {"head", 0, 0, 1, 2.5, 1, 0.30},
        {"hat_1", 0, 0, 1, 2.0, 1, -0.08},         {"hat_2", 0, 0, 1, 5.0, 1, -0.14},
        {"hat_3", 0, 0, 1, 9.0, 1, -0.20},         {"hat_3", 1, 0, 0, 6.0, 2, -0.15},
        {"beard_1", 1, 0, 0, 2.0, 2, -0.10},       {"beard_2", 1, 0, 0, 2.5, 2, -0.20},
        {"left_upper_arm", 0, 0, 1, 3.0, 2, 0.05}, {"right_upper_arm", 0, 0, 1, -3.0, 2, 0.05},
        {"left_forearm", 1, 0, 0, 4.0, 1, 0.20},   {"right_forearm", 1, 0, 0, 4.0, 1, 0.45},
    };
    for (int i = 0; i < (int)(sizeof swing / sizeof swing[0]); ++i)
        turn_bone(f, s, swing[i].bone, er_v3(swing[i].x, swing[i].y, swing[i].z),
                  swing[i].degrees * turn(swing[i].cycles * time + swing[i].phase).sine);
}

void design_gnome(figure *f)
{
    figure_start(f, "gnome");
    f->cell = 0.0036;
    f->edge_min = 0.0047;
    f->edge_max = 0.024;
    f->edge_border = 0.016;
    f->edge_angle = 0.64;
    f->shade = 0.05;
    regions r = {.coat = add_region(f, "coat", 0x2E5FA3, 0.85),
                 .trim = add_region(f, "fur", 0xF3EDE0, 0.95),
                 .trousers = add_region(f, "trousers", 0x6B4A2F, 0.90),
                 .boots = add_region(f, "boots", 0x4A2E1E, 0.45),
                 .skin = add_region(f, "skin", 0xF0B48E, 0.60),
                 .hair = add_region(f, "hair", 0xF7F5F0, 0.85),
                 .hat = add_region(f, "hat", 0xC62828, 0.80),
                 .band = add_region(f, "hat band", 0xA01C20, 0.80),
                 .belt = add_region(f, "belt", 0x2A1B14, 0.50),
                 .gold = add_region(f, "buckle", 0xE2B23C, 0.30),
                 .eyes = add_region(f, "eyes", 0x16110F, 0.10)};
    f->pen.part = add_part(f, -1, 0.0);
    f->pen.region = r.coat;
    f->pen.detail = 2.2;
    trunk(f, &r);
    f->pen.detail = 1.4;
    head(f, &r);
    int head_part = f->pen.part;
    f->pen.detail = 1.9;
    beard(f, &r, head_part);
    f->pen.detail = 2.2;
    hat(f, &r, head_part);
    int first_bone = f->bone_count, first_part = f->part_count, first_shape = f->shape_count;
    left_leg(f, &r);
    left_arm(f, &r);
    mirror(f, first_bone, first_part, first_shape);

    // rosy nose, cheeks and ears
    f->pen.use = SHAPE_TINT;
    f->pen.over = r.skin;
    static const er_vec3 rosy[5] = {
        {0, 0.546, 0.128}, {0.058, 0.540, 0.088}, {-0.058, 0.540, 0.088}, {0.11, 0.56, 0}, {-0.11, 0.56, 0}};
    for (int i = 0; i < 5; ++i) {
        shape *s = ball(f, "head", rosy[i], 0.026, 0.024, 0.026);
        s->blend = 0.024;
        s->tint[1] = 0.62;
        s->tint[2] = 0.60;
    }
    add_clip(f, (clip_def){.name = "idle", .seconds = 4.0, .keys = 33, .pose = idle});
}

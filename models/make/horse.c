// A bay horse, standing: 1.6 m at the withers. The trunk, neck and head are melted from ellipsoids and round cones;
// each leg is a part of its own, so that it melts into the trunk but not into the leg beside it.
#include "figure.h"

typedef struct regions {
    int coat, hair, hoof, eye, pale;
} regions;

static const er_vec3 x_axis = {1, 0, 0}, z_axis = {0, 0, 1};

static void spine_bones(figure *f)
{
    add_bone(f, "hips", NULL, er_v3(0, 1.38, -0.62), er_v3(0, 1.40, -0.36));
    add_bone(f, "spine_1", "hips", er_v3(0, 1.40, -0.36), er_v3(0, 1.37, -0.06));
    add_bone(f, "spine_2", "spine_1", er_v3(0, 1.37, -0.06), er_v3(0, 1.36, 0.22));
    add_bone(f, "chest", "spine_2", er_v3(0, 1.36, 0.22), er_v3(0, 1.34, 0.52));
    add_bone(f, "neck_1", "chest", er_v3(0, 1.34, 0.52), er_v3(0, 1.52, 0.76));
    add_bone(f, "neck_2", "neck_1", er_v3(0, 1.52, 0.76), er_v3(0, 1.75, 0.92));
    add_bone(f, "neck_3", "neck_2", er_v3(0, 1.75, 0.92), er_v3(0, 1.96, 1.02));
    add_bone(f, "head", "neck_3", er_v3(0, 1.96, 1.02), er_v3(0, 1.53, 1.42));
    add_bone(f, "jaw", "head", er_v3(0, 1.80, 1.08), er_v3(0, 1.49, 1.36));
}

static void trunk(figure *f)
{
    f->pen.blend = 0.10;
    // barrel: deep at the girth, tucked up at the flank
    carried_by(f, ball(f, "spine_2", er_v3(0, 1.205, 0.20), 0.275, 0.350, 0.420), "spine_1", "chest");
    carried_by(f, ball(f, "spine_1", er_v3(0, 1.235, -0.10), 0.285, 0.300, 0.420), "hips", "spine_2");
    carried_by(f, limb(f, "spine_1", er_v3(0, 1.33, 0.20), 0.20, er_v3(0, 1.37, -0.50), 0.20), "hips", "chest");
    // withers and back
    carried_by(f, limb(f, "chest", er_v3(0, 1.520, 0.38), 0.085, er_v3(0, 1.395, 0.02), 0.085), "spine_2", "chest");
    // chest and shoulders
    ball(f, "chest", er_v3(0, 1.16, 0.50), 0.215, 0.290, 0.240);
    ball(f, "chest", er_v3(0.095, 1.10, 0.620), 0.115, 0.150, 0.130);
    ball(f, "chest", er_v3(-0.095, 1.10, 0.620), 0.115, 0.150, 0.130);
    // hindquarters
    ball(f, "hips", er_v3(0, 1.33, -0.55), 0.250, 0.235, 0.295);
    ball(f, "hips", er_v3(0, 1.40, -0.45), 0.150, 0.150, 0.230);
    limb(f, "hips", er_v3(0, 1.44, -0.62), 0.120, er_v3(0, 1.36, -0.80), 0.085);
}

static void neck(figure *f)
{
    f->pen.blend = 0.09;
    // thick from above to below, thin from side to side
    stretch(limb(f, "neck_1", er_v3(0, 1.28, 0.50), 0.270, er_v3(0, 1.50, 0.72), 0.210), x_axis, 0.66);
    stretch(limb(f, "neck_2", er_v3(0, 1.49, 0.71), 0.205, er_v3(0, 1.74, 0.89), 0.155), x_axis, 0.62);
    stretch(limb(f, "neck_3", er_v3(0, 1.73, 0.885), 0.155, er_v3(0, 1.915, 0.995), 0.115), x_axis, 0.66);
}

static void head(figure *f, const regions *r)
{
    f->pen.blend = 0.045;
    // skull, brow, the long face, and the muzzle
    stretch(limb(f, "head", er_v3(0, 1.925, 1.045), 0.105, er_v3(0, 1.80, 1.175), 0.098), x_axis, 0.95);
    stretch(limb(f, "head", er_v3(0, 1.84, 1.150), 0.088, er_v3(0, 1.60, 1.365), 0.058), x_axis, 0.88);
    limb(f, "head", er_v3(0, 1.605, 1.365), 0.062, er_v3(0, 1.560, 1.400), 0.058);
    // cheeks
    f->pen.blend = 0.035;
    for (int side = -1; side <= 1; side += 2) {
        shape *s = ball(f, "jaw", er_v3(0.042 * side, 1.760, 1.070), 0.055, 0.115, 0.115);
        carried_by(f, s, "head", "jaw");
        s = ball(f, "head", er_v3(0.072 * side, 1.850, 1.155), 0.028, 0.034, 0.034); // brow
        s->blend = 0.025;
    }
    // jaw and lips
    stretch(limb(f, "jaw", er_v3(0, 1.735, 1.110), 0.070, er_v3(0, 1.555, 1.330), 0.038), x_axis, 0.85);
    limb(f, "jaw", er_v3(0, 1.555, 1.325), 0.038, er_v3(0, 1.520, 1.352), 0.034);
    f->pen.blend = 0.012;
    for (int side = -1; side <= 1; side += 2) {
        // nostrils: a rim and a hollow
        ball(f, "head", er_v3(0.042 * side, 1.592, 1.420), 0.026, 0.036, 0.032)->blend = 0.02;
        shape *s = ball(f, "head", er_v3(0.055 * side, 1.590, 1.447), 0.014, 0.024, 0.016);
        s->use = SHAPE_CARVE;
        s->blend = 0.006;
        tilt(s, z_axis, 25.0 * side);
        // eyes between their lids
        s = ball(f, "head", er_v3(0.080 * side, 1.828, 1.150), 0.034, 0.034, 0.042);
        s->blend = 0.015;
        s = ball(f, "head", er_v3(0.088 * side, 1.826, 1.153), 0.031, 0.028, 0.034);
        s->region = r->eye;
        s->detail = 0.6;
        s->blend = 0.001;
    }
    // the line between the lips, from the front back to the corners
    static const er_vec3 lip[4] = {
        {0, 1.520, 1.447}, {0.036, 1.530, 1.432}, {0.060, 1.545, 1.395}, {0.058, 1.553, 1.360}};
    for (int i = 0; i < 6; ++i) {
        er_vec3 a = lip[i % 3], b = lip[i % 3 + 1];
        double side = i < 3 ? 1.0 : -1.0;
        shape *s = limb(f, "jaw", er_v3(side * a.x, a.y, a.z), 0.007, er_v3(side * b.x, b.y, b.z), 0.007);
        s->use = SHAPE_CARVE;
        s->blend = 0.006;
    }
    // a star on the forehead
    shape *star = ball(f, "head", er_v3(0, 1.835, 1.245), 0.034, 0.070, 0.06);
    star->use = SHAPE_PAINT;
    star->over = r->coat;
    star->region = r->pale;
    tilt(star, x_axis, -40);
}

static void ears(figure *f)
{
    int first_bone = f->bone_count, first_part = f->part_count, first_shape = f->shape_count;
    f->pen.part = add_part(f, 0, 0.02);
    f->pen.blend = 0.01;
    er_vec3 root = er_v3(0.062, 1.995, 1.035), tip = er_v3(0.085, 2.150, 1.060);
    add_bone(f, "left_ear", "head", root, tip);
    stretch(limb(f, "left_ear", er_v3(0.060, 1.985, 1.033), 0.030, er_v3(0.070, 2.055, 1.045), 0.036), z_axis, 0.62);
    stretch(limb(f, "left_ear", er_v3(0.070, 2.055, 1.045), 0.036, er_v3(0.084, 2.145, 1.060), 0.006), z_axis, 0.62);
    shape *s = limb(f, "left_ear", er_v3(0.075, 2.045, 1.075), 0.018, er_v3(0.085, 2.110, 1.078), 0.007);
    s->use = SHAPE_CARVE;
    mirror(f, first_bone, first_part, first_shape);
}

static void hoof(figure *f, const char *bone, const regions *r, er_vec3 coronet, double toe)
{
    er_vec3 ground = er_v3(coronet.x, 0.0, coronet.z + toe);
    shape *s =
        limb(f, bone, er_v3(coronet.x, coronet.y - 0.012, coronet.z), 0.054, er_v3(ground.x, 0.018, ground.z), 0.068);
    s->region = r->hoof;
    s->blend = 0.006;
    s = ball(f, bone, er_v3(ground.x, -10.0, ground.z), 10.0, 10.0, 10.0); // flat on the ground
    s->use = SHAPE_CARVE;
    s->region = r->hoof;
    s->blend = 0.004;
}

static void foreleg(figure *f, const regions *r)
{
    int first_bone = f->bone_count, first_part = f->part_count, first_shape = f->shape_count;
    er_vec3 blade = er_v3(0.105, 1.46, 0.40), shoulder = er_v3(0.165, 1.12, 0.60), elbow = er_v3(0.165, 0.92, 0.44),
            knee = er_v3(0.150, 0.505, 0.465), fetlock = er_v3(0.145, 0.235, 0.465),
            coronet = er_v3(0.145, 0.105, 0.525);
    add_bone(f, "left_shoulder", "chest", blade, shoulder);
    add_bone(f, "left_upper_arm", "left_shoulder", shoulder, elbow);
    add_bone(f, "left_forearm", "left_upper_arm", elbow, knee);
    add_bone(f, "left_front_cannon", "left_forearm", knee, fetlock);
    add_bone(f, "left_front_pastern", "left_front_cannon", fetlock, coronet);
    add_bone(f, "left_front_hoof", "left_front_pastern", coronet, er_v3(0.145, 0.0, 0.575));
    f->pen.part = add_part(f, 0, 0.10);
    f->pen.blend = 0.06;
    stretch(limb(f, "left_shoulder", blade, 0.085, shoulder, 0.110), er_v3(0, 0.4, 1), 1.35);
    stretch(limb(f, "left_upper_arm", shoulder, 0.105, elbow, 0.105), x_axis, 0.80);
    f->pen.blend = 0.04;
    stretch(limb(f, "left_forearm", er_v3(0.163, 0.900, 0.455), 0.098, er_v3(0.153, 0.60, 0.468), 0.052), x_axis, 0.80);
    limb(f, "left_upper_arm", elbow, 0.05, er_v3(0.168, 0.955, 0.385), 0.045);
    limb(f, "left_forearm", er_v3(0.153, 0.60, 0.468), 0.050, knee, 0.050);
    // knee, cannon with its tendon behind, fetlock, pastern
    f->pen.blend = 0.025;
    ball(f, "left_front_cannon", er_v3(0.150, 0.500, 0.474), 0.052, 0.066, 0.055);
    limb(f, "left_front_cannon", er_v3(0.149, 0.46, 0.470), 0.036, er_v3(0.146, 0.265, 0.470), 0.032);
    limb(f, "left_front_cannon", er_v3(0.149, 0.45, 0.445), 0.024, er_v3(0.146, 0.270, 0.442), 0.022);
    ball(f, "left_front_pastern", er_v3(0.145, 0.238, 0.458), 0.044, 0.050, 0.052);
    limb(f, "left_front_pastern", er_v3(0.145, 0.225, 0.470), 0.038, er_v3(0.145, 0.125, 0.517), 0.043);
    hoof(f, "left_front_hoof", r, coronet, 0.030);
    f->pen.region = r->coat;
    mirror(f, first_bone, first_part, first_shape);
}

static void hindleg(figure *f, const regions *r)
{
    int first_bone = f->bone_count, first_part = f->part_count, first_shape = f->shape_count;
    er_vec3 hip = er_v3(0.150, 1.26, -0.60), stifle = er_v3(0.180, 0.97, -0.43), hock = er_v3(0.155, 0.585, -0.785),
            fetlock = er_v3(0.150, 0.245, -0.770), coronet = er_v3(0.150, 0.105, -0.705);
    add_bone(f, "left_thigh", "hips", hip, stifle);
    add_bone(f, "left_gaskin", "left_thigh", stifle, hock);
    add_bone(f, "left_hind_cannon", "left_gaskin", hock, fetlock);
    add_bone(f, "left_hind_pastern", "left_hind_cannon", fetlock, coronet);
    add_bone(f, "left_hind_hoof", "left_hind_pastern", coronet, er_v3(0.150, 0.0, -0.655));
    f->pen.part = add_part(f, 0, 0.10);
    f->pen.blend = 0.08;
    stretch(limb(f, "left_thigh", er_v3(0.135, 1.25, -0.62), 0.215, er_v3(0.165, 1.02, -0.50), 0.150), x_axis, 0.62);
    stretch(limb(f, "left_thigh", er_v3(0.140, 1.20, -0.74), 0.125, er_v3(0.160, 0.93, -0.66), 0.095), x_axis, 0.78);
    f->pen.blend = 0.05;
    ball(f, "left_gaskin", er_v3(0.175, 0.985, -0.435), 0.085, 0.105, 0.095);
    stretch(limb(f, "left_gaskin", er_v3(0.170, 0.93, -0.520), 0.125, er_v3(0.158, 0.70, -0.700), 0.058), x_axis, 0.72);
    limb(f, "left_gaskin", er_v3(0.158, 0.70, -0.705), 0.050, hock, 0.048);
    // the tendon to the point of the hock
    f->pen.blend = 0.03;
    limb(f, "left_gaskin", er_v3(0.160, 0.80, -0.700), 0.035, er_v3(0.155, 0.645, -0.825), 0.030);
    f->pen.blend = 0.025;
    limb(f, "left_hind_cannon", er_v3(0.155, 0.650, -0.822), 0.033, er_v3(0.154, 0.565, -0.795), 0.040);
    ball(f, "left_hind_cannon", er_v3(0.155, 0.575, -0.775), 0.050, 0.070, 0.055);
    limb(f, "left_hind_cannon", er_v3(0.154, 0.54, -0.780), 0.039, er_v3(0.151, 0.275, -0.765), 0.034);
    limb(f, "left_hind_cannon", er_v3(0.154, 0.53, -0.808), 0.026, er_v3(0.151, 0.280, -0.795), 0.023);
    ball(f, "left_hind_pastern", er_v3(0.150, 0.245, -0.778), 0.045, 0.052, 0.054);
    limb(f, "left_hind_pastern", er_v3(0.150, 0.232, -0.764), 0.039, er_v3(0.150, 0.125, -0.713), 0.043);
    hoof(f, "left_hind_hoof", r, coronet, 0.030);
    f->pen.region = r->coat;
    mirror(f, first_bone, first_part, first_shape);
}

// A lock of hair: a chain of flattened cones.
static void mane(figure *f, const regions *r)
{
    f->pen.part = add_part(f, 0, 0.012);
    f->pen.region = r->hair;
    f->pen.blend = 0.020;
    static const struct {
        const char *bone;
        er_vec3 root, end; // locks fall to the left
        double width;
    } lock[] = {{"neck_3", {0.000, 2.040, 0.985}, {0.100, 1.830, 0.915}, 0.050},
                {"neck_3", {0.000, 1.985, 0.925}, {0.128, 1.730, 0.850}, 0.056},
                {"neck_2", {0.000, 1.905, 0.855}, {0.142, 1.640, 0.775}, 0.060},
                {"neck_2", {0.000, 1.820, 0.775}, {0.158, 1.545, 0.695}, 0.062},
                {"neck_1", {0.000, 1.735, 0.690}, {0.172, 1.460, 0.620}, 0.062},
                {"neck_1", {0.000, 1.655, 0.600}, {0.178, 1.400, 0.535}, 0.058},
                {"neck_1", {0.000, 1.600, 0.520}, {0.160, 1.420, 0.455}, 0.050}};
    for (int i = 0; i < (int)(sizeof lock / sizeof lock[0]); ++i) {
        er_vec3 a = lock[i].root, c = lock[i].end;
        er_vec3 b = er_v3(0.82 * c.x, 0.45 * a.y + 0.55 * c.y, 0.45 * a.z + 0.55 * c.z);
        er_vec3 top = er_v3(0.45 * c.x, 0.86 * a.y + 0.14 * c.y + 0.012, 0.86 * a.z + 0.14 * c.z);
        stretch(limb(f, lock[i].bone, a, 0.75 * lock[i].width, top, lock[i].width), x_axis, 0.70);
        stretch(limb(f, lock[i].bone, top, lock[i].width, b, lock[i].width), x_axis, 0.50);
        stretch(limb(f, lock[i].bone, b, lock[i].width, c, 0.020), x_axis, 0.50);
    }
    // forelock
    stretch(limb(f, "head", er_v3(0, 2.035, 1.050), 0.045, er_v3(0.005, 1.985, 1.135), 0.040), x_axis, 1.1);
    limb(f, "head", er_v3(0.005, 1.985, 1.135), 0.038, er_v3(0.012, 1.880, 1.235), 0.010);
}

static void tail(figure *f, const regions *r)
{
    static const er_vec3 joint[6] = {{0, 1.430, -0.830}, {0, 1.390, -0.950}, {0, 1.220, -1.030},
                                     {0, 1.010, -1.060}, {0, 0.790, -1.070}, {0, 0.560, -1.055}};
    static const double radius[6] = {0.046, 0.062, 0.084, 0.092, 0.078, 0.024};
    f->pen.part = add_part(f, 0, 0.03);
    f->pen.region = r->hair;
    f->pen.blend = 0.03;
    static const char *const name[5] = {"tail_1", "tail_2", "tail_3", "tail_4", "tail_5"};
    for (int i = 0; i < 5; ++i) {
        add_bone(f, name[i], i == 0 ? "hips" : name[i - 1], joint[i], joint[i + 1]);
        stretch(limb(f, name[i], joint[i], radius[i], joint[i + 1], radius[i + 1]), x_axis, 0.85);
    }
    f->pen.blend = 0.015; // strands
    for (int side = -1; side <= 1; side += 2) {
        limb(f, "tail_3", er_v3(0.030 * side, 1.20, -1.045), 0.045, er_v3(0.055 * side, 0.96, -1.085), 0.050);
        limb(f, "tail_4", er_v3(0.055 * side, 0.96, -1.085), 0.050, er_v3(0.030 * side, 0.66, -1.105), 0.012);
    }
    limb(f, "tail_4", er_v3(0, 1.02, -1.115), 0.045, er_v3(0, 0.72, -1.125), 0.012);
}

void design_horse(figure *f)
{
    figure_start(f, "horse");
    f->cell = 0.010;
    f->edge_min = 0.009;
    f->edge_max = 0.055;
    f->edge_border = 0.016;
    f->edge_angle = 0.66;
    f->shade = 0.12;
    regions r = {.coat = add_region(f, "coat", 0x9A5B32, 0.60),
                 .hair = add_region(f, "hair", 0x2A1E1A, 0.70),
                 .hoof = add_region(f, "hooves", 0x6B5A4B, 0.45),
                 .eye = add_region(f, "eyes", 0x140D0A, 0.10),
                 .pale = add_region(f, "star", 0xF2EBE0, 0.65)};
    f->pen.part = add_part(f, -1, 0.0);
    f->pen.region = r.coat;
    spine_bones(f);
    trunk(f);
    neck(f);
    head(f, &r);
    ears(f);
    foreleg(f, &r);
    hindleg(f, &r);
    mane(f, &r);
    tail(f, &r);

    // a dark muzzle, shading towards the knees, a paler belly
    f->pen.use = SHAPE_TINT;
    f->pen.over = r.coat;
    shape *muzzle = ball(f, "head", er_v3(0, 1.540, 1.400), 0.10, 0.10, 0.10);
    muzzle->blend = 0.09;
    for (int i = 0; i < 3; ++i)
        muzzle->tint[i] = 0.35;
    for (int i = 0; i < 4; ++i) {
        shape *s = ball(f, "hips", er_v3(i % 2 ? 0.15 : -0.15, 0.24, i < 2 ? 0.50 : -0.75), 0.22, 0.34, 0.30);
        s->blend = 0.16;
        s->tint[0] = 0.22;
        s->tint[1] = s->tint[2] = 0.26;
    }
}

// A red fox, standing: 0.41 m at the withers. The trunk, neck and head are melted from ellipsoids and round cones;
// legs, ears and tail are parts of their own. Coat, white and stockings are painted over the finished solid.
#include "fox_clips.h"

typedef struct regions {
    int coat, white, dark, ear, nose, eye;
} regions;

static const er_vec3 x_axis = {1, 0, 0}, y_axis = {0, 1, 0}, z_axis = {0, 0, 1};

static void spine_bones(figure *f)
{
    add_bone(f, "hips", NULL, er_v3(0, 0.345, -0.190), er_v3(0, 0.358, -0.105));
    add_bone(f, "spine_1", "hips", er_v3(0, 0.358, -0.105), er_v3(0, 0.358, -0.020));
    add_bone(f, "spine_2", "spine_1", er_v3(0, 0.358, -0.020), er_v3(0, 0.355, 0.065));
    add_bone(f, "chest", "spine_2", er_v3(0, 0.355, 0.065), er_v3(0, 0.365, 0.155));
    add_bone(f, "neck_1", "chest", er_v3(0, 0.365, 0.155), er_v3(0, 0.415, 0.205));
    add_bone(f, "neck_2", "neck_1", er_v3(0, 0.415, 0.205), er_v3(0, 0.468, 0.240));
    add_bone(f, "head", "neck_2", er_v3(0, 0.468, 0.240), er_v3(0, 0.455, 0.414));
    add_bone(f, "jaw", "head", er_v3(0, 0.450, 0.286), er_v3(0, 0.434, 0.388));
}

static void trunk(figure *f)
{
    f->pen.blend = 0.040;
    // barrel: deep at the chest, tucked up at the flank
    carried_by(f, ball(f, "chest", er_v3(0, 0.312, 0.105), 0.062, 0.086, 0.110), "spine_2", "chest");
    carried_by(f, ball(f, "spine_2", er_v3(0, 0.320, 0.010), 0.060, 0.070, 0.110), "spine_1", "chest");
    carried_by(f, ball(f, "spine_1", er_v3(0, 0.332, -0.090), 0.054, 0.056, 0.100), "hips", "spine_2");
    // withers and back
    carried_by(f, limb(f, "chest", er_v3(0, 0.363, 0.130), 0.040, er_v3(0, 0.352, -0.120), 0.040), "hips", "chest");
    // breast and shoulders
    ball(f, "chest", er_v3(0, 0.310, 0.165), 0.050, 0.070, 0.055);
    // hindquarters
    ball(f, "hips", er_v3(0, 0.340, -0.185), 0.058, 0.058, 0.070);
    limb(f, "hips", er_v3(0, 0.352, -0.200), 0.040, er_v3(0, 0.350, -0.240), 0.030);
}

static void neck(figure *f)
{
    f->pen.blend = 0.030;
    stretch(limb(f, "neck_1", er_v3(0, 0.345, 0.145), 0.072, er_v3(0, 0.415, 0.205), 0.056), x_axis, 0.86);
    stretch(limb(f, "neck_2", er_v3(0, 0.415, 0.205), 0.056, er_v3(0, 0.466, 0.246), 0.046), x_axis, 0.92);
    // the ruff hangs from the throat
    f->pen.blend = 0.024;
    static const struct {
        const char *bone;
        er_vec3 root, end;
        double width;
    } lock[] = {{"neck_1", {0.000, 0.385, 0.225}, {0.000, 0.300, 0.236}, 0.032},
                {"neck_1", {0.030, 0.385, 0.205}, {0.036, 0.312, 0.218}, 0.026},
                {"chest", {0.014, 0.340, 0.205}, {0.014, 0.268, 0.216}, 0.030}};
    for (int i = 0; i < 3; ++i)
        for (int side = -1; side <= 1; side += 2) {
            er_vec3 a = lock[i].root, b = lock[i].end;
            if (side < 0 && a.x == 0.0) continue;
            limb(f, lock[i].bone, er_v3(side * a.x, a.y, a.z), lock[i].width, er_v3(side * b.x, b.y, b.z), 0.010);
        }
}

static void head(figure *f, const regions *r)
{
    f->pen.part = add_part(f, 0, 0.024);
    f->pen.blend = 0.020;
    // skull, and the long face
    ball(f, "head", er_v3(0, 0.479, 0.272), 0.056, 0.047, 0.055);
    stretch(limb(f, "head", er_v3(0, 0.474, 0.308), 0.034, er_v3(0, 0.456, 0.396), 0.0130), y_axis, 0.94);
    // cheeks, with tufts that point outwards and down
    for (int side = -1; side <= 1; side += 2) {
        f->pen.blend = 0.014;
        ball(f, "head", er_v3(0.036 * side, 0.461, 0.280), 0.029, 0.028, 0.036);
        f->pen.blend = 0.010;
        limb(f, "head", er_v3(0.046 * side, 0.464, 0.268), 0.022, er_v3(0.094 * side, 0.448, 0.244), 0.003);
        f->pen.region = r->white;
        limb(f, "head", er_v3(0.042 * side, 0.453, 0.272), 0.021, er_v3(0.078 * side, 0.424, 0.248), 0.003);
        limb(f, "head", er_v3(0.026 * side, 0.446, 0.270), 0.021, er_v3(0.050 * side, 0.410, 0.252), 0.003);
        f->pen.region = r->coat;
    }
    // nose
    f->pen.blend = 0.004;
    shape *s = ball(f, "head", er_v3(0, 0.4610, 0.4075), 0.0115, 0.0095, 0.0100);
    s->region = r->nose;
    s->detail = 0.6;
    for (int side = -1; side <= 1; side += 2) { // eyes, slanted
        s = ball(f, "head", er_v3(0.0320 * side, 0.4895, 0.3110), 0.0125, 0.0095, 0.0110);
        tilt(s, z_axis, 28.0 * side);
        s->region = r->eye;
        s->detail = 0.5;
        s->blend = 0.001;
    }
    // jaw
    f->pen.region = r->white;
    f->pen.blend = 0.006;
    stretch(limb(f, "jaw", er_v3(0, 0.450, 0.294), 0.024, er_v3(0, 0.4375, 0.378), 0.0085), y_axis, 0.8);
    f->pen.region = r->coat;
}

static void left_ear(figure *f, const regions *r, int head_part)
{
    er_vec3 root = er_v3(0.036, 0.512, 0.254), middle = er_v3(0.049, 0.560, 0.252), tip = er_v3(0.064, 0.614, 0.246);
    er_vec3 front = er_v3(0.35, 0, 1);
    add_bone(f, "left_ear_1", "head", root, middle);
    add_bone(f, "left_ear_2", "left_ear_1", middle, tip);
    f->pen.part = add_part(f, head_part, 0.010);
    f->pen.blend = 0.006;
    stretch(limb(f, "left_ear_1", root, 0.037, middle, 0.0235), front, 0.45);
    stretch(limb(f, "left_ear_2", middle, 0.0235, tip, 0.0075), front, 0.50);
    shape *s = limb(f, "left_ear_1", er_v3(0.043, 0.530, 0.274), 0.022, er_v3(0.060, 0.596, 0.258), 0.006);
    stretch(s, front, 0.6);
    s->use = SHAPE_CARVE;
    s->blend = 0.004;
    s = limb(f, "left_ear_1", er_v3(0.043, 0.534, 0.276), 0.024, er_v3(0.061, 0.594, 0.264), 0.009);
    s->use = SHAPE_PAINT;
    s->over = r->coat;
    s->region = r->ear;
    s = limb(f, "left_ear_2", er_v3(0.052, 0.572, 0.222), 0.030, er_v3(0.066, 0.640, 0.235), 0.030);
    s->use = SHAPE_PAINT;
    s->over = r->coat;
    s->region = r->dark;
}

// Paw: toes on the ground, which is flat.
static void paw(figure *f, const char *bone, er_vec3 heel, er_vec3 tip)
{
    f->pen.blend = 0.010;
    limb(f, bone, er_v3(heel.x, 0.018, heel.z), 0.017, er_v3(tip.x, 0.012, tip.z - 0.013), 0.0135);
    f->pen.blend = 0.002;
    for (int i = -1; i <= 1; i += 2)
        limb(f, bone, er_v3(tip.x + 0.0085 * i, 0.014, tip.z - 0.022), 0.0110,
             er_v3(tip.x + 0.0095 * i, 0.009, tip.z - 0.007), 0.0090);
    shape *s = ball(f, bone, er_v3(tip.x, -10.0, tip.z), 10.0, 10.0, 10.0);
    s->use = SHAPE_CARVE;
    s->blend = 0.003;
}

static void stocking(figure *f, const regions *r, const char *bone, er_vec3 top, double radius, er_vec3 end)
{
    shape *s = limb(f, bone, top, radius, end, 0.05);
    s->use = SHAPE_PAINT;
    s->over = r->coat;
    s->region = r->dark;
}

static void left_foreleg(figure *f, const regions *r)
{
    er_vec3 blade = er_v3(0.036, 0.378, 0.108), shoulder = er_v3(0.052, 0.282, 0.172),
            elbow = er_v3(0.050, 0.205, 0.104), wrist = er_v3(0.046, 0.092, 0.118),
            knuckle = er_v3(0.046, 0.026, 0.130), tip = er_v3(0.046, 0.008, 0.164);
    add_bone(f, "left_shoulder", "chest", blade, shoulder);
    add_bone(f, "left_upper_arm", "left_shoulder", shoulder, elbow);
    add_bone(f, "left_forearm", "left_upper_arm", elbow, wrist);
    add_bone(f, "left_front_foot", "left_forearm", wrist, knuckle);
    add_bone(f, "left_front_toes", "left_front_foot", knuckle, tip);
    f->pen.part = add_part(f, 0, 0.030);
    f->pen.blend = 0.020;
    stretch(limb(f, "left_shoulder", er_v3(0.034, 0.350, 0.122), 0.030, shoulder, 0.032), x_axis, 0.75);
    stretch(limb(f, "left_upper_arm", shoulder, 0.034, er_v3(0.050, 0.215, 0.112), 0.030), x_axis, 0.72);
    limb(f, "left_forearm", er_v3(0.050, 0.212, 0.112), 0.024, er_v3(0.047, 0.120, 0.116), 0.0145);
    f->pen.blend = 0.010;
    limb(f, "left_forearm", er_v3(0.047, 0.120, 0.116), 0.0140, wrist, 0.0150);
    limb(f, "left_front_foot", wrist, 0.0145, knuckle, 0.0140);
    paw(f, "left_front_toes", knuckle, tip);
    stocking(f, r, "left_forearm", er_v3(0.046, 0.100, 0.110), 0.056, er_v3(0.046, 0.020, 0.135));
}

static void left_hindleg(figure *f, const regions *r)
{
    er_vec3 hip = er_v3(0.042, 0.338, -0.195), knee = er_v3(0.056, 0.245, -0.128), hock = er_v3(0.050, 0.128, -0.240),
            knuckle = er_v3(0.048, 0.026, -0.218), tip = er_v3(0.048, 0.008, -0.182);
    add_bone(f, "left_thigh", "hips", hip, knee);
    add_bone(f, "left_shin", "left_thigh", knee, hock);
    add_bone(f, "left_hind_foot", "left_shin", hock, knuckle);
    add_bone(f, "left_hind_toes", "left_hind_foot", knuckle, tip);
    f->pen.part = add_part(f, 0, 0.030);
    f->pen.blend = 0.024;
    stretch(limb(f, "left_thigh", er_v3(0.038, 0.330, -0.200), 0.056, er_v3(0.052, 0.262, -0.150), 0.044), x_axis,
            0.62);
    stretch(limb(f, "left_thigh", er_v3(0.040, 0.310, -0.220), 0.040, er_v3(0.050, 0.240, -0.190), 0.032), x_axis,
            0.72);
    f->pen.blend = 0.014;
    stretch(limb(f, "left_shin", er_v3(0.055, 0.245, -0.145), 0.036, er_v3(0.051, 0.165, -0.208), 0.018), x_axis, 0.74);
    limb(f, "left_shin", er_v3(0.051, 0.170, -0.204), 0.0165, hock, 0.0145);
    f->pen.blend = 0.010;
    limb(f, "left_shin", er_v3(0.051, 0.180, -0.215), 0.010, er_v3(0.050, 0.140, -0.249), 0.0095); // tendon
    limb(f, "left_hind_foot", er_v3(0.050, 0.134, -0.246), 0.0125, knuckle, 0.0140);
    paw(f, "left_hind_toes", knuckle, tip);
    stocking(f, r, "left_hind_foot", er_v3(0.048, 0.080, -0.235), 0.052, er_v3(0.048, 0.020, -0.210));
}

static void tail(figure *f, const regions *r)
{
    static const er_vec3 joint[6] = {{0, 0.356, -0.245}, {0, 0.334, -0.315}, {0, 0.298, -0.382},
                                     {0, 0.264, -0.454}, {0, 0.248, -0.538}, {0, 0.262, -0.645}};
    static const double radius[6] = {0.022, 0.034, 0.048, 0.058, 0.056, 0.018};
    f->pen.part = add_part(f, 0, 0.024);
    f->pen.blend = 0.045;
    static const char *const name[5] = {"tail_1", "tail_2", "tail_3", "tail_4", "tail_5"};
    for (int i = 0; i < 5; ++i) {
        add_bone(f, name[i], i == 0 ? "hips" : name[i - 1], joint[i], joint[i + 1]);
        limb(f, name[i], joint[i], radius[i], joint[i + 1], radius[i + 1]);
    }
    ball(f, "tail_5", er_v3(0, 0.253, -0.580), 0.043, 0.043, 0.050);
    // a white tip, with a fringe where it begins
    f->pen.use = SHAPE_PAINT;
    f->pen.over = r->coat;
    f->pen.region = r->white;
    ball(f, "tail_5", er_v3(0, 0.262, -0.670), 0.10, 0.10, 0.095);
    for (int i = 0; i < 7; ++i) {
        er_vec3 out = turned(y_axis, z_axis, 360.0 * i / 7.0);
        limb(f, "tail_5", er_v3_madd(er_v3(0, 0.252, -0.588), 0.050, out), 0.022,
             er_v3_madd(er_v3(0, 0.250, -0.540), 0.056, out), 0.004);
    }
    f->pen.use = SHAPE_JOIN;
}

// White: lips and cheeks, throat, breast, belly.
static void white_coat(figure *f, const regions *r)
{
    f->pen.use = SHAPE_PAINT;
    f->pen.over = r->coat;
    f->pen.region = r->white;
    limb(f, "head", er_v3(0, 0.430, 0.400), 0.024, er_v3(0, 0.424, 0.300), 0.040);
    for (int side = -1; side <= 1; side += 2)
        limb(f, "head", er_v3(0.030 * side, 0.436, 0.310), 0.026, er_v3(0.080 * side, 0.428, 0.250), 0.030);
    stretch(limb(f, "neck_1", er_v3(0, 0.425, 0.285), 0.066, er_v3(0, 0.300, 0.246), 0.058), x_axis, 1.15);
    stretch(limb(f, "chest", er_v3(0, 0.242, 0.205), 0.046, er_v3(0, 0.262, -0.120), 0.026), x_axis, 0.7);
}

// The back is darker.
static void shade_back(figure *f, const regions *r)
{
    f->pen.use = SHAPE_TINT;
    f->pen.over = r->coat;
    f->pen.blend = 0.085;
    shape *s = limb(f, "hips", er_v3(0, 0.425, 0.140), 0.050, er_v3(0, 0.420, -0.260), 0.050);
    s->tint[0] = 0.70;
    s->tint[1] = s->tint[2] = 0.56;
}

void design_fox(figure *f)
{
    figure_start(f, "fox");
    f->cell = 0.0036;
    f->edge_min = 0.0040;
    f->edge_max = 0.022;
    f->edge_border = 0.009;
    f->edge_angle = 0.62;
    f->shade = 0.04;
    regions r = {.coat = add_region(f, "coat", 0xD9702A, 0.75),
                 .white = add_region(f, "white", 0xF6EFE4, 0.80),
                 .dark = add_region(f, "stockings", 0x2B211E, 0.75),
                 .ear = add_region(f, "ears", 0xE9D6C4, 0.85),
                 .nose = add_region(f, "nose", 0x15100E, 0.25),
                 .eye = add_region(f, "eyes", 0x140D0A, 0.10)};
    f->pen.part = add_part(f, -1, 0.0);
    f->pen.region = r.coat;
    spine_bones(f);
    trunk(f);
    neck(f);
    head(f, &r);
    int first_bone = f->bone_count, first_part = f->part_count, first_shape = f->shape_count;
    left_ear(f, &r, first_part - 1);
    left_foreleg(f, &r);
    left_hindleg(f, &r);
    mirror(f, first_bone, first_part, first_shape);
    tail(f, &r);
    white_coat(f, &r);
    shade_back(f, &r);
    add_fox_clips(f);
}

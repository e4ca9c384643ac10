// A right hand, palm forward, fingers up and a little curled: 0.19 m from the wrist to the middle finger's tip.
#include <stdio.h>

#include "figure.h"

typedef struct digit {
    const char *name;
    er_vec3 root;     // knuckle
    double splay;     // degrees about z, away from straight up, towards the thumb
    double length[3]; // of its bones
    double bend[3];   // degrees at each joint, towards the palm
    double radius[4]; // at the joints and the tip
} digit;

static const er_vec3 x_axis = {1, 0, 0}, z_axis = {0, 0, 1};
static const char *const joint_name[3] = {"proximal", "middle", "distal"};

// The plate on the back of a finger's end.   @param back unit, away from the palm
static void nail(figure *f, const char *bone, int region, er_vec3 tip, er_vec3 along, er_vec3 back, double radius)
{
    er_vec3 side = er_v3_cross(along, back);
    er_vec3 centre = er_v3_madd(er_v3_madd(tip, -0.10 * radius, along), 0.72 * radius, back);
    shape *s = limb(f, bone, er_v3_madd(centre, -0.55 * radius, along), 0.60 * radius,
                    er_v3_madd(centre, 0.35 * radius, along), 0.56 * radius);
    stretch(stretch(s, back, 0.55), side, 1.15);
    s->region = region;
    s->blend = 0.0006;
}

static void finger(figure *f, int palm, int nails, const digit *d)
{
    f->pen.part = add_part(f, palm, 0.007);
    f->pen.blend = 0.0022;
    er_vec3 hinge = turned(x_axis, z_axis, -d->splay), along = turned(er_v3(0, 1, 0), z_axis, -d->splay), p = d->root;
    char name[32], parent[32] = "hand";
    for (int i = 0; i < 3; ++i) {
        along = turned(along, hinge, d->bend[i]);
        er_vec3 back = er_v3_cross(along, hinge); // -z when straight
        er_vec3 q = er_v3_madd(p, d->length[i], along);
        snprintf(name, sizeof name, "%s_%s", d->name, joint_name[i]);
        add_bone(f, name, parent, p, q);
        snprintf(parent, sizeof parent, "%s", name);

        double r = d->radius[i], s = d->radius[i + 1];
        er_vec3 end = i == 2 ? er_v3_madd(q, -s, along) : q; // the tip's ball ends at the tip
        limb(f, name, p, 0.97 * r, end, i == 2 ? s : 0.97 * s);
        // the joint: a knuckle behind; the fleshy belly of the bone in front
        ball(f, name, er_v3_madd(p, 0.26 * r, back), 0.86 * r, 0.95 * r, 0.82 * r);
        er_vec3 belly = er_v3_madd(er_v3_madd(p, 0.5 * d->length[i], along), -0.30 * r, back);
        limb(f, name, er_v3_madd(belly, -0.18 * d->length[i], along), 0.90 * r,
             er_v3_madd(belly, 0.18 * d->length[i], along), 0.90 * s);
        if (i == 2) nail(f, name, nails, end, along, back, s);
        p = q;
    }
}

static void thumb(figure *f, int palm, int nails)
{
    static const er_vec3 joint[4] = {
        {0.0200, 0.0800, 0.0090}, {0.0490, 0.1130, 0.0240}, {0.0655, 0.1400, 0.0285}, {0.0755, 0.1660, 0.0285}};
    static const double radius[4] = {0.0150, 0.0118, 0.0108, 0.0088};
    static const char *const name[3] = {"thumb_metacarpal", "thumb_proximal", "thumb_distal"};
    f->pen.part = add_part(f, palm, 0.014);
    f->pen.blend = 0.004;
    for (int i = 0; i < 3; ++i) {
        er_vec3 p = joint[i], q = joint[i + 1], along = er_v3_unit(er_v3_sub(q, p), x_axis);
        add_bone(f, name[i], i == 0 ? "hand" : name[i - 1], p, q);
        er_vec3 end = i == 2 ? er_v3_madd(q, -radius[3], along) : q;
        limb(f, name[i], p, radius[i], end, radius[i + 1]);
        // the nail looks outwards: away from the palm and from the fingers
        er_vec3 back = er_v3_unit(er_v3_cross(along, er_v3(0.45, -0.10, 0.85)), x_axis);
        if (i > 0)
            ball(f, name[i], er_v3_madd(p, 0.2 * radius[i], back), 0.88 * radius[i], 0.88 * radius[i],
                 0.88 * radius[i]);
        if (i == 2) {
            ball(f, name[i], er_v3_madd(er_v3_madd(p, 0.55 * er_v3_distance(p, q), along), -0.2 * radius[3], back),
                 1.04 * radius[3], 1.3 * radius[3], 1.04 * radius[3]);
            nail(f, name[i], nails, end, along, back, radius[3] * 1.08);
        }
    }
    // the ball of the thumb
    shape *s =
        limb(f, "thumb_metacarpal", er_v3(0.0200, 0.0850, 0.0145), 0.0165, er_v3(0.0400, 0.1050, 0.0215), 0.0140);
    s->blend = 0.008;
}

void design_hand(figure *f)
{
    static const digit digits[4] = {{"index",
                                     {0.0290, 0.1560, 0.0010},
                                     7.0,
                                     {0.0420, 0.0255, 0.0225},
                                     {9, 14, 10},
                                     {0.0100, 0.0088, 0.0080, 0.0068}},
                                    {"middle",
                                     {0.0065, 0.1600, -0.0010},
                                     1.0,
                                     {0.0465, 0.0295, 0.0235},
                                     {7, 13, 9},
                                     {0.0102, 0.0090, 0.0082, 0.0070}},
                                    {"ring",
                                     {-0.0155, 0.1560, 0.0000},
                                     -5.0,
                                     {0.0430, 0.0275, 0.0230},
                                     {9, 16, 11},
                                     {0.0097, 0.0085, 0.0078, 0.0067}},
                                    {"pinky",
                                     {-0.0345, 0.1470, 0.0030},
                                     -14.0,
                                     {0.0340, 0.0195, 0.0205},
                                     {11, 17, 12},
                                     {0.0086, 0.0075, 0.0068, 0.0058}}};

    figure_start(f, "hand");
    f->cell = 0.0011;
    f->edge_min = 0.0014;
    f->edge_max = 0.0075;
    f->edge_border = 0.0030;
    f->edge_angle = 0.40;
    f->shade = 0.012;
    int skin = add_region(f, "skin", 0xD99B78, 0.55), nails = add_region(f, "nails", 0xEBC1B0, 0.30);
    int cuff = add_region(f, "cuff", 0x2F5D8A, 0.85), trim = add_region(f, "trim", 0xF0E6D2, 0.85);

    add_bone(f, "forearm", NULL, er_v3(0, 0, 0), er_v3(0, 0.065, 0));
    add_bone(f, "hand", "forearm", er_v3(0, 0.065, 0), er_v3(0.002, 0.150, 0));

    int palm = add_part(f, -1, 0.0);
    f->pen.part = palm;
    f->pen.region = skin;
    f->pen.blend = 0.012;
    stretch(limb(f, "forearm", er_v3(0, 0.010, 0), 0.0250, er_v3(0, 0.062, 0), 0.0215), x_axis, 1.25);
    limb(f, "hand", er_v3(0.004, 0.072, 0.000), 0.0160, er_v3(0.0250, 0.148, 0.0000), 0.0125);
    limb(f, "hand", er_v3(0.002, 0.072, 0.000), 0.0165, er_v3(0.0060, 0.151, -0.0010), 0.0125);
    limb(f, "hand", er_v3(-0.003, 0.072, 0.000), 0.0165, er_v3(-0.0150, 0.147, 0.0000), 0.0120);
    limb(f, "hand", er_v3(-0.008, 0.072, 0.001), 0.0155, er_v3(-0.0320, 0.138, 0.0030), 0.0110);
    // heel of the hand on the little finger's side, and the pads under the fingers
    limb(f, "hand", er_v3(-0.0190, 0.088, 0.0080), 0.0135, er_v3(-0.0310, 0.116, 0.0075), 0.0105);
    limb(f, "hand", er_v3(-0.0280, 0.139, 0.0075), 0.0075, er_v3(0.0230, 0.148, 0.0065), 0.0075)->blend = 0.010;

    // a sleeve hides where the arm ends
    f->pen.blend = 0.0015;
    f->pen.region = cuff;
    stretch(limb(f, "forearm", er_v3(0, 0.0165, 0), 0.0345, er_v3(0, 0.024, 0), 0.0325), x_axis, 1.2);
    f->pen.region = trim;
    stretch(ring(f, "forearm", er_v3(0, 0.0455, 0), 0.0250, 0.0075), x_axis, 1.22);
    f->pen.use = SHAPE_CARVE; // flat below
    f->pen.region = cuff;
    ball(f, "forearm", er_v3(0, -10.0, 0), 10.0, 10.0, 10.0);
    f->pen.use = SHAPE_JOIN;

    f->pen.region = skin;
    for (int i = 0; i < 4; ++i)
        finger(f, palm, nails, &digits[i]);
    f->pen.region = skin;
    thumb(f, palm, nails);

    // warmth in finger tips and knuckles, a paler palm
    f->pen.use = SHAPE_TINT;
    f->pen.over = skin;
    for (int i = 0; i < f->bone_count; ++i) {
        const bone_def *b = &f->bones[i];
        if (i < 2) continue;
        bool last = i + 1 == f->bone_count || f->bones[i + 1].parent != i;
        shape *s =
            last ? ball(f, b->name, b->tail, 0.012, 0.012, 0.012) : ball(f, b->name, b->tail, 0.009, 0.009, 0.009);
        s->tint[1] = 0.82;
        s->tint[2] = 0.80;
        s->blend = 0.010;
    }
}

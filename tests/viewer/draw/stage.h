// A chain of bones with a skin, made by hand, and pictures of it without a window.
#ifndef TESTS_VIEWER_DRAW_STAGE_H
#define TESTS_VIEWER_DRAW_STAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "viewer/draw/draw.h"
#include "viewer/draw/solid.h"

// The parts of a scene; a test may change them before they are drawn. Nodes go up along y, one unit of half a metre
// each.
typedef struct chain {
    int count; // bones
    er_node *node;
    er_affine *world, *inverse_bind;
    int *joint, *node_body;
    er_mesh mesh;
    er_skin skin;
    er_instance instance;
    er_material material;
    er_scene scene;
    er_recording_target target;
    er_model *model;
} chain;

// Room for a picture, and what draws it.
typedef struct stage {
    er_context *context;
    draw_offscreen *offscreen;
    painter *painter;
    draw_target *target;
    uint8_t *rgba;
} stage;

enum { SIDE = 200, BONES = 4, TRIANGLES = 24 }; // pixels; a usual chain's

// A group's set-up and end; without EGL its tests skip themselves by need_stage().
int stage_begin(void **state);
int stage_end(void **state);
stage *need_stage(void **state);

// A chain whose mesh has one small triangle round each of `vertices` places along it, weighted between two bones.
chain chain_make(er_context *context, int bones, int triangles);
// The chain bent: each joint by so many radians about z, then x.
void chain_bend(const chain *c, double angle, er_pose *pose);
// The vertices where er_scene_skin() puts them then, m.   [3 vertex_count], for free()
double *chain_vertices(const chain *c, const er_pose *pose);

// Looks: points, nothing else, on nothing.
draw_style bare_look(draw_surface surface);
draw_camera front_camera(void);

// A chain on the stage, how it is looked at and as what figure; it points into itself, so it stays where it is begun.
typedef struct shot {
    stage *s;
    chain c;
    draw_model *m;
    draw_style style;
    draw_camera camera;
    draw_figure f;
} shot;

// The default figure of a chain, with a bare look from the side; the chain becomes the shot's.
void shot_begin(shot *p, stage *s, chain c, draw_surface surface);
void shot_end(shot *p);
// The same, for the one shot of a test, which lasts until the next is made.
shot *shot_of(stage *s, chain c, draw_surface surface);
shot *shot_front(stage *s, chain c); // shaded, from the front
shot *shot_usual(stage *s, draw_surface surface);
void shot_pose(shot *p, double angle, er_pose *pose); // the figure bent, by poses that the caller has room for
void shot_remake(shot *p);                            // its model again, after the scene or the target was changed
painter *shot_open(const shot *p);                    // begins the picture, whatever the target shows
void read_back(stage *s);                             // ends a picture, and reads it into s->rgba
void shoot(const shot *p);                            // all of that, with the figure
const uint8_t *pixel(const stage *s, double x, double y);
const uint8_t *pixel_at(const shot *p, er_vec3 point); // a point of the world as it is seen
void project(const shot *p, er_vec3 point, double at[2]);
int count_drawn(const stage *s); // pixels that are not empty

er_vec3 vertex_at(const double *vertices, int i);
// The model with so many joints that close loops from the first body to these, whose frames stand at these places.
er_model *close_loops(const shot *p, int count, const int *child, const er_vec3 *at);

// A chain whose mesh is other corners and triangles, rigid on the first bone and of the scene's material.
chain rigid_mesh(er_context *context, int corners, const float *corner, int triangles, const int *index);
// Two leaves one behind the other, each a square of the whole width.
chain leaves(er_context *context);
// A PNG, for free(); pixels of RGBA, or of RGB.
uint8_t *encode_png(int width, int height, bool alpha, const uint8_t *pixels, size_t *size);

// A picture of solids on a lit stage.
typedef struct set {
    stage *s;
    draw_style style;
    draw_camera camera;
    draw_stage stage;
    draw_material material;
    draw_solid solid;
    er_shape shape;
} set;

void set_begin(set *t, stage *s, er_shape_kind kind);
painter *set_open(const set *t);  // begins the picture
painter *set_go_on(const set *t); // and so, but for what the target shows already

#endif

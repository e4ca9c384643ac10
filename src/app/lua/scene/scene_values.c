// Reads poses, colours and shapes from tables.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/scene/scene_script.h"

static const double degree = ER_PI / 180.0;

er_vec3 script_read_vec3(reader *r, int table, const char *key, er_vec3 otherwise)
{
    er_vec3 v = otherwise;
    if (!reader_field(r, table, key)) return otherwise;
    if (!reader_to_vec3(r->L, -1, &v)) reader_wrong(r, "expected three numbers {x, y, z}, or a vec3");
    reader_done(r);
    return v;
}

er_pose script_read_pose(reader *r, int table, er_pose otherwise)
{
    er_pose pose = otherwise;
    pose.p = script_read_vec3(r, table, "at", pose.p);
    if (reader_field(r, table, "orientation")) {
        if (!reader_to_quat(r->L, -1, &pose.q)) reader_wrong(r, "expected a quat, or {w, x, y, z}");
        reader_done(r);
    }
    er_vec3 turn = script_read_vec3(r, table, "turn", er_v3(0, 0, 0));
    pose.q = er_q_mul(er_q_exp(er_v3_scale(degree, turn)), pose.q);
    return pose;
}

// --- colours

static float linear_of(double srgb)
{
    return (float)(srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4));
}

// "#rrggbb"
static bool read_hex(const char *text, er_vec3 *out)
{
    unsigned red, green, blue;
    if (*text != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6 || text[7] != '\0') return false;
    sscanf(text, "#%2x%2x%2x", &red, &green, &blue);
    *out = er_v3(red / 255.0, green / 255.0, blue / 255.0);
    return true;
}

void script_read_colour(reader *r, int table, const char *key, float out[3])
{
    er_vec3 v;
    if (!reader_field(r, table, key)) return;
    bool hex = lua_type(r->L, -1) == LUA_TSTRING && read_hex(lua_tostring(r->L, -1), &v);
    if (lua_type(r->L, -1) == LUA_TNUMBER)
        v = er_v3(lua_tonumber(r->L, -1), lua_tonumber(r->L, -1), lua_tonumber(r->L, -1));
    else if (!hex && !reader_to_vec3(r->L, -1, &v))
        reader_wrong(r, "expected a colour: {r, g, b} from 0 to 1, \"#rrggbb\", or a number for a grey");
    if (!(fmin(v.x, fmin(v.y, v.z)) >= 0.0) || !(fmax(v.x, fmax(v.y, v.z)) <= 1.0))
        reader_wrong(r, "expected numbers of a colour from 0 to 1");
    out[0] = linear_of(v.x), out[1] = linear_of(v.y), out[2] = linear_of(v.z);
    reader_done(r);
}

static double srgb_of(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
}

void script_push_colour(lua_State *L, const float linear[3])
{
    double value[3];
    for (int i = 0; i < 3; ++i)
        value[i] = srgb_of((double)linear[i]);
    script_push_numbers(L, value, 3);
}

int script_read_material(reader *r, int scene, int table, const char *key, int otherwise)
{
    if (!reader_field(r, table, key)) return otherwise;
    const script_object *m = luaL_testudata(r->L, -1, SCRIPT_MATERIAL);
    if (m == NULL) reader_wrong(r, "expected a material: scene:material{...}");
    lua_getiuservalue(r->L, -1, 1);
    if (!lua_rawequal(r->L, -1, scene)) reader_wrong(r, "the material is of another scene");
    lua_pop(r->L, 1);
    reader_done(r);
    return m->id;
}

// --- shapes

static const char *const shape_keys[] = {"sphere", "capsule", "box",     "cylinder", "hull",
                                         "plane",  "mesh",    "heights", NULL};
static const char *const axes[] = {"x", "y", "z"};

static double top_length(reader *r)
{
    return reader_top_number(r, 1e-6, 1e9);
}

// {radius, length} of the table on the top.
static void read_round(reader *r, er_shape *s, double least)
{
    if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 2) reader_wrong(r, "expected {radius, length}");
    lua_rawgeti(r->L, -1, 1);
    s->radius = top_length(r);
    lua_rawgeti(r->L, -2, 2);
    s->length = reader_top_number(r, least, 1e9);
    lua_pop(r->L, 2);
}

// The numbers of a list of points or triangles on the top of the stack: pushed, [*count].
static er_vec3 *push_triples(reader *r, const char *what, int least, int *count)
{
    lua_State *L = r->L;
    lua_Unsigned all = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    if (all < (lua_Unsigned)least || all > 10000000)
        reader_wrong(r, "expected a list of %ss of three numbers each, %d or more", what, least);
    int list = lua_gettop(L);
    er_vec3 *point = reader_push_array(L, all, sizeof *point);
    for (int i = 0; i < (int)all; ++i) {
        lua_rawgeti(L, list, i + 1);
        if (!reader_to_vec3(L, -1, &point[i])) reader_wrong(r, "%s %d is not three numbers", what, i + 1);
        lua_pop(L, 1);
    }
    *count = (int)all;
    return point;
}

SCRIPT_DESTROYS(destroy_hull, er_hull_destroy)
SCRIPT_DESTROYS(destroy_surface, er_surface_destroy)

static void read_hull(reader *r, int scene, er_shape *s)
{
    int count;
    er_hull *hull = NULL;
    const er_vec3 *point = push_triples(r, "point", 3, &count);
    handle *h = script_push_handle(r->L, destroy_hull);
    script_check(r->L, er_hull_create(script_context(r->L), count, point, &hull));
    h->object = hull;
    s->kind = ER_SHAPE_HULL;
    s->hull = hull;
    script_keep(r->L, scene);
    lua_pop(r->L, 1);
}

// mesh = {points = {...}, triangles = {{1, 2, 3}, ...}}
static void read_mesh(reader *r, int scene, er_shape *s)
{
    lua_State *L = r->L;
    int table = lua_gettop(L), points, triangles;
    static const char *const keys[] = {"points", "triangles", NULL};
    reader_check_keys(r, table, keys);
    if (!reader_field(r, table, "points")) reader_wrong(r, "a mesh has points and triangles");
    const er_vec3 *point = push_triples(r, "point", 3, &points);
    if (!reader_field(r, table, "triangles")) reader_wrong(r, "a mesh has points and triangles");
    const er_vec3 *corner = push_triples(r, "triangle", 1, &triangles);
    int *index = reader_push_array(L, 3 * (size_t)triangles, sizeof *index);
    for (int i = 0; i < triangles; ++i) {
        const double of[] = {corner[i].x, corner[i].y, corner[i].z};
        for (int k = 0; k < 3; ++k) {
            if (!(of[k] >= 1.0 && of[k] <= points))
                reader_wrong(r, "triangle %d names a point that does not exist", i + 1);
            index[3 * i + k] = (int)of[k] - 1;
        }
    }
    er_surface *surface = NULL;
    handle *h = script_push_handle(L, destroy_surface);
    script_check(L, er_surface_create(script_context(L), points, point, triangles, index, &surface));
    h->object = surface;
    s->kind = ER_SHAPE_MESH;
    s->surface = surface;
    script_keep(L, scene);
    lua_settop(L, table);
    r->depth -= 2; // points, triangles
}

// heights = {columns = n, step = m, values = {h, h, ...}}: rows of heights, along x and along -z
static void read_heights(reader *r, int scene, er_shape *s)
{
    lua_State *L = r->L;
    static const char *const keys[] = {"columns", "step", "values", NULL};
    int table = lua_gettop(L);
    reader_check_keys(r, table, keys);
    int columns = reader_whole(r, table, "columns", 2, 10000, 2);
    double step = reader_number(r, table, "step", 1e-6, 1e6, 1.0);
    if (!reader_field(r, table, "values")) reader_wrong(r, "heights have columns, step and values");
    lua_Unsigned all = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    if (all < 2 * (lua_Unsigned)columns || all % (lua_Unsigned)columns != 0 || all > 10000000)
        reader_wrong(r, "expected rows of %d numbers, two rows or more", columns);
    int list = lua_gettop(L);
    double *height = reader_push_array(L, all, sizeof *height);
    for (int i = 0; i < (int)all; ++i) {
        lua_rawgeti(L, list, i + 1);
        height[i] = reader_top_number(r, -1e9, 1e9);
        lua_pop(L, 1);
    }
    er_surface *surface = NULL;
    handle *h = script_push_handle(L, destroy_surface);
    script_check(L, er_surface_create_heights(script_context(L), columns, (int)(all / (lua_Unsigned)columns), step,
                                              step, height, &surface));
    h->object = surface;
    s->kind = ER_SHAPE_MESH;
    s->surface = surface;
    script_keep(L, scene);
    lua_settop(L, table);
    r->depth -= 1;
}

static void read_plane(reader *r, engine_part *p)
{
    p->shape.kind = ER_SHAPE_PLANE;
    p->face = 20.0;
    if (lua_type(r->L, -1) == LUA_TNUMBER)
        p->face = top_length(r);
    else if (!lua_isboolean(r->L, -1) || !lua_toboolean(r->L, -1))
        reader_wrong(r, "expected true, or half the side of the square to draw");
}

// The shape of a field whose value is on the top.
static void read_shape(reader *r, int scene, int kind, engine_part *p)
{
    er_shape *s = &p->shape;
    switch (kind) {
    case 0:
        *s = (er_shape){.kind = ER_SHAPE_SPHERE, .radius = top_length(r)};
        break;
    case 1:
        s->kind = ER_SHAPE_CAPSULE;
        read_round(r, s, 0.0);
        break;
    case 2:
        s->kind = ER_SHAPE_BOX;
        if (!reader_to_vec3(r->L, -1, &s->half) || !(fmin(fmin(s->half.x, s->half.y), s->half.z) > 0.0))
            reader_wrong(r, "expected the edges' lengths {x, y, z}, above 0");
        s->half = er_v3_scale(0.5, s->half);
        break;
    case 3:
        s->kind = ER_SHAPE_CYLINDER;
        read_round(r, s, 1e-6);
        break;
    case 4:
        read_hull(r, scene, s);
        break;
    case 5:
        read_plane(r, p);
        break;
    case 6:
        read_mesh(r, scene, s);
        break;
    default:
        read_heights(r, scene, s);
    }
}

// Turns a shape whose own axis is z along another axis: by default y, the world's up.
static er_quat lie_along(reader *r, int table, const engine_part *p)
{
    bool has_axis = p->shape.kind == ER_SHAPE_CAPSULE || p->shape.kind == ER_SHAPE_CYLINDER ||
                    p->shape.kind == ER_SHAPE_PLANE || p->shape.kind == ER_SHAPE_MESH;
    int axis = reader_choice(r, table, "along", axes, 3, 1);
    bool heights = p->shape.kind == ER_SHAPE_MESH && lua_getfield(r->L, table, "heights") != LUA_TNIL;
    if (p->shape.kind == ER_SHAPE_MESH) lua_pop(r->L, 1);
    if (!has_axis || axis == 2 || (p->shape.kind == ER_SHAPE_MESH && !heights)) return er_q_identity();
    return axis == 1 ? er_q_exp(er_v3(-0.5 * ER_PI, 0, 0)) : er_q_exp(er_v3(0, 0.5 * ER_PI, 0));
}

// The shape among the fields of a table; false where there is none.
static bool read_part(reader *r, int scene, int table, engine_part *p)
{
    int found = -1;
    for (int k = 0; shape_keys[k] != NULL; ++k) {
        if (!reader_field(r, table, shape_keys[k])) continue;
        if (found >= 0)
            reader_wrong(r, "there is a %s already; several shapes go into parts = {{...}, {...}}", shape_keys[found]);
        found = k;
        read_shape(r, scene, k, p);
        reader_done(r);
    }
    if (found < 0) return false;
    p->pose.q = er_q_mul(p->pose.q, lie_along(r, table, p));
    p->material = script_read_material(r, scene, table, "material", p->material);
    return true;
}

static size_t count_parts(reader *r, int table, const char *key)
{
    if (!reader_field(r, table, key)) return 0;
    lua_Unsigned all = lua_istable(r->L, -1) ? lua_rawlen(r->L, -1) : 0;
    if (all < 1 || all > 10000) reader_wrong(r, "expected a list of tables, each with a shape");
    reader_done(r);
    return (size_t)all;
}

// Appends the parts of a list.
static void read_list(reader *r, int scene, int table, const char *key, const engine_part *plain, engine_part *part,
                      int *count)
{
    static const char *const keys[] = {"sphere",   "capsule", "box",    "cylinder", "hull",        "plane",
                                       "mesh",     "heights", "at",     "turn",     "orientation", "along",
                                       "material", "hidden",  "passes", NULL};
    lua_State *L = r->L;
    reader_field(r, table, key);
    int list = lua_gettop(L);
    for (int i = 0; i < (int)lua_rawlen(L, list); ++i) {
        lua_rawgeti(L, list, i + 1);
        int item = lua_gettop(L);
        reader_check_keys(r, item, keys);
        part[*count] = *plain;
        part[*count].pose = script_read_pose(r, item, er_pose_identity());
        part[*count].hidden = reader_flag(r, item, "hidden", false);
        part[*count].passes = reader_flag(r, item, "passes", plain->passes);
        if (!read_part(r, scene, item, &part[(*count)++])) reader_wrong(r, "part %d has no shape", i + 1);
        lua_settop(L, item - 1);
    }
    reader_leave(r);
}

const engine_part *script_read_parts(lua_State *L, reader *r, int scene, int table, int *count)
{
    engine_part plain = {.pose = er_pose_identity(), .face = 20.0};
    plain.material = script_read_material(r, scene, table, "material", 0);
    plain.passes = reader_flag(r, table, "passes", false);
    size_t parts = count_parts(r, table, "parts"), looks = count_parts(r, table, "looks");
    engine_part *part = reader_push_array(L, parts + looks + 1, sizeof *part);
    *count = 0;
    if (parts > 0) read_list(r, scene, table, "parts", &plain, part, count);
    part[*count] = plain;
    if (read_part(r, scene, table, &part[*count])) ++*count;
    if (looks == 0) return part;
    for (int i = 0; i < *count; ++i) // looks are drawn instead
        part[i].hidden = true;
    plain.passes = true;
    read_list(r, scene, table, "looks", &plain, part, count);
    return part;
}

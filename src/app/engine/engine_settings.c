// A scene's rules, its time, materials, lights and view.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

engine_settings engine_default_settings(void)
{
    const er_world_def world = er_default_world_def();
    const er_contact_def contact = world.contact;
    return (engine_settings){.gravity = {0, -9.81, 0},
                             .step = 1.0 / 60.0,
                             .substeps = contact.substeps,
                             .stiffness = contact.frequency,
                             .threads = contact.threads,
                             .sleep_time = 0.5,
                             .sleep_speed = contact.sleep_speed,
                             .erp = world.reference.erp,
                             .iterations = world.reference.iterations,
                             .accuracy = world.reference.accuracy,
                             .relaxation = world.reference.relaxation,
                             .cone = true};
}

engine_material engine_default_material(void)
{
    return (engine_material){.ambient = {0.3f, 0.3f, 0.3f},
                             .diffuse = {0.7f, 0.7f, 0.7f},
                             .specular = {0.2f, 0.2f, 0.2f},
                             .shine = 20.0f,
                             .opacity = 1.0f,
                             .friction = 0.5,
                             .density = 1000.0};
}

// ---- Rules

typedef struct bound {
    const char *name;
    double value, least, most;
} bound;

static er_result check_bounds(engine *e, int count, const bound *of)
{
    for (int i = 0; i < count; ++i)
        if (!(of[i].value >= of[i].least && of[i].value <= of[i].most))
            return er_fail(e->context, ER_ERROR_ARGUMENT, "%s is %g: expected a number from %g to %g", of[i].name,
                           of[i].value, of[i].least, of[i].most);
    return ER_OK;
}

const engine_settings *engine_get_settings(const engine *e)
{
    return &e->settings;
}

er_result engine_set_settings(engine *e, const engine_settings *settings)
{
    const bound of[] = {{"gravity", er_v3_norm(settings->gravity), 0, 1e6},
                        {"step", settings->step, 1e-6, 1},
                        {"length", settings->length, 0, 1e6},
                        {"substeps", settings->substeps, 1, 1000},
                        {"stiffness", settings->stiffness, 1e-3, 1e6},
                        {"threads", settings->threads, 1, 8},
                        {"sleep_time", settings->sleep_time, 0, 1e6},
                        {"sleep_speed", settings->sleep_speed, 0, 1e6},
                        {"erp", settings->erp, 0, 1},
                        {"cfm", settings->cfm, 0, 1e50},
                        {"iterations", settings->iterations, 1, 1e6},
                        {"accuracy", settings->accuracy, 0, 1},
                        {"relaxation", settings->relaxation, 0.01, 1.99}};
    er_result r = check_bounds(e, sizeof of / sizeof of[0], of);
    if (r != ER_OK) return r;
    if (settings->step < e->settings.step || settings->step > e->settings.step) {
        e->since = engine_time(e);
        e->counted = e->steps;
    }
    engine_settings other = *settings;
    other.length = e->settings.length; // how long it is watched changes nothing
    e->stale = e->stale || memcmp(&other, &e->settings, sizeof other) != 0;
    e->settings = *settings;
    return ER_OK;
}

long engine_steps(const engine *e)
{
    return e->steps;
}

double engine_time(const engine *e)
{
    return e->since + (double)(e->steps - e->counted) * e->settings.step;
}

// ---- Materials

static er_result check_material(engine *e, const engine_material *m)
{
    const bound of[] = {{"shine", (double)m->shine, 1e-3, 1e4},
                        {"opacity", (double)m->opacity, 0, 1},
                        {"reflection", (double)m->reflection, 0, 1},
                        {"friction", m->friction, 0, 1e6},
                        {"rolling", m->rolling, 0, 1e6},
                        {"spinning", m->spinning, 0, 1e6},
                        {"grain", er_v3_norm(m->grain), 0, 1e6},
                        {"grain_friction", m->grain_friction, 0, 1e6},
                        {"restitution", m->restitution, 0, 1},
                        {"density", m->density, 1e-6, 1e9}};
    return check_bounds(e, sizeof of / sizeof of[0], of);
}

int engine_add_material(engine *e, const engine_material *material)
{
    if (check_material(e, material) != ER_OK ||
        !engine_grow(&e->material, &e->material_room, e->material_count, sizeof *e->material))
        return -1;
    e->material[e->material_count] = *material;
    return e->material_count++;
}

const engine_material *engine_material_at(const engine *e, int index)
{
    return &e->material[index];
}

er_result engine_set_material(engine *e, int index, const engine_material *material)
{
    if (index < 0 || index >= e->material_count)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "there is no material %d", index);
    er_result r = check_material(e, material);
    if (r != ER_OK) return r;
    e->stale |= !engine_same_contact_material(&e->material[index], material);
    e->material[index] = *material;
    return ER_OK;
}

// ---- Lights and view

int engine_add_light(engine *e, const engine_light *light)
{
    if (e->light_count == ENGINE_MOST_LIGHTS) return 0;
    e->light[e->light_count] = *light;
    e->light[e->light_count].id = ++e->last_id;
    return e->light[e->light_count++].id;
}

engine_light *engine_find_light(engine *e, int id)
{
    for (int i = 0; i < e->light_count; ++i)
        if (e->light[i].id == id) return &e->light[i];
    return NULL;
}

bool engine_remove_light(engine *e, int id)
{
    engine_light *at = engine_find_light(e, id);
    if (at == NULL) return false;
    e->light_count--;
    memmove(at, at + 1, (size_t)(e->light + e->light_count - at) * sizeof *at);
    return true;
}

int engine_light_count(const engine *e)
{
    return e->light_count;
}

engine_light *engine_light_at(engine *e, int index)
{
    return &e->light[index];
}

engine_view *engine_get_view(engine *e)
{
    return &e->view;
}

void engine_follow(engine *e, double between)
{
    const engine_actor *a = engine_find_actor(e, e->view.follow);
    if (a == NULL) return;
    er_vec3 at = er_pose_point(engine_interpolate(a, between), a->centre);
    er_vec3 moved = er_v3_sub(at, e->view.followed);
    e->view.followed = at;
    e->view.eye = er_v3_add(e->view.eye, moved);
    e->view.target = er_v3_add(e->view.target, moved);
}

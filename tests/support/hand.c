// Scenes built node by node, rigs of them, and real models.
#include "hand.h"

#include <stdio.h>
#include <string.h>

#include "sample.h"

void hand_init(hand *h)
{
    memset(h, 0, sizeof *h);
    h->scene = (er_scene){.path = "made by hand",
                          .format = ER_FORMAT_OTHER,
                          .format_name = "made by hand",
                          .metres_per_unit = 1.0,
                          .up = {0, 1, 0},
                          .node = h->node,
                          .mesh = h->mesh,
                          .instance = h->instance,
                          .skin = h->skin,
                          .clip = h->clip};
}

int hand_node(hand *h, const char *name, int parent, er_affine local)
{
    assert_true(h->scene.node_count < HAND_NODES);
    h->node[h->scene.node_count] = (er_node){.name = name, .parent = parent, .local = local, .source_index = -1};
    return h->scene.node_count++;
}

er_affine hand_at(double x, double y, double z)
{
    return hand_turned(er_v3(x, y, z), er_v3(0, 0, 0), er_v3(1, 1, 1));
}

er_affine hand_turned(er_vec3 at, er_vec3 turn, er_vec3 scale)
{
    return er_affine_from_trs(at, er_q_exp(turn), scale);
}

int hand_mesh(hand *h)
{
    int m = h->scene.mesh_count++;
    assert_true(m < 4);
    h->mesh[m] = (er_mesh){.name = "mesh",
                           .position = h->position + 3 * h->vertices,
                           .index = h->index + 3 * h->triangles,
                           .material = -1,
                           .influence_start = h->start[m],
                           .influence_joint = h->joint[m],
                           .influence_weight = h->weight};
    return m;
}

void hand_box(hand *h, er_vec3 low, er_vec3 high, int joint)
{
    // two triangles a side, counter-clockwise from outside; corner bits: x 1, y 2, z 4
    static const int side[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    int at = h->scene.mesh_count - 1;
    er_mesh *m = &h->mesh[at];
    assert_true(h->vertices + 8 <= HAND_VERTICES);
    for (int t = 0; t < 12; ++t)
        for (int c = 0; c < 3; ++c)
            h->index[3 * (h->triangles + t) + c] = m->vertex_count + side[t][c];
    for (int v = 0; v < 8; ++v) {
        float corner[3] = {(float)((v & 1) != 0 ? high.x : low.x), (float)((v & 2) != 0 ? high.y : low.y),
                           (float)((v & 4) != 0 ? high.z : low.z)};
        memcpy(h->position + 3 * (h->vertices + v), corner, sizeof corner);
        int *start = h->start[at] + m->vertex_count + v;
        start[1] = start[0] + (joint >= 0);
        if (joint >= 0) h->joint[at][start[0]] = joint;
        h->weight[m->vertex_count + v] = 1.0f;
    }
    h->vertices += 8;
    h->triangles += 12;
    m->vertex_count += 8;
    m->triangle_count += 12;
}

void hand_draw(hand *h, int node, int mesh, int skin)
{
    assert_true(h->scene.instance_count < HAND_NODES);
    h->instance[h->scene.instance_count++] = (er_instance){node, mesh, skin};
}

void hand_world(const er_scene *scene, er_affine *world)
{
    for (int i = 0; i < scene->node_count; ++i) {
        const er_node *n = &scene->node[i];
        world[i] = n->parent < 0 ? n->local : er_affine_mul(world[n->parent], n->local);
    }
}

int hand_skin(hand *h, const char *name, int count, const int *nodes)
{
    int k = h->scene.skin_count++;
    er_affine world[HAND_NODES];
    hand_world(&h->scene, world);
    for (int j = 0; j < count; ++j) {
        h->skin_joint[k][j] = nodes[j];
        h->inverse_bind[k][j] = er_affine_inverse(world[nodes[j]]);
        h->node[nodes[j]].flags |= ER_NODE_JOINT;
    }
    h->skin[k] = (er_skin){name, count, h->skin_joint[k], h->inverse_bind[k]};
    return k;
}

int hand_clip(hand *h, const char *name)
{
    int c = h->scene.clip_count++;
    h->clip[c] = (er_clip){name, 1.0, 0, h->channel[c]};
    return c;
}

void hand_channel(hand *h, int node, er_path path, const double *from, const double *to)
{
    static const double time[2] = {0.0, 1.0};
    int c = h->scene.clip_count - 1, k = h->clip[c].channel_count++;
    size_t width = path == ER_PATH_ROTATION ? 4 : 3;
    assert_true(k < HAND_CHANNELS);
    memcpy(h->key[c][k], from, width * sizeof(double));
    memcpy(h->key[c][k] + width, to, width * sizeof(double));
    h->channel[c][k] = (er_channel){node, path, ER_LINEAR, 2, time, h->key[c][k]};
}

void hand_chain(hand *h)
{
    static const char *const names[] = {"link 0", "link 1", "link 2", "link 3"};
    hand_init(h);
    int joints[HAND_LINKS];
    for (int i = 0; i < HAND_LINKS; ++i)
        joints[i] = hand_node(h, names[i], i - 1, hand_turned(er_v3(i > 0, 0, 0), er_v3(0, 0, 0), er_v3(1, 1, 1)));
    int carrier = hand_node(h, "mesh", -1, hand_at(5, 5, 5)), mesh = hand_mesh(h);
    for (int i = 0; i < HAND_LINKS; ++i) // taller and deeper from link to link, so that no two are alike
        hand_box(h, er_v3(i + 0.1, -0.1 - 0.02 * i, -0.05), er_v3(i + 0.9, 0.1, 0.05 + 0.03 * i), i);
    int skin = hand_skin(h, "chain", HAND_LINKS, joints);
    hand_draw(h, carrier, mesh, skin);
    // bent after it was bound
    for (int i = 1; i < HAND_LINKS; ++i)
        h->node[i].local = hand_turned(er_v3(1, 0, 0), er_v3(0.2 * i, 0.3, 0.1), er_v3(1, 1, 1));
}

er_context *hand_context(void)
{
    er_context *context = NULL;
    assert_int_equal(er_context_create(NULL, &context), ER_OK);
    return context;
}

er_rig *hand_rig(er_context *context, const er_scene *scene, const er_rig_def *def)
{
    er_rig *rig = NULL;
    if (er_scene_validate(context, scene) != ER_OK || er_rig_build(context, scene, def, &rig) != ER_OK)
        fail_msg("%s: %s", scene->path, er_context_error(context));
    return rig;
}

bool hand_noted(const er_rig *rig, er_note_kind kind, const char *text)
{
    for (int i = 0; i < rig->note_count; ++i)
        if (rig->note[i].kind == kind && strstr(rig->note[i].text, text) != NULL) return true;
    return false;
}

int hand_body(const er_model *model, const char *name, bool may_lack)
{
    for (int b = 0; b < model->body_count; ++b)
        if (strcmp(model->body[b].name, name) == 0) return b;
    if (!may_lack) fail_msg("there is no body \"%s\"", name);
    return -1;
}

er_scene *hand_import(er_context *context, const char *file)
{
    const char *path = sample_rig(file), *build = getenv("EIGENRIG_BUILD");
    char importer[1000];
    if (path == NULL) return NULL;
    snprintf(importer, sizeof importer, "%s/tools/importer/eigenrig-import", build != NULL ? build : "build");
    er_import_def def = er_default_import_def();
    if (getenv("EIGENRIG_IMPORTER") == NULL) def.importer = importer;
    er_scene *scene = NULL;
    if (er_import_file(context, path, &def, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
    return scene;
}

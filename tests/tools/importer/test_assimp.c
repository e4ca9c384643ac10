// Our own readers against Assimp's, on files that Assimp is known to read right: skinned vertices of glTF and joints of
// BVH, at rest and amid their clips. The other side is worked out here from Assimp's structures alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <cmocka.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "support/sample.h"

static er_context *context;

static int set_up(void **state)
{
    (void)state;
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    er_context_destroy(context);
    return 0;
}

static er_scene *import(const char *path)
{
    er_scene *scene = NULL;
    if (path == NULL) skip();
    if (er_import_file(context, path, NULL, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
    return scene;
}

// ---- Assimp's scene, moved by hand ----

static er_affine affine_of(struct aiMatrix4x4 m)
{
    er_affine r = {{{{m.a1, m.a2, m.a3}, {m.b1, m.b2, m.b3}, {m.c1, m.c2, m.c3}}}, {m.a4, m.b4, m.c4}};
    return r;
}

// The key before a time, and how far on to the next.
#define FIND_KEY(keys, count, ticks, k, f)                                                                             \
    do {                                                                                                               \
        while ((k) + 1 < (count) && (keys)[(k) + 1].mTime <= (ticks))                                                  \
            ++(k);                                                                                                     \
        bool between = (k) + 1 < (count) && (ticks) > (keys)[k].mTime;                                                 \
        (f) = between ? ((ticks) - (keys)[k].mTime) / ((keys)[(k) + 1].mTime - (keys)[k].mTime) : 0.0;                 \
    } while (0)

static er_vec3 vector_at(const struct aiVectorKey *key, unsigned count, double ticks)
{
    unsigned k = 0;
    double f;
    FIND_KEY(key, count, ticks, k, f);
    const struct aiVector3D a = key[k].mValue, b = key[k + 1 < count ? k + 1 : k].mValue;
    return er_v3_madd(er_v3_scale(1 - f, er_v3(a.x, a.y, a.z)), f, er_v3(b.x, b.y, b.z));
}

static er_quat rotation_at(const struct aiQuatKey *key, unsigned count, double ticks)
{
    unsigned k = 0;
    double f;
    FIND_KEY(key, count, ticks, k, f);
    const struct aiQuaternion a = key[k].mValue, b = key[k + 1 < count ? k + 1 : k].mValue;
    return er_q_slerp(er_q_unit(er_q(a.w, a.x, a.y, a.z)), er_q_unit(er_q(b.w, b.x, b.y, b.z)), f);
}

static er_affine local_at(const struct aiAnimation *clip, const struct aiNode *node, double time)
{
    for (unsigned i = 0; clip != NULL && i < clip->mNumChannels; ++i) {
        const struct aiNodeAnim *c = clip->mChannels[i];
        if (strcmp(c->mNodeName.data, node->mName.data) != 0) continue;
        double ticks = time * clip->mTicksPerSecond;
        er_vec3 t = {node->mTransformation.a4, node->mTransformation.b4, node->mTransformation.c4};
        if (c->mNumPositionKeys > 0) t = vector_at(c->mPositionKeys, c->mNumPositionKeys, ticks);
        return er_affine_from_trs(t, rotation_at(c->mRotationKeys, c->mNumRotationKeys, ticks),
                                  vector_at(c->mScalingKeys, c->mNumScalingKeys, ticks));
    }
    return affine_of(node->mTransformation);
}

static er_affine world_at(const struct aiAnimation *clip, const struct aiNode *node, double time)
{
    er_affine local = local_at(clip, node, time);
    return node->mParent != NULL ? er_affine_mul(world_at(clip, node->mParent, time), local) : local;
}

static const struct aiNode *find(const struct aiNode *node, const char *name)
{
    if (strcmp(node->mName.data, name) == 0) return node;
    for (unsigned i = 0; i < node->mNumChildren; ++i) {
        const struct aiNode *found = find(node->mChildren[i], name);
        if (found != NULL) return found;
    }
    return NULL;
}

static void skin_by_hand(const struct aiScene *scene, const struct aiAnimation *clip, double time, er_vec3 *out)
{
    const struct aiMesh *mesh = scene->mMeshes[0];
    for (unsigned i = 0; i < mesh->mNumVertices; ++i)
        out[i] = er_v3(0, 0, 0);
    for (unsigned b = 0; b < mesh->mNumBones; ++b) {
        const struct aiBone *bone = mesh->mBones[b];
        er_affine m = er_affine_mul(world_at(clip, find(scene->mRootNode, bone->mName.data), time),
                                    affine_of(bone->mOffsetMatrix));
        for (unsigned k = 0; k < bone->mNumWeights; ++k) {
            unsigned i = bone->mWeights[k].mVertexId;
            struct aiVector3D v = mesh->mVertices[i];
            out[i] = er_v3_madd(out[i], bone->mWeights[k].mWeight, er_affine_point(m, er_v3(v.x, v.y, v.z)));
        }
    }
}

// ---- the comparison ----

static double extent(const er_vec3 *p, int count)
{
    double size = 0.0;
    for (int i = 0; i < count; ++i)
        size = fmax(size, er_v3_distance(p[i], p[0]));
    return size;
}

static void compare_skin(const char *file)
{
    er_scene *scene = import(sample_rig(file));
    const struct aiScene *other = aiImportFile(sample_rig(file), 0);
    assert_non_null(other);
    int n = scene->mesh[0].vertex_count;
    assert_int_equal(other->mNumMeshes, scene->mesh_count);
    assert_int_equal(other->mMeshes[0]->mNumVertices, n);
    assert_int_equal(other->mNumAnimations, scene->clip_count);
    er_affine *local = calloc((size_t)scene->node_count, sizeof *local),
              *world = calloc((size_t)scene->node_count, sizeof *world);
    er_vec3 *p = calloc((size_t)n, sizeof *p), *q = calloc((size_t)n, sizeof *q);
    for (int clip = -1; clip < scene->clip_count; ++clip)
        for (int step = 0; step < (clip < 0 ? 1 : 8); ++step) {
            double time = clip < 0 ? 0.0 : 0.137 * step * scene->clip[clip].duration;
            er_scene_sample(scene, clip >= 0 ? &scene->clip[clip] : NULL, time, local);
            er_scene_world(scene, local, world);
            er_scene_skin(scene, 0, world, &p[0].x);
            skin_by_hand(other, clip < 0 ? NULL : other->mAnimations[clip], time, q);
            double worst = 0.0, size = extent(q, n);
            for (int i = 0; i < n; ++i)
                worst = fmax(worst, er_v3_distance(p[i], q[i]));
            // Assimp keeps matrices in float and does not scale weights that sum to 1 within 1e-3 (measured 2e-4, Fox).
            if (!(worst < 1e-3 * size)) fail_msg("%s, clip %d, %g s: %g of %g", file, clip, time, worst, size);
        }
    free(local), free(world), free(p), free(q);
    aiReleaseImport(other);
    er_scene_destroy(scene);
}

static void gltf_skins_agree(void **state)
{
    (void)state;
    compare_skin("CesiumMan.glb");
    compare_skin("Fox.glb");
    compare_skin("hand_glove_low_L.gltf");
    compare_skin("SimpleSkin.gltf");
}

static void compare_joints(const char *file)
{
    er_scene *scene = import(sample_rig(file));
    const struct aiScene *other = aiImportFile(sample_rig(file), 0);
    assert_non_null(other);
    er_affine *local = calloc((size_t)scene->node_count, sizeof *local),
              *world = calloc((size_t)scene->node_count, sizeof *world);
    for (int step = 0; step < 10; ++step) {
        double time = 0.1 * step * scene->clip[0].duration;
        er_scene_sample(scene, &scene->clip[0], time, local);
        er_scene_world(scene, local, world);
        for (int i = 0; i < scene->node_count; ++i) {
            const struct aiNode *node = find(other->mRootNode, scene->node[i].name);
            assert_non_null(node);
            er_affine want = world_at(other->mAnimations[0], node, time);
            double distance = er_v3_distance(world[i].translation, want.translation);
            // Angles that Assimp turned through float matrices; the skeletons are 17 and 26 across (measured below
            // 1e-5).
            if (!(distance < 2e-5)) fail_msg("%s, %s, %g s: %g", file, scene->node[i].name, time, distance);
        }
    }
    free(local), free(world);
    aiReleaseImport(other);
    er_scene_destroy(scene);
}

static void bvh_joints_agree(void **state)
{
    (void)state;
    compare_joints("cmu_jumping_jacks.bvh");
    compare_joints("makehuman_tpose.bvh");
}

// ---- Draco ----

typedef struct box {
    er_vec3 low, high;
    long vertices, triangles;
} box;

static void grow(box *b, er_vec3 p)
{
    b->low = er_v3(fmin(b->low.x, p.x), fmin(b->low.y, p.y), fmin(b->low.z, p.z));
    b->high = er_v3(fmax(b->high.x, p.x), fmax(b->high.y, p.y), fmax(b->high.z, p.z));
}

static void measure(const struct aiScene *scene, const struct aiNode *node, box *b)
{
    er_affine world = world_at(NULL, node, 0);
    for (unsigned i = 0; i < node->mNumMeshes; ++i) {
        const struct aiMesh *mesh = scene->mMeshes[node->mMeshes[i]];
        b->vertices += mesh->mNumVertices;
        b->triangles += mesh->mNumFaces;
        for (unsigned k = 0; k < mesh->mNumVertices; ++k)
            grow(b, er_affine_point(world, er_v3(mesh->mVertices[k].x, mesh->mVertices[k].y, mesh->mVertices[k].z)));
    }
    for (unsigned i = 0; i < node->mNumChildren; ++i)
        measure(scene, node->mChildren[i], b);
}

static void draco_meshes_agree(void **state)
{
    (void)state;
    static const char path[] = "/usr/share/assimp/models/glTF2/draco/2CylinderEngine.gltf";
    if (access(path, R_OK) != 0) {
        print_message("# %s is not at hand; it is part of assimp-testmodels\n", path);
        skip();
    }
    er_scene *scene = import(path);
    const struct aiScene *other = aiImportFile(path, 0);
    assert_non_null(other);
    er_affine *local = calloc((size_t)scene->node_count, sizeof *local),
              *world = calloc((size_t)scene->node_count, sizeof *world);
    const box none = {{1e30, 1e30, 1e30}, {-1e30, -1e30, -1e30}, 0, 0};
    box got = none, want = none;
    measure(other, other->mRootNode, &want);
    er_scene_sample(scene, NULL, 0, local);
    er_scene_world(scene, local, world);
    for (int i = 0; i < scene->instance_count; ++i) {
        const er_mesh *mesh = &scene->mesh[scene->instance[i].mesh];
        er_vec3 *p = calloc((size_t)mesh->vertex_count, sizeof *p);
        er_scene_skin(scene, i, world, &p[0].x);
        for (int k = 0; k < mesh->vertex_count; ++k)
            grow(&got, p[k]);
        got.vertices += mesh->vertex_count;
        got.triangles += mesh->triangle_count;
        free(p);
    }
    assert_int_equal(got.vertices, want.vertices);
    assert_int_equal(got.triangles, want.triangles);
    assert_true(er_v3_distance(got.low, want.low) < 1e-3 && er_v3_distance(got.high, want.high) < 1e-3); // 743 across
    free(local), free(world);
    aiReleaseImport(other);
    er_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gltf_skins_agree),
        cmocka_unit_test(bvh_joints_agree),
        cmocka_unit_test(draco_meshes_agree),
    };
    return cmocka_run_group_tests_name("import_assimp", tests, set_up, tear_down);
}

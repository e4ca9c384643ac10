// Reads every format but glTF and BVH through Assimp: nodes, meshes, skins. Assimp's tree is the rest pose, and
// world[bone] offset v is right in it. All other data is checked before use.
#include "tools/importer/assimp_reader.h"
#include "tools/importer/assimp.h"
#include "tools/importer/assimp_files.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <limits.h>
#include <string.h>

#define FORMATS "glTF 2.0 (.glb, .gltf), FBX 7.1 or newer, Collada, BVH and about forty more"

// ---- loading ----

static er_result say_why(imp_reader *reader)
{
    const char *dot = strrchr(reader->path, '.'), *slash = strrchr(reader->path, '/');
    bool known = dot != NULL && (slash == NULL || dot > slash) && aiIsExtensionSupported(dot);
    const char *why = imp_reader_text(reader, aiGetErrorString());
    if (why == NULL) return ER_ERROR_MEMORY;
    if (!known)
        return er_fail(reader->context, ER_ERROR_FORMAT, "is not a model format that can be read; use " FORMATS);
    if (strstr(why, "old format version") != NULL)
        return er_fail(reader->context, ER_ERROR_FORMAT,
                       "is an FBX older than version 7.1, which cannot be read; save it as FBX 2013 or newer, or as "
                       "glTF");
    return er_fail(reader->context, ER_ERROR_FORMAT, "cannot be read (%.400s); export the model again, best as glTF",
                   why);
}

// Makes clips as long as their keys.
static void lengthen_clips(const struct aiScene *scene)
{
    for (unsigned i = 0; i < scene->mNumAnimations; ++i) {
        struct aiAnimation *clip = scene->mAnimations[i];
        for (unsigned k = 0; k < clip->mNumChannels; ++k) {
            const struct aiNodeAnim *c = clip->mChannels[k];
            if (c->mNumPositionKeys > 0)
                clip->mDuration = fmax(clip->mDuration, c->mPositionKeys[c->mNumPositionKeys - 1].mTime);
            if (c->mNumRotationKeys > 0)
                clip->mDuration = fmax(clip->mDuration, c->mRotationKeys[c->mNumRotationKeys - 1].mTime);
            if (c->mNumScalingKeys > 0)
                clip->mDuration = fmax(clip->mDuration, c->mScalingKeys[c->mNumScalingKeys - 1].mTime);
        }
    }
}

static const struct aiScene *load(imp_assimp_files *files)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (properties == NULL) return NULL;
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
    // Newer versions turn and scale the root of some FBX files, unless this property is set.
    aiSetImportPropertyInteger(properties, "AI_CONFIG_IMPORT_FBX_IGNORE_UP_DIRECTION", 1);
    const unsigned steps = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_ValidateDataStructure;
    const struct aiScene *scene = aiImportFileExWithProperties(files->name, steps, &files->io, properties);
    // Exporters of B3D write keys past the end of a clip, which Assimp's validation refuses.
    if (scene == NULL && strstr(aiGetErrorString(), "aiAnimation::mDuration") != NULL) {
        scene = aiImportFileExWithProperties(files->name, 0, &files->io, properties);
        if (scene != NULL) {
            lengthen_clips(scene);
            scene = aiApplyPostProcessing(scene, steps);
        }
    }
    aiReleasePropertyStore(properties);
    return scene;
}

// ---- format, units and axes ----

// "Autodesk FBX Importer" to "Autodesk FBX".
static const char *format_name(imp_assimp *a)
{
    const struct aiMetadataEntry *entry = imp_assimp_metadata(a->from->mMetaData, "SourceAsset_Format");
    const char *given =
        entry != NULL && entry->mType == AI_AISTRING ? ((const struct aiString *)entry->mData)->data : "";
    char *name = eri_arena_string(a->reader->arena, given[0] != '\0' ? given : "scene");
    for (char *cut = name != NULL ? strstr(name, " Importer") : NULL; cut != NULL; cut = NULL)
        *cut = '\0';
    return name != NULL ? imp_reader_text(a->reader, name) : NULL;
}

// FBX: units are UnitScaleFactor centimetres. Axes are stored but not applied, unless this version of Assimp has turned
// and scaled the root, which FBX itself never does.
static er_result read_fbx_units(imp_assimp *a)
{
    er_scene *scene = a->reader->scene;
    er_affine root = imp_assimp_affine(&a->from->mRootNode->mTransformation);
    double factor = imp_assimp_number(a->from->mMetaData, "UnitScaleFactor", 1.0);
    double axis = imp_assimp_number(a->from->mMetaData, "UpAxis", 1.0),
           sign = imp_assimp_number(a->from->mMetaData, "UpAxisSign", 1.0);
    scene->format = ER_FORMAT_FBX;
    bool corrected = !eri_affine_near(root, er_affine_identity(), 1e-6);
    if (!(factor > 0.0 && factor < 1e9) || corrected) factor = 1.0;
    scene->metres_per_unit = 0.01 * factor;
    double s = sign < 0.0 && !corrected ? -1.0 : 1.0;
    if (!corrected && axis == 0.0) scene->up = er_v3(s, 0, 0);
    if (!corrected && axis == 1.0) scene->up = er_v3(0, s, 0);
    if (!corrected && axis == 2.0) scene->up = er_v3(0, 0, s);
    return imp_reader_note(a->reader, ER_NOTE_FACT, "FBX: one unit is %g m, up is (%g, %g, %g)%s",
                           scene->metres_per_unit, scene->up.x, scene->up.y, scene->up.z,
                           corrected ? ", axes and scale applied at the root" : "");
}

// ---- cameras and lights ----

// Flags the nodes of a name; of several only those that are no joint and draw no mesh.
static void flag_named(imp_assimp *a, const char *name, unsigned flag)
{
    er_node *node = (er_node *)(uintptr_t)a->reader->scene->node;
    int count, first = imp_assimp_named(a, name, &count);
    for (int k = first; k < first + count; ++k) {
        const imp_source_node *source = &a->source[a->by_name[k]];
        if (source->ours < 0) continue;
        bool other = (node[source->ours].flags & ER_NODE_JOINT) != 0 || source->node->mNumMeshes > 0;
        if (count == 1 || !other) node[source->ours].flags |= flag;
    }
}

static void flag_cameras_and_lights(imp_assimp *a)
{
    for (unsigned i = 0; i < a->from->mNumCameras; ++i)
        if (a->from->mCameras[i] != NULL) flag_named(a, a->from->mCameras[i]->mName.data, ER_NODE_CAMERA);
    for (unsigned i = 0; i < a->from->mNumLights; ++i)
        if (a->from->mLights[i] != NULL) flag_named(a, a->from->mLights[i]->mName.data, ER_NODE_LIGHT);
}

// ---- meshes ----

// The first `components` of each vector, or NULL if they are absent or not all finite.
static er_result copy_vectors(imp_assimp *a, const struct aiVector3D *from, unsigned count, size_t components,
                              const float **out)
{
    float *to = NULL;
    er_result r = ER_OK;
    *out = NULL;
    if (from == NULL) goto done;
    ERI_TRY_NEW(to, a->reader->arena, float, count *components);
    for (unsigned i = 0; i < count; ++i) {
        const float v[3] = {from[i].x, components == 2 ? 1.0f - from[i].y : from[i].y, from[i].z}; // v points up here
        if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) goto done;
        memcpy(to + i * components, v, components * sizeof *to);
    }
    *out = to;
done:
    return r;
}

static er_result copy_colors(imp_assimp *a, const struct aiColor4D *from, unsigned count, const float **out)
{
    float *to = NULL;
    er_result r = ER_OK;
    if (from == NULL) goto done;
    ERI_TRY_NEW(to, a->reader->arena, float, 4 * (size_t)count);
    for (unsigned i = 0; i < count; ++i) {
        const float v[4] = {from[i].r, from[i].g, from[i].b, from[i].a};
        for (size_t k = 0; k < 4; ++k)
            to[4 * (size_t)i + k] = fminf(fmaxf(v[k], 0.0f), 1.0f);
    }
    *out = to;
done:
    return r;
}

static er_result copy_triangles(imp_assimp *a, const struct aiMesh *from, er_mesh *mesh)
{
    int *index = NULL, count = 0;
    er_result r = ER_OK;
    ERI_TRY_NEW(index, a->reader->arena, int, 3 * (size_t)from->mNumFaces);
    for (unsigned i = 0; i < from->mNumFaces && from->mFaces != NULL; ++i) {
        const struct aiFace *face = &from->mFaces[i];
        bool good = face->mNumIndices == 3;
        for (unsigned k = 0; k < 3 && good; ++k)
            good = face->mIndices[k] < from->mNumVertices;
        for (unsigned k = 0; k < 3 && good; ++k)
            index[3 * (size_t)count + k] = (int)face->mIndices[k];
        count += good;
        a->dropped_faces += !good;
    }
    mesh->index = index;
    mesh->triangle_count = count;
done:
    return r;
}

static er_result read_mesh(imp_assimp *a, const struct aiMesh *from, er_mesh *mesh)
{
    er_result r = ER_OK;
    if (from->mNumVertices > INT_MAX / 8 || from->mNumFaces > INT_MAX / 8)
        ERI_TRY(er_fail(a->reader->context, ER_ERROR_FORMAT, "a mesh has %u vertices and %u faces; split it",
                        from->mNumVertices, from->mNumFaces));
    mesh->name = imp_reader_text(a->reader, from->mName.data);
    if (mesh->name == NULL) ERI_TRY(ER_ERROR_MEMORY);
    mesh->vertex_count = (int)from->mNumVertices;
    mesh->material = from->mMaterialIndex < a->from->mNumMaterials ? (int)from->mMaterialIndex : -1;
    mesh->morph_count = (int)from->mNumAnimMeshes;
    ERI_TRY(copy_vectors(a, from->mVertices, from->mNumVertices, 3, &mesh->position));
    if (mesh->position == NULL)
        ERI_TRY(er_fail(a->reader->context, ER_ERROR_FORMAT,
                        "the positions of the mesh \"%.100s\" are not all finite numbers; export the model again",
                        mesh->name));
    ERI_TRY(copy_vectors(a, from->mNormals, from->mNumVertices, 3, &mesh->normal));
    ERI_TRY(copy_vectors(a, from->mTextureCoords[0], from->mNumVertices, 2, &mesh->uv));
    ERI_TRY(copy_colors(a, from->mColors[0], from->mNumVertices, &mesh->color));
    ERI_TRY(copy_triangles(a, from, mesh));
done:
    return r;
}

// ---- skins ----

// Makes a skin of a mesh's bones, and the mesh's influences.
static er_result read_bones(imp_assimp *a, const struct aiMesh *from, int node, er_mesh *mesh, er_skin *skin)
{
    int *vertex = NULL, *influence_joint = NULL, *joint = NULL;
    double *weight = NULL;
    er_affine *inverse_bind = NULL;
    size_t room = 0, count = 0;
    er_arena *scratch = NULL;
    er_node *nodes = (er_node *)(uintptr_t)a->reader->scene->node;
    er_result r = ER_OK;
    ERI_TRY(eri_arena_create(a->reader->context, &scratch));
    for (unsigned b = 0; b < from->mNumBones; ++b)
        room += from->mBones[b] != NULL ? from->mBones[b]->mNumWeights : 0;
    ERI_TRY_NEW(vertex, scratch, int, room);
    ERI_TRY_NEW(influence_joint, scratch, int, room);
    ERI_TRY_NEW(weight, scratch, double, room);
    ERI_TRY_NEW(joint, a->reader->arena, int, from->mNumBones);
    ERI_TRY_NEW(inverse_bind, a->reader->arena, er_affine, from->mNumBones);
    *skin = (er_skin){mesh->name, 0, joint, inverse_bind};
    for (unsigned b = 0; b < from->mNumBones; ++b) {
        const struct aiBone *bone = from->mBones[b];
        int at = bone != NULL ? imp_assimp_bone(a, bone->mName.data, node) : -1;
        if (at < 0) {
            ++a->lost_bones;
            continue;
        }
        int k = skin->joint_count++;
        joint[k] = at;
        inverse_bind[k] = imp_assimp_affine(&bone->mOffsetMatrix);
        nodes[at].flags |= ER_NODE_JOINT;
        for (unsigned i = 0; i < bone->mNumWeights && bone->mWeights != NULL; ++i) {
            if (bone->mWeights[i].mVertexId >= from->mNumVertices) continue;
            vertex[count] = (int)bone->mWeights[i].mVertexId;
            influence_joint[count] = k;
            weight[count++] = bone->mWeights[i].mWeight;
        }
    }
    ERI_TRY(imp_reader_influences(a->reader, mesh, count, vertex, influence_joint, weight, &a->uneven));
    for (int i = 0; i < mesh->vertex_count; ++i)
        a->unweighted += mesh->influence_start[i] == mesh->influence_start[i + 1];
done:
    eri_arena_destroy(scratch);
    return r;
}

static bool same_skin(const er_skin *a, const er_skin *b)
{
    size_t n = (size_t)a->joint_count;
    return a->joint_count == b->joint_count && memcmp(a->joint, b->joint, n * sizeof *a->joint) == 0 &&
           memcmp(a->inverse_bind, b->inverse_bind, n * sizeof *a->inverse_bind) == 0;
}

// The skin's index, or that of an equal one.
static int add_skin(er_skin *all, int *count, const er_skin *skin)
{
    for (int i = 0; i < *count; ++i)
        if (same_skin(&all[i], skin)) return i;
    all[*count] = *skin;
    return (*count)++;
}

// Whether an animation-only file has only meshes that a reader made up.
static bool only_dummies(const struct aiScene *from)
{
    bool all = (from->mFlags & AI_SCENE_FLAGS_INCOMPLETE) != 0;
    for (unsigned i = 0; i < from->mNumMeshes; ++i)
        all = all && from->mMeshes[i] != NULL && from->mMeshes[i]->mNumBones > 0;
    return all;
}

typedef struct drawn {
    int mesh, skin; // -1 each
    int node;       // the first that draws it, -1
} drawn;

static er_result read_meshes(imp_assimp *a, drawn *at)
{
    er_scene *scene = a->reader->scene;
    const struct aiScene *from = a->from;
    er_mesh *mesh = NULL;
    er_skin *skin = NULL;
    er_result r = ER_OK;
    bool dummies = only_dummies(from);
    ERI_TRY_NEW(mesh, a->reader->arena, er_mesh, from->mNumMeshes);
    ERI_TRY_NEW(skin, a->reader->arena, er_skin, from->mNumMeshes);
    for (unsigned i = 0; i < from->mNumMeshes; ++i) {
        const struct aiMesh *m = from->mMeshes[i];
        at[i].mesh = at[i].skin = -1;
        if (m == NULL || dummies || (m->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) == 0) {
            a->dropped_faces += m != NULL && !dummies ? (int)m->mNumFaces : 0;
            continue;
        }
        at[i].mesh = scene->mesh_count++;
        ERI_TRY(read_mesh(a, m, &mesh[at[i].mesh]));
        if (m->mNumBones == 0 || m->mBones == NULL) continue;
        er_skin own;
        ERI_TRY(read_bones(a, m, at[i].node, &mesh[at[i].mesh], &own));
        if (own.joint_count > 0) at[i].skin = add_skin(skin, &scene->skin_count, &own);
    }
    scene->mesh = mesh;
    scene->skin = skin;
    if (dummies && from->mNumMeshes > 0)
        ERI_TRY(
            imp_reader_note(a->reader, ER_NOTE_FACT, "the file holds a skeleton only; made-up meshes are left out"));
done:
    return r;
}

static er_result read_instances(imp_assimp *a)
{
    er_scene *scene = a->reader->scene;
    const struct aiScene *from = a->from;
    drawn *at = NULL;
    er_instance *instance = NULL;
    size_t total = 0;
    er_result r = ER_OK;
    ERI_TRY_NEW(at, a->scratch, drawn, from->mNumMeshes);
    for (unsigned i = 0; i < from->mNumMeshes; ++i)
        at[i].node = -1;
    for (int k = scene->node_count; k-- > 0;) {
        const struct aiNode *node = a->source[a->source_of[k]].node;
        total += node->mNumMeshes;
        for (unsigned i = 0; i < node->mNumMeshes; ++i)
            if (node->mMeshes[i] < from->mNumMeshes) at[node->mMeshes[i]].node = k;
    }
    ERI_TRY(read_meshes(a, at));
    ERI_TRY_NEW(instance, a->reader->arena, er_instance, total);
    for (int k = 0; k < scene->node_count; ++k) {
        const struct aiNode *node = a->source[a->source_of[k]].node;
        for (unsigned i = 0; i < node->mNumMeshes; ++i) {
            if (node->mMeshes[i] >= from->mNumMeshes || at[node->mMeshes[i]].mesh < 0) continue;
            const drawn *d = &at[node->mMeshes[i]];
            instance[scene->instance_count++] = (er_instance){k, d->mesh, d->skin};
        }
    }
    scene->instance = instance;
done:
    return r;
}

// Whether FBX marks a node as an object without a kind, as groups, handles and camera targets are.
static bool is_null_object(const imp_assimp *a, int node)
{
    const struct aiMetadataEntry *null = imp_assimp_metadata(a->source[a->source_of[node]].node->mMetaData, "IsNull");
    return null != NULL && null->mType == AI_BOOL && *(const bool *)null->mData;
}

// Marks nodes that may be joints: below the root, no camera or light; null objects only if there is nothing else.
static void mark_limbs(const imp_assimp *a, bool *limb)
{
    const er_scene *s = a->reader->scene;
    bool any = false;
    for (int pass = 0; pass < 2 && !any; ++pass)
        for (int i = 0; i < s->node_count; ++i) {
            limb[i] = s->node[i].parent >= 0 && (s->node[i].flags & (ER_NODE_CAMERA | ER_NODE_LIGHT)) == 0 &&
                      (pass == 1 || !is_null_object(a, i));
            any |= limb[i];
        }
}

// Finds a skeleton without a body: the largest of the trees of limbs.
static er_result flag_bare_skeleton(imp_assimp *a)
{
    er_result r = ER_OK;
    er_scene *scene = a->reader->scene;
    er_node *node = (er_node *)(uintptr_t)scene->node;
    int n = scene->node_count, best = 0, *top, *count;
    bool *limb;
    if (scene->skin_count > 0 || scene->instance_count > 0) return ER_OK;
    ERI_TRY_NEW(limb, a->scratch, bool, n);
    ERI_TRY_NEW(top, a->scratch, int, n); // the topmost limb at or above a node, or -1
    ERI_TRY_NEW(count, a->scratch, int, n + 1);
    mark_limbs(a, limb);
    for (int i = 0; i < n; ++i) {
        int up = node[i].parent >= 0 ? top[node[i].parent] : -1;
        top[i] = up >= 0 ? up : limb[i] ? i : -1;
        if (limb[i] && ++count[top[i]] > count[best]) best = top[i];
    }
    for (int i = 0; i < n; ++i)
        if (limb[i] && top[i] == best) node[i].flags |= ER_NODE_JOINT;
    r = imp_reader_note(a->reader, ER_NOTE_WARNING,
                        "there is no mesh: %d nodes are taken as a skeleton's joints, from \"%s\" down", count[best],
                        n > 0 ? node[best].name : "");
done:
    return r;
}

// ---- the whole scene ----

static er_result note_losses(imp_assimp *a)
{
    const struct {
        int count;
        er_note_kind kind;
        const char *text;
    } losses[] = {
        {a->dropped_faces, ER_NOTE_FACT, "faces are points, lines or broken and are left out"},
        {a->uneven, ER_NOTE_FACT, "vertices had weights that did not sum to 1 and were scaled"},
        {a->unweighted, ER_NOTE_WARNING, "vertices of skinned meshes have no weight and go with their mesh's node"},
        {a->lost_bones, ER_NOTE_WARNING, "bones have no node in the scene and are left out"},
        {a->ambiguous, ER_NOTE_WARNING,
         "names of bones or animated nodes belong to several nodes; the first was taken"},
        {a->lost_channels, ER_NOTE_WARNING, "animation channels move no node of the scene and are left out"},
        {a->dropped_keys, ER_NOTE_WARNING, "animation keys are out of order or not finite and are left out"},
        {a->sheared_keys, ER_NOTE_WARNING, "animation keys shear their node, which is left out"}};
    for (size_t i = 0; i < ERI_COUNT(losses); ++i) {
        if (losses[i].count == 0) continue;
        er_result r = imp_reader_note(a->reader, losses[i].kind, "%d %s", losses[i].count, losses[i].text);
        if (r != ER_OK) return r;
    }
    return ER_OK;
}

static er_result read_scene(imp_assimp *a)
{
    er_scene *scene = a->reader->scene;
    er_result r = ER_OK;
    scene->format = ER_FORMAT_OTHER;
    scene->format_name = format_name(a);
    if (scene->format_name == NULL) ERI_TRY(ER_ERROR_MEMORY);
    if (strstr(scene->format_name, "FBX") != NULL) ERI_TRY(read_fbx_units(a));
    ERI_TRY(imp_assimp_nodes(a));
    ERI_TRY(imp_assimp_materials(a));
    ERI_TRY(read_instances(a));
    flag_cameras_and_lights(a);
    ERI_TRY(flag_bare_skeleton(a));
    ERI_TRY(imp_assimp_clips(a));
    ERI_TRY(note_losses(a));
done:
    return r;
}

er_result imp_read_assimp(imp_reader *reader, imp_bytes file)
{
    imp_assimp a = {.reader = reader};
    imp_assimp_files files;
    er_result r = eri_arena_create(reader->context, &a.scratch);
    if (r != ER_OK) return r;
    imp_assimp_files_begin(&files, reader, file);
    a.from = load(&files);
    if (a.from == NULL)
        r = say_why(reader);
    else if (a.from->mRootNode == NULL)
        r = er_fail(reader->context, ER_ERROR_FORMAT, "holds no scene; export the model again");
    else if ((r = imp_assimp_files_note(&files)) == ER_OK && (r = imp_fbx_note_weights(reader, file)) == ER_OK)
        r = read_scene(&a);
    if (a.from != NULL) aiReleaseImport(a.from);
    eri_arena_destroy(a.scratch);
    return r;
}

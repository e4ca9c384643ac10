// Real rigs, and files that tests make.
#include "sample.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char sample_bvh[] = "HIERARCHY\n"
                          "ROOT hip\n{\n"
                          "  OFFSET 0 1 0\n"
                          "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                          "  JOINT left knee\n  {\n"
                          "    OFFSET 0 -0.5 0\n"
                          "    CHANNELS 3 Yrotation Xrotation Zrotation\n"
                          "    JOINT foot\n    {\n"
                          "      OFFSET 0 -0.4 0\n"
                          "      CHANNELS 2 Zposition Xrotation\n"
                          "      End Site\n      {\n        OFFSET 0 0 0.2\n      }\n"
                          "    }\n  }\n}\n"
                          "MOTION\nFrames: 2\nFrame Time: 0.25\n"
                          "0 1 0  0 0 0  0 0 0  0 0\n"
                          "0.1 1.2 -0.3  30 20 10  15 -25 35  0.05 -90\n";

static const char json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[2,1]}],"
    "\"nodes\":[{\"name\":\"upper\",\"translation\":[0,1,0]},{\"name\":\"lower\",\"children\":[0]},"
    "{\"name\":\"strip\",\"mesh\":0,\"skin\":0}],"
    "\"meshes\":[{\"name\":\"strip\",\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},"
    "\"indices\":3}]}],"
    "\"skins\":[{\"name\":\"skin\",\"joints\":[1,0],\"inverseBindMatrices\":4}],"
    "\"animations\":[{\"name\":\"bend\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}],"
    "\"samplers\":[{\"input\":5,\"output\":6}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],"
    "\"max\":[1,2,0]},"
    "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":5121,\"count\":4,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":64,\"componentType\":5126,\"count\":4,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":128,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"byteOffset\":144,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
    "{\"bufferView\":0,\"byteOffset\":272,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"byteOffset\":288,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":344}],"
    "\"buffers\":[{\"byteLength\":344%s}]}";

void sample_buffer(uint8_t out[SAMPLE_SIZE])
{
    static const float position[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0};
    static const uint8_t joint[16] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    static const float weight[16] = {1, 0, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0};
    static const uint16_t index[6] = {0, 1, 2, 2, 1, 3};
    static const float bind[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                   1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
    static const float time[3] = {0, 0.5f, 1};
    const float half = (float)sqrt(0.5);
    const float rotation[12] = {0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1};
    memset(out, 0, SAMPLE_SIZE);
    memcpy(out, position, sizeof position);
    memcpy(out + 48, joint, sizeof joint);
    memcpy(out + SAMPLE_WEIGHT, weight, sizeof weight);
    memcpy(out + SAMPLE_INDEX, index, sizeof index);
    memcpy(out + 144, bind, sizeof bind);
    memcpy(out + SAMPLE_TIME, time, sizeof time);
    memcpy(out + 288, rotation, sizeof rotation);
}

static void *must(void *memory)
{
    if (memory == NULL) abort();
    return memory;
}

char *sample_gltf(const uint8_t buffer[SAMPLE_SIZE])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char uri[SAMPLE_SIZE * 2];
    size_t n = (size_t)snprintf(uri, sizeof uri, ",\"uri\":\"data:application/octet-stream;base64,");
    for (size_t i = 0; i < SAMPLE_SIZE; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < SAMPLE_SIZE ? buffer[i + k] : 0u);
        for (int k = 0; k < 4; ++k)
            uri[n++] = i + (size_t)k > SAMPLE_SIZE ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    uri[n++] = '"';
    uri[n] = '\0';
    char *text = must(malloc(sizeof json + sizeof uri));
    snprintf(text, sizeof json + sizeof uri, json, uri);
    return text;
}

uint8_t *sample_pack(const char *text, const uint8_t *bytes, size_t count, size_t *size)
{
    uint32_t json_size = ((uint32_t)strlen(text) + 3) / 4 * 4, bin_size = ((uint32_t)count + 3) / 4 * 4;
    const uint32_t head[5] = {0x46546C67, 2, 28 + json_size + bin_size, json_size, 0x4E4F534A},
                   bin[2] = {bin_size, 0x004E4942};
    *size = head[2];
    uint8_t *glb = must(calloc(*size, 1));
    memcpy(glb, head, sizeof head);
    memset(glb + 20, ' ', json_size);
    memcpy(glb + 20, text, strlen(text));
    memcpy(glb + 20 + json_size, bin, sizeof bin);
    memcpy(glb + 28 + json_size, bytes, count);
    return glb;
}

uint8_t *sample_glb(const uint8_t buffer[SAMPLE_SIZE], size_t *size)
{
    char text[sizeof json + 4];
    snprintf(text, sizeof text, json, "");
    return sample_pack(text, buffer, SAMPLE_SIZE, size);
}

char *sample_replace(char *text, const char *find, const char *by)
{
    const char *at = must(strstr(text, find));
    size_t before = (size_t)(at - text), size = strlen(text) + strlen(by) + 1;
    char *out = must(malloc(size));
    snprintf(out, size, "%.*s%s%s", (int)before, text, by, at + strlen(find));
    free(text);
    return out;
}

static char folder[256];

const char *sample_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    if (folder[0] != '\0') return folder;
    snprintf(folder, sizeof folder, "%s/eigenrig-XXXXXX", temporary != NULL ? temporary : "/tmp");
    return must(mkdtemp(folder));
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void sample_remove_folder(void)
{
    if (folder[0] != '\0') nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    folder[0] = '\0';
}

const char *sample_path(const char *name)
{
    static char path[4][4096];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", sample_folder(), name);
    return path[next];
}

const char *sample_write(const char *name, const void *bytes, size_t size)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", sample_folder(), name);
    unlink(path); // a file written over waits for the disk, a new one does not
    FILE *file = must(fopen(path, "wb"));
    if (fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
    return path;
}

const char *sample_rigs(void)
{
    static char path[4096];
    const char *rigs = getenv("EIGENRIG_RIGS"), *source = getenv("EIGENRIG_SOURCE");
    if (rigs != NULL) return rigs;
    snprintf(path, sizeof path, "%s/../shared/rigs", source != NULL ? source : ".");
    return path;
}

const char *sample_rig(const char *file)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", sample_rigs(), file);
    if (access(path, R_OK) == 0) return path;
    printf("# there is no %s; EIGENRIG_RIGS names the folder of real models\n", path);
    return NULL;
}

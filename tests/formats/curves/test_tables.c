// Tables and archives of frames, places, modes and matrices, read by an independent reader: numbers to the bit, names,
// shapes.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "motions.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static const char *path;

static int open_folder(void **state)
{
    path = strdup(sample_path("table"));
    return set_up(state);
}

static int close_folder(void **state)
{
    free((char *)(uintptr_t)path);
    return tear_down(state);
}

// ---- Archives

typedef struct archive {
    char *bytes;
    size_t size;
    int count;
} archive;

static archive open_archive(void)
{
    archive a = {0};
    a.bytes = read_bytes(path, &a.size);
    uint16_t count;
    assert_memory_equal(a.bytes + a.size - 22, "PK\5\6", 4); // the end of the directory
    memcpy(&count, a.bytes + a.size - 12, sizeof count);
    a.count = count;
    return a;
}

static uint32_t word(const char *at, size_t size)
{
    uint32_t value = 0;
    memcpy(&value, at, size);
    return value;
}

// The data of an array, which must be of that kind and shape ("3, 2" or "3,"); NULL where there is none of that name.
static const char *array(const archive *a, const char *name, const char *kind, const char *shape)
{
    char want[300], file[80];
    snprintf(file, sizeof file, "%s.npy", name);
    const char *at = a->bytes + word(a->bytes + a->size - 6, 4); // the directory
    for (int i = 0; i < a->count; ++i) {
        size_t name_size = word(at + 28, 2), more = word(at + 30, 2) + word(at + 32, 2);
        assert_memory_equal(at, "PK\1\2", 4);
        if (name_size == strlen(file) && memcmp(at + 46, file, name_size) == 0) {
            const char *entry = a->bytes + word(at + 42, 4), *npy;
            uint32_t size = word(at + 24, 4);
            assert_true(word(at + 10, 2) == 0 && word(at + 20, 4) == size); // stored
            assert_memory_equal(entry, "PK\3\4", 4);
            npy = entry + 30 + word(entry + 26, 2) + word(entry + 28, 2);
            assert_memory_equal(npy, "\x93NUMPY\1\0", 8);
            uint32_t header = word(npy + 8, 2);
            assert_int_equal((10 + header) % 64, 0);
            int length =
                snprintf(want, sizeof want, "{'descr': '<%s', 'fortran_order': False, 'shape': (%s), }", kind, shape);
            if (strncmp(npy + 10, want, (size_t)length) != 0)
                fail_msg("%s: %.*s, not %s", name, (int)header, npy + 10, want);
            for (uint32_t k = (uint32_t)length; k + 1 < header; ++k)
                assert_int_equal(npy[10 + k], ' ');
            assert_int_equal(npy[9 + header], '\n');
            return npy + 10 + header;
        }
        at += 46 + name_size + more;
    }
    return NULL;
}

static const char *shape_of(int dimensions, size_t a, size_t b, size_t c)
{
    static char text[4][80];
    static int next;
    char *out = text[next++ % 4];
    if (dimensions == 0) out[0] = '\0';
    if (dimensions == 1) snprintf(out, 80, "%zu,", a);
    if (dimensions == 2) snprintf(out, 80, "%zu, %zu", a, b);
    if (dimensions == 3) snprintf(out, 80, "%zu, %zu, %zu", a, b, c);
    return out;
}

static void same_numbers(const archive *a, const char *name, const char *shape, const double *want, size_t count)
{
    const char *got = array(a, name, "f8", shape);
    if (got == NULL) fail_msg("there is no array %s", name);
    if (count > 0 && memcmp(got, want, count * sizeof *want) != 0) fail_msg("%s holds other numbers", name);
}

static void same_integers(const archive *a, const char *name, const char *shape, const int *want, size_t count)
{
    const char *got = array(a, name, "i4", shape);
    if (got == NULL) fail_msg("there is no array %s", name);
    if (count > 0 && memcmp(got, want, count * sizeof *want) != 0) fail_msg("%s holds other numbers", name);
}

// Texts are rows of code points, as many as the longest has, filled up by zeros. These are of ASCII, but for those that
// say their code points themselves.
static void same_words(const archive *a, const char *name, int count, const char *const *want)
{
    size_t width = 1;
    char kind[32];
    for (int i = 0; i < count; ++i)
        width = strlen(want[i]) > width ? strlen(want[i]) : width;
    snprintf(kind, sizeof kind, "U%zu", width);
    const char *got = array(a, name, kind, shape_of(1, (size_t)count, 0, 0));
    if (got == NULL) fail_msg("there is no array %s", name);
    for (int i = 0; i < count; ++i)
        for (size_t k = 0; k < width; ++k) {
            uint32_t code = word(got + 4 * (width * (size_t)i + k), 4);
            if (code != (k < strlen(want[i]) ? (uint32_t)(unsigned char)want[i][k] : 0)) fail_msg("%s[%d]", name, i);
        }
}

// ---- Tables

// The next cell of a table, which ends in a comma or, the last of a row, in a line feed.
static void next_cell(const char **at, char *cell, size_t size, bool last)
{
    size_t length = strcspn(*at, ",\n");
    assert_true(length < size && (*at)[length] == (last ? '\n' : ','));
    snprintf(cell, size, "%.*s", (int)length, *at);
    *at += length + 1;
}

static void same_row(const char **at, const double *want, size_t count)
{
    char cell[64], *end;
    for (size_t i = 0; i < count; ++i) {
        next_cell(at, cell, sizeof cell, i + 1 == count);
        double got = strtod(cell, &end);
        if (*end != '\0' || memcmp(&got, &want[i], sizeof got) != 0) fail_msg("%s, not %.17g", cell, want[i]);
    }
}

static char *table(const char *head, const char **at)
{
    size_t size;
    char *text = read_bytes(path, &size);
    if (strncmp(text, head, strlen(head)) != 0) fail_msg("%.200s, not %s", text, head);
    *at = text + strlen(head);
    return text;
}

// ---- Frames

enum { FRAMES = 4, BODIES = 3, JOINTS = 2, COORDINATES = 3, CONTACTS = 4 };

typedef struct simulated {
    motion m;
    double rate[FRAMES * COORDINATES];
    er_twist twist[FRAMES * BODIES];
    er_world_energy energy[FRAMES];
    er_vec3 momentum[2 * FRAMES];
    er_wrench reaction[FRAMES * JOINTS];
    er_frame_contact contact[CONTACTS];
    er_world_frames frames;
} simulated;

static const int contact_end[FRAMES] = {1, 1, 3, 4};

static er_vec3 dice_point(dice *d)
{
    return er_v3_scale(10.0, dice_vec3(d));
}

// Four frames of two joints; nothing touches in the second, two pairs in the third.
static void simulate(simulated *s)
{
    static const er_joint_type types[] = {ER_JOINT_UNIVERSAL, ER_JOINT_PRISMATIC};
    static const char *const names[] = {"a, b", "slide"};
    dice d = {17};
    *s = (simulated){.m = motion_make(context, JOINTS, 2, types, names, FRAMES)};
    assert_int_equal(s->m.model->coordinate_count, COORDINATES);
    for (int i = 0; i < FRAMES * COORDINATES; ++i) {
        s->m.q[i] = dice_uniform(&d, -1, 1);
        s->rate[i] = dice_uniform(&d, -1, 1);
    }
    for (int i = 0; i < FRAMES * BODIES; ++i) {
        s->m.pose[i] = (er_pose){dice_quat(&d), dice_point(&d)};
        s->twist[i] = (er_twist){dice_point(&d), dice_point(&d)};
    }
    for (int f = 0; f < FRAMES; ++f)
        s->energy[f] = (er_world_energy){.kinetic = 1.25 + f,
                                         .potential = -2.5 * f,
                                         .elastic = 0.1 * f,
                                         .mechanical = 7.0 + f,
                                         .work = 3.0 * f,
                                         .heat = 2.0 * f + 0.125 * (f % 2)};
    for (int i = 0; i < 2 * FRAMES; ++i)
        s->momentum[i] = dice_point(&d);
    for (int i = 0; i < FRAMES * JOINTS; ++i)
        s->reaction[i] = (er_wrench){.torque = dice_point(&d), .force = dice_point(&d)};
    for (int k = 0; k < CONTACTS; ++k)
        s->contact[k] = (er_frame_contact){
            {k % BODIES, k == 2 ? -1 : 2 - k % BODIES}, dice_point(&d), dice_vec3(&d), 0.1 * k - 0.2, dice_point(&d)};
    s->frames = (er_world_frames){s->m.model, FRAMES,      s->m.time,   s->m.pose,   s->twist,   s->m.q, s->rate,
                                  s->energy,  s->momentum, s->reaction, contact_end, s->contact, 0,      NULL};
}

static void numbers_of(const er_vec3 *v, int count, double *out)
{
    for (int i = 0; i < count; ++i)
        out[3 * i] = v[i].x, out[3 * i + 1] = v[i].y, out[3 * i + 2] = v[i].z;
}

// World axes: what the body's own are turned to.
static void velocity_of(const simulated *s, int at, double out[6])
{
    er_mat3 turn = er_m3_from_q(s->m.pose[at].q);
    er_vec3 v[2] = {er_m3_mul_v(turn, s->twist[at].angular), er_m3_mul_v(turn, s->twist[at].linear)};
    numbers_of(v, 2, out);
}

static void contact_of(const er_frame_contact *c, double out[10])
{
    numbers_of(&c->point, 1, out);
    numbers_of(&c->normal, 1, out + 3);
    out[6] = c->distance;
    numbers_of(&c->force, 1, out + 7);
}

static void frames_are_rows_of_tables(void **state)
{
    simulated s;
    simulate(&s);
    const char *at;
    assert_int_equal(er_frames_write_energy(context, &s.frames, path), ER_OK);
    char *text = table("time_s,kinetic,potential,elastic,mechanical,work,heat\n", &at);
    for (int f = 0; f < FRAMES; ++f) {
        const er_world_energy *e = &s.energy[f];
        same_row(&at, (double[]){s.m.time[f], e->kinetic, e->potential, e->elastic, e->mechanical, e->work, e->heat},
                 7);
    }
    assert_true(*at == '\0');
    free(text);
    assert_int_equal(er_frames_write_momentum(context, &s.frames, path), ER_OK);
    text = table("time_s,px,py,pz,lx,ly,lz\n", &at);
    for (int f = 0; f < FRAMES; ++f) {
        double row[7] = {s.m.time[f]};
        numbers_of(s.momentum + 2 * f, 2, row + 1);
        same_row(&at, row, 7);
    }
    assert_true(*at == '\0');
    free(text);
    assert_int_equal(er_frames_write_reactions(context, &s.frames, path), ER_OK);
    text = table("time_s,\"a, b.tx\",\"a, b.ty\",\"a, b.tz\",\"a, b.fx\",\"a, b.fy\",\"a, b.fz\","
                 "slide.tx,slide.ty,slide.tz,slide.fx,slide.fy,slide.fz\n",
                 &at);
    for (int f = 0; f < FRAMES; ++f) {
        double row[1 + 6 * JOINTS] = {s.m.time[f]};
        for (int j = 0; j < JOINTS; ++j) {
            numbers_of(&s.reaction[JOINTS * f + j].torque, 1, row + 1 + 6 * j);
            numbers_of(&s.reaction[JOINTS * f + j].force, 1, row + 4 + 6 * j);
        }
        same_row(&at, row, ERI_COUNT(row));
    }
    assert_true(*at == '\0');
    free(text);
    motion_free(&s.m);
}

static void bodies_move_along_the_axes_of_the_world(void **state)
{
    simulated s;
    simulate(&s);
    const char *at;
    char cell[64];
    assert_int_equal(er_frames_write_bodies(context, &s.frames, path), ER_OK);
    char *text = table("time_s,\"a, b.x\",\"a, b.y\",\"a, b.z\",\"a, b.qw\",\"a, b.qx\",\"a, b.qy\",\"a, b.qz\","
                       "\"a, b.wx\",\"a, b.wy\",\"a, b.wz\",\"a, b.vx\",\"a, b.vy\",\"a, b.vz\",slide.x,",
                       &at);
    at = strchr(at, '\n') + 1;
    for (int f = 0; f < FRAMES; ++f) {
        next_cell(&at, cell, sizeof cell, false);
        assert_true(strtod(cell, NULL) == s.m.time[f]);
        for (int b = 0; b < BODIES; ++b) {
            er_pose p = s.m.pose[BODIES * f + b];
            const double place[7] = {p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z};
            double velocity[6];
            velocity_of(&s, BODIES * f + b, velocity);
            for (int i = 0; i < 13; ++i) {
                next_cell(&at, cell, sizeof cell, b + 1 == BODIES && i == 12);
                double got = strtod(cell, NULL), want = i < 7 ? place[i] : velocity[i - 7];
                if (i < 7) assert_true(got == want);
                measure_at_most("bodies of a table", fabs(got - want), 1e-13);
            }
        }
    }
    assert_true(*at == '\0');
    free(text);
    motion_free(&s.m);
}

static void contacts_are_rows_of_their_frames(void **state)
{
    simulated s;
    simulate(&s);
    const char *at;
    static const char head[] = "time_s,body_1,body_2,x_m,y_m,z_m,normal_x,normal_y,normal_z,distance_m,"
                               "force_x_N,force_y_N,force_z_N,impulse_N_s\n";
    static const int frame[CONTACTS] = {0, 2, 2, 3};
    // the third body has no name
    static const char *const bodies[CONTACTS] = {"\"a, b\",body 2,", "slide,slide,", "body 2,,", "\"a, b\",body 2,"};
    assert_int_equal(er_frames_write_contacts(context, &s.frames, path), ER_OK);
    char *text = table(head, &at);
    for (int k = 0; k < CONTACTS; ++k) {
        double row[11] = {0}, time = strtod(at, (char **)(uintptr_t)&at);
        assert_true(time == s.m.time[frame[k]] && *at == ',');
        if (strncmp(at + 1, bodies[k], strlen(bodies[k])) != 0) fail_msg("%.40s, not %s", at, bodies[k]);
        at += 1 + strlen(bodies[k]);
        contact_of(&s.contact[k], row);
        same_row(&at, row, 11);
    }
    assert_true(*at == '\0');
    free(text);
    s.frames.contact_end = NULL;
    assert_int_equal(er_frames_write_contacts(context, &s.frames, path), ER_OK);
    text = table(head, &at);
    assert_true(*at == '\0');
    free(text);
    motion_free(&s.m);
}

static const er_frame_impact impacts[2] = {{0.0, {1, -1}, {1, 2, 3}, {0, 0, 1}, 4.0, -5.0, 2.5},
                                           {1e9, {0, 1}, {6, 7, 8}, {1, 0, 0}, 9.0, -1.0, 0.0}};

static void impacts_are_rows_at_their_times(void **state)
{
    simulated s;
    simulate(&s);
    const char *at;
    s.frames.impact_count = 2;
    s.frames.impact = impacts;
    assert_int_equal(er_frames_write_contacts(context, &s.frames, path), ER_OK);
    char *text = table("time_s,body_1,body_2,x_m,y_m,z_m,normal_x,normal_y,normal_z,distance_m,force_x_N,force_y_N,"
                       "force_z_N,impulse_N_s\n",
                       &at);
    const char *first = strstr(at, ",slide,,1,2,3,0,0,1,0,0,0,0,4\n"),
               *last = strstr(at, "slide,6,7,8,1,0,0,0,0,0,0,9\n");
    assert_true(first != NULL && last != NULL && last[strlen("slide,6,7,8,1,0,0,0,0,0,0,9\n")] == '\0');
    assert_true(s.m.time[0] > 0.0 || strchr(first, '\n') < last);
    free(text);
    motion_free(&s.m);
}

static void frames_are_arrays(void **state)
{
    simulated s;
    simulate(&s);
    static const char *const body[] = {"a, b", "slide", "body 2"}, *const joint[] = {"a, b", "slide"};
    static const int frame[CONTACTS] = {0, 2, 2, 3}, pair[2 * CONTACTS] = {0, 2, 1, 1, 2, -1, 0, 2};
    double place[FRAMES * BODIES * 3], turn[FRAMES * BODIES * 4], energy[FRAMES * 6], momentum[FRAMES * 6],
        reaction[FRAMES * JOINTS * 6], contact[CONTACTS * 10], velocity[6];
    for (int i = 0; i < FRAMES * BODIES; ++i) {
        er_quat q = s.m.pose[i].q;
        numbers_of(&s.m.pose[i].p, 1, place + 3 * i);
        memcpy(turn + 4 * i, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *turn);
    }
    for (int f = 0; f < FRAMES; ++f) {
        const er_world_energy *e = &s.energy[f];
        memcpy(energy + 6 * f, (double[]){e->kinetic, e->potential, e->elastic, e->mechanical, e->work, e->heat},
               6 * sizeof *energy);
    }
    numbers_of(s.momentum, 2 * FRAMES, momentum);
    for (int i = 0; i < FRAMES * JOINTS; ++i) {
        numbers_of(&s.reaction[i].torque, 1, reaction + 6 * i);
        numbers_of(&s.reaction[i].force, 1, reaction + 6 * i + 3);
    }
    for (int k = 0; k < CONTACTS; ++k)
        contact_of(&s.contact[k], contact + 10 * k);
    for (int touching = 0; touching < 2; ++touching) {
        s.frames.contact_end = touching == 1 ? contact_end : NULL;
        size_t impact_count = 2 * (size_t)touching;
        s.frames.impact_count = (int)impact_count;
        s.frames.impact = impacts;
        assert_int_equal(er_frames_write_npz(context, &s.frames, path), ER_OK);
        archive a = open_archive();
        size_t contacts = touching == 1 ? CONTACTS : 0;
        assert_int_equal(a.count, 16);
        same_numbers(&a, "time", shape_of(1, FRAMES, 0, 0), s.m.time, FRAMES);
        same_numbers(&a, "q", shape_of(2, FRAMES, COORDINATES, 0), s.m.q, FRAMES * COORDINATES);
        same_numbers(&a, "rate", shape_of(2, FRAMES, COORDINATES, 0), s.rate, FRAMES * COORDINATES);
        same_words(&a, "body_names", BODIES, body);
        same_words(&a, "joint_names", JOINTS, joint);
        same_numbers(&a, "position", shape_of(3, FRAMES, BODIES, 3), place, ERI_COUNT(place));
        same_numbers(&a, "orientation", shape_of(3, FRAMES, BODIES, 4), turn, ERI_COUNT(turn));
        same_numbers(&a, "energy", shape_of(2, FRAMES, 6, 0), energy, ERI_COUNT(energy));
        same_numbers(&a, "momentum", shape_of(2, FRAMES, 6, 0), momentum, ERI_COUNT(momentum));
        same_numbers(&a, "reaction", shape_of(3, FRAMES, JOINTS, 6), reaction, ERI_COUNT(reaction));
        same_integers(&a, "contact_frame", shape_of(1, contacts, 0, 0), frame, contacts);
        same_integers(&a, "contact_body", shape_of(2, contacts, 2, 0), pair, 2 * contacts);
        same_numbers(&a, "contact", shape_of(2, contacts, 10, 0), contact, 10 * contacts);
        same_integers(&a, "impact_body", shape_of(2, impact_count, 2, 0), (int[]){1, -1, 0, 1}, 2 * impact_count);
        same_numbers(&a, "impact", shape_of(2, impact_count, 10, 0),
                     (double[]){0, 1, 2, 3, 0, 0, 1, 4, -5, 2.5, 1e9, 6, 7, 8, 1, 0, 0, 9, -1, 0}, 10 * impact_count);
        const char *moves = array(&a, "velocity", "f8", shape_of(3, FRAMES, BODIES, 6));
        assert_non_null(moves);
        for (int i = 0; i < FRAMES * BODIES; ++i) {
            double got[6];
            memcpy(got, moves + sizeof got * (size_t)i, sizeof got);
            velocity_of(&s, i, velocity);
            for (int k = 0; k < 6; ++k)
                measure_at_most("velocities of an archive", fabs(got[k] - velocity[k]), 1e-13);
        }
        free(a.bytes);
    }
    motion_free(&s.m);
}

typedef er_result frames_writer(er_context *context, const er_world_frames *frames, const char *path);

static const struct {
    const char *name;
    frames_writer *write;
} writers[] = {
    {"er_frames_write_energy", er_frames_write_energy},     {"er_frames_write_momentum", er_frames_write_momentum},
    {"er_frames_write_bodies", er_frames_write_bodies},     {"er_frames_write_reactions", er_frames_write_reactions},
    {"er_frames_write_contacts", er_frames_write_contacts}, {"er_frames_write_npz", er_frames_write_npz},
    {"er_frames_plot_energy", er_frames_plot_energy}};
static size_t writer;

static er_result write_frames(er_context *own, const void *of)
{
    return writers[writer].write(own, of, path);
}

static void frames_that_are_none_are_refused(void **state)
{
    simulated s;
    simulate(&s);
    for (writer = 0; writer < ERI_COUNT(writers); ++writer) {
        frames_writer *write = writers[writer].write;
        er_world_frames bad[5] = {s.frames, s.frames, s.frames, s.frames, s.frames};
        unlink(path);
        bad[0].energy = NULL;
        bad[1].twist = NULL;
        bad[2].pose = NULL;
        bad[3].model = NULL;
        bad[4].frame_count = 0;
        assert_int_equal(write(NULL, &s.frames, path), ER_ERROR_ARGUMENT);
        for (int k = 0; k < 7; ++k) {
            const er_world_frames *f = k < 5 ? &bad[k] : k == 5 ? NULL : &s.frames;
            assert_refusal(context, write(context, f, k == 6 ? NULL : path), ER_ERROR_ARGUMENT, writers[writer].name);
        }
        s.m.pose[5].q.y = NAN;
        assert_refusal(context, write(context, &s.frames, path), ER_ERROR_ARGUMENT, "body 2 \"\" in frame 1");
        s.m.pose[5].q.y = 0.0;
        assert_int_equal(count_files(sample_folder()), 0);
        ledger_refuse_each(write_frames, &s.frames, path);
    }
    motion_free(&s.m);
}

// ---- Things that come and go

static void places_are_arrays(void **state)
{
    enum { COUNT = 3, TIMES = 2, ALL = COUNT * TIMES };
    static const char *const names[COUNT] = {"ball", "", "ball"};
    static const int present[ALL] = {1, 0, 1, 0, 1, 1};
    static const double time[TIMES] = {0.5, 0.25}; // any
    dice d = {3};
    er_pose pose[ALL];
    er_vec3 velocity[ALL], spin[ALL];
    double place[3 * ALL], turn[4 * ALL], speed[3 * ALL], rate[3 * ALL];
    for (int i = 0; i < ALL; ++i) {
        er_quat q = dice_quat(&d);
        pose[i] = (er_pose){q, dice_point(&d)};
        velocity[i] = dice_point(&d);
        spin[i] = dice_point(&d);
        numbers_of(&pose[i].p, 1, place + 3 * i);
        memcpy(turn + 4 * i, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *turn);
    }
    numbers_of(velocity, ALL, speed);
    numbers_of(spin, ALL, rate);
    er_trajectories good = {COUNT, names, TIMES, time, pose, velocity, spin, present};
    assert_int_equal(er_trajectories_write_npz(context, &good, path), ER_OK);
    archive a = open_archive();
    assert_int_equal(a.count, 7);
    same_numbers(&a, "time", shape_of(1, TIMES, 0, 0), time, TIMES);
    same_words(&a, "name", COUNT, names);
    same_numbers(&a, "position", shape_of(3, TIMES, COUNT, 3), place, ERI_COUNT(place));
    same_numbers(&a, "orientation", shape_of(3, TIMES, COUNT, 4), turn, ERI_COUNT(turn));
    same_numbers(&a, "velocity", shape_of(3, TIMES, COUNT, 3), speed, ERI_COUNT(speed));
    same_numbers(&a, "spin", shape_of(3, TIMES, COUNT, 3), rate, ERI_COUNT(rate));
    same_integers(&a, "present", shape_of(2, TIMES, COUNT, 0), present, ALL);
    free(a.bytes);
    const er_trajectories none = {.count = 0, .frame_count = 1, .time = time};
    assert_int_equal(er_trajectories_write_npz(context, &none, path), ER_OK);
    a = open_archive();
    same_numbers(&a, "position", shape_of(3, 1, 0, 3), NULL, 0);
    free(a.bytes);
    unlink(path);
    er_trajectories bad[8] = {good, good, good, good, good, good, good, good};
    bad[0].count = -1;
    bad[1].frame_count = 0;
    bad[2].time = NULL;
    bad[3].name = NULL;
    bad[4].pose = NULL;
    bad[5].velocity = NULL;
    bad[6].spin = NULL;
    bad[7].present = NULL;
    for (int i = 0; i < 8; ++i)
        assert_int_equal(er_trajectories_write_npz(context, &bad[i], path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_trajectories_write_npz(context, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_trajectories_write_npz(context, &good, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_trajectories_write_npz(NULL, &good, path), ER_ERROR_ARGUMENT);
    assert_int_equal(count_files(sample_folder()), 0);
}

// ---- How far modes are true

static void trials_are_rows(void **state)
{
    static const er_trial first[] = {{0.01, 1e-9, 0.0}, {5, 0.1, 0.25}}, second[] = {{60, -1, 1}};
    static const er_mode_validity mode[] = {
        {7, 5.0, false, 2, first}, {8, 0.0, false, 0, NULL}, {12, 60, true, 1, second}};
    const er_validity validity = {.shift = 0.02, .count = 3, .mode = mode};
    const char *at;
    assert_int_equal(er_validity_write_csv(context, &validity, path), ER_OK);
    char *text = table("mode,amplitude_degrees,frequency_shift,leakage\n", &at);
    same_row(&at, (double[]){7, 0.01, 1e-9, 0.0}, 4);
    same_row(&at, (double[]){7, 5, 0.1, 0.25}, 4);
    same_row(&at, (double[]){12, 60, -1, 1}, 4);
    assert_true(*at == '\0');
    free(text);
    assert_int_equal(er_validity_write_csv(NULL, &validity, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_write_csv(context, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_write_csv(context, &validity, NULL), ER_ERROR_ARGUMENT);
}

// ---- Modes

static void joints_of(const er_model *m, char name[][40], const char **pointer, int *joint)
{
    static const char *const axes[] = {"tx", "ty", "tz", "x", "y", "z"};
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < count; ++i) {
            int at = m->coordinate[k] + i;
            snprintf(name[at], 40, "%s", axes[axis[i]]);
            pointer[at] = name[at];
            joint[at] = k;
        }
    }
}

// A rig of bodies and joints without names.
static er_model *nameless_rig(void)
{
    static rig r;
    dice d = {5};
    rig_random(&r, &d, true);
    for (int j = 0; j < r.joint_count; ++j)
        r.joint[j].name = NULL;
    for (int b = 0; b < r.body_count; ++b)
        r.body[b].name = NULL;
    return rig_model(context, &r);
}

// "body 0" and so on, as nobody has a name.
static void numbered(const char *kind, int count, char name[][40], const char **pointer)
{
    for (int i = 0; i < count; ++i) {
        snprintf(name[i], 40, "%s %d", kind, i);
        pointer[i] = name[i];
    }
}

static void modes_are_rows_and_arrays(void **state)
{
    er_model *m = nameless_rig();
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    size_t n = (size_t)modes->count, bodies = (size_t)m->body_count, width = (size_t)m->coordinate_count;
    static char body_name[RIG_MAX][40], joint_name[RIG_MAX][40], axis_name[6 * RIG_MAX][40];
    const char *body[RIG_MAX], *joint[RIG_MAX], *axis[6 * RIG_MAX], *kind[6 * RIG_MAX], *at;
    int of[6 * RIG_MAX], index[6 * RIG_MAX];
    double numbers[4][6 * RIG_MAX], *shape = calloc(n * (6 * bodies + width) + 1, sizeof *shape);
    double *turn = shape + 6 * n * bodies;
    numbered("body", m->body_count, body_name, body);
    numbered("joint", m->joint_count, joint_name, joint);
    joints_of(m, axis_name, axis, of);
    assert_int_equal(er_modes_write_csv(context, m, modes, path), ER_OK);
    char *text = table("mode,kind,frequency_Hz,eigenvalue,damped_Hz,damping_ratio", &at), cell[64];
    for (size_t i = 0; i < width; ++i) {
        char want[64];
        snprintf(want, sizeof want, ",%s.%s", joint[of[i]], axis[i]);
        assert_int_equal(strncmp(at, want, strlen(want)), 0);
        at += strlen(want);
    }
    static const char *const axes[] = {"tx", "ty", "tz", "x", "y", "z"};
    size_t joints = (size_t)m->joint_count, columns = 4 + width + 6 + joints + bodies;
    for (size_t i = 0; i < 6 + joints + bodies; ++i) {
        char want[64];
        if (i < 6) snprintf(want, sizeof want, ",effective_mass.%s", axes[i]);
        if (i >= 6 && i < 6 + joints) snprintf(want, sizeof want, ",%s.strain_share", joint[i - 6]);
        if (i >= 6 + joints) snprintf(want, sizeof want, ",%s.motion_share", body[i - 6 - joints]);
        assert_int_equal(strncmp(at, want, strlen(want)), 0);
        at += strlen(want);
    }
    assert_true(*at++ == '\n');
    for (size_t k = 0; k < n; ++k) {
        const er_mode *mode = &modes->mode[k];
        double row[10 + 8 * RIG_MAX] = {mode->frequency_hz, mode->eigenvalue, mode->damped_hz, mode->damping_ratio};
        index[k] = (int)k;
        kind[k] = er_mode_kind_name(mode->kind);
        next_cell(&at, cell, sizeof cell, false);
        assert_int_equal(atoi(cell), k);
        next_cell(&at, cell, sizeof cell, false);
        assert_string_equal(cell, kind[k]);
        memcpy(row + 4, mode->joint, width * sizeof *row);
        er_mode_effective_mass(m, mode, row + 4 + width);
        er_mode_joint_shares(m, mode, row + 10 + width);
        er_mode_body_shares(m, mode, row + 10 + width + joints);
        same_row(&at, row, columns);
        for (int i = 0; i < 4; ++i)
            numbers[i][k] = row[i];
        memcpy(shape + 6 * bodies * k, mode->body, 6 * bodies * sizeof *shape);
        memcpy(turn + width * k, mode->joint, width * sizeof *turn);
    }
    assert_true(*at == '\0');
    free(text);
    assert_int_equal(er_modes_write_npz(context, m, modes, path), ER_OK);
    archive a = open_archive();
    same_integers(&a, "mode", shape_of(1, n, 0, 0), index, n);
    same_words(&a, "kind", (int)n, kind);
    same_numbers(&a, "frequency", shape_of(1, n, 0, 0), numbers[0], n);
    same_numbers(&a, "eigenvalue", shape_of(1, n, 0, 0), numbers[1], n);
    same_numbers(&a, "damped_frequency", shape_of(1, n, 0, 0), numbers[2], n);
    same_numbers(&a, "damping_ratio", shape_of(1, n, 0, 0), numbers[3], n);
    same_numbers(&a, "body", shape_of(3, n, bodies, 6), shape, 6 * n * bodies);
    same_numbers(&a, "joint", shape_of(2, n, width, 0), turn, n * width);
    same_words(&a, "body_names", m->body_count, body);
    same_words(&a, "joint_names", m->joint_count, joint);
    same_words(&a, "coordinate_names", m->coordinate_count, axis);
    same_integers(&a, "coordinate_joint", shape_of(1, width, 0, 0), of, width);
    free(a.bytes);
    free(shape);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// ---- Curves

static void curves_are_arrays(void **state)
{
    simulated s;
    simulate(&s);
    static const char *const joint[] = {"a, b", "slide"}, *const axis[] = {"tx", "ty", "z"},
                             *const body[] = {"a, b", "slide", "body 2"};
    static const int of[] = {0, 0, 1};
    for (int poses = 0; poses < 2; ++poses) {
        er_curves curves = s.m.plot.curves;
        if (poses == 0) curves.pose = NULL;
        assert_int_equal(er_curves_write_npz(context, &curves, path), ER_OK);
        archive a = open_archive();
        assert_int_equal(a.count, poses == 1 ? 8 : 5);
        same_numbers(&a, "time", shape_of(1, FRAMES, 0, 0), s.m.time, FRAMES);
        same_numbers(&a, "q", shape_of(2, FRAMES, COORDINATES, 0), s.m.q, FRAMES * COORDINATES);
        same_words(&a, "joint_names", JOINTS, joint);
        same_words(&a, "coordinate_names", COORDINATES, axis);
        same_integers(&a, "coordinate_joint", shape_of(1, COORDINATES, 0, 0), of, COORDINATES);
        if (poses == 1) same_words(&a, "body_names", BODIES, body);
        const char *at = array(&a, "position", "f8", shape_of(3, FRAMES, BODIES, 3));
        assert_int_equal(at != NULL, poses);
        for (int i = 0; at != NULL && i < FRAMES * BODIES; ++i)
            assert_memory_equal(at + 24 * i, &s.m.pose[i].p, 24);
        free(a.bytes);
    }
    motion_free(&s.m);
}

// ---- Matrices

static size_t entry_count(const er_triplets *t)
{
    return (size_t)t->row_count * (size_t)t->column_count;
}

static void same_dense(const archive *a, const char *name, const er_triplets *t)
{
    double *dense = calloc(entry_count(t) + 1, sizeof *dense);
    for (int k = 0; k < t->count; ++k)
        dense[(size_t)t->row[k] * (size_t)t->column_count + (size_t)t->column[k]] = t->value[k];
    same_numbers(a, name, shape_of(2, (size_t)t->row_count, (size_t)t->column_count, 0), dense, entry_count(t));
    free(dense);
}

static void same_sparse(const archive *a, const char *name, const er_triplets *t)
{
    char part[16];
    const int shape[2] = {t->row_count, t->column_count};
    size_t n = (size_t)t->count;
    snprintf(part, sizeof part, "%s_shape", name);
    same_integers(a, part, shape_of(1, 2, 0, 0), shape, 2);
    snprintf(part, sizeof part, "%s_row", name);
    same_integers(a, part, shape_of(1, n, 0, 0), t->row, n);
    snprintf(part, sizeof part, "%s_column", name);
    same_integers(a, part, shape_of(1, n, 0, 0), t->column, n);
    snprintf(part, sizeof part, "%s_value", name);
    same_numbers(a, part, shape_of(1, n, 0, 0), t->value, n);
    assert_null(array(a, name, "f8", ""));
}

// A chain of as many bodies, which floats.
static er_model *long_chain(int bodies)
{
    er_joint_type type = ER_JOINT_REVOLUTE;
    motion m = motion_make(context, bodies - 1, 1, &type, NULL, 1);
    er_model *model = m.model;
    m.model = NULL;
    motion_free(&m);
    return model;
}

// Four bodies, which float, in a ring of balls: several motions that joints of loops make together.
static er_model *ring(void)
{
    rig r = {0};
    for (int b = 0; b < 4; ++b) {
        er_vec3 at = er_v3(cos(1.5 * b), sin(1.5 * b), 0.1 * b * b);
        rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), at, (er_pose){er_q_identity(), at});
        r.body[b].name = NULL;
    }
    for (int k = 0; k < 4; ++k) {
        er_joint *j =
            rig_add_joint(&r, ER_JOINT_SPHERICAL, k, (k + 1) % 4, (er_pose){er_q_identity(), er_v3(k, 2 - k, 1)});
        j->closes_loop = k == 3;
        j->name = NULL;
    }
    return rig_model(context, &r);
}

// Up to a hundred bodies matrices are whole; of more, triplets.
static void matrices_are_whole_or_triplets(void **state)
{
    static const char *const names[] = {"M", "K", "C", "G", "R", "N"};
    for (int which = 0; which < 4; ++which) {
        er_model *m = which == 0 ? nameless_rig() : which == 3 ? ring() : long_chain(which == 1 ? 100 : 101);
        er_modal_matrices *x = NULL;
        if (er_modal_matrices_create(context, m, NULL, &x) != ER_OK) fail_msg("%s", er_context_error(context));
        const er_triplets *matrix[] = {&x->M, &x->K, &x->C, &x->G, &x->R, &x->N};
        assert_int_equal(er_modal_matrices_write_npz(context, m, x, path), ER_OK);
        archive a = open_archive();
        for (size_t i = 0; i < ERI_COUNT(names); ++i)
            if (which != 2)
                same_dense(&a, names[i], matrix[i]);
            else
                same_sparse(&a, names[i], matrix[i]);
        same_numbers(&a, "damping_ratio", "", &m->damping_ratio, 1);
        same_numbers(&a, "rayleigh_mass", "", &m->rayleigh_mass, 1);
        same_numbers(&a, "rayleigh_stiffness", "", &m->rayleigh_stiffness, 1);
        static char word_of[6 * RIG_MAX][40];
        static const char *word_at[6 * RIG_MAX];
        static const char *const part[] = {"wx", "wy", "wz", "vx", "vy", "vz"}, *const axes[] = {"tx", "ty", "tz",
                                                                                                 "x",  "y",  "z"};
        if (which == 0 || which == 3) {
            int loops = 0;
            for (int i = 0; i < 6 * m->body_count; ++i) {
                snprintf(word_of[i], 40, "body %d.%s", i / 6, part[i % 6]);
                word_at[i] = word_of[i];
            }
            same_words(&a, "twist_names", 6 * m->body_count, word_at);
            for (int i = 0; i < x->N.column_count; ++i) {
                const er_admissible *n = &x->admissible[i];
                if (n->joint >= 0)
                    snprintf(word_of[i], 40, "joint %d.%s", n->joint, axes[n->axis]);
                else if (n->body >= 0)
                    snprintf(word_of[i], 40, "root body %d.%s", n->body, axes[n->axis]);
                else
                    snprintf(word_of[i], 40, "loops %d", loops++);
            }
            for (int i = 0; i < 6 * RIG_MAX; ++i)
                word_at[i] = word_of[i];
            assert_true(which == 0 || loops > 2);
            same_words(&a, "motion_names", x->N.column_count, word_at);
            for (int i = 0; i < x->G.row_count; ++i)
                snprintf(word_of[i], 40, "joint %d.%s", x->constraint_joint[i], axes[x->constraint_axis[i]]);
            same_words(&a, "constraint_names", x->G.row_count, word_at);
            for (int i = 0; i < m->coordinate_count; ++i)
                snprintf(word_of[i], 40, "joint %d.%s", x->coordinate_joint[i], axes[x->coordinate_axis[i]]);
            same_words(&a, "rate_names", m->coordinate_count, word_at);
        }
        free(a.bytes);
        er_modal_matrices_destroy(x);
        er_model_destroy(m);
    }
}

static void matrices_of_another_rig_are_refused(void **state)
{
    er_model *m = ring();
    er_modal_matrices *x = NULL;
    assert_int_equal(er_modal_matrices_create(context, m, NULL, &x), ER_OK);
    unlink(path);
    int joint[12];
    for (int i = 0; i < 9; ++i) {
        er_modal_matrices other = *x;
        memcpy(joint, i < 6 ? x->constraint_joint : x->coordinate_joint, sizeof joint);
        if (i < 3) *(i == 0 ? &other.M.row_count : i == 1 ? &other.K.row_count : &other.G.row_count) -= 1;
        if (i >= 3) joint[11] = i % 3 == 0 ? -1 : i % 3 == 1 ? m->joint_count : m->joint_count - 1;
        if (i >= 3 && i < 6) other.constraint_joint = joint;
        if (i >= 6) other.coordinate_joint = joint;
        er_result r = er_modal_matrices_write_npz(context, m, &other, path);
        assert_int_equal(r, i % 3 == 2 && i > 3 ? ER_OK : ER_ERROR_ARGUMENT);
        assert_int_equal(access(path, F_OK) == 0, r == ER_OK);
        unlink(path);
    }
    assert_int_equal(er_modal_matrices_write_npz(NULL, m, x, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_matrices_write_npz(context, NULL, x, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_matrices_write_npz(context, m, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_matrices_write_npz(context, m, x, NULL), ER_ERROR_ARGUMENT);
    er_modal_matrices_destroy(x);
    er_model_destroy(m);
}

// ---- Forces of motions

enum { FEET = 2 };

typedef struct loaded {
    simulated s;
    double passive[FRAMES * COORDINATES];
    er_wrench residual[FRAMES];
    er_foot_load load[FRAMES * FEET];
    er_loads loads;
} loaded;

static void load_up(loaded *l)
{
    static const int foot[FEET] = {0, 2};
    dice d = {23};
    simulate(&l->s);
    for (int i = 0; i < FRAMES * COORDINATES; ++i)
        l->passive[i] = dice_uniform(&d, -1, 1);
    for (int f = 0; f < FRAMES; ++f)
        l->residual[f] = (er_wrench){dice_point(&d), dice_point(&d)};
    for (int i = 0; i < FRAMES * FEET; ++i)
        l->load[i] = (er_foot_load){dice_point(&d), dice_point(&d), dice_uniform(&d, -1, 1)};
    l->loads = (er_loads){.model = l->s.m.model,
                          .frame_count = FRAMES,
                          .time = l->s.m.time,
                          .force = l->s.m.q,
                          .passive = l->passive,
                          .power = l->s.rate,
                          .joint = l->s.reaction,
                          .residual = l->residual,
                          .foot_count = FEET,
                          .foot = foot,
                          .load = l->load,
                          .up = {0, 1, 0},
                          .weight = 700.0};
}

static void forces_are_rows_of_a_table(void **state)
{
    static const char head[] =
        "time_s,\"a, b.tx.force\",\"a, b.ty.force\",slide.z.force,\"a, b.tx.passive\",\"a, b.ty.passive\","
        "slide.z.passive,\"a, b.tx.power\",\"a, b.ty.power\",slide.z.power,\"a, b.force_x\",\"a, b.force_y\","
        "\"a, b.force_z\",\"a, b.centre_x\",\"a, b.centre_y\",\"a, b.centre_z\",\"a, b.twist\",body 2.force_x,"
        "body 2.force_y,body 2.force_z,body 2.centre_x,body 2.centre_y,body 2.centre_z,body 2.twist,"
        "residual.torque_x,residual.torque_y,residual.torque_z,residual.force_x,residual.force_y,residual.force_z\n";
    static loaded l;
    const char *at;
    load_up(&l);
    assert_int_equal(er_loads_write_csv(context, &l.loads, path), ER_OK);
    char *text = table(head, &at);
    for (int f = 0; f < FRAMES; ++f) {
        double row[1 + 3 * COORDINATES + 7 * FEET + 6] = {l.s.m.time[f]}, *to = row + 1;
        const double *const kinds[] = {l.s.m.q, l.passive, l.s.rate};
        for (size_t i = 0; i < ERI_COUNT(kinds); ++i, to += COORDINATES)
            memcpy(to, kinds[i] + COORDINATES * f, COORDINATES * sizeof *to);
        for (int i = 0; i < FEET; ++i, to += 7) {
            numbers_of(&l.load[FEET * f + i].force, 1, to);
            numbers_of(&l.load[FEET * f + i].centre, 1, to + 3);
            to[6] = l.load[FEET * f + i].twist;
        }
        numbers_of(&l.residual[f].torque, 1, to);
        numbers_of(&l.residual[f].force, 1, to + 3);
        same_row(&at, row, ERI_COUNT(row));
    }
    assert_true(*at == '\0');
    free(text);
    motion_free(&l.s.m);
}

static void forces_are_arrays(void **state)
{
    static const char *const names[] = {"a, b", "body 2"}, *const joints[] = {"a, b", "slide"},
                             *const coordinates[] = {"tx", "ty", "z"};
    static const int of[] = {0, 0, 1};
    static loaded l;
    double force[FRAMES * FEET * 3], centre[FRAMES * FEET * 3], twist[FRAMES * FEET], residual[FRAMES * 6],
        reaction[FRAMES * JOINTS * 6];
    load_up(&l);
    for (int i = 0; i < FRAMES * FEET; ++i) {
        numbers_of(&l.load[i].force, 1, force + 3 * i);
        numbers_of(&l.load[i].centre, 1, centre + 3 * i);
        twist[i] = l.load[i].twist;
    }
    numbers_of((const er_vec3 *)l.residual, 2 * FRAMES, residual);
    numbers_of((const er_vec3 *)l.s.reaction, 2 * FRAMES * JOINTS, reaction);
    for (int feet = FEET; feet >= 0; feet -= FEET) {
        size_t some = (size_t)feet;
        l.loads.foot_count = feet;
        assert_int_equal(er_loads_write_npz(context, &l.loads, path), ER_OK);
        archive a = open_archive();
        assert_int_equal(a.count, 13);
        same_numbers(&a, "time", shape_of(1, FRAMES, 0, 0), l.s.m.time, FRAMES);
        same_words(&a, "joint_names", JOINTS, joints);
        same_words(&a, "coordinate_names", COORDINATES, coordinates);
        same_integers(&a, "coordinate_joint", shape_of(1, COORDINATES, 0, 0), of, COORDINATES);
        same_numbers(&a, "force", shape_of(2, FRAMES, COORDINATES, 0), l.s.m.q, FRAMES * COORDINATES);
        same_numbers(&a, "passive", shape_of(2, FRAMES, COORDINATES, 0), l.passive, FRAMES * COORDINATES);
        same_numbers(&a, "power", shape_of(2, FRAMES, COORDINATES, 0), l.s.rate, FRAMES * COORDINATES);
        same_numbers(&a, "reaction", shape_of(3, FRAMES, JOINTS, 6), reaction, ERI_COUNT(reaction));
        same_words(&a, "foot_names", feet, names);
        same_numbers(&a, "ground_force", shape_of(3, FRAMES, some, 3), force, FRAMES * some * 3);
        same_numbers(&a, "ground_centre", shape_of(3, FRAMES, some, 3), centre, FRAMES * some * 3);
        same_numbers(&a, "ground_twist", shape_of(2, FRAMES, some, 0), twist, FRAMES * some);
        same_numbers(&a, "residual", shape_of(2, FRAMES, 6, 0), residual, ERI_COUNT(residual));
        free(a.bytes);
    }
    motion_free(&l.s.m);
}

static void forces_that_are_none_are_refused(void **state)
{
    static loaded l;
    static const int nobody[FEET] = {0, 3};
    load_up(&l);
    er_loads none = l.loads;
    none.power = NULL;
    assert_refusal(context, er_loads_write_csv(context, &none, path), ER_ERROR_ARGUMENT, "er_loads_write_csv");
    none = l.loads;
    none.foot = nobody;
    assert_refusal(context, er_loads_write_npz(context, &none, path), ER_ERROR_ARGUMENT, "foot 1");
    l.load[3].twist = NAN;
    assert_refusal(context, er_loads_write_csv(context, &l.loads, path), ER_ERROR_ARGUMENT, "load");
    l.load[3].twist = 0.0;
    l.passive[2] = 1e51;
    assert_refusal(context, er_loads_plot(context, &l.loads, NULL, path), ER_ERROR_ARGUMENT, "passive");
    motion_free(&l.s.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_rows_of_tables),
        cmocka_unit_test(bodies_move_along_the_axes_of_the_world),
        cmocka_unit_test(contacts_are_rows_of_their_frames),
        cmocka_unit_test(impacts_are_rows_at_their_times),
        cmocka_unit_test(frames_are_arrays),
        cmocka_unit_test(frames_that_are_none_are_refused),
        cmocka_unit_test(forces_are_rows_of_a_table),
        cmocka_unit_test(forces_are_arrays),
        cmocka_unit_test(forces_that_are_none_are_refused),
        cmocka_unit_test(places_are_arrays),
        cmocka_unit_test(trials_are_rows),
        cmocka_unit_test(modes_are_rows_and_arrays),
        cmocka_unit_test(curves_are_arrays),
        cmocka_unit_test(matrices_are_whole_or_triplets),
        cmocka_unit_test(matrices_of_another_rig_are_refused),
    };
    return cmocka_run_group_tests_name("tables", tests, open_folder, close_folder);
}

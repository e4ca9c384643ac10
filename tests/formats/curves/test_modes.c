// Files of modes: what is refused, and what is left behind when memory ends. Programs read them (tests/tools/eigenrig).
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "motions.h"
#include "support/judge.h"

static char folder[] = "modes-XXXXXX", path[64];
static er_context *context;

// A rig, its modes and matrices, and a figure of its last mode.
typedef struct sample {
    er_model *model;
    er_modes *modes;
    er_modal_matrices *matrices;
    er_pose pose[RIG_MAX];
    er_mode_shape shape;
    er_modes_figure figure;
} sample;

static void make(sample *s)
{
    dice d = {5};
    rig r;
    rig_random(&r, &d, true);
    s->model = rig_model(context, &r);
    s->modes = rig_modes(context, s->model, ER_MODAL_AUTO);
    assert_int_equal(er_modal_matrices_create(context, s->model, NULL, &s->matrices), ER_OK);
    for (int b = 0; b < s->model->body_count; ++b)
        s->pose[b] = s->model->body[b].pose;
    s->shape = (er_mode_shape){s->modes->count - 1, "a joint, another", {s->pose, s->pose}};
    s->figure = (er_modes_figure){"title", "", s->model, s->modes, {0, 0, -1}, 1, &s->shape};
}

static void forget(sample *s)
{
    er_modal_matrices_destroy(s->matrices);
    er_modes_destroy(s->modes);
    er_model_destroy(s->model);
}

static er_result write_one(int which, er_context *own, const sample *s)
{
    switch (which) {
    case 0:
        return er_modes_write_csv(own, s->model, s->modes, path);
    case 1:
        return er_modes_write_npz(own, s->model, s->modes, path);
    case 2:
        return er_modal_matrices_write_npz(own, s->model, s->matrices, path);
    default:
        return er_modes_plot(own, &s->figure, path);
    }
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    sample s;
    make(&s);
    for (int which = 0; which < 4; ++which) {
        er_result r = ER_ERROR_MEMORY;
        long k = 0;
        for (; r != ER_OK; ++k) {
            ledger l = {.left = LEDGER_ALL};
            er_context *own = ledger_context(&l);
            l.left = k;
            r = write_one(which, own, &s);
            assert_true(r == ER_OK || (r == ER_ERROR_MEMORY && er_context_error(own)[0] != '\0'));
            assert_int_equal(count_files(folder), r == ER_OK);
            ledger_end(&l, own);
        }
        assert_true(k >= 3);
        unlink(path);
    }
    forget(&s);
}

// ---- NPZ

// The numbers of an array of the file, whose entries are stored as they are; NULL where there is none of that name.
static const double *array(const char *bytes, size_t size, const char *name, size_t count)
{
    static double numbers[4096];
    char entry[64];
    unsigned short header = 0;
    snprintf(entry, sizeof entry, "%s.npy", name);
    const char *at = memmem(bytes, size, entry, strlen(entry));
    if (at == NULL || at[-1] == '_') return NULL; // the end of a longer name
    at = memmem(at, (size_t)(bytes + size - at), "\x93NUMPY", 6);
    assert_non_null(at);
    memcpy(&header, at + 8, sizeof header);
    assert_true(count <= 4096 && at + 10 + header + 8 * count <= bytes + size);
    memcpy(numbers, at + 10 + header, count * sizeof *numbers);
    return numbers;
}

// A rod on three springy hinges of the world, one of them damped or all as they are stiff: each mode with its own
// shape, or mixed.
static er_modes *damped_modes(double damping, bool alike, er_model **model)
{
    rig r = {0};
    for (int i = 0; i < 3; ++i) {
        er_pose at = {er_q_identity(), er_v3(0.3 * i, 0.1 * i * i, 0)};
        rig_add_body(&r, 1.0 + i, er_v3(0.1, 0.2, 0.3), er_q_identity(), er_v3(0.3 * i + 0.2, 0, 0.1), at);
        er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, i - 1, i, at);
        j->stiffness[0] = 10.0;
        j->damping[0] = alike || i == 1 ? damping : 0.0;
    }
    *model = rig_model(context, &r);
    return rig_modes(context, *model, ER_MODAL_AUTO);
}

// mu = -decay +- 2 pi i damped_hz; the shape of a pair's second root is the conjugate of the first's, that of a mode by
// itself 1 in its own place.
static void roots_and_their_shapes_are_those_of_the_modes(void **state)
{
    (void)state;
    static const struct {
        double damping;
        bool alike;
    } cases[] = {{0.02, false}, {0.02, true}, {20.0, false}, {0.0, true}};
    int pairs = 0, slow = 0, mixed = 0;
    for (int i = 0; i < 4; ++i) {
        er_model *model;
        er_modes *modes = damped_modes(cases[i].damping, cases[i].alike, &model);
        size_t size, n = (size_t)modes->count;
        bool any = false;
        assert_int_equal(er_modes_write_npz(context, model, modes, path), ER_OK);
        char *bytes = read_bytes(path, &size);
        const double *root = array(bytes, size, "root", 4 * n);
        assert_int_equal(root != NULL, modes->damped_count > 0);
        for (int k = 0; k < modes->damped_count; ++k) {
            const er_damped_mode *d = &modes->damped[k];
            double beat = 2.0 * ER_PI * modes->mode[k].damped_hz;
            assert_true(root[4 * k] == -d->decay[0] && root[4 * k + 2] == -d->decay[1]);
            assert_true(fabs(root[4 * k + 1] - beat) <= 1e-14 * beat && root[4 * k + 3] == -root[4 * k + 1]);
            any |= d->shape[0] != NULL;
            pairs += beat > 0.0;
            slow += beat == 0.0;
        }
        const double *shape = array(bytes, size, "damped_shape", 4 * n * n);
        assert_int_equal(shape != NULL, any);
        mixed += any;
        for (size_t k = 0; any && k < n; ++k)
            for (size_t of = 0; of < n; ++of) {
                const er_damped_mode *d = &modes->damped[k];
                const double *one = shape + 2 * (2 * k * n + of), *other = one + 2 * n;
                bool own = d->shape[0] == NULL, pair = modes->mode[k].damped_hz > 0.0;
                double first = own ? of == k : d->shape[0][of], second = own ? of == k : d->shape[1][of];
                assert_true(one[0] == first && other[0] == (pair ? first : second));
                assert_true(one[1] == (pair && !own ? second : 0.0) && other[1] == -one[1]);
            }
        free(bytes);
        unlink(path);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
    assert_true(pairs > 0 && slow > 0 && mixed > 0 && mixed < 4);
}

// ---- drawings

static char *drawn(const er_modes_figure *figure)
{
    size_t size;
    if (er_modes_plot(context, figure, path) != ER_OK) fail_msg("%s", er_context_error(context));
    char *bytes = read_bytes(path, &size), *text = realloc(bytes, size + 1);
    assert_non_null(text);
    text[size] = '\0';
    unlink(path);
    return text;
}

// A stem a mode, where its frequency is on an axis that is linear or logarithmic; those with a shape are named.
static void expect_spectrum(const char *text, const er_modes_figure *figure, bool logarithmic)
{
    const er_modes *modes = figure->modes;
    const char *at = strstr(text, "<g id=\"spectrum\">");
    double x[RIG_MAX * 6], y, bottom = 0.0, slope = 0.0, first = 0.0;
    int count = 0;
    assert_non_null(at);
    at = strstr(at, " d=\"") + 4;
    for (int used; sscanf(at, "M%lf %lfv-8%n", &x[count], &y, &used) == 2; at += used, ++count)
        bottom = y;
    for (int k = 0, stem = 0; k < modes->count; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        double hz = modes->mode[k].frequency_hz, value = logarithmic ? log(hz) : hz;
        if (stem == 0) first = value;
        if (stem == count - 1) slope = (x[stem] - x[0]) / (value - first);
        ++stem;
    }
    assert_true(count > 2 && slope > 0.0);
    for (int k = 0, stem = 0; k < modes->count; ++k) {
        double hz = modes->mode[k].frequency_hz, value = logarithmic ? log(hz) : hz;
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        assert_true(fabs(x[stem++] - x[0] - slope * (value - first)) < 0.03);
    }
    for (int i = 0; i < figure->shape_count; ++i) {
        char name[40];
        double from, low;
        int stem = figure->shape[i].mode - (modes->count - count);
        snprintf(name, sizeof name, ">%d  a joint<", figure->shape[i].mode);
        const char *line = strstr(at, name);
        if (line == NULL) fail_msg("no name \"%s\"", name);
        while (strncmp(line, "<path", 5) != 0)
            --line;
        assert_int_equal(sscanf(line, "<path d=\"M%lf %lfV", &from, &low), 2);
        assert_true(fabs(from - x[stem]) < 0.02 && low == bottom);
    }
}

static void expect_page(const char *text, const er_modes_figure *figure)
{
    double wide, tall, x, y;
    assert_int_equal(sscanf(strstr(text, "viewBox="), "viewBox=\"0 0 %lf %lf\"", &wide, &tall), 2);
    for (const char *at = text; (at = strpbrk(at, "ML")) != NULL; ++at)
        if (sscanf(at + 1, "%lf %lf", &x, &y) == 2) assert_true(x >= 0.0 && x <= wide && y >= 0.0 && y <= tall);
    const char *at = strstr(text, "<g id=\"spectrum\">");
    for (int i = 0; i < figure->shape_count; ++i) {
        char group[40], hz[40];
        snprintf(group, sizeof group, "<g id=\"mode_%d\">", figure->shape[i].mode);
        snprintf(hz, sizeof hz, ">%#.4g Hz<", er_modes_find(figure->modes, figure->shape[i].mode)->frequency_hz);
        at = strstr(at, group);
        assert_non_null(at);
        assert_non_null(strstr(at, hz));
    }
    assert_null(strstr(at + 1, "<g id="));
    assert_int_equal(strstr(text, "No mode but rigid ones.") != NULL, figure->shape_count == 0);
}

static void figures_show_the_spectrum_and_the_shapes(void **state)
{
    (void)state;
    bool seen[2] = {false, false};
    for (int stiff = 0; stiff < 2; ++stiff) {
        rig r = {0};
        for (int i = 0; i < 6; ++i) { // a chain to the world; stiff: softer and softer by a factor of ten
            er_pose at = {er_q_identity(), er_v3(0.3 * i, 0, 0)};
            rig_add_body(&r, 1.0, er_v3(0.01, 0.01, 0.01), er_q_identity(), er_v3(0.3 * i + 0.15, 0, 0), at);
            rig_add_joint(&r, ER_JOINT_REVOLUTE, stiff ? i - 1 : -1, i, at)->stiffness[0] =
                10.0 * (stiff ? pow(0.1, i) : 1.0 + 0.5 * i);
        }
        er_model *model = rig_model(context, &r);
        er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
        er_pose rest[6], end[6];
        for (int b = 0; b < 6; ++b) {
            rest[b] = end[b] = model->body[b].pose;
            end[b].q = er_q_exp(er_v3(0, 0, 0.1 * b));
        }
        const er_mode_shape shape[] = {{0, "a joint, another", {end, rest}},
                                       {2, "a joint", {rest, end}},
                                       {5, "a joint, one, two, three", {end, end}}};
        for (int shapes = 0; shapes <= 3; shapes += 3) {
            er_modes_figure figure = {"title", "below it", model, modes, {0, 1, 0}, shapes, shape};
            char *text = drawn(&figure);
            assert_int_equal(modes->count, 6);
            bool far = modes->mode[5].frequency_hz > 10.0 * modes->mode[0].frequency_hz;
            seen[far] = true;
            expect_spectrum(text, &figure, far);
            expect_page(text, &figure);
            free(text);
        }
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
    assert_true(seen[0] && seen[1]);
}

// Labels of stems ascend and stand apart; those that touch are as near to their stems as that lets them: in the middle
// of them all, and no first few of them would rather stand farther left, nor the rest farther right.
static void expect_labels(const char *text, int count)
{
    enum { MOST = 64 };
    const double apart = 10.0, rounding = 0.02;
    double stem[MOST], label[MOST];
    const char *at = strstr(text, "<g id=\"spectrum\">");
    for (int i = 0; i < count; ++i) {
        do
            at = strstr(at + 1, "<path d=\"M");
        while (at != NULL && sscanf(at, "<path d=\"M%lf %*fV%*fL%lf", &stem[i], &label[i]) != 2);
        assert_non_null(at);
        assert_true(i == 0 || label[i] - label[i - 1] > apart - rounding);
    }
    for (int first = 0, next; first < count; first = next) {
        double off = 0.0;
        for (next = first + 1; next < count && label[next] - label[next - 1] < apart + rounding;)
            ++next;
        bool held_left = label[first] < 4.0 + rounding, held_right = next == count; // by the page's edges
        for (int i = first; i < next; ++i) {
            off += stem[i] - label[i];
            assert_true(held_left || held_right || off > -rounding * count);
        }
        assert_true(held_right || off < rounding * count);
        assert_true(held_left || off > -rounding * count);
    }
}

static void labels_stand_as_near_to_their_stems_as_they_can(void **state)
{
    (void)state;
    enum { BODIES = 14 };
    dice d = {31};
    for (int trial = 0; trial < 20; ++trial) {
        rig r = {0};
        for (int i = 0; i < BODIES; ++i) { // each on a hinge of its own
            er_pose at = {er_q_identity(), er_v3(0.3 * i, 0, 0)};
            double hz = dice_uniform(&d, 1.0, 10.0);
            rig_add_body(&r, 1.0, er_v3(0.01, 0.01, 0.01), er_q_identity(), er_v3(0.3 * i + 0.15, 0, 0), at);
            rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, i, at)->stiffness[0] = hz * hz;
        }
        er_model *model = rig_model(context, &r);
        er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
        er_pose rest[BODIES];
        er_mode_shape shape[BODIES];
        for (int b = 0; b < BODIES; ++b) {
            rest[b] = model->body[b].pose;
            shape[b] = (er_mode_shape){b, "a joint", {rest, rest}};
        }
        er_modes_figure figure = {"title", "", model, modes, {0, 1, 0}, BODIES, shape};
        char *text = drawn(&figure);
        expect_labels(text, BODIES);
        free(text);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

// ---- shapes

enum { LINKS = 4, SHAPES = 7, PAPER_CELL = 120, PAPER_ROOM = 106, PAPER_TALLEST = 150 }; // points

// Lines of the skeleton: bodies from where they hang to what hangs on them, the last as far behind its centre of mass.
static void skeleton(const er_model *m, const er_pose *pose, er_vec3 out[2 * LINKS])
{
    for (int b = 0; b < LINKS; ++b) {
        er_pose by = er_pose_mul(pose[b], er_pose_inverse(m->body[b].pose));
        er_vec3 from = m->joint[b].frame.p, com = er_pose_point(m->body[b].pose, m->body[b].com);
        er_vec3 to = b + 1 < LINKS ? m->joint[b + 1].frame.p : er_v3_sub(er_v3_scale(2.0, com), from);
        out[2 * b] = er_pose_point(by, from);
        out[2 * b + 1] = er_pose_point(by, to);
    }
}

static er_vec3 axis_called(const char *name)
{
    bool minus = strncmp(name, "\xE2\x88\x92", 3) == 0;
    char letter = name[minus ? 3 : 0];
    er_vec3 v = er_v3(letter == 'x', letter == 'y', letter == 'z');
    return minus ? er_v3_scale(-1.0, v) : v;
}

static double squares_on_paper(er_vec3 right, er_vec3 up, const er_vec3 *is, const er_vec3 *was)
{
    double sum = 0.0;
    for (int k = 1; k < 2 * LINKS; k += 2) { // of the ends of lines
        er_vec3 d = er_v3_sub(is[k], was[k]);
        sum += er_v3_dot(d, right) * er_v3_dot(d, right) + er_v3_dot(d, up) * er_v3_dot(d, up);
    }
    return sum;
}

typedef struct box {
    double low[2], high[2];
} box;

// A shape's three drawings: the skeleton at rest and at both ends, seen along one axis, all to one scale and in the
// middle of its cell.
static void expect_shape(const char *group, const er_model *m, const er_mode_shape *shape, er_vec3 world_up,
                         double *scale, box *on_paper)
{
    er_pose rest[LINKS];
    er_vec3 line[3][2 * LINKS];
    char name[2][16];
    for (int b = 0; b < LINKS; ++b)
        rest[b] = m->body[b].pose;
    skeleton(m, rest, line[0]);
    skeleton(m, shape->end[1], line[1]);
    skeleton(m, shape->end[0], line[2]);
    const char *axes = strstr(group, "font-size=\"6\"");
    assert_int_equal(sscanf(strchr(axes, '>'), ">%15[^<]", name[0]), 1);
    axes = strstr(axes + 1, "font-size=\"6\"");
    assert_int_equal(sscanf(strchr(axes, '>'), ">%15[^<]", name[1]), 1);
    er_vec3 right = axis_called(name[0]), up = axis_called(name[1]);
    // up is the axis nearest to it, or points at the reader; another view would not show a tenth more
    double most = fmax(fabs(world_up.x), fmax(fabs(world_up.y), fabs(world_up.z)));
    assert_true(er_v3_dot(up, world_up) == most || fabs(er_v3_dot(er_v3_cross(right, up), world_up)) == most);
    double seen = squares_on_paper(right, up, line[2], line[0]);
    for (int hidden = 0; hidden < 3; ++hidden) {
        er_vec3 a = er_v3(hidden != 0, 0, hidden == 0), b = er_v3(0, hidden != 1, hidden == 1);
        assert_true(squares_on_paper(a, b, line[2], line[0]) <= 1.1 * 1.1 * seen * (1.0 + 1e-9));
    }
    const char *at = group;
    double shift[2] = {0.0, 0.0};
    *on_paper = (box){{1e9, 1e9}, {-1e9, -1e9}};
    for (int pose = 0; pose < 3; ++pose) {
        at = strstr(at + 1, "<path d=\"") + strlen("<path d=\"");
        for (int k = 0, used; k < 2 * LINKS; k += 2, at += used) {
            double xy[4];
            assert_int_equal(sscanf(at, "M%lf %lfL%lf %lf%n", &xy[0], &xy[1], &xy[2], &xy[3], &used), 4);
            for (int end = 0; end < 2; ++end) {
                er_vec3 x = line[pose][k + end];
                double want[2] = {er_v3_dot(x, right), -er_v3_dot(x, up)};
                if (pose == 0 && k == 0 && end == 0) {
                    double wide =
                        hypot(er_v3_dot(er_v3_sub(line[0][1], x), right), er_v3_dot(er_v3_sub(line[0][1], x), up));
                    if (*scale == 0.0) *scale = hypot(xy[2] - xy[0], xy[3] - xy[1]) / wide;
                    for (int i = 0; i < 2; ++i)
                        shift[i] = xy[i] - *scale * want[i];
                }
                for (int i = 0; i < 2; ++i) {
                    double got = xy[2 * end + i];
                    measure_at_most("line of a shape", fabs(got - shift[i] - *scale * want[i]),
                                    0.25); // of a scale read off
                    on_paper->low[i] = fmin(on_paper->low[i], got);
                    on_paper->high[i] = fmax(on_paper->high[i], got);
                }
            }
        }
        assert_true(*at == '"'); // no line more
    }
}

static void shapes_are_skeletons_in_their_cells(void **state)
{
    (void)state;
    static const er_vec3 ups[] = {{0, 1, 0}, {0, 0.1, -1}, {-1, 0.2, 0.3}};
    dice d = {77};
    rig r = {0};
    er_vec3 at = er_v3(0, 0, 0);
    for (int i = 0; i < LINKS; ++i) {
        er_vec3 next = er_v3_add(at, er_v3_add(er_v3(0.5, 0, 0), er_v3_scale(0.3, dice_vec3(&d))));
        rig_add_body(&r, 1.0, er_v3(0.01, 0.01, 0.01), er_q_identity(), er_v3_scale(0.5, er_v3_add(at, next)),
                     (er_pose){dice_quat(&d), dice_vec3(&d)});
        er_joint *j = rig_add_joint(&r, ER_JOINT_SPHERICAL, i - 1, i, (er_pose){er_q_identity(), at});
        j->stiffness[0] = 1.0;
        j->stiffness[1] = 2.0;
        j->stiffness[2] = 3.0 + i;
        at = next;
    }
    er_model *model = rig_model(context, &r);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    for (size_t u = 0; u < ERI_COUNT(ups); ++u) {
        static er_pose end[2][SHAPES][LINKS];
        er_mode_shape shape[SHAPES];
        for (int k = 0; k < SHAPES; ++k) {
            for (int side = 0; side < 2; ++side)
                for (int b = 0; b < LINKS; ++b) {
                    er_pose by = {er_q_exp(er_v3_scale((side == 0 ? 0.2 : -0.2) * (1 + k % 3), dice_vec3(&d))),
                                  er_v3_scale(0.1, dice_vec3(&d))};
                    end[side][k][b] = er_pose_mul(by, model->body[b].pose);
                }
            shape[k] = (er_mode_shape){k + 2, "a joint", {end[0][k], end[1][k]}};
        }
        const er_modes_figure figure = {"title", "", model, modes, ups[u], SHAPES, shape};
        char *text = drawn(&figure);
        double scale = 0.0, widest = 0.0, tallest = 0.0, middle[SHAPES];
        for (int k = 0; k < SHAPES; ++k) {
            char group[40];
            box b;
            snprintf(group, sizeof group, "<g id=\"mode_%d\">", k + 2);
            expect_shape(strstr(text, group), model, &shape[k], ups[u], &scale, &b);
            widest = fmax(widest, b.high[0] - b.low[0]);
            tallest = fmax(tallest, b.high[1] - b.low[1]);
            middle[k] = 0.5 * (b.low[1] + b.high[1]);
            measure_at_most("middle of a shape across",
                            fabs(0.5 * (b.low[0] + b.high[0]) - PAPER_CELL * (k % 4) - 60.0), 0.02);
            measure_at_most("middle of a shape in its row", fabs(middle[k] - middle[k / 4 * 4]), 0.02);
            // its number and frequency stand below it, side by side, above its label
            double left, base, after, same, label_left, label;
            const char *words = strstr(strstr(text, group), "font-weight=\"bold\"");
            while (strncmp(words, "<text", 5) != 0)
                --words;
            assert_int_equal(sscanf(words, "<text x=\"%lf\" y=\"%lf\"", &left, &base), 2);
            words = strstr(words + 1, "<text");
            assert_int_equal(sscanf(words, "<text x=\"%lf\" y=\"%lf\"", &after, &same), 2);
            words = strstr(words + 1, "<text");
            assert_int_equal(sscanf(words, "<text x=\"%lf\" y=\"%lf\"", &label_left, &label), 2);
            assert_true(base == same && after > left + 5.0 && label_left == left && label >= base + 8.0);
            assert_true(left >= PAPER_CELL * (k % 4) && base > b.high[1] && base < b.low[1] + PAPER_TALLEST + 40.0);
            assert_true(k < 4 || b.low[1] > middle[k - 4]);
        }
        // as large as the page lets them be, and the second row a whole shape below the first
        bool wide = fabs(widest - PAPER_ROOM) < 0.1, tall = fabs(tallest - PAPER_TALLEST) < 0.1;
        assert_true((wide && tallest < PAPER_TALLEST + 0.1) || (tall && widest < PAPER_ROOM + 0.1));
        assert_true(middle[4] - middle[0] >= fmax(tallest, 36.0) + 24.0 &&
                    middle[4] - middle[0] <= fmax(tallest, 36.0) + 40.0);
        free(text);
    }
    er_modes_destroy(modes);
    er_model_destroy(model);
}

// ---- what is wrong

static void refused(const er_modes_figure *figure, const char *to, const char *says)
{
    assert_int_equal(er_modes_plot(context, figure, to), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), says));
    assert_int_equal(count_files(folder), 0);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    sample s;
    make(&s);
    assert_int_equal(er_modes_write_csv(context, NULL, s.modes, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_write_csv(context, s.model, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_write_npz(context, s.model, s.modes, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_write_npz(NULL, s.model, s.modes, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_matrices_write_npz(context, s.model, NULL, path), ER_ERROR_ARGUMENT);
    rig r = {0};
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    er_model *other = rig_model(context, &r);
    assert_int_equal(er_modal_matrices_write_npz(context, other, s.matrices, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_write_csv(context, other, s.modes, path), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), "another rig"));
    assert_int_equal(er_modes_write_npz(context, other, s.modes, path), ER_ERROR_ARGUMENT);
    s.figure.model = other;
    refused(&s.figure, path, "another rig");
    s.figure.model = s.model;
    er_model_destroy(other);
    s.figure.up = er_v3(0, 0, 0);
    refused(&s.figure, path, "points nowhere");
    s.figure.up = er_v3(0, 0, -1);
    const er_mode_shape twice[] = {s.shape, s.shape};
    s.figure.shape = twice;
    s.figure.shape_count = 2;
    refused(&s.figure, path, "modes must ascend");
    s.figure.shape = &s.shape;
    s.figure.shape_count = 1;
    refused(NULL, path, "needs a model");
    refused(&s.figure, NULL, "needs a model");
    s.shape.mode = 1000000;
    refused(&s.figure, path, "mode 1000000");
    s.shape.mode = 0;
    s.pose[1].p.x = INFINITY;
    refused(&s.figure, path, "body 1");
    s.figure.shape = NULL;
    refused(&s.figure, path, "as many shapes");
    forget(&s);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.file", folder);
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    assert_int_equal(rmdir(folder), 0); // nothing was left there
    er_context_destroy(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_allocation_may_fail),
                                       cmocka_unit_test(figures_show_the_spectrum_and_the_shapes),
                                       cmocka_unit_test(labels_stand_as_near_to_their_stems_as_they_can),
                                       cmocka_unit_test(roots_and_their_shapes_are_those_of_the_modes),
                                       cmocka_unit_test(wrong_calls_are_refused),
                                       cmocka_unit_test(shapes_are_skeletons_in_their_cells)};
    return cmocka_run_group_tests_name("files_of_modes", tests, set_up, tear_down);
}

// A digest of all that a picture consists of: a target that shows it already is not drawn again.
#include <string.h>

#include "viewer/draw/forms.h"

// FNV's step on eight bytes at a time. The high half is folded down, because products carry only upwards.
static uint64_t add_word(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x100000001b3u;
    return sum ^ sum >> 32;
}

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    sum = add_word(sum, size);
    for (; size > 0;) {
        uint64_t word = 0;
        size_t taken = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, taken);
        sum = add_word(sum, word);
        at += taken;
        size -= taken;
    }
    return sum;
}

static uint64_t add_stream(uint64_t sum, const stream *s)
{
    return add_bytes(sum, s->data, s->size);
}

static uint64_t add_solids(const struct solids *s, uint64_t sum)
{
    sum = add_bytes(sum, &s->stage, sizeof s->stage);
    if (s->stage.image != NULL) sum = add_bytes(sum, &s->stage.image->serial, sizeof s->stage.image->serial);
    for (const draw_form *f = s->first; f != NULL; f = f->next) {
        sum = add_bytes(sum, &f->serial, sizeof f->serial);
        sum = add_stream(sum, &f->placed);
    }
    return add_stream(sum, &s->translucent);
}

// Padding of structs may differ between equal pictures. Those are drawn again, which does no harm.
uint64_t painter_digest(const painter *p)
{
    const void *const part[] = {p->part, &p->camera, &p->style, p->depth, p->cast, p->foot, &p->floor, &p->radius};
    const size_t size[] = {sizeof p->part, sizeof p->camera, sizeof p->style, sizeof p->depth,
                           sizeof p->cast, sizeof p->foot,   sizeof p->floor, sizeof p->radius};
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof part / sizeof *part; ++i)
        sum = add_bytes(sum, part[i], size[i]);
    for (int i = 0; i < p->run_count; ++i) {
        const run *r = &p->run[i];
        const unsigned of_run[4] = {r->model->serial, r->kind, (unsigned)r->page, (unsigned)r->count};
        sum = add_bytes(sum, of_run, sizeof of_run);
    }
    for (int i = 0; i < p->page_count; ++i)
        sum = add_stream(sum, &p->page[i].texels);
    for (int l = 0; l < LAYER_COUNT; ++l)
        for (int k = 0; k < SHAPE_COUNT; ++k)
            sum = add_stream(sum, &p->shapes[l][k]);
    sum = add_stream(sum, &p->lines);
    return solids_active(p) ? add_solids(p->solids, sum) : sum;
}

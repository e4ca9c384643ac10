// See context.h.
#include "context.h"

#include <stdlib.h>
#include <string.h>

#include "hand.h"
#include "judge.h"
#include "sample.h"

er_context *context;

int set_up(void **state)
{
    (void)state;
    context = hand_context();
    return 0;
}

typedef struct kept {
    void (*destroy)(void *object);
    void *object;
} kept;

static kept *all_kept;
static size_t kept_count;

void at_end(void (*destroy)(void *object), void *object)
{
    all_kept = realloc(all_kept, (kept_count + 1) * sizeof *all_kept);
    assert_non_null(all_kept);
    all_kept[kept_count++] = (kept){destroy, object};
}

int tear_down(void **state)
{
    (void)state;
    for (; kept_count > 0; --kept_count)
        all_kept[kept_count - 1].destroy(all_kept[kept_count - 1].object);
    free(all_kept);
    all_kept = NULL;
    measured_report();
    sample_remove_folder();
    er_context_destroy(context);
    return 0;
}

void assert_refusal(er_context *of, er_result result, er_result code, const char *named)
{
    if (result != code || strstr(er_context_error(of), named) == NULL)
        fail_msg("result %d and \"%s\" in place of %d with \"%s\"", result, er_context_error(of), code, named);
}

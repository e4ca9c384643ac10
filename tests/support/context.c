// See context.h.
#include "context.h"

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

int tear_down(void **state)
{
    (void)state;
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

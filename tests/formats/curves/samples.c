// Draws a motion of motions.c, for the Python tests:
//   motion_samples NAME OUT.svg
#include "motions.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    er_context *context = NULL;
    if (argc != 3 || er_context_create(NULL, &context) != ER_OK) return 2;
    motion m = motion_case(context, argv[1]);
    er_result r = er_curves_plot(context, &m.plot, argv[2]);
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    motion_free(&m);
    er_context_destroy(context);
    return r == ER_OK ? 0 : 1;
}

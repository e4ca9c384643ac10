// The natural modes of a rigged file, or of a rig file: modes MODEL
#include <eigenrig/eigenrig.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_opened *opened = NULL;
    er_modes *modes = NULL;
    if (argc < 2 || er_context_create(NULL, &context) != ER_OK) return 1;
    if (er_file_open(context, argv[1], NULL, NULL, &opened) != ER_OK ||
        er_modal_solve(context, opened->model, NULL, &modes) != ER_OK)
        fprintf(stderr, "%s\n", er_context_error(context));
    for (int k = 0; modes != NULL && k < modes->count; ++k)
        printf("%d  %.3f Hz\n", k, modes->mode[k].frequency_hz);
    int status = modes == NULL;
    er_modes_destroy(modes);
    er_opened_destroy(opened);
    er_context_destroy(context);
    return status;
}

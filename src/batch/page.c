#include "batch/run.h"

#include <string.h>

#include "batch/folder.h"

er_result batch_page_write(er_context *context, const batch_book *book, const char *path)
{
    (void)book;
    batch_file file;
    er_result r = batch_file_begin(context, path, &file);
    if (r != ER_OK) return r;
    return batch_file_end(context, &file, r);
}

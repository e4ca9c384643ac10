// Paths in the folder of a batch: manifest, timings, page, and the files of each shard.
#include <stdlib.h>

#include "tools/batch/folder.h"
#include "tools/batch/run.h"

er_result batch_paths_create(er_context *context, const char *output, int shard, int shards, batch_paths *out)
{
    char part[64] = "", own[64] = "whole";
    if (shards > 0) snprintf(part, sizeof part, ".%d-of-%d", shard, shards);
    if (shards > 0) snprintf(own, sizeof own, "%d-of-%d", shard, shards);
    *out = (batch_paths){.manifest = batch_path("%s/manifest%s.jsonl", output, part),
                         .timings = batch_path("%s/timings%s.jsonl", output, part),
                         .page = batch_path("%s/index.html", output),
                         .hidden = batch_path("%s/.batch", output),
                         .lock = batch_path("%s/.batch/lock", output),
                         .own = batch_path("%s/.batch/%s", output, own),
                         .own_lock = batch_path("%s/.batch/%s/lock", output, own),
                         .journal = batch_path("%s/.batch/%s/journal.jsonl", output, own),
                         .work = batch_path("%s/.batch/%s/work", output, own),
                         .ledger = batch_path("%s/.batch/%s/ledger.jsonl", output, own),
                         .trial = batch_path("%s/.batch/%s/trial", output, own)};
    bool whole = out->manifest != NULL && out->timings != NULL && out->page != NULL && out->hidden != NULL &&
                 out->lock != NULL && out->own != NULL && out->own_lock != NULL && out->journal != NULL &&
                 out->work != NULL && out->ledger != NULL && out->trial != NULL;
    return whole ? ER_OK : er_fail(context, ER_ERROR_MEMORY, "out of memory for the names of files");
}

void batch_paths_free(batch_paths *p)
{
    free(p->manifest);
    free(p->timings);
    free(p->page);
    free(p->hidden);
    free(p->lock);
    free(p->own);
    free(p->own_lock);
    free(p->journal);
    free(p->work);
    free(p->ledger);
    free(p->trial);
    *p = (batch_paths){0};
}

// The files that Assimp may open. It gets the model from memory under its bare name, so that every other path is a
// reference of the model, and the rule for references applies.
#include "tools/importer/assimp_files.h"

#include <assimp/cfileio.h>
#include <string.h>

#include "base/reference.h"

// An open file.
typedef struct open_file {
    struct aiFile file;
    er_arena *arena; // of what was read for it, and of this; NULL for the model
    imp_bytes bytes;
    size_t at;
} open_file;

static size_t read_file(struct aiFile *file, char *out, size_t size, size_t count)
{
    open_file *f = (open_file *)(void *)file->UserData;
    size_t left = f->at < f->bytes.size ? f->bytes.size - f->at : 0, items = size > 0 ? left / size : 0;
    if (items > count) items = count;
    if (items > 0) memcpy(out, f->bytes.at + f->at, items * size);
    f->at += items * size;
    return items;
}

static size_t write_file(struct aiFile *file, const char *bytes, size_t size, size_t count)
{
    (void)file, (void)bytes, (void)size, (void)count;
    return 0;
}

static size_t tell_file(struct aiFile *file)
{
    return ((open_file *)(void *)file->UserData)->at;
}

static size_t size_of_file(struct aiFile *file)
{
    return ((open_file *)(void *)file->UserData)->bytes.size;
}

// Like fseek(): offsets may be negative and may lead past the end.
static enum aiReturn seek_file(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    open_file *f = (open_file *)(void *)file->UserData;
    ptrdiff_t from = origin == aiOrigin_SET   ? 0
                     : origin == aiOrigin_CUR ? (ptrdiff_t)f->at
                                              : (ptrdiff_t)f->bytes.size,
              to;
    if (__builtin_add_overflow(from, (ptrdiff_t)offset, &to) || to < 0) return aiReturn_FAILURE;
    f->at = (size_t)to;
    return aiReturn_SUCCESS;
}

static void flush_file(struct aiFile *file)
{
    (void)file;
}

// Remembers the first reference that was refused because of its place.
static void note_refused(imp_assimp_files *files, const char *path)
{
    char meant[ER_FILE_NAME_MAX];
    bool fine = eri_reference_path(path, 0, meant) && (files->reader->allow_outside || !eri_reference_climbs(meant));
    if (fine) return;
    if (files->refused_count++ == 0) files->refused = imp_reader_text(files->reader, path);
}

static struct aiFile *open_for_assimp(struct aiFileIO *io, const char *path, const char *mode)
{
    imp_assimp_files *files = (imp_assimp_files *)(void *)io->UserData;
    bool model = strcmp(path, files->name) == 0;
    er_arena *arena = NULL;
    imp_bytes bytes = files->model;
    if (mode[0] != 'r' || strchr(mode, '+') != NULL) return NULL;
    if (eri_arena_create(files->reader->context, &arena) != ER_OK) return NULL;
    open_file *f = ERI_NEW(arena, open_file, 1);
    er_result r = f == NULL ? ER_ERROR_MEMORY
                  : model   ? ER_OK
                            : imp_reader_reference(files->reader, arena, path, false, SIZE_MAX, &bytes);
    if (r != ER_OK) {
        if (r == ER_ERROR_FILE) note_refused(files, path);
        eri_arena_destroy(arena);
        return NULL;
    }
    *f = (open_file){.arena = arena, .bytes = bytes};
    f->file = (struct aiFile){read_file, write_file, tell_file, size_of_file, seek_file, flush_file, (char *)f};
    return &f->file;
}

static void close_for_assimp(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    eri_arena_destroy(((open_file *)(void *)file->UserData)->arena);
}

void imp_assimp_files_begin(imp_assimp_files *files, imp_reader *reader, imp_bytes model)
{
    const char *slash = strrchr(reader->path, '/');
    *files = (imp_assimp_files){.io = {open_for_assimp, close_for_assimp, (char *)files},
                                .reader = reader,
                                .name = slash != NULL ? slash + 1 : reader->path,
                                .model = model};
}

er_result imp_assimp_files_note(imp_assimp_files *files)
{
    if (files->refused == NULL) return ER_OK;
    return imp_reader_note(
        files->reader, ER_NOTE_WARNING,
        "the file \"%.200s\"%s lies outside the model's folder, or is named by an absolute path, and "
        "was not read; put it beside the model, or allow files outside (--allow-outside)",
        files->refused, files->refused_count > 1 ? ", as others," : "");
}

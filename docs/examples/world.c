// A world from a file, simulated: world WORLD STEM, such as world models/bacin/9.2.cfg out, writes Bacin's animation
// (out.sur, out0.ste, out1.ste, ...) and the world as JSON, out.json.
#include <eigenrig/eigenrig.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_world_file *file = NULL;
    er_world *world = NULL;
    char path[300];
    if (argc < 3 || er_context_create(NULL, &context) != ER_OK) return 1;
    er_result r = er_world_file_read(context, argv[1], &file);
    if (r == ER_OK) r = er_world_create(context, &file->def, &world);
    if (r == ER_OK) r = er_world_set_state(world, file->time, file->pose, file->twist);
    snprintf(path, sizeof path, "%s.sur", argv[2]);
    if (r == ER_OK) r = er_world_file_write_surface(context, file, path);
    for (int k = 0; r == ER_OK && k <= file->frame_count; ++k) {
        r = er_world_advance(world, file->time + k * file->duration / file->frame_count, NULL);
        snprintf(path, sizeof path, "%s%d.ste", argv[2], k);
        if (r == ER_OK)
            r = er_world_file_write_frame(context, file, er_world_time(world), er_world_pose(world),
                                          er_world_twist(world), path);
    }
    snprintf(path, sizeof path, "%s.json", argv[2]);
    if (r == ER_OK) r = er_world_file_write(context, file, path);
    if (r != ER_OK) fprintf(stderr, "%s\n", er_context_error(context));
    er_world_destroy(world);
    er_world_file_destroy(file);
    er_context_destroy(context);
    return r != ER_OK;
}

// The program `eigenrig`: its table of commands, and main().
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/platform.h"
#include "tools/eigenrig/options.h"
#include "tools/program/openblas_threads.h"

static const command commands[] = {
    {"info", "print the rig that was found in a model: bodies, joints, masses, units, warnings",
     "MODEL [--json] [-o RIG.json|PICTURE.png]", "wrjoS", "eigenrig info horse.glb", run_info},
    {"modes", "compute the natural modes: a table, a palette file, matrices, a figure",
     "MODEL [-o PALETTE.json|OUT.csv|OUT.npz]", "wrmnkoJS", "eigenrig modes horse.glb --count 20", run_modes},
    {"palette", "write the model with one looping clip per elastic mode, or a page to play and mix them in any browser",
     "MODEL -o OUT.glb|OUT.html", "wrmpkoS", "eigenrig palette horse.glb -o horse.html", run_palette},
    {"animate", "write mixes of modes as clips and curves; the ending of OUT selects the format",
     "MODEL --mix MIX [--mix MIX] -o OUT", "wrmafboS", "eigenrig animate horse.glb --mix 7:15,9:8+90 -o trot.glb",
     run_animate},
    {"render", "draw pictures, contact sheets and films without a window",
     "MODEL [--mode K | --mix MIX | --preset NAME | --clip NAME | --gait NAME | --sheet] -o OUT", "wrdfboS",
     "eigenrig render horse.glb --sheet --count 12 -o horse_palette.png", run_render},
    {"view", "open the window: watch, mix, tune and export modes", "[MODEL]", "wrv", "eigenrig view horse.glb",
     run_view},
    {"gait", "find gaits in the modes of a rig: a table, clips with fixed feet, mixes, footfalls", "MODEL [-o OUT.glb]",
     "wrmgfboJS", "eigenrig gait horse.glb -o horse_gaits.glb", run_gait},
    {"simulate", "simulate a model or a world in full dynamics: frames, energies, joint loads, or the motion as a clip",
     "MODEL|WORLD -o FOLDER|OUT", "wrxoS",
     "eigenrig simulate horse.glb --gravity 0 --push tail_1:20@0.5 -o horse_simulated.glb", run_simulate},
    {"follow", "let tail, ears, hair or straps follow through on a model's clips, in loops that close",
     "MODEL --parts NAMES [--clip CLIP] -o OUT", "wrFboS",
     "eigenrig follow fox.glb --clip Run --parts tail,ears -o fox_run.glb", run_follow},
    {"inverse",
     "find the forces of a motion: joint torques, powers and ground reaction forces of a clip, a mix or a gait",
     "MODEL [--clip NAME | --mix MIX | --gait NAME] -o OUT.csv", "wrmifboS",
     "eigenrig inverse horse.glb --gait trot -o horse_trot.csv -o horse_trot.svg", run_inverse},
    {"validate", "test how far modes hold in full dynamics: frequency shift and leakage over amplitude",
     "MODEL [-o TRIALS.csv]", "wrmtoJS", "eigenrig validate horse.glb --count 6 -o horse_trials.csv", run_validate},
    {"compare", "compare two versions of a rig: which mode became which, and what was changed",
     "OLD NEW [--tolerance PERCENT] [-o OUT.json]", "wrmCoJS",
     "eigenrig compare horse.glb horse_heavy.glb --tolerance 5", run_compare},
    {"run", "run a Lua script with the module eigenrig, or open a prompt", "SCRIPT.lua [ARGUMENT...]", "sS",
     "eigenrig run table.lua horse.glb", run_script},
    {"play", "play a living scene in Lua or the run of a world, with or without a window: films, arrays, scene files",
     "SCENE.scene.lua|WORLD [--headless -o OUT]", "wyoS", "eigenrig play models/scenes/truck.scene.lua", run_play},
    {"batch", "compute palettes of many models, with a manifest", "INPUT... -o DIR", "wrmpfbBS",
     "eigenrig batch characters --write json,page -o palettes", run_batch},
    {"cite", "print how to cite eigenrig and its method", "[text|bibtex]", "T", "eigenrig cite bibtex >> paper.bib",
     run_cite},
    {"licences", "print the licences of the libraries that eigenrig links or contains, and their texts", "[list]", "T",
     "eigenrig licences > licences.txt", run_licences},
    {"completion", "print the completion script of a shell", "bash|zsh|fish", "T", "source <(eigenrig completion bash)",
     run_completion},
    {"manual", "print a manual page of the program or of a command, for man", "[COMMAND]", "T",
     "eigenrig manual modes | man -l -", run_manual},
};
static const int command_count = (int)(sizeof commands / sizeof commands[0]);

static void print_program_help(FILE *out)
{
    fprintf(
        out,
        "eigenrig %s: the natural vibration modes of a rigged character\n\nUsage: eigenrig COMMAND MODEL [options]\n\n",
        er_version());
    for (int i = 0; i < command_count; ++i)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(out,
            "\nMODEL is a rigged file (glTF, GLB, FBX, Collada, BVH, X, ...), a rig file (JSON) or - for a rig "
            "file on standard "
            "input.\n\nExample:\n  eigenrig palette character.glb -o palette.glb\n\neigenrig COMMAND --help lists "
            "the options of a command.\neigenrig-bench is a program of its own: it measures what computations cost.\n");
}

static int fail_command(const char *word)
{
    suggestion closest = {.word = word, .best = suggest_command(word)};
    for (int i = 0; i < command_count; ++i)
        suggestion_try(&closest, commands[i].name);
    if (closest.best == NULL) return fail_usage("", "there is no command \"%s\"", word);
    return fail_usage("", "there is no command \"%s\"; did you mean %s", word, closest.best);
}

// `eigenrig bench` starts the program eigenrig-bench, which is installed beside this one.
static int start_bench(char **words)
{
    char path[4096];
    if (eri_beside("eigenrig-bench", path, sizeof path)) eri_process_become(path, words);
    print_note("error: %s: the program of `eigenrig bench` cannot be started; install it beside eigenrig", path);
    return EXIT_WORK;
}

static const command *find_command(const char *word)
{
    for (int i = 0; i < command_count; ++i)
        if (strcmp(commands[i].name, word) == 0) return &commands[i];
    return NULL;
}

int main(int argc, char **argv)
{
    eri_platform_fill_streams();
    keep_threads_in_limits(argv);
    eri_platform_ignore_file_limit();
    if (argc < 2) {
        print_program_help(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "version") == 0) {
        printf("eigenrig %s\n", er_version());
        return EXIT_DONE;
    }
    if (strcmp(word, "bench") == 0) return start_bench(argv + 1);
    const command *found = find_command(word);
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "help") == 0) {
        const command *of = argc > 2 ? find_command(argv[2]) : NULL;
        if (of != NULL)
            print_command_help(of, stdout);
        else
            print_program_help(stdout);
        return EXIT_DONE;
    }
    messages_begin("eigenrig", found != NULL ? found->name : "", errors_are_json(argv + 1));
    if (found == NULL && word[0] == '-') return fail_usage("", "there is no option \"%s\"", word);
    if (found == NULL && eri_platform_access(word, ERI_EXISTS))
        return fail_usage("", "there is no command \"%s\"; did you mean eigenrig info %s", word, word);
    if (found == NULL) return fail_command(word);

    er_context *context = NULL;
    options o = {.commands = commands, .command_count = command_count};
    if (er_context_create(NULL, &context) != ER_OK) return fail_work(context, ER_ERROR_MEMORY, NULL);
    int status = parse_options(found, argc - 1, argv + 1, context, &o);
    o.words = argv;
    o.word_count = argc;
    if (status == EXIT_DONE) status = check_input(context, found, &o);
    if (status == EXIT_DONE) {
        status = found->run(context, &o);
        if (fflush(stdout) != 0 || ferror(stdout)) {
            name_file("standard output", true);
            er_fail(context, ER_ERROR_FILE, "standard output: cannot be written");
            status = fail_work(context, ER_ERROR_FILE, NULL);
        }
        status = strict_status(&o, status);
    }
    er_context_destroy(context);
    free(o.given_option);
    return status < 0 ? EXIT_DONE : status;
}

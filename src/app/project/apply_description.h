/// @file
/// How a model is to become a rig: what somebody asks for, over what a description in Lua says (docs/lua.md).
#ifndef ERI_APP_PROJECT_APPLY_DESCRIPTION_H
#define ERI_APP_PROJECT_APPLY_DESCRIPTION_H

#include "app/description/description.h"
#include "app/project/project_motion.h"

/// What somebody asks for. Take project_default_request(), then change fields.
typedef struct project_request {
    er_rig_def rig; ///< but for pose_local, change and like                                [er_default_rig_def()]
    unsigned given; ///< bits of rig_settings.h: the settings that win over a description's       [0]
    bool walks;     ///< for gaits: where no pose is said the best to stand in, though rest would do            [false]
    const char *pose_file;   ///< for ER_POSE_GIVEN; NULL for none                                   [NULL]
    const char *pose_in;     ///< likewise: the description that names it, by pose_named; NULL: none [NULL]
    const char *pose_named;  ///< as it stands there                                                 [NULL]
    int place_count;         ///< likewise: places of bodies, where it is no file                    [0]
    const rig_place *place;  ///< [place_count]                                                   [NULL]
    const char *description; ///< its path; "none" for none; NULL: the one beside the model, if any  [NULL]
    const char *feet;        ///< er_gait_def.feet, in gaits' place; NULL: those that are found                 [NULL]
    er_vec3 forward;         ///< er_gait_def.forward, likewise; zero: read off the shape                       [zero]
    er_vec3 up;              ///< of the model, in place of what its file says; zero: that                     [zero]
    const char *plant;       ///< what mixes leave in its place, as project_find_plants() takes it; NULL: nothing [NULL]
    bool allow_outside;      ///< what a model and its description refer to may lie outside their folders       [false]
} project_request;
project_request project_default_request(void);

enum { PROJECT_NAMES_SIZE = 1024 }; ///< of patterns with commas between

/// A description that was found.
typedef struct project_description {
    char path[4096];
    open_description open_description;
    unsigned gives; ///< bits of rig_settings.h: the settings that it laid under what was asked
    char feet[PROJECT_NAMES_SIZE], plant[PROJECT_NAMES_SIZE]; ///< of project_drop_unknown()
} project_description;

/// The path of a model's description: the one that was asked for, or that of the one beside it. Whether there is one.
/// @param out  [size], written
bool project_find_description(const char *path, const project_request *request, char *out, size_t size);

/// Reads the description of a model.
/// @param out  ER_OK: a new object for project_description_close(), NULL where there is none; otherwise NULL
/// Errors   as description_open(): the message names the description. ER_ERROR_MEMORY
er_result project_read_description(er_context *context, const char *path, const project_request *request,
                                   project_description **out);

/// Reads the description of a model, and lays it under what was asked.
/// @param path   of the model; a rig file's "-" has none beside it
/// @param request  gets the settings that it did not name; borrows from `out`, rig.change too
/// @param out    ER_OK: a new object for project_description_close(), NULL where there is none; otherwise NULL
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT, ER_ERROR_ARGUMENT: the message names the description. ER_ERROR_MEMORY
er_result project_apply_description(er_context *context, const char *path, project_request *request,
                                    project_description **out);
void project_description_close(project_description *description); ///< NULL is fine

/// Local transforms of all nodes from the pose file, or with the bodies at the places, that were asked for.
/// @param out  ER_OK: [node_count of the scene], for free(), NULL where none was asked for; otherwise NULL
/// A file that a description names goes by the rule of er_file_open_reference(), and is read to 1 MiB and 1 KiB a node.
/// Errors   as er_pose_file_read(); as er_rig_build(), and ER_ERROR_ARGUMENT (a body that there is not)
er_result project_read_pose(er_context *context, const er_scene *scene, const project_request *request,
                            er_affine **out);

/// Whether it was a description that said which pose.
bool project_pose_is_described(const project_request *request);

/// What a word of a description stands for in a model.
/// @param kind   "joints", "bodies", "loops"
/// @param word   the pattern, or of a loop its child
/// @param count  of names; 0: there is nothing like it here, which was said to be fine
typedef void project_match(void *user, const char *kind, const char *word, int count, const char *const *name);

/// Tells what each entry of a description's change stands for, in its order.
/// @param model  that was made by it
/// Errors   ER_ERROR_MEMORY
er_result project_list_matches(er_context *context, const project_description *description, const er_model *model,
                               project_match *hear, void *user);

/// Warns of a description that fits nothing at all, meant for something else or mistyped, and of texts of its `mirror`
/// that are in no name, unless all of it is optional; tells what it may lack, and does, as facts.
/// @param description  NULL: there is none, and nothing is told
/// Errors   ER_ERROR_MEMORY
er_result project_check_matches(er_context *context, const project_description *description, const er_model *model,
                                const project_listener *listener);

/// Of patterns with commas between, those that a model has a body or a node for; "feet" and "none" stay.
/// @param rig  NULL: of a rig file
/// @param out  written   @return  `out`; NULL where none is left
const char *project_known_names(const er_model *model, const er_rig *rig, const char *names,
                                char out[PROJECT_NAMES_SIZE]);

/// Leaves out feet and what is planted where a description that names them says that a model may lack them.
/// @param request  whose `feet` and `plant` become borrowed from the description, or NULL
/// @param rig    NULL: of a rig file
void project_drop_unknown(project_request *request, project_description *description, const er_model *model,
                          const er_rig *rig);

/// Adds to the context's error that a description had a say in it.
er_result project_cite_description(er_context *context, er_result r, const project_description *description);

#endif

/// @file
/// How to make a rig of a model: a request, completed by the model's description in Lua (docs/lua.md).
#ifndef ERI_APP_PROJECT_APPLY_DESCRIPTION_H
#define ERI_APP_PROJECT_APPLY_DESCRIPTION_H

#include "app/description/description.h"
#include "app/project/project_motion.h"

/// How somebody wants a rig to be made. Take project_default_request(), then change fields.
typedef struct project_request {
    er_rig_def rig; ///< all but pose_local, change and like                                [er_default_rig_def()]
    unsigned given; ///< bits of rig_settings.h: settings that override a description       [0]
    bool walks;     ///< for gaits: without a given pose choose the best one to stand in            [false]
    const char *pose_file;   ///< for ER_POSE_GIVEN; NULL for none                                   [NULL]
    const char *pose_in;     ///< the description that names the pose file; NULL: none             [NULL]
    const char *pose_named;  ///< the pose file as named there                                                 [NULL]
    int place_count;         ///< for ER_POSE_GIVEN without a file                    [0]
    const rig_place *place;  ///< [place_count]                                                   [NULL]
    const char *description; ///< path; "none"; NULL: the one beside the model, if any  [NULL]
    const char *feet;        ///< er_gait_def.feet; NULL: automatic                [NULL]
    er_vec3 forward;         ///< er_gait_def.forward; zero: automatic                       [zero]
    er_vec3 up;              ///< up axis of the model; zero: as its file says                     [zero]
    const char *plant;       ///< bodies that mixes keep in place, for project_find_plants(); NULL: none [NULL]
    const char *tune;        ///< frequencies of modes, for project_tune(); NULL: none                            [NULL]
    bool allow_outside;      ///< files that a model or description names may lie outside its folder       [false]
} project_request;
project_request project_default_request(void);

enum { PROJECT_NAMES_SIZE = 1024 }; ///< bytes of a list of patterns with commas

/// A description that was read.
typedef struct project_description {
    char path[4096];
    open_description open_description;
    unsigned gives; ///< bits of rig_settings.h: settings that the request took from it
    char feet[PROJECT_NAMES_SIZE], plant[PROJECT_NAMES_SIZE]; ///< written by project_drop_unknown()
} project_description;

/// Finds the path of a model's description: the requested one, or the one beside the model.
/// @param out  [size], written   @return whether there is one
bool project_find_description(const char *path, const project_request *request, char *out, size_t size);

/// Reads the description of a model.
/// @param out  ER_OK: a new object for project_description_close(), NULL where there is none; otherwise NULL
/// Errors   as description_open(): the message names the description. ER_ERROR_MEMORY
er_result project_read_description(er_context *context, const char *path, const project_request *request,
                                   project_description **out);

/// Reads the description of a model, and completes a request with it.
/// @param path     of the model; "-" has no description beside it
/// @param request  gets the settings that it lacks; borrows from `out`, with rig.change
/// @param out      ER_OK: a new object for project_description_close(), NULL where there is none; otherwise NULL
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT, ER_ERROR_ARGUMENT: the message names the description. ER_ERROR_MEMORY
er_result project_apply_description(er_context *context, const char *path, project_request *request,
                                    project_description **out);
void project_description_close(project_description *description); ///< NULL is fine

/// The local transforms of all nodes in the requested pose: of a pose file, or with bodies at given places. A file that
/// a description names is opened as a reference (er_file_open_reference()), at most 1 MiB and 1 KiB a node.
/// @param out  ER_OK: [node_count of the scene], for free(), NULL if no pose is requested; otherwise NULL
/// Errors   as er_pose_file_read() and er_rig_build(); ER_ERROR_ARGUMENT (no such body)
er_result project_read_pose(er_context *context, const er_scene *scene, const project_request *request,
                            er_affine **out);

/// Refuses a description whose patterns would take long against the names of a model.
/// @param description  NULL: does nothing
/// @param scene        NULL for a rig file
/// @param model        NULL for a scene
/// Errors   ER_ERROR_ARGUMENT (names the description)
er_result project_check_patterns(er_context *context, const project_description *description, const er_scene *scene,
                                 const er_model *model);

/// Whether the pose comes from a description.
bool project_pose_is_described(const project_request *request);

/// Receives the matches of a pattern of a description in a model.
/// @param kind   "joints", "bodies", "loops"
/// @param word   the pattern; for a loop, its child
/// @param count  of names; 0: an optional pattern without a match
typedef void project_match(void *user, const char *kind, const char *word, int count, const char *const *name);

/// Lists the matches of each pattern of a description, in its order.
/// @param model  made with the description
/// Errors   ER_ERROR_MEMORY
er_result project_list_matches(er_context *context, const project_description *description, const er_model *model,
                               project_match *hear, void *user);

/// Warns if no pattern of a description matches, or a text of its `mirror` is in no name. Optional patterns without a
/// match are reported as facts.
/// @param description  NULL: does nothing
/// Errors   ER_ERROR_MEMORY
er_result project_check_matches(er_context *context, const project_description *description, const er_model *model,
                                const project_listener *listener);

/// Keeps the patterns of a list that match a body or node of a model; "feet" and "none" stay.
/// @param rig  NULL for a rig file
/// @param out  written   @return  `out`; NULL if none is left
const char *project_known_names(const er_model *model, const er_rig *rig, const char *names,
                                char out[PROJECT_NAMES_SIZE]);

/// Drops feet and plants that the model lacks, if the description says that they are optional.
/// @param request  its `feet` and `plant` then borrow from the description, or are NULL
/// @param rig      NULL for a rig file
void project_drop_unknown(project_request *request, project_description *description, const er_model *model,
                          const er_rig *rig);

/// Names the description in the context's error, since it may be the cause.
er_result project_cite_description(er_context *context, er_result r, const project_description *description);

#endif

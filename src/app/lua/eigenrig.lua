---@meta eigenrig
-- For editors: what docs/lua.md says, as the Lua language server reads it. Never run.

---The natural vibration modes of rigged characters. Units are m, kg, s, Hz and degrees; indices count from 0, lists from 1.
---@class eigenrig
---@field null lightuserdata JSON's null
local eigenrig = {}

---@alias eigenrig.vector eigenrig.vec3 | number[]
---@alias eigenrig.method "auto" | "qr" | "svd" | "tree" | "sparse"
---@alias eigenrig.type "revolute" | "universal" | "spherical" | "prismatic" | "cylindrical" | "planar" | "point_on_plane" | "fixed" | "free" | "screw"
---@alias eigenrig.mixable string | eigenrig.mix | eigenrig.components

---@class eigenrig.joint_settings
---@field pattern? string in a list: of joint names
---@field type? eigenrig.type
---@field axis? "x" | "y" | "z" | eigenrig.vector in the world
---@field hz? number at which the joint's springs alone let it swing
---@field stiffness? number | table<string, number> N m/rad or N/m, of all its coordinates or by coordinate
---@field damping? number | table<string, number> N m s/rad or N s/m
---@field damping_ratio? number of the joint alone
---@field pitch? number of a screw, m per radian
---@field limits? number[] | table<string, number[]> degrees of its turns, or by coordinate, degrees and m
---@field swing? number of a ball joint: degrees that its axis leans at most
---@field twist? number[] of a ball joint: lowest and highest turn about its axis, degrees
---@field mass? number kg, of the body below
---@field density? number kg/m^3, of the body below
---@field optional? boolean a pattern that nothing is called by is no error

---@class eigenrig.body_settings
---@field pattern? string in a list: of body names
---@field mass? number kg
---@field density? number kg/m^3
---@field optional? boolean likewise

---@class eigenrig.loop_settings
---@field child string a body
---@field parent? string a body; none is the world
---@field at string | eigenrig.vector a body, or m in the world
---@field type? eigenrig.type
---@field axis? "x" | "y" | "z" | eigenrig.vector
---@field stiffness? number
---@field pitch? number of a screw, m per radian
---@field name? string
---@field optional? boolean it is left out where a body is not there

---@class eigenrig.changes
---@field root? "free" | "fixed"
---@field stiffness? string uniform:K or graded:HZ[:ALPHA]
---@field damping? number ratio of every mode
---@field rayleigh? number[] 1/s and s
---@field mass? number kg of the whole rig
---@field bodies? table<string, eigenrig.body_settings>
---@field joints? string | table<string, eigenrig.joint_settings> auto, spherical or revolute; or settings by pattern
---@field welds? (string | { pattern: string, optional?: boolean })[] patterns of joints
---@field mirror? string[][] pairs of texts in names
---@field loops? eigenrig.loop_settings[]
---@field feet? string for gaits: patterns of bodies with commas between
---@field plant? string | string[] what mixes leave in its place: "feet", patterns of bodies or nodes
---@field forward? string | eigenrig.vector for gaits: which way the body faces
---@field symmetrize? boolean left and right become equal
---@field tune? string | table<string, number | string> frequencies of modes in Hz, by name; "2+" is at least 2 Hz
---@field optional? boolean what the model lacks of all that is named is left out, where it is not said otherwise

---@class eigenrig.options: eigenrig.changes
---@field density? number kg/m^3
---@field height? number m
---@field pose? string | eigenrig.place[] | eigenrig.placing[] | table<string, eigenrig.placing> rest, bind, CLIP@SECONDS, a pose file or places of bodies
---@field skeleton? string
---@field infer_parents? boolean
---@field props? string auto, none, or patterns of names with commas between
---@field hang? table<string, string | false> what bones hang on, by name
---@field rig? string a description, or none
---@field allow_outside? boolean files that the model or its description refers to may lie outside their folders

---@class eigenrig.world_options
---@field duration? number s
---@field fps? number frames a second
---@field gravity? number m/s^2, downwards
---@field push? string[] JOINT:NS@S or JOINT:X,Y,Z@S
---@field integrator? "euler" | "semi-implicit" | "heun" | "rk4" | "fehlberg" | "implicit" | "contact"
---@field route? "reduced" | "multipliers"
---@field tolerance? number of a step, relative
---@field limits? boolean joints do not turn beyond their limits
---@field ground? boolean a floor at the model's lowest point, with friction
---@field drop? number m, it begins so much higher, above the floor
---@field static? string a scene's file, on whose meshes it falls; then drop needs no floor
---@field self_collision? boolean its own parts meet each other
---@field friction? number of the model and what it meets, 0.8
---@field restitution? number parting over approaching speed, 0 to 1; 0
---@field sleep? number s at a person's size, 0.5: what has been slow for so long stays where it is; 0: never
---@field progress? fun(done: integer, all: integer)

---@class eigenrig.simulate_options: eigenrig.world_options
---@field from? string CLIP@SECONDS or a pose file
---@field hold? string patterns of bodies or parts of the body that follow the clip, or stay, with commas between
---@field rest? "clip" | "pose" where joint springs rest: where the clip of from has the joints, or at equilibrium; "pose"
---@field loop? boolean cycles of the clip, until one ends as it began; false

---@class eigenrig.follow_options
---@field parts string parts of the body, patterns of bodies, or "springs", with commas between
---@field spring_bones? boolean write spring bones of VRM instead of clips
---@field clip? string name or index; all clips
---@field looseness? number Hz, the first frequency of each part; its own springs
---@field bounce? number how much of a swing the next one has, 0.4
---@field weight? number share of the mean weight by which parts sag, 0
---@field amount? number factor of the swings, 1
---@field rest? "clip" | "pose" where springs rest, "clip"
---@field gravity? number m/s^2, 9.81
---@field feet? string patterns of bodies that are feet, with commas between, or "none"
---@field check? boolean run each clip in full dynamics too, and return how far off that is; false
---@field fps? number 60
---@field tolerance? number degrees; a key in every frame
---@field name? string of the clip, of one
---@field only_new? boolean leave out the model's own clips
---@field progress? fun(done: integer, all: integer)

---@class eigenrig.sequence_options
---@field root_motion? string a node above all bones, "flat" or "none"; the way is on the bones
---@field fps? number 60
---@field tolerance? number degrees; a key in every frame
---@field only_new? boolean leave out the model's own clips
---@field gaits? eigenrig.gaits of the model; searched for if a name asks for them
---@field blend? number s, the length of transitions; 1.5 strides of the slower gait
---@field name? string of the clip, "sequence"

---@class eigenrig.blend_space_options
---@field root_motion? string a node above all bones, "flat" or "none"; in place
---@field fps? number 60
---@field tolerance? number degrees; a key in every frame
---@field only_new? boolean leave out the model's own clips
---@field gaits? eigenrig.gaits of the model; searched for

---@class eigenrig.inverse_options
---@field clip? string name or index of a clip; or else mix, or gait
---@field mix? eigenrig.mixable
---@field gait? eigenrig.gait as it travels
---@field duration? number s, of a mix
---@field fps? number 60
---@field cutoff? number Hz of the low-pass; 0: none
---@field friction? number of the ground, 0.8
---@field gravity? number m/s^2, 9.81
---@field plate? string a CSV of measured ground forces
---@field feet? string patterns of bodies that are feet, with commas between, or "none"

---@class eigenrig.component
---@field mode integer index
---@field degrees? number
---@field hz? number
---@field metres? number amplitude of the point that moves most, in place of degrees
---@field at? string the body whose way metres are
---@field harmonic? integer whole cycles a cycle
---@field phase? number degrees
---@field attack? number s
---@field decay? number s
---@field damping? number | "own" ratio

---@class eigenrig.components: { [integer]: eigenrig.component }
---@field name? string
---@field cycle? number s

---@class eigenrig.place
---@field index integer
---@field name string
---@field position eigenrig.vec3
---@field orientation eigenrig.quat

---@class eigenrig.placing
---@field index? integer of a body, in a list
---@field name? string likewise
---@field position? eigenrig.vector m
---@field orientation? eigenrig.quat | number[]
---@field turn? eigenrig.vector degrees about an axis of the world
---@field optional? boolean it is left out where no body is called so

---@alias eigenrig.exportable eigenrig.mixable | eigenrig.gait | eigenrig.gaits

---Reads a model, a rig file or a palette file.
---@param path string
---@param options? eigenrig.options
---@return eigenrig.model
function eigenrig.load(path, options) end

---@class eigenrig.shape_settings one of the shapes, and how it touches
---@field sphere? number m, radius
---@field capsule? number[] m: radius, and length between the centres of the caps
---@field box? number[] m, edge lengths
---@field cylinder? number[] m: radius, length
---@field hull? eigenrig.vector[] m
---@field plane? boolean | number m, half the side of the square that is drawn
---@field mesh? { points: eigenrig.vector[], triangles: integer[][] }
---@field heights? { columns: integer, step?: number, values: number[] }
---@field along? "x" | "y" | "z" of a capsule or cylinder
---@field parts? table[] several shapes
---@field looks? table[] shapes that are drawn in place of the others
---@field material? userdata of scene:material()
---@field passes? boolean it collides with nothing

---@class eigenrig.actor_settings: eigenrig.shape_settings for scene:actor()
---@field name? string
---@field motion? "still" | "moved" | "led"
---@field at? eigenrig.vector m
---@field turn? eigenrig.vector degrees
---@field orientation? eigenrig.quat | number[]
---@field velocity? eigenrig.vector m/s
---@field spin? eigenrig.vector rad/s
---@field surface_velocity? eigenrig.vector m/s, own frame: how its surface runs over it
---@field surface_spin? eigenrig.vector rad/s, own frame
---@field mass? number kg
---@field hidden? boolean
---@field groups? integer
---@field ignores? integer
---@field sensor? boolean

---@class eigenrig.material_settings for scene:material()
---@field colour? eigenrig.vector both ambient and diffuse
---@field ambient? eigenrig.vector
---@field diffuse? eigenrig.vector
---@field specular? eigenrig.vector
---@field shine? number Phong's exponent
---@field opacity? number
---@field reflection? number
---@field friction? number across the grain
---@field rolling? number m
---@field spinning? number m
---@field grain? eigenrig.vector a direction in the actor's frame
---@field grain_friction? number along the grain
---@field restitution? number
---@field density? number kg/m^3

---@class eigenrig.joining_settings for scene:joint()
---@field name? string
---@field at? eigenrig.vector m
---@field axis? eigenrig.vector
---@field pitch? number m per radian
---@field limits? number[] degrees or m
---@field swing? number degrees, of a ball joint
---@field twist? number[] degrees, of a ball joint
---@field stiffness? number
---@field damping? number
---@field rest? number degrees or m
---@field speed? number rad/s or m/s
---@field angle? number degrees or m
---@field most? number N m or N
---@field break_force? number N
---@field break_torque? number N m
---@field erp? number
---@field cfm? number

---A living scene (docs/engine.md): its fields and methods, and those of actors, joints, scripts and events, are there.
---@param settings? table
---@return table
function eigenrig.scene(settings) end

---@return string
function eigenrig.version() end

---A vector, of three numbers or of a list.
---@param x number | eigenrig.vector
---@param y? number
---@param z? number
---@return eigenrig.vec3
function eigenrig.vec3(x, y, z) end

---A rotation: w, x, y, z, or an axis and degrees.
---@param w number | eigenrig.vector
---@param x? number
---@param y? number
---@param z? number
---@return eigenrig.quat
function eigenrig.quat(w, x, y, z) end

---Simulates a world file: a Bacin set by its .cfg, or a scene as JSON.
---@param path string
---@param options? eigenrig.world_options
---@return eigenrig.simulation
function eigenrig.simulate(path, options) end

---@class eigenrig.model
---@field name string
---@field source string
---@field described? string the path of its description
---@field size number m
---@field height? number m along its up, as it was read; nil for a rig file
---@field mass number kg; can be set
---@field damping_ratio number of every mode; can be set
---@field body_count integer
---@field joint_count integer
---@field coordinate_count integer
---@field loop_count integer
---@field notes string[] what was assumed
---@field clips { name: string, duration: number }[]
local model = {}

---The bodies whose names match.
---@param pattern? string
---@return eigenrig.body[]
function model:bodies(pattern) end

---The joints whose names match.
---@param pattern? string
---@return eigenrig.joint[]
function model:joints(pattern) end

---@param body string | integer its name or index
---@return eigenrig.body
function model:body(body) end

---@param joint string | integer its name or index
---@return eigenrig.joint
function model:joint(joint) end

---Changes many things at once, all of them or none.
---@param changes eigenrig.changes
---@return eigenrig.model
function model:change(changes) end

---Another model of the same file, with other options.
---@param options? eigenrig.options
---@return eigenrig.model
function model:build(options) end

---Solves for the natural modes.
---@param options? integer | { count?: integer, min_hz?: number, max_hz?: number, method?: eigenrig.method, progress?: fun(found: integer, wanted: integer) }
---@return eigenrig.modes
function model:modes(options) end

---@param what eigenrig.mixable | eigenrig.component | table<integer, number> | integer a mode's index, then degrees; or degrees by mode
---@param degrees? number of a mode's index
---@return eigenrig.mix
function model:mix(what, degrees) end

---@class eigenrig.matrix a sparse matrix: value[k] is in row row[k] and column column[k], counted from 0
---@field rows integer
---@field columns integer
---@field row integer[]
---@field column integer[]
---@field value number[]

---@class eigenrig.matrix_line what a row or a column is of; nothing is in it where joints of loops move together
---@field joint? integer by index
---@field root? integer a body that floats, and all of its tree with it
---@field axis? string tx ty tz x y z

---@class eigenrig.matrices rad, m, kg, s; of the stacked twists (omega; v) of bodies, body axes
---@field M eigenrig.matrix spatial inertias
---@field K eigenrig.matrix springs of coordinates
---@field C eigenrig.matrix their dampers
---@field G eigenrig.matrix constraints: G v = 0
---@field R eigenrig.matrix rates of coordinates: R v
---@field N eigenrig.matrix motions that joints allow: G N = 0
---@field constraints eigenrig.matrix_line[] rows of G
---@field rates eigenrig.matrix_line[] rows of R, rows and columns of K and C
---@field motions eigenrig.matrix_line[] columns of N

---The matrices that modes follow from, about the equilibrium or another pose, as though springs were at rest there.
---@param pose? eigenrig.place[] as motion:pose() and model:pose() give them
---@return eigenrig.matrices
function model:matrices(pose) end

---Writes them as an archive for numpy, as `eigenrig modes --matrices` does.
---@param path string ends in .npz
---@param pose? eigenrig.place[]
function model:save_matrices(path, pose) end

---Searches the modes for gaits, or looks at a mix as one.
---@param options? integer | { best?: integer, modes?: integer, up?: string | eigenrig.vector, forward?: string | eigenrig.vector, feet?: string, gravity?: number, hz?: number, speed?: number, fps?: number, weights?: table<string, number>, mix?: eigenrig.mixable, progress?: fun(done: integer, all: integer) }
---@return eigenrig.gaits
function model:gaits(options) end

---All bodies at equilibrium, or the position and orientation of one.
---@param body? string | integer
---@return eigenrig.place[] | eigenrig.vec3, eigenrig.quat?
function model:pose(body) end

---Writes the equilibrium as a pose file.
---@param path string
function model:save_pose(path) end

---The mix of a preset: idle, breathe, wag, sway, nervous, or one of the user's own.
---@param name string
---@return eigenrig.mix
function model:preset(name) end

---Writes a preset in time as a clip: squash, land, jump, sit, hit, turn_head, look_around, nod, shake, or one of the
---user's own. Without a path it only measures, presets that are mixes too.
---@param name string
---@param path? string
---@param options? { fps?: number, name?: string, tolerance?: number, only_new?: boolean }
---@return { part: string, way: string, unit: string, asked: number, reached: number, why: string? }[]
function model:perform(name, path, options) end

---A mix or a gait of another model, carried to this one.
---@param what eigenrig.mix | eigenrig.gait
---@param options? { pace?: number } factor of all frequencies; nil: by the lengths of legs
---@return eigenrig.mix | eigenrig.gait
function model:carry(what, options) end

---Writes clips, curves or a drawing; a clip for every elastic mode where what is nil.
---@param path string
---@param what? eigenrig.exportable | eigenrig.exportable[]
---@param options? { duration?: number, loop?: boolean, plant?: string | string[], fps?: number, tolerance?: number, splines?: boolean, over?: string, name?: string, amplitude?: number, travels?: boolean, mix?: eigenrig.exportable, progress?: fun(done: integer, all: integer) }
---@return integer clips
function model:export(path, what, options) end

---Runs the model in full dynamics.
---@param options? number | eigenrig.simulate_options
---@return eigenrig.simulation
function model:simulate(options) end

---Makes loose parts follow through on clips, and writes the model with them.
---@param path string
---@param options eigenrig.follow_options
---@return { clip: string, loops: boolean, body: string, bodies: integer, hz: number, damping: number, swing: number, correction: number, exact: boolean, off?: number, cycles?: integer }[]
function model:follow(path, options) end

---Plays presets, gaits, blends of gaits, clips and mixes one after the other, and writes the model with that clip.
---@param path string
---@param items string | (table)[] "idle 3s, walk 4s", or a list of {"walk", 4} or {what = "walk", seconds = 4}
---@param options? eigenrig.sequence_options
---@return { seconds: number, way: number, slide: number }
function model:sequence(path, items, options) end

---Writes the model with a clip of each gait or blend, of one phase and with as many frames, for an engine's blend space.
---@param path string
---@param gaits string "walk, walk:0.5+run, run"
---@param options? eigenrig.blend_space_options
---@return { name: string, speed: number, seconds: number, frames: integer, stride: number }[]
function model:blend_space(path, gaits, options) end

---Finds the forces of a motion.
---@param options eigenrig.inverse_options
---@return eigenrig.forces
function model:inverse(options) end

---Draws a picture, a sheet or a film: of a mode, a mix, "sheet", a gait, a strip of gaits, or the model at equilibrium.
---@param path string
---@param what? integer | eigenrig.mode | eigenrig.exportable | "sheet"
---@param options? { size?: integer[], view?: string | number[], show?: "mesh" | "joints" | "both", surface?: "shaded" | "wireframe" | "points", theme?: "light" | "dark", transparent?: boolean, ghosts?: boolean, amplitude?: number, phase?: number, plant?: string | string[], time?: number, count?: integer, title?: string, fps?: number, duration?: number, progress?: fun(done: integer, all: integer) }
---@return { width: integer, height: integer, frames: integer, duration: number, cells: integer }
function model:render(path, what, options) end

---Writes the rig file.
---@param path string
function model:save(path) end

function model:close() end

---@class eigenrig.body
---@field name string
---@field index integer
---@field mass number kg; can be set
---@field com eigenrig.vec3 in its frame
---@field inertia number[][]
---@field position eigenrig.vec3
---@field orientation eigenrig.quat
---@field parent? eigenrig.body
---@field joint? eigenrig.joint

---@class eigenrig.joint
---@field name string
---@field index integer
---@field parent? eigenrig.body nil is the world
---@field child eigenrig.body
---@field type eigenrig.type can be set
---@field axis eigenrig.vec3 z of its frame in the world; can be set
---@field position eigenrig.vec3
---@field orientation eigenrig.quat
---@field freedom string[] names of its free coordinates
---@field stiffness number[] one a free coordinate; can be set
---@field damping number[] likewise
---@field limits number[][] likewise
---@field swing number of a ball joint, degrees; can be set
---@field twist number[] of a ball joint, degrees; can be set
---@field hz number of its springs alone; can be set
---@field pitch number of a screw, m per radian; can be set
---@field closes_loop boolean

---@class eigenrig.modes: { [integer]: eigenrig.mode }
---@field count integer
---@field first integer index
---@field dof integer
---@field rigid_count integer
---@field mechanism_count integer
---@field method eigenrig.method
---@field residuals { constraint: number, gram: number, pencil: number, damped: number }
---@field stale boolean whether the model was changed since
local modes = {}

---Writes the palette file, or numbers as .csv or .npz.
---@param path string
function modes:save(path) end

---Draws a figure for print: the spectrum, and shapes of the lowest modes.
---@param path string ends in .svg or .pdf
---@param shapes? integer how many [12]
function modes:plot(path, shapes) end

---The mode of a name, or of the beginning of one.
---@param name string
---@return eigenrig.mode?
function modes:find(name) end

---How far each elastic mode swings in a clip of its own, by its index.
---@return { [integer]: { degrees: number, by: string, limit?: number, contact?: number, linear?: number } }
function modes:bounds() end

---@return eigenrig.mode[]
function modes:list() end

function modes:close() end

---@class eigenrig.mode
---@field index integer
---@field kind "rigid" | "mechanism" | "elastic"
---@field frequency_hz number
---@field eigenvalue number
---@field damping_ratio number
---@field damped_hz number
---@field body number[][]
---@field joint number[][]
---@field name? string "hind legs swing, alternating"
---@field brief? string at most 23 bytes
---@field sure? number 0 to 1
---@field parity? number -1 to 1
---@field whole_body boolean
---@field regions table<string, number>
---@field motion table<string, number>
local mode = {}

---How much of the potential energy each joint holds.
---@return number[]
function mode:joint_shares() end

---How much of the kinetic energy each body has.
---@return number[]
function mode:body_shares() end

---How much of the rig turns with the mode about x, y, z through the centre of mass, kg m^2, and moves along them, kg.
---@return number[]
function mode:effective_mass() end

---How far each joint moves, at the mode's scale.
---@return number[]
function mode:joint_travel() end

---The joints that move most.
---@param count? integer
---@return string[]
function mode:movers(count) end

---@class eigenrig.mix
---@field name string
---@field cycle number s
---@field components eigenrig.component[]
local mix = {}

---@param options? { duration?: number, loop?: boolean, fps?: number, plant?: string | string[] }
---@return eigenrig.motion
function mix:motion(options) end

---Writes the mix file.
---@param path string
function mix:save(path) end

function mix:close() end

---@class eigenrig.gaits: { [integer]: eigenrig.gait }
---@field count integer
---@field tried integer mixes that were looked at
---@field up eigenrig.vec3
---@field forward eigenrig.vec3
---@field facing number how likely forward is right, 0.5 to 1
---@field leg number m
---@field symmetry number 0 is perfect
---@field feet { name: string, body: string, sole: string, trunk: string, reach: number }[]
---@field notes string[] what was assumed
local gaits = {}

---@param name string
---@return eigenrig.gait?
function gaits:named(name) end

---Draws when feet stand, SVG.
---@param path string
function gaits:footfalls(path) end

---Draws each stride as stick figures, SVG.
---@param path string
function gaits:strip(path) end

function gaits:close() end

---@class eigenrig.gait
---@field name string
---@field family string
---@field mix eigenrig.mix
---@field hz number strides a second
---@field own_hz number
---@field speed number m/s
---@field froude number
---@field stride number m
---@field slip number
---@field clearance number m
---@field bob number m
---@field flight number part of a stride
---@field duty number part of a stride
---@field cost number of transport
---@field score number 0 to 1
---@field steps { foot: string, duty: number, phase: number, clearance: number }[]
local gait = {}

---Walks it by the character's own torques, on the ground, until a second after it falls; then pushes it.
---@param options? number | { duration?: number, lengths?: number, push?: number, fps?: number, gain?: number, friction?: number, slope?: number, terrain?: string }
---@return eigenrig.simulation
---@return { distance: number, lengths: number, time: number, fell: boolean, bears?: string, pushes: integer, survived: integer, slip: number, cost: number, animal: number, torque: number, walk: string }
function gait:simulate(options) end

---@class eigenrig.motion
---@field duration number s
---@field loops boolean
---@field components table[] as they play
local motion = {}

---All bodies at a time, or the position and orientation of one.
---@param time number
---@param body? string | integer
---@return eigenrig.place[] | eigenrig.vec3, eigenrig.quat?
function motion:pose(time, body) end

---@param times number[]
---@return eigenrig.place[][]
function motion:poses(times) end

---What each joint is turned by and shifted.
---@param time number
---@return number[][]
function motion:coordinates(time) end

---The share of the amplitudes that loops follow.
---@param fps? number
---@return number
function motion:reach(fps) end

function motion:close() end

---@class eigenrig.simulation
---@field frames integer their count; #simulation too
---@field fps number
---@field time number[] s
---@field energy { kinetic: number, potential: number, elastic: number, mechanical: number, work: number, heat: number }[] J
---@field report { steps: integer, rejected: integer, evaluations: integer, corrections: integer, gap: number }
---@field solids { name: string, body: integer?, part: table }[] of a world file; parts as scene:actor takes them
---@field upright eigenrig.quat turns up, as the file has it, to y
local simulation = {}

---All bodies in a frame, from 1, or the position and orientation of one.
---@param frame integer
---@param body? string | integer
---@return eigenrig.place[] | eigenrig.vec3, eigenrig.quat?
function simulation:pose(frame, body) end

---Positions and orientations of one body, a frame each.
---@param body string | integer
---@return eigenrig.vec3[], eigenrig.quat[]
function simulation:body(body) end

---Writes a clip or curves, or all there is into a folder.
---@param path string
function simulation:export(path) end

function simulation:close() end

---@class eigenrig.forces
---@field frames integer their count; #forces too
---@field fps number
---@field time number[] s
---@field weight number N
---@field ground number m, its height
---@field repeats boolean the end of the motion meets its start
---@field feet string[] names of bodies
---@field residual { force: eigenrig.vec3[], torque: eigenrig.vec3[] } N, N m: of the roots, a frame each
local forces = {}

---The force along each free coordinate of a joint, N m or N, its share from springs and dampers, and its power, W.
---@param joint string | integer
---@return { axis: string, force: number[], passive: number[], power: number[] }[]
function forces:joint(joint) end

---The ground's force on a foot, N, the centre of pressure, m, and the torque about the vertical there, N m.
---@param body string | integer
---@return eigenrig.vec3[], eigenrig.vec3[], number[]
function forces:foot(body) end

---Writes a table, arrays or a drawing: .csv, .npz or .svg.
---@param path string
function forces:export(path) end

function forces:close() end

---@class eigenrig.vec3
---@field x number
---@field y number
---@field z number
---@operator add(eigenrig.vector): eigenrig.vec3
---@operator sub(eigenrig.vector): eigenrig.vec3
---@operator mul(number): eigenrig.vec3
---@operator div(number): eigenrig.vec3
---@operator unm: eigenrig.vec3
local vec3 = {}

---@param other eigenrig.vector
---@return number
function vec3:dot(other) end

---@param other eigenrig.vector
---@return eigenrig.vec3
function vec3:cross(other) end

---@return number
function vec3:length() end

---@return eigenrig.vec3
function vec3:unit() end

---@return number[]
function vec3:totable() end

---@class eigenrig.quat
---@field w number
---@field x number
---@field y number
---@field z number
---@operator mul(eigenrig.quat): eigenrig.quat
---@operator mul(eigenrig.vec3): eigenrig.vec3
local quat = {}

---@return eigenrig.quat
function quat:inverse() end

---@param other eigenrig.quat
---@param t number 0 to 1
---@return eigenrig.quat
function quat:slerp(other, t) end

---The axis, and degrees.
---@return eigenrig.vec3, number
function quat:turn() end

---@return number[]
function quat:totable() end

---@class eigenrig.json
eigenrig.json = {}

---@param value any
---@param indent? integer spaces
---@return string
function eigenrig.json.encode(value, indent) end

---@param text string
---@return any
function eigenrig.json.decode(text) end

---@class eigenrig.files
eigenrig.files = {}

---Names in order, without hidden ones.
---@param folder string
---@param pattern? string
---@return string[]
function eigenrig.files.list(folder, pattern) end

---@param path string
---@return boolean
function eigenrig.files.exists(path) end

---@param path string
---@return string
function eigenrig.files.name(path) end

---@param path string
---@return string
function eigenrig.files.stem(path) end

---@param path string
---@return string with its dot
function eigenrig.files.ending(path) end

---@param path string
---@return string
function eigenrig.files.folder(path) end

---@param folder string
---@param name string
---@return string
function eigenrig.files.join(folder, name) end

---A name in the folder of the file whose code asks, from whichever folder that was started.
---@param name string
---@return string
function eigenrig.files.beside(name) end

---@param path string
function eigenrig.files.make_folder(path) end

return eigenrig

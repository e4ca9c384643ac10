-- Random calls with wrong values: whatever happens, only Lua errors do.
--   eigenrig run fuzz.lua SEED CALLS WALKER WORLD MODEL...    WALKER is models/gnome.glb, whose mix below walks
local seed, calls = tonumber(arg[1]), tonumber(arg[2])
math.randomseed(seed)
local unpack = table.unpack

local function pick(list)
    return list[math.random(#list)]
end

-- Keeps objects that were made, so that it meets other things; old ones go, some closed, some collected.
local pool = {}
local function keep(value)
    if type(value) == "userdata" then pool[math.random(40)] = value end
end

local words = {"", "*", "?", "[", "spine*", "left_*", "head", "hips", "7:12", "0:5@1.1+90", "6:1e9", ":", "\0", "\xff",
    "out.glb", "out.csv", "out.bvh", "nosuch/out.glb", "out.fbx", "out.npz", "out.dae", "out.svg", "out.png", "out.jpg", "nosuch/out.png",
    "sheet", "side", "both", "dark", "walk", "missing.json", "free", "fixed", "revolute",
    "auto", "graded:2", "uniform:-1", "rest", "bind", "clip@0.1", "own", ("x"):rep(300), "sparse", "qr", "x", "y", "spherical"}
local numbers = {0, 1, -1, 2, 7, 0.5, 1e-300, 1e300, math.huge, -math.huge, 0 / 0, math.maxinteger, math.mininteger, 2 ^ 31, 40, 111}
local keys = {"root", "joints", "bodies", "stiffness", "damping", "rayleigh", "density", "mass", "height", "pose", "skeleton",
    "infer_parents", "welds", "mirror", "loops", "rig", "allow_outside", "count", "min_hz", "max_hz", "method", "progress", "mode", "degrees", "hz",
    "harmonic", "phase", "attack", "decay", "name", "cycle", "duration", "loop", "fps", "tolerance", "splines", "over", "amplitude",
    "best", "up", "forward", "feet", "gravity", "weights", "mix", "travels", "size", "view", "show", "surface", "theme",
    "transparent", "ghosts", "time", "title", "integrator", "route", "push", "hold", "from", "index", "position", "orientation", "turn", "type", "axis", "limits", "swing", "twist", "damping_ratio", "parent", "child", "at", "pattern", "tx", "z", "left_*", "head"}

local value

local function thrower() error(pick {"thrown", {}, false}) end
local function closer() for _, v in pairs(pool) do pcall(function() v:close() end) end end
local function changer() for _, v in pairs(pool) do pcall(function() v.mass = 50 v:modes{count = 8} end) end end
local function collector() collectgarbage() end
local functions = {print ~= nil and function() end, thrower, closer, changer, collector, function() coroutine.yield() end}

local function wrong_table(depth)
    local t = {}
    for _ = 1, math.random(0, 4) do t[#t + 1] = value(depth + 1) end
    for _ = 1, math.random(0, 3) do t[pick(keys)] = value(depth + 1) end
    if math.random() < 0.02 then t[t] = t end
    if math.random() < 0.05 then
        setmetatable(t, {__index = closer, __newindex = thrower, __gc = closer, __len = function() return 1e9 end, __tostring = pick {
            thrower, function() return 1 end}, __pairs = thrower, __close = thrower, __name = 3})
    end
    return t
end

function value(depth)
    local r = math.random()
    if r < 0.25 then return pool[math.random(40)] end
    if r < 0.45 then return pick(words) end
    if r < 0.65 then return pick(numbers) end
    if r < 0.85 and depth < 4 then return wrong_table(depth) end
    if r < 0.9 then return pick(functions) end
    if r < 0.93 then return math.random() < 0.5 end
    if r < 0.95 then return coroutine.create(function() end) end
    if r < 0.97 then return io.stdout end
    return nil
end

local function arguments()
    local list = {n = math.random(0, 4)}
    for i = 1, list.n do list[i] = value(0) end
    return list
end

-- Names of what objects and the module have.
local names = {"export", "energy", "report", "frames", "render", "gaits", "save_pose", "named", "footfalls", "strip", "steps", "feet", "score", "forward", "bodies", "joints", "body", "joint", "modes", "build", "change", "mix", "export", "save", "close", "name", "source",
    "size", "mass", "notes", "clips", "damping_ratio", "count", "first", "dof", "residuals", "stale", "index", "kind", "frequency_hz",
    "joint_shares", "joint_travel", "body_shares", "movers", "pose", "poses", "coordinates", "reach", "components", "duration", "loops",
    "motion", "cycle", "type", "hz", "stiffness", "damping", "limits", "swing", "twist", "axis", "parent", "child", "position", "orientation", "freedom",
    "inertia", "com", "x", "w", "dot", "cross", "unit", "slerp", "turn", "inverse", "totable", "length", "__gc", "__index", "__close"}
local meta = {"__gc", "__close", "__index", "__newindex", "__add", "__mul", "__sub", "__div", "__unm", "__eq", "__tostring", "__pairs", "__len"}

local function module_functions(t, list)
    for _, v in pairs(t) do
        if type(v) == "function" then list[#list + 1] = v elseif type(v) == "table" then module_functions(v, list) end
    end
    return list
end
local free = module_functions(eigenrig, {})
local classes = {}
for _, name in ipairs {"model", "body", "joint", "modes", "mode", "mix", "motion", "gaits", "gait", "simulation", "vec3", "quat", "handle"} do
    classes[#classes + 1] = debug.getregistry()["eigenrig." .. name]
end

local walker
local function walks()
    if not pcall(function() return walker.mass end) then walker = eigenrig.load(arg[3], {rig = "none"}) end
    local gaits = walker:gaits{mix = "9:12.3@1x+180,7:2.52@2x-39,16:10.6@1x-61"}
    assert(gaits[1].name == "walk")
    keep(walker)
    keep(gaits)
    keep(gaits[1])
end

local acts = {
    function() if math.random() < 0.2 then walks() end end,
    function() keep((pick(free)(unpack(arguments(), 1, 4)))) end,
    function() -- a method, a field or an element
        local object = pool[math.random(40)]
        local got = object[math.random() < 0.9 and pick(names) or value(0)]
        keep(got)
        if type(got) == "function" then
            local list = arguments()
            keep((got(math.random() < 0.9 and object or value(0), unpack(list, 1, list.n))))
        elseif type(got) == "table" then
            keep(got[1])
        end
    end,
    function() pool[math.random(40)][pick(names)] = value(0) end,
    function() -- a metamethod of one class on anything
        local f = pick(classes)[pick(meta)]
        local list = arguments()
        keep((f(unpack(list, 1, list.n))))
    end,
    function() local scoped <close> = pool[math.random(40)] end,
    function() local a, b = value(0), value(0) return a + b, a * b, a == b, -a, #a, tostring(a), a .. b end,
    function() for k, v in pairs(pool[math.random(40)]) do keep(v) end end,
    function() pool[math.random(40)] = nil if math.random() < 0.2 then collectgarbage(pick {"collect", "step", "stop", "restart"}) end end,
    function() coroutine.wrap(function() keep((pick(free)(unpack(arguments(), 1, 4)))) end)() end,
    function() -- work that calls back into what it works on
        local object, gait = math.random() < 0.3 and walker or pool[math.random(40)], pool[math.random(40)]
        local callback = pick(functions)
        pick {
            function() object:render("film.apng", 0, {size = {16, 16}, fps = 10, duration = 0.3, progress = callback}) end,
            function() keep(object:gaits{best = 1, modes = 3, progress = callback}) end,
            function() object:export("gait.glb", gait, {fps = 24, progress = callback}) end,
            function() object:render("gait.apng", gait, {size = {16, 16}, fps = 4, progress = callback}) end,
            function() object:render("gait.png", gait) end,
            function()
                local s = object:simulate{duration = 0.1, fps = 20, gravity = pick(numbers), progress = callback}
                keep(s)
                keep(s:pose(value(0), value(0)))
                s:export(pick(words))
            end,
            function() keep(object:simulate{duration = 0.1, push = value(2), hold = pick(words), from = value(2)}) end,
            function() keep(eigenrig.simulate(arg[4], {duration = 0.1, fps = pick(numbers), tolerance = pick(numbers), progress = callback})) end,
            function() keep(object:build{pose = gait:pose(0.1)}) end,
            function() keep(gait[1]) keep(gait[1].mix) end,
        }()
    end,
    function() -- a sound beginning, so that there is something to spoil
        local model = eigenrig.load(arg[math.random(5, #arg)], {rig = "none"})
        keep(model)
        keep(model:modes{count = 12})
        keep(model:modes{count = 12}[0])
        local mix = model:mix("0:10@1")
        keep(mix)
        keep(mix:motion())
        keep(pick(model:joints()))
        keep(pick(model:bodies()))
    end,
}

walks()
for _ = 1, 4 do pcall(acts[#acts]) end
for _ = 1, calls do pcall(math.random() < 0.01 and acts[#acts] or pick(acts)) end
collectgarbage("restart")
print("survived")

-- The file of a world as a living scene: led actors repeat the motion of its own simulation.
local run = eigenrig.simulate(arg[0], {fps = 60})
local upright, frames = run.upright, #run
local scene = eigenrig.scene {name = "simulation", gravity = {0, 0, 0}, length = (frames - 1) / run.fps, step = 1 / run.fps}
local colours = {"#d98b46", "#5b93c7", "#7fb069", "#cdb03c", "#a172b5", "#4fa3a3"}

-- A box around balls, for the camera.
local function new_box()
    return {low = {math.huge, math.huge, math.huge}, high = {-math.huge, -math.huge, -math.huge}}
end

local function widen(box, middle, radius)
    for axis = 1, 3 do
        box.low[axis] = math.min(box.low[axis], middle[axis] - radius)
        box.high[axis] = math.max(box.high[axis], middle[axis] + radius)
    end
end

local function measure(box)
    local low, high = eigenrig.vec3(table.unpack(box.low)), eigenrig.vec3(table.unpack(box.high))
    return 0.5 * (low + high), (high - low):length()
end

local first, all = new_box(), new_box() -- at the beginning, and in the whole run

local function see(actor, positions, orientations)
    local a, b = actor:box()
    for k = 1, #positions, math.max(1, #positions // 100) do
        local middle = (positions[k] + orientations[k] * (0.5 * (a + b))):totable()
        widen(all, middle, 0.5 * (b - a):length())
        if k == 1 then widen(first, middle, 0.5 * (b - a):length()) end
    end
end

-- Parts by body; -1 is the world.
local parts, names = {}, {}
for _, solid in ipairs(run.solids) do
    local body = solid.body or -1
    parts[body] = parts[body] or {}
    table.insert(parts[body], solid.part)
    names[body] = names[body] or solid.name
end

local moving, followed = {}, nil
for body = -1, #run:pose(1) - 1 do
    local list, positions, orientations, moves = parts[body], {}, {}, false
    if body >= 0 then positions, orientations = run:body(body) end
    local at, back = positions[1], body >= 0 and orientations[1]:inverse()
    for k, position in ipairs(positions) do
        local turn = orientations[k] * back
        moves = moves or (position - at):length() > 1e-9 or math.abs(turn.w) < 1 - 1e-12
        positions[k], orientations[k] = upright * position, upright * orientations[k]
    end
    local actor = list and scene:actor {
        name = names[body], motion = moves and "led" or "still", parts = list, at = positions[1],
        orientation = orientations[1] or upright,
        material = scene:material {colour = moves and colours[body % #colours + 1] or "#b0b0ac"},
    }
    if moves and actor then
        see(actor, positions, orientations)
        followed = followed or actor
        moving[actor] = {positions, orientations}
    end
end
if not followed then widen(all, {0, 0, 0}, 1) end

-- The camera sees the whole run, or follows bodies that go far.
local middle, size = measure(all)
if followed then
    local start, extent = measure(first)
    if size > 8 * extent then
        middle, size = start, 2 * extent
    else
        followed = nil
    end
end
scene.camera = {target = middle, eye = middle + size * eigenrig.vec3(0.9, 0.45, 1.1), fov = 35, follow = followed}
scene:light {at = middle + size * eigenrig.vec3(0.6, 2, 1.5)}

local frame = 1
scene:action {name = "run", update = function()
    frame = math.min(frame + 1, frames)
    for actor, at in pairs(moving) do actor:place(at[1][frame], at[2][frame]) end
end}:start()
return scene

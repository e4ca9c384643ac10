-- Scenes of Bullet and ODE with the calls of eigenrig.scene that the situations need.
local eigenrig = require "eigenrig"
local rivals

local scene_type, actor_type = {}, {}
local quat, vec3 = eigenrig.quat, eigenrig.vec3

local function list(v) return type(v) == "userdata" and v:totable() or v end

local function orientation_of(d)
    if d.orientation then return d.orientation end
    local t = d.turn and list(d.turn)
    local angle = t and math.sqrt(t[1] ^ 2 + t[2] ^ 2 + t[3] ^ 2) or 0
    return angle > 0 and quat(t, angle) or quat(1, 0, 0, 0)
end

-- Moments about own axes, of a body of uniform density.
local function inertia_of(kind, size, along, m)
    if kind == "sphere" then return {0.4 * m * size[1] ^ 2, 0.4 * m * size[1] ^ 2, 0.4 * m * size[1] ^ 2} end
    if kind == "box" then
        local x, y, z = size[1] ^ 2, size[2] ^ 2, size[3] ^ 2
        return {m / 12 * (y + z), m / 12 * (z + x), m / 12 * (x + y)}
    end
    local r, l = size[1], size[2]
    local own, across
    if kind == "cylinder" then
        own, across = 0.5 * m * r ^ 2, m / 12 * (3 * r ^ 2 + l ^ 2)
    else
        local balls, tube = 4 / 3 * r, l -- volumes over pi r^2
        local mb, mt = m * balls / (balls + tube), m * tube / (balls + tube)
        own = mt * r ^ 2 / 2 + mb * 0.4 * r ^ 2
        across = mt * (l ^ 2 / 12 + r ^ 2 / 4) + mb * (0.4 * r ^ 2 + l ^ 2 / 4 + 3 / 8 * l * r)
    end
    local I = {across, across, across}
    I[along + 1] = own
    return I
end

local function volume_of(kind, size)
    if kind == "sphere" then return 4 / 3 * math.pi * size[1] ^ 3 end
    if kind == "box" then return size[1] * size[2] * size[3] end
    return math.pi * size[1] ^ 2 * (size[2] + (kind == "capsule" and 4 / 3 * size[1] or 0))
end

function scene_type:material(m) return m end

function scene_type:actor(d)
    local b = {motion = d.motion}
    for _, kind in ipairs{"sphere", "box", "capsule", "cylinder", "plane", "mesh"} do
        if d[kind] then b.kind = kind end
    end
    assert(b.kind, "the rivals have no such shape")
    local size = d[b.kind]
    b.along = ({x = 0, y = 1, z = 2})[d.along or "y"]
    if b.kind == "mesh" then b.points, b.triangles = size.points, size.triangles
    elseif b.kind ~= "plane" then
        b.size = type(size) == "number" and {size, 0, 0} or {size[1], size[2], size[3] or 0}
        b.mass = d.mass or 1000 * volume_of(b.kind, b.size)
        b.inertia = inertia_of(b.kind, b.size, b.along, b.mass)
        b.swept_radius = self.swept and 0.45 * math.min(b.size[1], b.kind == "box" and math.min(b.size[2], b.size[3]) or 9) or nil
    end
    local q = orientation_of(d)
    b.p, b.q = list(d.at or {0, 0, 0}), {q.w, q.x, q.y, q.z}
    b.velocity, b.spin = list(d.velocity or {0, 0, 0}), list(d.spin or {0, 0, 0})
    b.friction, b.restitution = (d.material or {}).friction or 0.5, (d.material or {}).restitution or 0
    local actor = setmetatable({own = {scene = self, id = self.world:add(b), mass = b.mass, inertia = b.inertia}}, actor_type)
    if b.motion == "led" then self.led[#self.led + 1] = actor.own end
    actor.own.p, actor.own.q = b.p, b.q
    return actor
end

local readers = {
    position = function(own) return vec3(table.unpack((own.scene.world:state(own.id)))) end,
    orientation = function(own) return quat(table.unpack((select(2, own.scene.world:state(own.id))))) end,
    velocity = function(own) return vec3(table.unpack((select(3, own.scene.world:state(own.id))))) end,
    spin = function(own) return vec3(table.unpack((select(4, own.scene.world:state(own.id))))) end,
    mass = function(own) return own.mass end,
}
readers.centre = readers.position

function actor_type:__index(name) return readers[name](rawget(self, "own")) end

function actor_type:__newindex(name, value)
    local own = rawget(self, "own")
    local _, _, v, w = own.scene.world:state(own.id)
    if name == "velocity" then own.scene.world:set(own.id, list(value), w)
    elseif name == "spin" then own.scene.world:set(own.id, v, list(value))
    elseif name == "position" then own.p = list(value)
    elseif name == "orientation" then own.q = {value.w, value.x, value.y, value.z}
    else error("the rivals cannot set " .. name) end
end

-- The kinetic energy of a body that moves.
function scene_type:kinetic(actor)
    local own = rawget(actor, "own")
    local v, w = actor.velocity, actor.orientation:inverse() * actor.spin
    local I = own.inertia
    return 0.5 * own.mass * v:dot(v) + 0.5 * (I[1] * w.x ^ 2 + I[2] * w.y ^ 2 + I[3] * w.z ^ 2)
end

function scene_type:joint(kind, a, b, d)
    d = d or {}
    local function id(actor) return actor and rawget(actor, "own").id or -1 end
    local limits = d.limits and {math.rad(d.limits[1]), math.rad(d.limits[2])}
    self.world:join{kind = kind == "revolute" and "hinge" or kind == "spherical" and "ball" or kind, a = id(a), b = id(b),
        at = list(d.at or (b and b.position) or {0, 0, 0}), axis = list(d.axis or {0, 0, 1}), limits = limits,
        speed = d.speed, most = d.most}
end

function scene_type:frame()
    for _, own in ipairs(self.led) do self.world:lead(own.id, own.p, own.q) end
    self.world:step()
    self.steps = self.steps + 1
    self.time = self.steps * self.step
end

function scene_type:run(seconds)
    for _ = 1, math.floor(seconds / self.step + 0.5) do self:frame() end
end

scene_type.__index = scene_type

-- A scene of "bullet" or "ode"; nil if they were not built.
return function(engine, d)
    if rivals == nil then
        local place = os.getenv("EIGENRIG_BUILD") or eigenrig.files.beside("../../build")
        package.cpath = place .. "/tools/reality/?.so;" .. package.cpath
        local ok, found = pcall(require, "rivals")
        rivals = ok and found
    end
    if not rivals then return nil end
    d = d or {}
    local step = d.step or 1 / 60
    return setmetatable({step = step, steps = 0, time = 0, led = {}, swept = d.swept and engine == "bullet",
        world = rivals.world(engine, step, list(d.gravity or {0, -9.81, 0}), d.many)}, scene_type)
end

-- Parts shared by scenes: a puppet, a car, a truck, a motorcycle, a hammer, stacks of boxes and balls.
--
--     local parts = dofile(eigenrig.files.beside("parts.lua"))
--     local small = parts.puppet(scene, {at = {0, 0, 2}, scale = 0.5, weight = 10})
--
-- All of them take the scene, and a table in which everything may be left out:
--     at       where it stands, on the ground: {x, y, z}, m                             {0, 0, 0}
--     turn     which way it looks, degrees about y; 0 looks along +z                    0
--     scale    how large it is: 2 is twice as long, and as wide, and as high            1
--     weight   how heavy: 2 is twice its mass at that size                              1
--     material what it is made of; some take another one for wheels or skin
-- Each function hands back a table of the actors and joints that it made.

local parts = {}
local vec3, quat = eigenrig.vec3, eigenrig.quat

-- ---- A place to build at

-- Turns points, lengths and masses of a plan into those of the scene.
local function site(given)
    local at = vec3(given.at or {0, 0, 0})
    local turned = quat({0, 1, 0}, given.turn or 0)
    local scale, weight = given.scale or 1, given.weight or 1
    return {
        turned = turned,
        point = function(x, y, z) return at + turned * (scale * vec3(x, y, z)) end,
        way = function(x, y, z) return turned * vec3(x, y, z) end,
        size = function(x, y, z) return {scale * x, scale * y, scale * z} end,
        length = function(x) return scale * x end,
        mass = function(m) return m * weight * scale ^ 3 end,
        -- springs that hold a weight in gravity grow with the weight, and with its lever
        spring = function(k) return k * weight * scale ^ 4 end,
    }
end

-- ---- A puppet

-- Bones of a puppet that stands 1.8 m high, before any of its joints bends: middle, edges, kg.
local trunk = {at = {0, 1.15, 0}, size = {0.36, 0.58, 0.20}, mass = 30}
local arm = {at = {0.25, 1.11, 0}, size = {0.10, 0.60, 0.12}, mass = 4}
local thigh = {at = {0.10, 0.65, 0}, size = {0.14, 0.38, 0.16}, mass = 8}
local shin = {at = {0.10, 0.23, 0.02}, size = {0.14, 0.44, 0.22}, mass = 6}
local shoulder, hip, knee, neck = {0.25, 1.36, 0}, {0.10, 0.85, 0}, {0.10, 0.45, 0}, {0, 1.46, 0}

-- A turn about an axis through a point.
local function bend(pivot, axis, degrees)
    local q, p = quat(axis, degrees), vec3(pivot)
    return {q = q, point = function(x) return p + q * (x - p) end}
end

-- parts.puppet(scene, {...}): besides what all take
--     hip, knee, arm, spread   degrees that thighs are raised, knees bent, arms raised and legs spread     0
--     stiffness                of its joints, N m/rad, at scale and weight 1; 0 is a rag doll              60
--     skin                     material of head and hands; else `material`
function parts.puppet(scene, given)
    local s = site(given)
    local skin = given.skin or given.material
    local stiff = s.spring(given.stiffness or 60)
    local laws = {stiffness = stiff, damping = 0.08 * stiff + s.spring(0.3)}
    local name = given.name or "puppet"
    local me = {}

    local function bone(which, plan, side, bends)
        local at, q = vec3(plan.at), quat(1, 0, 0, 0)
        at = vec3(side * at.x, at.y, at.z)
        for _, b in ipairs(bends) do
            at, q = b.point(at), b.q * q
        end
        return scene:actor {
            name = name .. " " .. which, box = s.size(table.unpack(plan.size)), mass = s.mass(plan.mass),
            at = s.point(at.x, at.y, at.z), orientation = s.turned * q, material = given.material,
        }
    end
    local function joint(kind, a, b, at, axis, limits)
        return scene:joint(kind, a, b, {
            at = s.point(at.x, at.y, at.z), axis = axis, limits = limits,
            stiffness = laws.stiffness, damping = laws.damping,
        })
    end

    me.trunk = bone("trunk", trunk, 1, {})
    -- the nose is the head's counterweight, and says which way it looks
    me.head = scene:actor {
        name = name .. " head", at = s.point(0, 1.64, 0), orientation = s.turned, mass = s.mass(5), material = skin,
        parts = {{sphere = s.length(0.17)}, {sphere = s.length(0.05), at = s.size(0, 0, 0.17)}},
    }
    joint("hinge", me.trunk, me.head, vec3(neck), s.way(1, 0, 0), {-40, 40})

    for _, which in ipairs {"left", "right"} do
        local limb, side = {}, which == "left" and 1 or -1 -- it looks along +z: its left is +x
        me[which] = limb
        local function mirrored(p) return vec3(side * p[1], p[2], p[3]) end
        local raised = bend(mirrored(shoulder), {1, 0, 0}, -(given.arm or 0))
        local spread = bend(mirrored(hip), {0, 0, 1}, side * (given.spread or 0))
        local lifted = bend(mirrored(hip), {1, 0, 0}, -(given.hip or 0))
        local bent = bend(mirrored(knee), {1, 0, 0}, given.knee or 0)
        limb.arm = bone(which .. " arm", arm, side, {raised})
        limb.thigh = bone(which .. " thigh", thigh, side, {lifted, spread})
        limb.shin = bone(which .. " shin", shin, side, {bent, lifted, spread})
        joint("ball", me.trunk, limb.arm, mirrored(shoulder))
        joint("ball", me.trunk, limb.thigh, mirrored(hip))
        local where, axis = spread.point(lifted.point(mirrored(knee))), spread.q * vec3(1, 0, 0)
        local now = given.knee or 0
        joint("hinge", limb.thigh, limb.shin, where, s.way(axis.x, axis.y, axis.z), {-now, 130 - now})
    end
    return me
end

-- ---- On wheels

-- A ball that turns about x on what carries it.
local function wheel(scene, s, on, name, at, radius, mass, given)
    local ball = scene:actor {
        name = name, sphere = s.length(radius), mass = s.mass(mass), at = s.point(table.unpack(at)),
        orientation = s.turned, material = given.rubber or given.material, ignores = given.ignores,
    }
    local axle = scene:joint("hinge", on, ball, {
        name = name .. " axle", at = s.point(table.unpack(at)), axis = s.way(1, 0, 0), speed = given.speed, most = given.most and s.spring(given.most),
    })
    return ball, axle
end

-- parts.car(scene, {...}): a body of three boxes on four balls, 3 m long, 800 kg, besides what all take
--     rubber   material of the wheels
function parts.car(scene, given)
    local s = site(given)
    local car = {wheels = {}, axles = {}}
    car.body = scene:actor {
        name = given.name or "car", at = s.point(0, 0.55, 0), orientation = s.turned, mass = s.mass(700), material = given.material,
        parts = {
            {box = s.size(1.1, 0.35, 3.0)},
            {box = s.size(1.0, 0.40, 1.4), at = s.size(0, 0.36, -0.2)},
            {box = s.size(1.2, 0.12, 0.2), at = s.size(0, -0.1, 1.55)},
        },
    }
    for i, at in ipairs {{0.7, 0.3, 1}, {-0.7, 0.3, 1}, {0.7, 0.3, -1}, {-0.7, 0.3, -1}} do
        car.wheels[i], car.axles[i] = wheel(scene, s, car.body, "wheel " .. i, at, 0.3, 25, given)
    end
    return car
end

-- parts.motorcycle(scene, {...}): 2.2 m long, 160 kg: frame, handlebar on a hinge, two wheels; looks along +z.
function parts.motorcycle(scene, given)
    local s = site(given)
    local moto = {}
    moto.frame = scene:actor {
        name = "motorcycle", at = s.point(0, 0.62, 0), orientation = s.turned, mass = s.mass(110), material = given.material,
        parts = {
            {box = s.size(0.24, 0.34, 0.9)},                                -- engine and tank
            {box = s.size(0.30, 0.12, 0.7), at = s.size(0, 0.20, -0.45)},   -- saddle
            {box = s.size(0.30, 0.30, 0.08), at = s.size(0, 0.38, -0.80), turn = {-10, 0, 0}}, -- back rest
            {box = s.size(0.16, 0.16, 0.9), at = s.size(0, -0.2, -0.3)},
        },
    }
    -- foot rests, that a rider's legs stand on
    local tilt = quat({1, 0, 0}, -25)
    moto.handlebar = scene:actor {
        name = "handlebar", at = s.point(0, 0.85, 0.62), orientation = s.turned * tilt, mass = s.mass(15), material = given.material,
        parts = {
            {box = s.size(0.10, 0.7, 0.08)},                            -- fork
            {box = s.size(0.80, 0.05, 0.05), at = s.size(0, 0.36, 0)},  -- bar
        },
    }
    moto.steering = scene:joint("hinge", moto.frame, moto.handlebar, {
        name = "steering", at = s.point(0, 0.85, 0.62), axis = s.turned * (tilt * vec3(0, 1, 0)), limits = {-35, 35},
        angle = 0, stiffness = s.spring(400), damping = s.spring(40),
    })
    moto.front = wheel(scene, s, moto.handlebar, "front wheel", {0, 0.32, 0.87}, 0.32, 15, given)
    moto.rear = wheel(scene, s, moto.frame, "rear wheel", {0, 0.32, -0.75}, 0.32, 20, given)
    return moto
end

-- parts.truck(scene, {...}): a cab that steers and pulls a trailer; 9 m long, looks along +z.
--     most   N m, of the motor of each wheel that drives                               1500
--   truck:drive(speed)   m/s that the wheels are to roll at; 0 brakes
--   truck:steer(degrees) of the front wheels, to the left
function parts.truck(scene, given)
    local s = site(given)
    local truck = {wheels = {}, driven = {}, knuckles = {}}
    local radius, most = 0.45, given.most or 1500
    truck.cab = scene:actor {
        name = "cab", at = s.point(0, 0.9, 2.6), orientation = s.turned, mass = s.mass(2500), material = given.material,
        groups = 2, -- the wheels that steer reach into it, and are tied to their knuckles alone: they are to pass
        parts = {
            {box = s.size(1.5, 0.3, 3.2)},
            {box = s.size(1.9, 1.5, 1.2), at = s.size(0, 0.9, 0.9)},
        },
    }
    truck.trailer = scene:actor {
        name = "trailer", at = s.point(0, 1.45, -1.6), orientation = s.turned, mass = s.mass(2000),
        material = given.load or given.material,
        parts = {
            {box = s.size(2.0, 1.6, 5.0), at = s.size(0, 0.55, 0)},
            {box = s.size(1.0, 0.5, 1.6), at = s.size(0, -0.5, -1.4)},
        },
    }
    truck.hitch = scene:joint("hinge", truck.cab, truck.trailer, {
        name = "hitch", at = s.point(0, 1.1, 1.5), axis = s.way(0, 1, 0), limits = {-70, 70}, damping = s.spring(200),
    })
    for _, side in ipairs {1, -1} do
        local at = {1.0 * side, radius, 3.6}
        local knuckle = scene:actor {
            name = "knuckle", at = s.point(table.unpack(at)), orientation = s.turned, mass = s.mass(60), material = given.material,
            box = s.size(0.2, 0.2, 0.2),
        }
        truck.knuckles[#truck.knuckles + 1] = scene:joint("hinge", truck.cab, knuckle, {
            name = "steering", at = s.point(table.unpack(at)), axis = s.way(0, 1, 0), limits = {-40, 40},
            angle = 0, stiffness = s.spring(40000), damping = s.spring(4000),
        })
        truck.wheels[#truck.wheels + 1] = wheel(scene, s, knuckle, "front wheel", at, radius, 80,
            {rubber = given.rubber, material = given.material, ignores = 2})
    end
    local function rear(on, z, motor)
        for _, side in ipairs {1, -1} do
            local ball, axle = wheel(scene, s, on, "wheel", {1.0 * side, radius, z}, radius, 80,
                motor and {rubber = given.rubber, material = given.material, speed = 0, most = most} or given)
            truck.wheels[#truck.wheels + 1] = ball
            if motor then truck.driven[#truck.driven + 1] = axle end
        end
    end
    rear(truck.cab, 1.7, true)
    rear(truck.trailer, -2.2)
    rear(truck.trailer, -3.3)

    local rolls = s.length(radius)
    function truck:drive(speed)
        for _, axle in ipairs(self.driven) do axle:drive {speed = speed / rolls} end
    end
    function truck:steer(degrees)
        for _, knuckle in ipairs(self.knuckles) do knuckle:drive {angle = degrees} end
    end
    return truck
end

-- ---- Stacks

-- parts.stack(scene, {...}): boxes, or balls where `radius` is said, in rows of `count = {nx, ny, nz}`, its lowest layer on `at`.
--     size     edges of a box {x, y, z}, m            {0.4, 0.4, 0.4}
--     radius   of a ball, m
--     gap      between neighbours, m                  0.002
--     mass     kg of each; else as its material is dense
function parts.stack(scene, given)
    local at, n, gap = vec3(given.at or {0, 0, 0}), given.count or {3, 3, 3}, given.gap or 0.002
    local r = given.radius
    local edge = vec3(r and {2 * r, 2 * r, 2 * r} or given.size or {0.4, 0.4, 0.4})
    local list = {}
    for j = 0, n[2] - 1 do
        for i = 0, n[1] - 1 do
            for k = 0, n[3] - 1 do
                list[#list + 1] = scene:actor {
                    name = given.name or "stacked", sphere = r, box = not r and edge or nil, mass = given.mass, material = given.material,
                    at = at + {(i - (n[1] - 1) / 2) * (edge.x + gap), edge.y / 2 + j * (edge.y + gap), (k - (n[3] - 1) / 2) * (edge.z + gap)},
                }
            end
        end
    end
    return list
end

-- ---- Chance

-- parts.dice(seed): a function(low, high) of numbers that look like chance, the same ones in each run.
function parts.dice(seed)
    return function(low, high)
        seed = (seed * 16807) % 2147483647
        return low + (high - low) * seed / 2147483647
    end
end

-- ---- Cameras

-- An action that turns the camera towards an actor's centre of mass, each step, as long as it runs.
function parts.watch(scene, actor)
    return scene:action {name = "camera", update = function() scene.camera = {target = actor.centre} end}
end

return parts

-- scenes.lua FOLDER NAME: plays a scene of that folder to its end, twice, and prints what happened in it as JSON.
local folder, name = arg[1], arg[2]

local vec3 = eigenrig.vec3

-- Judges of scenes: begin(env, scene), each(env, scene, facts) after each frame, finish(env, scene, facts).
local judges = {}

local function press(scene, key) scene:post("key_down", {key = key}) end
local function release(scene, key) scene:post("key_up", {key = key}) end

-- How many of a list went farther than that from where they were.
local function moved(list, from, least)
    local count = 0
    for i, actor in ipairs(list) do
        if (actor.position - from[i]):length() > least then count = count + 1 end
    end
    return count
end

local function places(list)
    local all = {}
    for i, actor in ipairs(list) do all[i] = actor.position end
    return all
end

-- The largest distance between the sides of any joint.
local function apart(scene)
    local most = 0
    for _, joint in ipairs(scene:joints()) do
        local a, b = joint:anchors()
        if joint.type ~= "prismatic" then most = math.max(most, (a - b):length()) end -- those slide
    end
    return most
end

judges.car_and_spheres = {
    begin = function(env) env.from = places(env.spheres) end,
    finish = function(env, scene, facts)
        facts.moved = moved(env.spheres, env.from, 0.15)
        facts.spheres = #env.spheres
        facts.car = env.car.body.position:totable()
    end,
}

judges.thrown_sphere = {
    begin = function(env, scene)
        env.from = places(env.boxes)
        env.ball:on("contact_begins", function(event)
            env.first = env.first or event.other.name
            if event.other.name:match("^first ") then env.at = env.at or event.point.y end
        end)
    end,
    finish = function(env, scene, facts)
        facts.first, facts.at = env.first, env.at
        facts.moved = moved(env.boxes, env.from, 0.3)
        facts.puppets = {env.puppets[1].trunk.position:totable(), env.puppets[2].trunk.position:totable()}
    end,
}

judges.motorcycle = {
    begin = function(env, scene)
        env.touching = {}
        local on, walker = {[env.motorcycle.frame] = true}, {}
        local rider = {env.rider.trunk, env.rider.left.thigh, env.rider.right.thigh}
        for _, bone in ipairs(rider) do
            bone:on("contact_begins", function(event) if on[event.other] then env.sat = env.sat or scene.time end end)
        end
        for _, part in ipairs {env.motorcycle.frame, env.motorcycle.handlebar, env.motorcycle.front} do
            part:on("contact_begins", function(event)
                if event.other.name:match("^walker") then env.hit = env.hit or scene.time end
            end)
        end
    end,
    each = function(env, scene, facts)
        if env.ride.state == "running" and not facts.began then
            facts.began = scene.time
            facts.above = env.rider.trunk.position.y - env.motorcycle.frame.position.y
            facts.behind = env.rider.trunk.position.z - env.motorcycle.frame.position.z
        end
        if env.watch.state == "running" then
            facts.aside = math.max(facts.aside or 0, (vec3(scene.camera.target) - env.rider.trunk.centre):length())
            facts.fastest = math.max(facts.fastest or 0, env.motorcycle.frame.velocity.z)
        end
    end,
    finish = function(env, scene, facts)
        facts.sat, facts.hit = env.sat, env.hit
        facts.walker = env.walker.trunk.position:totable()
        facts.watch = env.watch.state
    end,
}

judges.fountain_and_hammer = {
    each = function(env, scene, facts)
        if scene.time < 4.99 then facts.early = #scene:actors() end
        if env.hammer then facts.turns = (facts.turns or 0) + env.hammer.spin.z * scene.step / (2 * math.pi) end
        for _, group in ipairs(env.groups) do
            for _, drop in ipairs(group.spheres) do facts.highest = math.max(facts.highest or 0, drop.position.y) end
        end
    end,
    finish = function(env, scene, facts)
        facts.groups, facts.thrown, facts.actors = #env.groups, env.thrown, #scene:actors()
        facts.suspended = 0
        for _, group in ipairs(env.groups) do
            if group.action.state == "suspended" then facts.suspended = facts.suspended + 1 end
        end
    end,
}

judges.bridge = {
    begin = function(env, scene)
        env.met = {}
        for _, part in ipairs {env.car.body, table.unpack(env.car.wheels)} do
            part:on("contact_begins", function(event) env.met[event.other.name:match("^%a+")] = true end)
        end
    end,
    each = function(env, scene, facts)
        facts.apart = math.max(facts.apart or 0, apart(scene))
        for _, plank in ipairs(env.planks) do facts.lowest = math.min(facts.lowest or 0, plank.position.y) end
    end,
    finish = function(env, scene, facts)
        facts.car, facts.met = env.car.body.position:totable(), env.met
        facts.weights = {env.puppets[1].trunk.mass, env.puppets[2].trunk.mass}
    end,
}

-- Keys as its file of events has them: an event posted after a frame is handled in the next one.
local function post_keys(scene)
    for line in io.lines(folder .. "/truck.keys") do
        local step, name, key = line:match("^(%d+) (%S+) (%S+)")
        if tonumber(step) == scene.steps + 1 then scene:post(name, {key = key}) end
    end
end
judges.truck = {
    each = function(env, scene, facts)
        post_keys(scene)
        if scene.steps == 59 then facts.stood = env.truck.cab.position:totable() end
        facts.highest = math.max(facts.highest or 0, env.truck.trailer.position.y)
        if scene.steps == 400 then facts.passed = env.truck.trailer.position:totable() end
        if scene.steps == 438 then facts.steered = env.truck.knuckles[1].angle end
        facts.apart = math.max(facts.apart or 0, apart(scene))
        facts.backwards = math.min(facts.backwards or 0, (env.truck.cab.orientation:inverse() * env.truck.cab.velocity).z)
    end,
    finish = function(env, scene, facts) facts.cab, facts.upright = env.truck.cab.position:totable(), (env.truck.cab.orientation * vec3(0, 1, 0)).y end,
}

local ways = {d = {1, 0, 0}, a = {-1, 0, 0}, r = {0, 1, 0}, f = {0, -1, 0}, s = {0, 0, 1}, w = {0, 0, -1}}
judges.coloured_spheres = {
    words = {"200"},
    begin = function(env) env.keys = {"d", "a", "r", "f", "s", "w"} end,
    each = function(env, scene, facts)
        local turn, at = scene.steps // 40, scene.steps % 40
        local key = env.keys[turn + 1]
        if not key then return end
        if at == 1 then
            press(scene, key)
            env.was = env.white.velocity
        elseif at == 6 then -- the last of what it was pushed by is four steps old, and others have pushed it back
            facts[key] = (env.white.velocity - env.was):dot(ways[key])
        elseif at == 12 then
            release(scene, key)
        end
    end,
    finish = function(env, scene, facts)
        -- the box as its walls have it: the floor's top, the lid's bottom, and what is between those at x
        local half, high = 0, 0
        for _, wall in ipairs(scene:actors()) do
            if wall.name == "wall" then
                local low, top = wall:box()
                half = math.max(half, math.abs(wall.position.x) - top.x)
                high = math.max(high, wall.position.y + low.y)
            end
        end
        facts.count, facts.outside = #env.spheres, 0
        for _, sphere in ipairs(env.spheres) do
            local p = sphere.position
            if math.abs(p.x) > half or math.abs(p.z) > half or p.y < 0 or p.y > high then facts.outside = facts.outside + 1 end
        end
    end,
}

judges.herd = {
    begin = function(env) env.from = env.herd[2].centre end,
    finish = function(env, scene, facts)
        facts.hits, facts.stones = env.hits, #env.hailstones
        facts.way = (env.herd[2].centre - env.from):totable()
        facts.middle = env.herd[1].centre.z - env.herd[3].centre.z
    end,
}

local function count_walkers(list)
    local count = 0
    for _, one in ipairs(list) do count = count + (one.walking == "walks" and 1 or 0) end
    return count
end

judges.ride = {
    begin = function(env) env.from = env.rider.centre end,
    finish = function(env, scene, facts)
        facts.rider, facts.way = env.rider.walking, (env.rider.centre - env.from):totable()
        facts.walk = count_walkers(env.crowd)
    end,
}

judges.crossing = {
    each = function(env, scene, facts) facts.swings = math.max(facts.swings or 0, math.abs(env.deck.position.z)) end,
    finish = function(env, scene, facts)
        facts.walkers, facts.walk, facts.stones = #env.crowd, count_walkers(env.crowd), #env.stones
    end,
}

judges.gallery = {
    begin = function(env) env.from = env.targets[1].centre end,
    finish = function(env, scene, facts)
        facts.hits, facts.walk = env.hits, count_walkers(env.targets)
        facts.way = (env.targets[1].centre - env.from).x
    end,
}

judges.fox = {
    each = function(env, scene, facts)
        facts.apart = math.max(facts.apart or 0, apart(scene))
        for _, bone in ipairs {"tail_5", "left_ear_2", "head"} do
            local away = env.swinging:actor(bone).position - env.stiff:actor(bone).position - vec3(0.5, 0, -1.2)
            facts[bone] = math.max(facts[bone] or 0, away:length())
        end
    end,
}

judges.dropped = {
    each = function(env, scene, facts)
        if #env.found > 0 and not facts.lies then
            facts.lies = env.dropped.centre:totable()
            facts.hz = {}
            for i, mode in ipairs(env.found) do facts.hz[i] = mode.frequency_hz end
        end
        facts.shown = facts.shown or env.shown ~= nil
        -- then it is taken by its head, and pulled up by ten degrees
        local eye, head = scene.camera.eye, env.dropped:actor("head").position
        if scene.steps == 630 then
            env.way = (head - eye):unit()
            scene:post("mouse_down", {button = "left", way = env.way})
        elseif scene.steps == 632 then
            scene:post("mouse_drag", {button = "left", way = eigenrig.quat({1, 0, 0}, 10) * env.way})
            facts.head = head.y
        elseif scene.steps == 700 then
            facts.lifted = head.y - facts.head
        end
    end,
}

-- ---- Played

local judge = judges[name]

local function open()
    local env = setmetatable({arg = judge.words or {}, print = function() end}, {__index = _G})
    local scene = assert(loadfile(folder .. "/" .. name .. ".scene.lua", "t", env))()
    return env, scene
end

local function play(threads, measures)
    local env, scene = open()
    local facts = {name = scene.name, overlap = 0, kinetic = 0}
    scene.threads = threads
    if judge.begin then judge.begin(env, scene) end
    for i = 1, math.floor(scene.length / scene.step + 0.5) do
        scene:frame()
        if measures then
            facts.overlap = math.max(facts.overlap, scene.overlap)
            if i % 5 == 0 then facts.kinetic = math.max(facts.kinetic, scene.energy.kinetic) end
        end
        if judge.each then judge.each(env, scene, facts) end
    end
    if judge.finish then judge.finish(env, scene, facts) end
    facts.hash, facts.steps = scene.hash, scene.steps
    return facts
end

local facts = play(1, true)
facts.again = play(2, false).hash
print(eigenrig.json.encode(facts))

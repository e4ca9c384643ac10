-- The contents of living scenes: solids, joints, characters; and queries.
local vec3, quat = eigenrig.vec3, eigenrig.quat

-- A scene without weight, in steps of a hundredth.
local function space(more)
    local options = {gravity = {0, 0, 0}, step = 0.01, sleep_time = 0}
    for key, value in pairs(more or {}) do options[key] = value end
    return eigenrig.scene(options)
end

function promise.a_scene_has_the_rules_it_is_given()
    local s = eigenrig.scene{name = "mine", gravity = {1, -2, 3}, step = 0.125, length = 7, threads = 2, shading = "flat",
        polygons = "line", shown = "both",
        camera = {eye = {1, 2, 3}, target = {4, 5, 6}, fov = 60}}
    equal(s.name, "mine") equal(s.gravity, vec3(1, -2, 3)) equal(s.step, 0.125) equal(s.length, 7) equal(s.threads, 2)
    equal(s.shading, "flat")
    equal(s.polygons, "line") equal(s.shown, "both") equal(s.camera.eye, vec3(1, 2, 3)) equal(s.camera.target, vec3(4, 5, 6))
    near(s.camera.fov, 60) equal(s.camera.follow, nil)
    equal(s.time, 0) equal(s.steps, 0) equal(s.state, "created") equal(tostring(s), "scene: 0 actors, 0 joints, 0.000 s")
    s:frame()
    equal(s.time, 0.125) equal(s.steps, 1) equal(s.state, "running")
    s.step = 0.25
    s:frame()
    close(s.time, 0.375) equal(s.steps, 2) equal(tostring(s), "scene: 0 actors, 0 joints, 0.375 s")
    s.gravity = {0, 0, 0} s.length = 0 s.threads = 1 s.shading = "phong" s.polygons = "point" s.shown = "joints"
    equal(s.gravity, vec3(0, 0, 0)) equal(s.length, 0) equal(s.threads, 1) equal(s.shading, "phong") equal(s.polygons, "point")
    equal(s.shown, "joints")
    local usual = eigenrig.scene{}
    equal(usual.gravity, vec3(0, -9.81, 0)) equal(usual.step, 1 / 60) equal(usual.name, "scene") equal(usual.length, 0)
    equal(usual.threads, 1) equal(usual.shading, "phong")
    equal(usual.shown, "actors") equal(usual.polygons, "fill") equal(usual.camera.eye, vec3(0, 2, 8))
    near(usual.camera.fov, math.deg(0.8))
    local a = s:actor{sphere = 1}
    s.camera = {follow = a}
    equal(s.camera.follow, a)
    s.camera = {fov = 30}
    equal(s.camera.follow, a) near(s.camera.fov, 30) equal(s.camera.eye, vec3(1, 2, 3))
    s.camera = {follow = false}
    equal(s.camera.follow, nil)
    wrong(s, "it.camera = {follow = 3}", "camera.follow")
    wrong(s, "it.camera = {follow = eigenrig.scene{}:actor{sphere = 1}}", "actor")
    for _, case in ipairs{{"step", 0}, {"step", 1.1}, {"substeps", 0}, {"substeps", 1001}, {"stiffness", 0}, {"threads", 9},
        {"sleep_time", -1}, {"sleep_speed", -1},
            {"erp", 1.1}, {"cfm", -1}, {"iterations", 0}, {"accuracy", -1}, {"relaxation", 2}, {"cone", 1}, {"length", -1}, {"solver", "quick"}, {"shading", "x"},
                {"polygons", "x"}, {"shown", "x"}, {"pace", "x"},
            {"shadows", 3}, {"camera", 3}, {"background", 3}, {"ambient", "x"}, {"gravity", 3}} do
        fails(case[1], function() s[case[1]] = case[2] end) fails(case[1], eigenrig.scene, {[case[1]] = case[2]})
    end
    fails("gravity", eigenrig.scene, {gravity = {0, -2e6, 0}})
    fails("gravity", eigenrig.scene, {grvity = 3})
    fails("camera.fov", eigenrig.scene, {camera = {fov = 171}})
    fails("function", eigenrig.scene, {script = 3})
    fails("background", eigenrig.scene, {background = {colur = 1}})
    fails("background", eigenrig.scene, {background = {picture = ("x"):rep(5000)}})
end

-- ---- Solids

-- Mass, centre and moments of inertia by a torque about each axis for a step.
local function weigh(def, mass, moments, centre)
    local s = space()
    for key, value in pairs{name = "it"} do def[key] = value end
    local a = s:actor(def)
    near(a.mass, mass, 1e-9) same(a.centre, centre or {0, 0, 0}, 1e-9)
    for k, moment in ipairs(moments or {}) do
        local torque = {0, 0, 0}
        torque[k] = moment -- 1 rad/s^2
        a.spin = {0, 0, 0}
        a:place({0, 0, 0}, quat(1, 0, 0, 0))
        a:torque(torque)
        s:frame()
        local got = a.spin:totable()
        close(got[k], 0.01, 1e-5)
        if not def.parts then for i = 1, 3 do if i ~= k then close(got[i], 0, 1e-9) end end end
    end
end

function promise.solids_weigh_what_they_hold()
    local pi = math.pi
    weigh({sphere = 0.5}, 1000 * 4 / 3 * pi / 8, {1, 1, 1} and {0.4 * 1000 * pi / 6 / 4, 0.4 * 1000 * pi / 6 / 4,
        0.4 * 1000 * pi / 6 / 4})
    local box = 1000 * 1 * 2 * 3
    weigh({box = {1, 2, 3}}, box, {box * 13 / 12, box * 10 / 12, box * 5 / 12})
    local m = 1000 * pi * 0.25 * 2
    local across, along = m * (3 * 0.25 + 4) / 12, m * 0.25 / 2
    weigh({cylinder = {0.5, 2}}, m, {across, along, across}) -- its axis is up
    weigh({cylinder = {0.5, 2}, along = "x"}, m, {along, across, across})
    weigh({cylinder = {0.5, 2}, along = "y"}, m, {across, along, across})
    weigh({cylinder = {0.5, 2}, along = "z"}, m, {across, across, along})
    local balls = 1000 * 4 / 3 * pi / 8
    weigh({capsule = {0.5, 2}, along = "z"}, m + balls, {nil})
    weigh({capsule = {0.5, 0}}, balls)
    weigh({hull = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 1000 / 6, nil, {0.25, 0.25, 0.25})
    weigh({sphere = 0.5, mass = 3}, 3, {0.4 * 3 / 4, 0.4 * 3 / 4, 0.4 * 3 / 4})
    -- two balls, one of lead, and something that is only seen
    local s = space()
    local lead = s:material{density = 3000}
    local pair = s:actor{parts = {{sphere = 0.5, at = {-1, 0, 0}}, {sphere = 0.5, at = {1, 0, 0}, material = lead},
        {box = {9, 9, 9}, passes = true}}, at = {5, 0, 0}}
    near(pair.mass, balls * 4) same(pair.centre, {5.5, 0, 0}, 1e-9)
    local about = 0.4 * balls * 4 / 4 + balls * 1.5 ^ 2 + 3 * balls * 0.5 ^ 2
    pair:torque{0, 0, about} s:frame()
    close(pair.spin.z, 0.01, 1e-6)
    near(s:actor{sphere = 0.5, material = lead, parts = {{sphere = 0.5, at = {0, 2, 0}}}}.mass, 6 * balls)
    near(s:actor{box = {1, 1, 1}, material = lead}.mass, 3000)
    -- a part that is turned: of a rod the moment about its own axis is small
    s = space()
    local rod = s:actor{parts = {{box = {2, 0.1, 0.1}, turn = {0, 0, 90}}}}
    rod:torque{0, 1, 0} s:frame()
    near(rod.spin.y, 0.01 / (20 * (0.01 + 0.01) / 12), 1e-6)
    rod = s:actor{at = {9, 0, 0}, parts = {{box = {2, 0.1, 0.1}, orientation = quat({0, 1, 0}, 90)}}}
    rod:torque{0, 0, 1} s:frame()
    near(rod.spin.z, 0.01 / (20 * (0.01 + 0.01) / 12), 1e-6)
end

function promise.boxes_round_solids_are_as_they_lie()
    local s = space()
    local function box(def, low, high)
        def.at = {7, 8, 9}
        local a, b = s:actor(def):box()
        same(a, low, 1e-6) same(b, high, 1e-6)
    end
    box({sphere = 0.5}, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}) box({box = {1, 2, 3}}, {-0.5, -1, -1.5}, {0.5, 1, 1.5})
    box({capsule = {0.25, 2}}, {-0.25, -1.25, -0.25}, {0.25, 1.25, 0.25})
    box({capsule = {0.25, 2}, along = "x"}, {-1.25, -0.25, -0.25}, {1.25, 0.25, 0.25})
    box({cylinder = {0.25, 2}}, {-0.25, -1, -0.25}, {0.25, 1, 0.25})
    box({cylinder = {0.25, 2}, along = "z"}, {-0.25, -0.25, -1}, {0.25, 0.25, 1})
    box({hull = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}}, {0, 0, 0}, {1, 2, 3})
    box({parts = {{sphere = 0.5, at = {0, 1, 0}}, {box = {4, 1, 1}}}}, {-2, -0.5, -0.5}, {2, 1.5, 0.5})
    box({motion = "still", mesh = {points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}},
        triangles = {{1, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}}}}, {0, 0, 0}, {1, 2, 3})
    box({motion = "still", plane = true, parts = {{sphere = 1}}}, {-1, -1, -1}, {1, 1, 1}) -- a plane has no end
end

function promise.shapes_that_are_none_are_refused()
    local s = space()
    for text, named in pairs{
            ['{capsule = 3}'] = "capsule: ", ['{capsule = {1}}'] = "capsule: ",
                ['{capsule = {1, -1}}'] = "capsule: ", ['{cylinder = {1, 0}}'] = "cylinder: ",
            ['{cylinder = {0, 1}}'] = "cylinder: ", ['{box = {1, 1}}'] = "box: ",
                ['{box = {1, 1, 0}}'] = "box: ", ['{box = {0, 1, 1}}'] = "box: ",
            ['{hull = {{0, 0, 0}, {1, 0, 0}}}'] = "hull: ",
                ['{hull = {{0, 0, 0}, {1, 0, 0}, 3}}'] = "point 3",
            ['{plane = false, motion = "still"}'] = "plane: ",
                ['{plane = "x", motion = "still"}'] = "plane: ",
                ['{plane = 0, motion = "still"}'] = "plane: ",
            ['{mesh = {points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, motion = "still"}'] = "mesh",
            ['{mesh = {triangles = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}, motion = "still"}'] = "mesh",
            ['{mesh = {points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, triangles = {}}, motion = "still"}'] = "triangles",
            ['{mesh = {points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, triangles = {{1, 2, 3}, {1, 2, 3}, {1, 2, 4}}}, motion = "still"}'] = "triangle 3",
            ['{mesh = {points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, triangles = {{0, 2, 3}, {1, 2, 3}, {1, 2, 3}}}, motion = "still"}'] = "triangle 1",
            ['{heights = {columns = 2}, motion = "still"}'] = "heights",
                ['{heights = {columns = 2, values = {1, 2}}, motion = "still"}'] = "heights.values: ",
            ['{heights = {columns = 2, values = {1, 2, 3, 4, 5}}, motion = "still"}'] = "heights.values: ",
                ['{heights = {columns = 1, values = {1, 2}}, motion = "still"}'] = "heights.columns: ",
            ['{parts = {}}'] = "parts: ",
                ['{parts = {{at = {0, 0, 0}}}}'] = "part 1", ['{parts = 3}'] = "parts: ",
            ['{parts = {{sphere = 1}, {sphere = 1, mass = 3}}}'] = "mass: ",
                ['{sphere = 1, along = "w"}'] = "along: ", ['{sphere = 1, turn = 3}'] = "turn: ",
            ['{sphere = 1, orientation = 3}'] = "orientation: ",
                ['{sphere = 1, motion = "x"}'] = "motion: ", ['{sphere = 1, groups = -1}'] = "groups: ",
            ['{sphere = 1, spher = 1}'] = "sphere",
                ['{cylinder = {1, 1}, capsule = {1, 1}}'] = "capsule"} do
        wrong(s, "it:actor" .. text, named)
    end
    equal(#s:actors(), 0)
    s:actor{motion = "still", mesh = {points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, triangles = {{1, 2, 3}}}}
    equal(#s:actors(), 1)
    wrong(s, "it:actor{sphere = 1, velocity = 3}", "velocity")
end

function promise.actors_are_where_they_are_put()
    local s = space()
    local a = s:actor{name = "a", box = {1, 1, 1}, at = {1, 2, 3}, turn = {0, 90, 0}, velocity = {0.5, 0, 0}, spin = {0, 0, 0.25}}
    equal(a.name, "a") equal(a.position, vec3(1, 2, 3)) same(a.orientation * vec3(1, 0, 0), {0, 0, -1})
    equal(a.velocity, vec3(0.5, 0, 0)) equal(a.spin, vec3(0, 0, 0.25))
    equal(a.motion, "moved") equal(a.sleeps, false) equal(a.removed, false) equal(a.scene, s) assert(a.id >= 1)
    equal(tostring(a), ('actor "a" (%d), moved'):format(a.id))
    same(a:to_world{1, 0, 0}, {1, 2, 2}) same(a:to_own{1, 2, 2}, {1, 0, 0}) equal(a.centre, vec3(1, 2, 3))
    a.position = {4, 5, 6}
    equal(a.position, vec3(4, 5, 6)) same(a.orientation * vec3(1, 0, 0), {0, 0, -1})
    a.orientation = quat({0, 0, 1}, 90)
    same(a.orientation * vec3(1, 0, 0), {0, 1, 0}) equal(a.position, vec3(4, 5, 6))
    a:place({7, 8, 9})
    equal(a.position, vec3(7, 8, 9)) same(a.orientation * vec3(1, 0, 0), {0, 1, 0})
    a:place(nil, quat(1, 0, 0, 0))
    equal(a.position, vec3(7, 8, 9)) same(a.orientation:totable(), {1, 0, 0, 0})
    a:place({1, 1, 1}, {0, 1, 0, 0})
    equal(a.position, vec3(1, 1, 1)) same(a.orientation:totable(), {0, 1, 0, 0})
    a.velocity = {1, 2, 3} a.spin = {4, 5, 6}
    equal(a.velocity, vec3(1, 2, 3)) equal(a.spin, vec3(4, 5, 6))
    a.spin = {0, 0, 0} a.velocity = {0, 0, 0}
    -- forces and blows at points of its own frame, which is turned about
    a.orientation = quat({0, 0, 1}, 90)
    a:push({0, 0, 1000}, {0.5, 0, 0})
    same(a.velocity, {0, 0, 1}, 1e-9) same(a.spin, {0.5 * 1000 / (1000 / 6), 0, 0}, 1e-9)
    a.velocity = {0, 0, 0} a.spin = {0, 0, 0}
    a:force({0, 0, 1000}, {0.5, 0, 0}) a:force{0, 1000, 0} a:torque{0, 0, 1000}
    s:frame()
    same(a.velocity, {0, 0.01, 0.01}, 1e-6) same(a.spin, {0.03, 0, 0.06}, 1e-4)
    local led = s:actor{motion = "led", sphere = 1, at = {20, 0, 0}}
    equal(led.motion, "led") equal(led.velocity, vec3(0, 0, 0))
    led.position = {20.5, 0, 0}
    equal(led.position, vec3(20, 0, 0)) -- with the next step
    s:frame()
    equal(led.position, vec3(20.5, 0, 0)) same(led.velocity, {50, 0, 0}, 1e-9)
    led.motion = "moved"
    equal(led.motion, "moved") fails("option", function() led.motion = "x" end)
    for _, text in ipairs{"it.position = 3", "it.velocity = 3", "it.spin = 3", "it:push(3)", "it:force(3)", "it:torque(3)",
        "it:push({0, 0, 0}, 3)", "it:force({0, 0, 0}, 3)", "it:place(3)", "it:to_world(3)"} do
        wrong(a, text, "vec3")
    end
    wrong(a, "it.orientation = 3", "quat") wrong(a, "it:place(nil, 3)", "quat")
    wrong(a, "it.material = 3", "eigenrig.material")
    wrong(a, "it.material = eigenrig.scene{}:material{}", "scene")
    equal(#s:actors(), 2) equal(s:actors()[1], a) equal(s:actors()[2], led)
    a:remove()
    equal(a.removed, true) equal(tostring(a), "actor (removed)") equal(#s:actors(), 1)
    wrong(a, "return it.mass", "actor") a:remove()
    wrong(a, "it.velocity = {1, 0, 0}", "actor")
end

function promise.groups_that_are_ignored_pass()
    local s = space()
    local function meets(groups, ignores)
        local one = s:actor{sphere = 0.5, at = {0, 0, 0}, groups = groups}
        local other = s:actor{sphere = 0.5, at = {1.05, 0, 0}, velocity = {-5, 0, 0}, ignores = ignores}
        s:run(0.1)
        local met = one.velocity:length() > 0.1
        one:remove() other:remove()
        return met
    end
    equal(meets(nil, nil), true) equal(meets(2, 2), false) equal(meets(4, 2), true) equal(meets(6, 2), false)
    equal(meets(nil, 1), false) equal(meets(0, 1), true)
end

function promise.materials_decide_how_surfaces_meet()
    local s = space{gravity = {0, -10, 0}}
    local floor = s:actor{motion = "still", plane = true}
    local ice = s:material{friction = 0, opacity = 0.5}
    equal(ice.friction, 0) equal(ice.opacity, 0.5)
    local slides, stays = s:actor{box = {1, 1, 1}, at = {0, 0.5, 0}, velocity = {1, 0, 0}, material = ice},
        s:actor{box = {1, 1, 1}, at = {0, 0.5, 5}, velocity = {1, 0, 0}}
    s:run(0.5)
    close(slides.velocity.x, 1, 1e-3) close(stays.velocity.x, 0, 1e-3)
    ice.friction = 2
    equal(ice.friction, 2) equal(ice.opacity, 0.5)
    s:run(0.5)
    close(slides.velocity.x, 0, 1e-3)
    local rubber = s:material{restitution = 1}
    floor.material = rubber
    local bounces, drops = s:actor{sphere = 0.5, at = {10, 1.5, 0}, material = rubber}, s:actor{sphere = 0.5, at = {20, 1.5, 0}}
    local most, least = 0, 0
    for _ = 1, 80 do
        s:frame()
        most, least = math.max(most, bounces.velocity.y), math.max(least, drops.velocity.y)
    end
    close(most, math.sqrt(20), 0.3) close(least, 0, 0.1)
    fails("friction", s.material, s, {friction = -1}) fails("restitution", s.material, s, {restitution = 1.1})
    fails("density", s.material, s, {density = 0})
    fails("shine", s.material, s, {shine = 0}) fails("opacity", s.material, s, {opacity = 1.1})
    fails("reflection", s.material, s, {reflection = -0.1})
    fails("colour", s.material, s, {colour = {0, 0, 1.1}})
    fails("colour", s.material, s, {colour = {-0.1, 0, 1}})
    fails("colour", s.material, s, {colour = "red"}) fails("colour", s.material, s, {colour = "#12345"})
    fails("colour", s.material, s, {colour = "#1234567"})
    wrong(ice, "return it.colour", "colour") wrong(ice, "it.friction = -1", "friction")
end

function promise.lights_are_eight_at_most()
    local s = space()
    local lights = {}
    for i = 1, 8 do lights[i] = s:light{at = {i, 0, 0}} end
    fails("8", s.light, s, {})
    equal(lights[3].at, vec3(3, 0, 0))
    lights[3].at = {0, 7, 0}
    equal(lights[3].at, vec3(0, 7, 0)) equal(lights[4].at, vec3(4, 0, 0))
    lights[3].diffuse = 0.5
    equal(lights[3].at, vec3(0, 7, 0))
    lights[3]:remove() lights[3]:remove()
    wrong(lights[3], "return it.at", "light")
    equal(lights[4].at, vec3(4, 0, 0)) equal(s:light{}.at, vec3(0, 10, 0))
end

-- ---- Joints

function promise.joints_leave_free_what_they_say()
    local words = {hinge = "revolute", ball = "spherical"}
    -- for each type, which of three shifts and three turns (about the joint's axes, z its own) a blow starts
    for type, free in pairs{revolute = "tz", hinge = "tz", universal = "tx ty", spherical = "tx ty tz", ball = "tx ty tz",
        prismatic = "z", cylindrical = "tz z", planar = "tz x y",
            point_on_plane = "tx ty tz x y", fixed = "", free = "tx ty tz x y z"} do
        local s = space()
        local a = s:actor{box = {1, 1, 1}, at = {3, 2, 1}}
        local joint = s:joint(type, nil, a, {name = "j", at = {3, 2, 1}, axis = {0, 0, 1}})
        equal(joint.type, words[type] or type) equal(joint.name, "j")
        s:frame()
        for k, axis in ipairs{"x", "y", "z"} do
            local way = {0, 0, 0}
            way[k] = 1
            a.velocity = way
            local goes = a.velocity:totable()[k]
            a.velocity = {0, 0, 0} a.spin = way
            local turns = a.spin:totable()[k]
            a.spin = {0, 0, 0}
            local function is(word) return (" " .. free .. " "):find(" " .. word .. " ", 1, true) ~= nil end
            close(goes, is(axis) and 1 or 0, 1e-9) close(turns, is("t" .. axis) and 1 or 0, 1e-9)
        end
    end
    local t = space()
    local nut = t:actor{box = {1, 1, 1}, at = {3, 2, 1}}
    t:joint("screw", nil, nut, {at = {3, 2, 1}, axis = {0, 0, 1}, pitch = -0.5})
    t:frame()
    nut.spin = {0, 0, 1}
    close(nut.spin.z, 1, 1e-9) close(nut.velocity.z, -0.5, 1e-9)
    fails("pitch", t.joint, t, "screw", nil, nut)
    local s = space()
    fails("hing", s.joint, s, "hing")
    fails("actor", s.joint, s, "ball", nil, space():actor{sphere = 1})
    fails("actor", s.joint, s, "ball", 3)
    fails("axis", s.joint, s, "ball", nil, s:actor{sphere = 1}, {aixs = {0, 0, 1}})
end

function promise.a_hinge_turns_about_its_axis_and_hangs_where_it_is_said()
    for _, axis in ipairs{{0, 0, 1}, {1, 0, 0}, {0, 3, 0}, {1, 2, 2}, {0, 0, -1}} do
        local s = space()
        local a = s:actor{sphere = 0.5, at = {1, 2, 3}}
        local hinge = s:joint("hinge", nil, a, {axis = axis})
        local unit = vec3(axis):unit()
        a.spin = 2 * unit
        same(a.spin, 2 * unit, 1e-9)
        s:run(0.1)
        near(hinge.angle, math.deg(0.2), 1e-3)
        local one, other = hinge:anchors()
        same(one, {1, 2, 3}, 1e-9) same(other, {1, 2, 3}, 1e-6)
    end
    local s = space()
    local a, b = s:actor{sphere = 0.5, at = {1, 0, 0}}, s:actor{sphere = 0.5, at = {3, 0, 0}}
    local slide = s:joint("prismatic", a, b, {axis = {1, 0, 0}})
    a.velocity = {0, 0, 0} b.velocity = {1, 0, 0}
    s:run(0.5)
    close(slide.angle, ((b.position - a.position):length()) - 2, 1e-6) -- metres
    local one, other = slide:anchors()
    same(one, a.position + vec3(2, 0, 0), 1e-6) same(other, b.position, 1e-6)
    equal(#s:joints(), 1) equal(s:joints()[1], slide)
    equal(s:joint("fixed", a, s:actor{sphere = 0.5, at = {9, 9, 9}}).angle, nil)
    slide:remove() slide:remove()
    equal(#s:joints(), 1) wrong(slide, "return it.angle", "joint")
    wrong(slide, "return it.name", "joint")
end

-- A wheel of moment 1 on a spring of 4: two radians a second.
function promise.springs_dampers_and_rests_pull_as_they_say()
    local function wheel(options)
        local s = space{substeps = 20}
        local a = s:actor{sphere = 1, mass = 2.5} -- moment 1
        options.axis = {0, 0, 1}
        return s, a, s:joint("hinge", nil, a, options)
    end
    local s, a, j = wheel{stiffness = 4}
    a.spin = {0, 0, 1}
    local most = 0
    for _ = 1, 200 do
        s:frame()
        most = math.max(most, j.angle)
        close(j.angle, math.deg(0.5 * math.sin(2 * s.time)), 1.5)
    end
    near(most, math.deg(0.5), 0.03)
    s, a, j = wheel{damping = 3}
    a.spin = {0, 0, 1}
    s:run(0.5)
    near(a.spin.z, math.exp(-1.5), 0.03)
    s, a, j = wheel{stiffness = 100, damping = 20, rest = 30}
    s:run(3)
    close(j.angle, 30, 0.01)
    s, a, j = wheel{limits = {-20, 10}}
    a.spin = {0, 0, 2}
    s:run(1)
    close(j.angle, 10, 0.5)
    a.spin = {0, 0, -2}
    s:run(1)
    close(j.angle, -20, 0.5)
    fails("limits", wheel, {limits = 3})
    fails("limits", wheel, {limits = {1, 2, 3}})
    fails("highest", wheel, {limits = {2, 1}})
    fails("stiffness", wheel, {stiffness = -1}) fails("damping", wheel, {damping = -1})
    wheel{limits = {1, 1}}
    -- a slide's are metres and newtons
    local space_ = space{substeps = 20}
    local cart = space_:actor{sphere = 0.5, mass = 1}
    local rail = space_:joint("prismatic", nil, cart, {axis = {1, 0, 0}, stiffness = 100, damping = 20, rest = 0.25, limits = {-1,
        0.5}})
    space_:run(2)
    close(rail.angle, 0.25, 1e-3) close(cart.position.x, 0.25, 1e-3)
    cart.velocity = {10, 0, 0}
    local farthest = 0
    for _ = 1, 50 do space_:frame() farthest = math.max(farthest, rail.angle) end
    close(farthest, 0.5, 0.05)
end

function promise.motors_drive_up_to_what_they_can()
    local s = space()
    local a = s:actor{sphere = 1, mass = 2.5} -- moment 1
    local motor = s:joint("hinge", nil, a, {axis = {0, 0, 1}, speed = 3})
    s:run(0.3)
    near(a.spin.z, 3, 1e-3)
    motor:drive{speed = -2}
    s:run(0.3)
    near(a.spin.z, -2, 1e-3)
    local weak = s:actor{sphere = 1, mass = 2.5, at = {5, 0, 0}}
    s:joint("hinge", nil, weak, {axis = {0, 0, 1}, speed = 3, most = 2})
    s:run(0.5)
    near(weak.spin.z, 1, 0.05) -- 2 N m on a moment of 1 for half a second
    local servo = s:actor{sphere = 1, mass = 2.5, at = {10, 0, 0}}
    local goes = s:joint("hinge", nil, servo, {axis = {0, 0, 1}, angle = 40, stiffness = 100, damping = 20})
    s:run(2)
    close(goes.angle, 40, 0.1)
    goes:drive{angle = -25}
    s:run(2)
    close(goes.angle, -25, 0.1)
    local cart = s:actor{sphere = 0.5, mass = 1, at = {15, 0, 0}}
    local rail = s:joint("prismatic", nil, cart, {axis = {1, 0, 0}, angle = 0.5, stiffness = 100, damping = 20})
    s:run(2)
    close(rail.angle, 0.5, 1e-3)
    rail:drive{angle = -0.25}
    s:run(2)
    close(rail.angle, -0.25, 1e-3)
    fails("joint", s.joint, s, "hinge", nil, cart, {angle = 3})
    fails("joint", s.joint, s, "fixed", nil, cart, {speed = 1})
    local plain = s:joint("hinge", nil, s:actor{sphere = 1, at = {30, 0, 0}})
    fails("motor", plain.drive, plain, {speed = 1})
    fails("speed", motor.drive, motor, {sped = 1})
    fails("reference", s.joint, s, "ball", nil, s:actor{sphere = 1, at = {40, 0, 0}},
        {cfm = 0.1})
    local other = space{solver = "reference"}
    other:joint("ball", nil, other:actor{sphere = 1}, {erp = 0, cfm = 0.5})
    other:frame()
    equal(told(), "")
end

function promise.energies_and_overlaps_are_those_of_the_world()
    local s = space{gravity = {0, -10, 0}}
    equal(s.energy.kinetic, 0) equal(s.overlap, 0)
    local a = s:actor{sphere = 0.5, mass = 2, at = {0, 3, 0}, velocity = {3, 0, 0}}
    s:frame()
    near(s.energy.kinetic, a.velocity:length() ^ 2, 1e-6)
    near(s.energy.mechanical, s.energy.kinetic + s.energy.potential + s.energy.elastic) equal(s.energy.heat, 0)
    local before = s.energy.potential
    s:run(0.2)
    near(before - s.energy.potential, 2 * 10 * ((3 - 0.001) - a.position.y), 0.01)
    local spring = space()
    local wheel = spring:actor{sphere = 1, mass = 2.5, spin = {0, 0, 1}}
    local j = spring:joint("hinge", nil, wheel, {axis = {0, 0, 1}, stiffness = 8})
    spring:run(0.2)
    near(spring.energy.elastic, 4 * math.rad(j.angle) ^ 2, 1e-6)
    local deep = space()
    deep:actor{motion = "still", box = {2, 2, 2}} deep:actor{box = {2, 2, 2}, at = {0, 1.9, 0}}
    deep:frame()
    assert(deep.overlap > 0.05 and deep.overlap <= 0.1 + 1e-9, deep.overlap)
    equal(#deep.hash, 16)
end

-- ---- Characters

function promise.characters_stand_as_their_models_do()
    local m = eigenrig.load(write_arm())
    local s = space()
    local c = s:add(m, {name = "c", at = {1, 2, 3}, turn = {0, 90, 0}, scale = 2, weight = 3})
    local actors = c:actors()
    equal(#actors, 4) equal(actors[2].name, "c/hand") equal(c:actor("hand"), actors[2]) equal(c:actor(0), actors[1])
    local centre, mass = vec3(0, 0, 0), 0
    for i, a in ipairs(actors) do
        local b, turn = m:body(i - 1), quat({0, 1, 0}, 90)
        same(a.position, turn * (2 * b.position) + vec3(1, 2, 3), 1e-9) near(a.mass, b.mass * 8 * 3, 1e-9)
        same((a.orientation * (turn * b.orientation):inverse()):totable(), {1, 0, 0, 0}, 1e-6)
        same(a.centre, turn * (2 * (b.position + b.orientation * b.com)) + vec3(1, 2, 3), 1e-9)
        centre, mass = centre + a.mass * a.centre, mass + a.mass
        equal(a.motion, "moved")
    end
    same(c:pose()[2].position, 0.5 * actors[2].position, 1e-9) equal(c:pose()[2].name, "hand") equal(#c:pose(), 4)
    same(c.centre, (1 / mass) * centre, 1e-9)
    equal(#s:joints(), 2) -- what ties a rig to its world lets go
    equal(s:joints()[1].name, "wrist")
    s:run(0.1)
    for i, a in ipairs(actors) do assert(a.velocity:length() < 1e-6, i) end -- at rest in its own springs
    actors[1]:remove()
    equal(#c:actors(), 3) equal(c:actor("upper"), nil)
    local heard = {}
    for _, a in ipairs(c:actors()) do a:on("removed", function(e) heard[#heard + 1] = e.actor end) end
    c:remove()
    equal(#heard, 3) equal(#s:actors(), 0) wrong(c, "return it:actors()", "character")
    c:remove()
    fails("scale", s.add, s, m, {scal = 2}) fails("scale", s.add, s, m, {scale = 0})
    fails("weight", s.add, s, m, {weight = 0})
    fails("damping", s.add, s, m, {damping = -1}) fails("speed", s.add, s, m, {speed = 1001})
    fails("from", s.add, s, m, {from = -1})
    fails("clips", s.add, s, m, {clip = "x"})
    fails("mix", s.add, s, m, {simulate = "hand"})
    fails("body", s.add, s, m, {mix = "7:3", simulate = "nobody"})
    equal(#s:add(m):actors(), 4) equal(s:add(m):actors()[1].name, "arm/upper")
end

function promise.a_character_stands_on_its_floor()
    local m = eigenrig.load(write_pendulums())
    local s = space()
    for _, scale in ipairs{1, 2} do
        local c = s:add(m, {floor = 5, scale = scale, at = {10 * scale, 77, 0}})
        local low = math.huge
        for _, a in ipairs(c:actors()) do
            local l, h = a:box()
            for _, x in ipairs{l.x, h.x} do for _, y in ipairs{l.y, h.y} do for _,
                z in ipairs{l.z, h.z} do low = math.min(low, a:to_world({x, y, z}).y) end end end
        end
        close(low, 5, 0.3 * scale)
        near(c:actor(0).position.x, 10 * scale + scale * m:body(0).position.x)
        c:remove()
    end
end

-- Steps of a sixtieth, rows of a hundred-and-twentieth: poses are the motion's own.
function promise.a_mix_leads_a_character_by_its_motion()
    local m = eigenrig.load(write_pendulums())
    local motion = m:mix("0:30,1:20"):motion()
    local function led(options, time_of)
        local s = eigenrig.scene{gravity = {0, 0, 0}}
        s:run(0.125) -- it begins when it is added
        options.mix, options.at = "0:30,1:20", {1, 2, 3}
        local c = s:add(m, options)
        for k = 0, 90 do
            local pose = motion:pose(time_of(k / 60) % motion.duration)
            for i = 1, 2 do
                local a = c:actors()[i]
                if a.motion == "led" then
                    same(a.position, (options.scale or 1) * pose[i].position + vec3(1, 2, 3), 1e-6)
                    local off = (a.orientation * pose[i].orientation:inverse()):totable()
                    close(math.abs(off[1]), 1, 1e-6)
                end
            end
            s:frame()
        end
        return c
    end
    led({}, function(t) return t end) led({scale = 2}, function(t) return t end) led({speed = 2}, function(t) return 2 * t end)
    led({speed = 0.5}, function(t) return 0.5 * t end)
    led({from = 0.25}, function(t) return t + 0.25 end)
    led({from = 0.25, speed = 2}, function(t) return 2 * t + 0.25 end)
    local c = led({simulate = "b"}, function(t) return t end)
    equal(c:actor("a").motion, "led") equal(c:actor("b").motion, "moved")
    c = led({simulate = "x*,a"}, function(t) return t end)
    equal(c:actor("a").motion, "moved") equal(c:actor("b").motion, "led")
    c = led({simulate = "*"}, function(t) return t end)
    equal(c:actor("a").motion, "moved") equal(c:actor("b").motion, "moved")
end

function promise.what_a_scene_borrows_is_kept_for_it()
    local s = space()
    do
        local m = eigenrig.load(write_arm())
        s:add(m, {})
        m:close()
    end
    collectgarbage() collectgarbage()
    s:run(0.05)
    equal(#s:actors(), 4)
    local c
    do
        local m = eigenrig.load(write("stick.bvh", stick))
        c = s:add(m, {at = {50, 0, 0}})
        m:close()
    end
    for _ = 1, 20 do write_arm() collectgarbage() end
    s:actor{sphere = 0.1, at = {90, 0, 0}} -- its world is made anew
    s:run(0.05)
    equal(#c:pose(), 3) equal(c:pose()[3].name, "head") same(c:actor("hips").position, {50, 1, 0}, 1e-3)
    told()
    for _ = 1, 3 do s:actor{hull = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, at = {9, 9, 9}} collectgarbage() end
    s:run(0.05)
    equal(s:ray({9.1, 20, 9.1}, {0, -1, 0}) ~= nil, true)
end

-- ---- Rules

function promise.rules_change_how_things_go()
    -- how fast an overlap of a tenth is undone
    local function rises(rules)
        local s = space(rules)
        s:actor{motion = "still", box = {2, 2, 2}}
        local a = s:actor{box = {2, 2, 2}, at = {0, 1.9, 0}}
        s:run(0.05)
        return a.position.y - 1.9
    end
    assert(rises{stiffness = 60} > 2 * rises{stiffness = 3})
    local slow, fast = rises{solver = "reference", erp = 0.05}, rises{solver = "reference", erp = 0.8}
    assert(fast > 1.5 * slow and slow > 0, slow .. " " .. fast)
    -- the more parts a step has, the nearer a swing is to its sine
    local function off(substeps)
        local s = space{substeps = substeps, step = 1 / 30}
        local a = s:actor{sphere = 1, mass = 2.5, spin = {0, 0, 1}} -- moment 1
        local j = s:joint("hinge", nil, a, {axis = {0, 0, 1}, stiffness = 25, damping = 0.01})
        local most = 0
        for _ = 1, 60 do
            s:frame()
            most = math.max(most, math.abs(math.rad(j.angle) - math.sin(5 * s.time) / 5))
        end
        return most
    end
    assert(off(20) < 0.8 * off(1))
    -- what is slower than the bound for long enough falls asleep
    local function rests(rules, time)
        local s = eigenrig.scene(rules)
        s:actor{motion = "still", plane = true, material = s:material{friction = 0}}
        local a = s:actor{box = {1, 1, 1}, at = {0, 0.5, 0}, velocity = {0.1, 0, 0}}
        s:run(time)
        return a.sleeps
    end
    equal(rests({sleep_speed = 0.2, sleep_time = 0.3}, 1), true) equal(rests({sleep_speed = 0.02, sleep_time = 0.3}, 1), false)
    equal(rests({sleep_speed = 0.2, sleep_time = 5}, 1), false) equal(rests({sleep_speed = 0.2, sleep_time = 0}, 1), false)
end

-- An actor on a joint with `cfm` sags. A joint's own value overrides the scene's.
function promise.joints_give_way_as_they_are_said_to()
    local function sags(rules, joint)
        rules.solver, rules.gravity = "reference", {0, -10, 0}
        local s = space(rules)
        local a = s:actor{sphere = 0.5, mass = 1}
        local tie = s:joint("ball", nil, a, joint)
        s:run(0.3)
        local one, other = tie:anchors()
        return (one - other):length()
    end
    local stiff, soft = sags({}, {}), sags({cfm = 0.05}, {})
    assert(soft > 10 * stiff + 1e-6, soft .. " " .. stiff)
    near(sags({}, {cfm = 0.05}), soft, 1e-6) assert(sags({cfm = 0.05}, {cfm = 0}) < 0.1 * soft)
    assert(sags({cfm = 0.05}, {erp = 0.9}) < 0.7 * sags({cfm = 0.05}, {erp = 0.1}))
    near(sags({cfm = 0.05, erp = 0.9}, {}), sags({cfm = 0.05}, {erp = 0.9}), 1e-6)
end

function promise.iterations_bring_a_pile_nearer_to_rest()
    local function fall(iterations)
        local s = space{solver = "reference", gravity = {0, -10, 0}, iterations = iterations, accuracy = 0}
        s:actor{motion = "still", plane = true}
        local top
        for i = 1, 5 do top = s:actor{box = {1, 1, 1}, at = {0, i - 0.5, 0}} end
        s:run(0.2)
        return 4.5 - top.position.y
    end
    assert(math.abs(fall(200)) < math.abs(fall(1)))
end

-- Living scenes: what happens in which order, what goes wrong and ends nothing, and the same every time.

-- A scene; what happens in it, with the step that it happened after.
local scene, log
local function begin()
    scene, log = eigenrig.scene{gravity = {0, -10, 0}}, {}
end
local function say(word) log[#log + 1] = word .. "@" .. scene.steps end
local function said()
    local text = table.concat(log, " ")
    log = {}
    return text
end

-- Figure 4.7 of Soares da Silva 2008: 1 does a, b, waits for 3, does c; 2 does a2, waits for 1, does b2.
function promise.scripts_wait_for_each_other_and_the_loop_for_nobody()
    begin()
    local one, two, three
    three = scene:script(function(self) say("three begins"); self:wait(0.1); say("three ends") end)
    one = scene:script(function(self)
        say("a"); say("b"); three:start(); self:wait(three); say("c")
    end)
    two = scene:script(function(self) say("a2"); self:wait(one); say("b2") end)
    scene:script(function(self) one:start(); two:start() end):start()
    scene:run(0.05)
    assert(one.state == "waiting" and two.state == "waiting" and three.state == "waiting")
    assert(scene.steps == 3, scene.steps)
    scene:run(0.15)
    local order = said()
    assert(order == "a@0 b@0 a2@0 three begins@0 three ends@6 c@6 b2@6", order)
    for _, s in ipairs{one, two, three} do assert(s.state == "terminated") end
    assert(scene.steps == 12)
    equal(told(), "")
end

function promise.a_frame_is_scripts_then_actions_then_physics_then_events()
    begin()
    local ball = scene:actor{sphere = 0.5, at = {0, 10, 0}}
    scene:script(function(self) while true do say("script " .. ball.position.y); self:wait() end end):start()
    scene:action(function(self, dt) say("action " .. ball.position.y); assert(dt == scene.step) end):start()
    scene:on("frame", function(e) say("event " .. ((ball.position.y < 10) and "lower" or "there")) end)
    scene:frame()
    local order = said()
    assert(order == "script 10.0@0 action 10.0@0 event lower@1", order)
    equal(told(), "")
end

function promise.waiting_ends_when_it_is_to()
    begin()
    local ball = scene:actor{name = "ball", sphere = 0.5, at = {0, 1, 0}}
    local ground = scene:actor{name = "ground", motion = "still", plane = true}
    local met, answer
    local s = scene:script{name = "waiter", run = function(self, first, second)
        assert(first == 1 and second == 2)
        local touch = self:wait(ball, "contact_begins")
        met = touch.other
        say("touched")
        self:wait(function() return scene.time > 0.6 end)
        say("late")
        answer = self:wait("key_down")
        say("key " .. answer.key)
    end}
    assert(s.state == "created" and s.name == "waiter")
    s:start(1, 2)
    scene:run(1)
    assert(met == ground and s.state == "waiting")
    scene:post("key_down", {key = "a", code = 97})
    scene:frame()
    assert(s.state == "waiting" or s.state == "terminated")
    scene:frame()
    local order = said()
    -- 0.5 m at 10 m/s^2: sqrt(0.1) s, 19 steps
    assert(order:match("^touched@(%d+) late@37 key a@61$"), order)
    local step = tonumber(order:match("@(%d+)"))
    assert(step >= 18 and step <= 21, order)
    equal(told(), "")
end

function promise.actions_live_as_long_as_they_are_told_and_are_suspended()
    begin()
    local n, ended = 0, 0
    local a = scene:action{life = 0.5, update = function(self) n = n + 1 end, start = function() say("start") end,
        exit = function() ended = ended + 1; say("exit") end}
    local heard
    a:on("finish", function(e) heard = e.of end)
    scene:run(0.1)
    assert(n == 0 and a.state == "created")
    a:start()
    scene:run(0.1)
    assert(n == 6, n)
    a:suspend()
    scene:run(1)
    assert(n == 6 and a.state == "suspended")
    a:resume()
    scene:run(1)
    assert(n == 30 and ended == 1 and a.state == "terminated" and heard == a, n)
    local b = scene:action(function(self) if scene.time > 3 then self:terminate() end end):start()
    scene:run(2)
    assert(b.state == "terminated")
    assert(said():match("start@6 exit@"))
    equal(told(), "")
end

function promise.handlers_remove_themselves_and_others()
    begin()
    local count, h, other = 0
    h = scene:on("frame", function() count = count + 1; h:remove(); other:remove() end)
    other = scene:on("frame", function() count = count + 100 end)
    scene:on("frame", function() scene:on("frame", function() count = count + 1000 end); scene:terminate() end)
    scene:frame()
    assert(count == 1, count)
    assert(scene.state == "terminated" and scene:frame() == false and scene.steps == 1)
    equal(told(), "")
end

function promise.actors_are_removed_while_they_touch_and_are_watched()
    begin()
    local ground = scene:actor{name = "ground", motion = "still", plane = true}
    local a = scene:actor{name = "a", box = {1, 1, 1}, at = {0, 0.5, 0}}
    local b = scene:actor{name = "b", box = {1, 1, 1}, at = {0, 1.5, 0}}
    local c = scene:actor{name = "c", box = {0.2, 0.2, 0.2}, at = {3, 1, 0}}
    scene:joint("hinge", b, c, {at = {1, 1.5, 0}})
    local removed, ended
    b:on("removed", function(e) removed = e.actor end)
    a:on("contact_ends", function(e) ended = e.other end)
    b:on("contact_begins", function(e) if scene.steps > 3 then error("not again") end end)
    scene:run(0.5)
    local waits = scene:script(function(self) self:wait(b, "removed"); say("gone") end):start()
    scene:frame()
    b:remove()
    assert(removed == b and b.removed and tostring(b) == "actor (removed)")
    assert(#scene:actors() == 3 and #scene:joints() == 0)
    local ok, text = pcall(function() return b.position end)
    assert(not ok and text:match("actor"), text)
    scene:run(1)
    assert(math.abs(a.position.y - 0.5) < 2e-3 and c.position.y < 0.11, c.position.y)
    assert(said():match("^gone@"))
    a:remove(); a:remove()
    scene:run(0.1)
    equal(told(), "")
end

function promise.what_cannot_move_is_refused_and_joints_tell_their_angle()
    begin()
    local base = scene:actor{name = "base", motion = "still", box = {1, 1, 1}, at = {0, 5, 0}}
    local arm = scene:actor{name = "arm", box = {1, 0.1, 0.1}, at = {1, 5, 0}}
    local hinge = scene:joint("hinge", base, arm, {at = {0.5, 5, 0}, axis = {0, 0, 1}})
    scene:run(0.2)
    local angle = hinge.angle
    assert(angle < -5)
    scene:actor{sphere = 1, at = {9, 9, 9}}
    assert(hinge.angle == angle)
    for _, wrong in ipairs{function() base.position = {0, 6, 0} end, function() base.velocity = {1, 0, 0} end,
                           function() scene:actor{sphere = 1, at = {1e200, 0, 0}} end, function() arm.spin = {1e200, 0, 0} end} do
        assert(not pcall(wrong))
    end
    local led = scene:actor{motion = "led", box = {1, 1, 1}, at = {20, 5, 0}}
    scene:joint("hinge", led, scene:actor{sphere = 0.1, at = {20, 4, 0}}, {at = {20, 4.5, 0}})
    scene:action(function(self, dt) led.position = led.position + eigenrig.vec3(dt, 0, 0) end):start()
    scene:run(0.1)
    local before = scene.hash
    scene.length = 3
    assert(scene.hash == before)
    scene.step = 1 / 30 -- while something is led
    scene:run(0.2)
    assert(math.abs(scene.time - 0.5) < 1e-9)
    equal(told(), "")
end

function promise.an_end_is_told()
    begin()
    scene:actor{name = "ground", motion = "still", plane = true}
    local a, b = scene:actor{name = "a", box = {1, 1, 1}, at = {0, 0.5, 0}}, scene:actor{box = {1, 1, 1}, at = {0, 1.5, 0}}
    a:on("contact_ends", function(e) say("parted") end)
    scene:action{update = function() end, exit = function() say("exit") end}:start()
    scene:on("finish", function() say("finish") end)
    scene:run(0.5)
    said()
    b:remove()
    assert(said() == "parted@30")
    scene:terminate()
    assert(said() == "exit@30 finish@30")
    equal(told(), "")
end

function promise.places_velocities_forces_and_blows_are_what_they_say()
    begin()
    local function near(x, y, e) assert(math.abs(x - y) <= e, x .. " is not " .. y) end
    local ball = scene:actor{sphere = 0.5, at = {0, 5, 0}, velocity = {1, 0, 0}, mass = 2}
    local still = scene:actor{sphere = 0.5, at = {9, 5, 0}, mass = 4}
    scene:action(function() still:force({0, 40, 0}) end):start()
    scene:run(1)
    near(ball.position.x, 1, 1e-9); near(ball.velocity.y, -10, 1e-9)
    near(still.position.y, 5, 1e-9) -- its weight is carried
    ball:push({0, 20, 0}); near(ball.velocity.y, 0, 1e-9)
    ball.velocity = {0, 0, 3}; near(ball.velocity.z, 3, 1e-12); near(ball.velocity.x, 0, 1e-12)
    ball.position = {0, 50, 0}; near(ball.position.y, 50, 0); near(ball.velocity.z, 3, 1e-12)
    scene:frame(); near(ball.position.z, ball.velocity.z * scene.step, 1e-9)
    -- a solid ball of mass 2 and radius 0.5: 2/5 m r^2 = 0.2 kg m^2
    ball.spin = {0, 0, 0}; ball:torque({0, 0.2 * 60, 0}); scene:frame(); near(ball.spin.y, 1, 1e-9)
    -- what is led pushes: a wall that comes at 1 m/s takes a box along
    local ground = scene:actor{motion = "still", plane = true}
    local wall = scene:actor{motion = "led", box = {0.2, 2, 2}, at = {19, 1, 0}}
    local box = scene:actor{box = {1, 1, 1}, at = {20, 0.5, 0}}
    scene:action(function(self, dt) wall.position = wall.position + eigenrig.vec3(dt, 0, 0) end):start()
    scene:run(3)
    near(wall.position.x, 22, 1e-9); near(box.position.x, 22.6, 0.02); near(wall.velocity.x, 1, 1e-9)
    equal(told(), "")
end

function promise.joints_hold_turn_and_are_driven()
    begin()
    local function near(x, y, e) assert(math.abs(x - y) <= e, x .. " is not " .. y) end
    local weight = scene:actor{name = "weight", sphere = 0.05, at = {1, 5, 0}, mass = 1}
    local pendulum = scene:joint("hinge", nil, weight, {at = {0, 5, 0}, axis = {0, 0, 1}})
    local before = scene.energy.mechanical
    local lowest = 5
    scene:on("frame", function() lowest = math.min(lowest, weight.position.y) end)
    scene:run(2)
    near((weight.position - eigenrig.vec3(0, 5, 0)):length(), 1, 1e-9)
    near(lowest, 4, 0.02)
    local a, b = pendulum:anchors()
    near((a - b):length(), 0, 1e-9)
    -- a wheel that a motor keeps at 3 rad/s about its axis
    local base = scene:actor{motion = "still", box = {1, 1, 1}, at = {10, 5, 0}}
    local wheel = scene:actor{cylinder = {0.5, 0.1}, along = "z", at = {10, 5, 1}}
    local motor = scene:joint("hinge", base, wheel, {axis = {0, 0, 1}, speed = 3})
    scene:run(1)
    near(wheel.spin.z, 3, 1e-3)
    motor:drive{speed = -2}
    scene:run(1)
    near(wheel.spin.z, -2, 1e-3)
    motor:remove()
    scene:run(1)
    assert(wheel.position.y < 1)
    -- limits: a lid that falls open stops
    local lid = scene:actor{box = {1, 0.1, 1}, at = {20.5, 5, 0}}
    local hinge = scene:joint("hinge", nil, lid, {at = {20, 5, 0}, axis = {0, 0, 1}, limits = {-30, 0}, damping = 20})
    scene:run(3)
    near(hinge.angle, -30, 2)
    -- what hangs on a box that stands still swings through it
    local box = scene:actor{motion = "still", box = {1, 1, 1}, at = {30, 5, 0}}
    local bob = scene:actor{sphere = 0.3, at = {30.6, 5, 0}}
    scene:joint("hinge", box, bob, {at = {30, 5, 0}, axis = {0, 0, 1}})
    local farthest = 0
    scene:on("frame", function() farthest = math.min(farthest, bob.position.x - 30) end)
    scene:run(2)
    near(farthest, -0.6, 0.02)
    equal(told(), "")
end

-- A wheel on a knuckle reaches into a cab that it cannot leave: all fall, as though it did not.
function promise.what_joints_hold_in_each_other_is_not_torn()
    begin()
    scene.substeps = 8
    local cab = scene:actor{box = {1.5, 0.3, 3.2}, mass = 2500, at = {0, 10, 0}}
    local at = {-1, 9.55, 1.1}
    local knuckle = scene:actor{box = {0.2, 0.2, 0.2}, at = at, mass = 60}
    local wheel = scene:actor{sphere = 0.45, at = at, mass = 80}
    scene:joint("hinge", cab, knuckle, {at = at, axis = {0, 1, 0}, limits = {-40, 40}, angle = 0, stiffness = 40000,
        damping = 4000})
    scene:joint("hinge", knuckle, wheel, {at = at, axis = {1, 0, 0}})
    scene:run(0.5)
    assert(scene.overlap > 0.05)
    local energy = 0.5 * 2640 * (scene.gravity.y * scene.time) ^ 2
    assert(math.abs(scene.energy.kinetic - energy) < 1e-9 * energy)
    equal(told(), "")
end

function promise.blows_on_what_is_free_are_those_on_what_a_free_joint_holds()
    begin()
    local function body(x)
        return scene:actor{at = {x, 0, 0}, turn = {20, 30, 40}, velocity = {1, 2, 3}, spin = {0.3, 0.2, 0.1}, parts = {
            {sphere = 0.3, at = {1, 0, 0}}, {box = {1, 0.2, 0.3}, at = {0, 0.5, 0}}}}
    end
    local lone, held = body(0), body(10)
    scene:joint("free", nil, held)
    for _, point in ipairs{{0, 0, 0}, {1, 2, 3}, false} do
        for _, a in ipairs{lone, held} do a:push({40, -20, 10}, point or nil) end
        for _, key in ipairs{"velocity", "spin"} do
            local off, size = (lone[key] - held[key]):length(), held[key]:length()
            assert(off < 1e-12 * size and size > 0.1, key .. " off by " .. off)
        end
    end
    equal(told(), "")
end

function promise.what_is_led_is_let_go_with_the_velocity_it_has()
    begin()
    scene.gravity = {0, 0, 0}
    local thrown = scene:actor{box = {0.2, 0.4, 0.6}, motion = "led"}
    local arm = scene:actor{box = {1, 0.1, 0.1}, at = {5, 0, 0}, motion = "led"}
    local hand = scene:actor{box = {1, 0.1, 0.1}, at = {6, 0, 0}, motion = "led"}
    scene:joint("hinge", arm, hand, {at = {5.5, 0, 0}, axis = {0, 0, 1}})
    for step = 1, 6 do
        thrown:place({0.1 * step, 0, 0}, eigenrig.quat({0, 1, 0}, 6 * step))
        arm.position, hand.position = {5, 0.05 * step, 0}, {6, 0.05 * step, 0}
        scene:frame()
    end
    for _, a in ipairs{thrown, arm, hand} do a.motion = "moved" end
    scene:run(1)
    assert((thrown.position - eigenrig.vec3(0.6 + 6, 0, 0)):length() < 1e-9, tostring(thrown.position))
    assert((thrown.spin - eigenrig.vec3(0, math.rad(360), 0)):length() < 1e-9, tostring(thrown.spin))
    for _, a in ipairs{arm, hand} do assert(math.abs(a.position.y - 0.3 - 3) < 1e-9 and a.velocity.x == 0) end
    arm.motion = "led"
    hand:push{0, -10, 0}
    scene:run(0.2)
    assert(math.abs(arm.position.y - 3.3) < 1e-9 and math.abs(hand.velocity.y) > 0.1 and arm.velocity:length() == 0)
    equal(told(), "")
end

-- That each of some words is in what was told.
local function tells(words)
    local text = told()
    for _, word in ipairs(words) do
        if not text:find(word, 1, true) then error(word .. " is not in " .. text, 2) end
    end
    return text
end

function promise.what_goes_wrong_is_told_and_the_scene_goes_on()
    begin()
    local ball = scene:actor{sphere = 0.5, at = {0, 10, 0}}
    scene:script{name = "bad", run = function() error("in run") end, exit = function() error("in exit") end}:start()
    scene:script{name = "worse", start = function() error("in start") end,
        run = function(self) self:wait(0.1); say("on") end}:start()
    scene:action{name = "act", update = function() local x = nil; x.y = 1 end}:start()
    scene:script{name = "forever", run = function() while true do pcall(function() end) end end}:start()
    scene:on("key_down", function() error("in handler") end)
    scene:script{name = "until", run = function(self) self:wait(function() error("in condition") end); say("past") end}:start()
    scene:post("key_down")
    scene:run(1)
    assert(scene.steps == 60 and ball.position.y < 6)
    equal(said(), "past@0 on@6")
    tells{'script "bad": ', "in run", "in exit", "in start", 'action "act": ', "handler of key_down: ", "in handler",
        'script "forever": ', "50 million", "in condition", "living.lua:"}
end

function promise.scripts_that_turn_on_themselves_end_nothing()
    begin()
    scene:script{name = "inner frame", run = function() scene:frame() end}:start()
    scene:script{name = "object", run = function() error(setmetatable({},
        {__tostring = function() error("again") end})) end}:start()
    scene:script{name = "makes more", run = function()
        while true do pcall(coroutine.wrap(function() while true do end end)) end
    end}:start()
    local ended = scene:script{name = "ended", run = function(self)
        self:wait(function() self:terminate(); return true end)
        error("went on")
    end}:start()
    local frames, finishes = 0, 0
    scene:script{name = "frames", run = function(self) while true do self:wait("frame"); frames = frames + 1 end end}:start()
    scene:action{update = function() end, exit = function() scene:terminate() end}:start()
    scene:on("finish", function() finishes = finishes + 1 end)
    scene:run(0.5)
    assert(ended.state == "terminated" and frames == 29, frames)
    scene:terminate()
    assert(finishes == 1 and scene.state == "terminated")
    local text = tells{'script "inner frame": ', 'script "object": ', 'script "makes more": ', "50 million"}
    equal(select(2, text:gsub("\n", "")), 3)
    assert(not text:find("went on"), text)
end

function promise.scripts_without_end_in_one_frame_are_ended()
    begin()
    local function again() scene:script{name = "again", run = again}:start() end
    again()
    scene:script{name = "restless", run = function(self)
        while true do self:wait(function() return true end) end
    end}:start()
    scene:script(function(self) self:wait(0.1); say("calm") end):start()
    scene:run(0.2)
    equal(said(), "calm@6")
    local text = told()
    equal(select(2, text:gsub('"again"', "")), 1)
    equal(select(2, text:gsub('"restless"', "")), 1)
end

function promise.what_goes_wrong_in_a_script_is_one_line()
    begin()
    scene:script{name = "thrower", run = function() error({}) end}:start()
    scene:action{name = "acting", update = function() error({}) end}:start()
    local ball = scene:actor{sphere = 1}
    scene:script{name = "misspelt", run = function(self) self:wait(ball, "contact_beginz") end}:start()
    scene:frame()
    local first, second, third, rest = told():match("^(.-)\n(.-)\n(.-)\n(.*)$")
    equal(rest, "")
    assert(first:find("thrower") and first:find("table"), first)
    assert(second:find("misspelt") and second:find("contact_begins"), second)
    assert(third:find("acting") and third:find("living.lua:%d+: .*table"), third)
end

function promise.a_scene_is_the_same_again_on_any_number_of_threads()
    local function hash(threads)
        local many = eigenrig.scene{threads = threads}
        many:actor{motion = "still", plane = true}
        for i = 1, 60 do
            local a = many:actor{sphere = 0.3, at = {(i % 4) * 0.5, 1 + i * 0.3, (i % 3) * 0.5}}
            if i % 10 == 0 then a:on("contact_begins", function(e) e.actor:push({0, 1, 0.1}) end) end
        end
        many:script(function(self)
            for i = 1, 5 do self:wait(0.3); many:actor{box = {0.4, 0.4, 0.4}, at = {1, 6, i * 0.1}} end
        end):start()
        many:run(3)
        return many.hash
    end
    local first = hash(1)
    equal(#first, 16) equal(hash(1), first) equal(hash(2), first)
end

function promise.a_scene_ends_before_the_hulls_it_borrows()
    begin()
    late = setmetatable({}, {__gc = function()
        local ok, why = pcall(function() return scene:ray({0, 9, 0}, {0, -1, 0}) end)
        assert(not ok and why:find("scene"), why)
    end})
    scene:actor{hull = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, at = {0, 0.1, 0}}
end

function promise.a_mistake_is_answered_with_what_is_wrong()
    for text, named in pairs{
            ['eigenrig.scene{gravty = {0, 1, 0}}'] = 'gravty',
            ['eigenrig.scene{step = -1}'] = 'step',
            ['it:actor{sphere = 1, box = {1, 1, 1}}'] = 'sphere',
            ['it:actor{name = "none"}'] = '"none"',
            ['it:actor{plane = true}'] = 'actor "',
            ['it:actor{sphere = 0}'] = 'sphere',
            ['it:on("keydown", print)'] = 'key_down',
            ['it:on("key_down", 3)'] = 'key_down',
            ['it:script{run = 3}'] = 'run',
            ['it:action{updat = print}'] = '"update"',
            ['it:joint("hing")'] = '"hing"',
            ['it:joint("hinge", nil, nil)'] = 'joint "',
            ['it:light{color = 1}'] = 'color',
            ['local a = it:actor{sphere = 1}; it:joint("ball", a, a)'] = 'joint "',
            ['local a = it:actor{sphere = 1}; local b = it:actor{sphere = 1}; it:joint("ball", a, b); b.position = {0, 1, 0}'] =
                'actor "',
            ['it:actor{sphere = 1, material = 3}'] = 'material: ',
            ['eigenrig.scene{}:actor{sphere = 1, material = it:material{}}'] = 'material: ',
            ['it:joint("ball", nil, it:actor{sphere = 1}, {erp = 0.1})'] = 'solver = "reference"',
            ['it:actor{box = {1, -1, 1}}'] = 'box: ',
            ['it:actor{sphere = 1}.mass = -3'] = 'mass',
            ['it:actor{sphere = 1}.motion = "still"'] = '"moved"',
            ['it:actor{sphere = 1, sensor = true, motion = "led"}.motion = "moved"'] = 'actor "',
            ['it:actor{sphere = 1, mass = 0}'] = 'mass',
            ['it:actor{sphere = 1, spin = {0/0, 0, 0}}'] = 'spin',
            ['it:actor{sphere = 1, velocity = {1e300, 0, 0}}'] = 'velocity',
            ['it.camera = {ey = 1}'] = 'ey',
            ['it:script(function(self) end):wait(1)'] = 'wait()'} do
        begin()
        wrong(scene, text, named)
    end
end

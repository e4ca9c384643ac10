-- Rotation and swings in scenes, against closed forms: momentum and energy in time.
local vec3 = eigenrig.vec3

-- The box of 1 kg, 0.3 m by 0.1 m by 0.5 m: its moments of inertia.
local I = vec3(0.26 / 12, 0.34 / 12, 0.1 / 12)

local function energy(box)
    local w = box.orientation:inverse() * box.spin
    return 0.5 * (I.x * w.x ^ 2 + I.y * w.y ^ 2 + I.z * w.z ^ 2)
end

local function momentum(box)
    local w = box.orientation:inverse() * box.spin
    return box.orientation * vec3(I.x * w.x, I.y * w.y, I.z * w.z)
end

function promise.a_free_box_keeps_its_momentum_and_energy()
    for _, solver in ipairs{"fast", "reference"} do
        for _, spin in ipairs{vec3(5, 8, 3), vec3(30, 48, 18), vec3(300, 480, 180)} do
            local s = eigenrig.scene{gravity = {0, 0, 0}, sleep_time = 0, solver = solver}
            local box = s:actor{box = {0.3, 0.1, 0.5}, mass = 1, spin = spin:totable()}
            local E, L = energy(box), momentum(box)
            s:run(20)
            close(energy(box) / E, 1, 1e-9)
            close((momentum(box) - L):length() / L:length(), 0, 1e-9)
        end
    end
end

-- The intermediate axis. The time between flips is half a period of Euler's equations, 2 K(k) / w.
function promise.a_box_flips_when_it_should()
    for _, solver in ipairs{"fast", "reference"} do
        local s = eigenrig.scene{gravity = {0, 0, 0}, sleep_time = 0, solver = solver}
        local box = s:actor{box = {0.3, 0.1, 0.5}, mass = 1, spin = {10, 0, 0.01}}
        local flips, before = {}, 1
        while s.time < 40 do
            s:frame()
            local now = (box.orientation:inverse() * box.spin).x
            if now * before < 0 then flips[#flips + 1] = s.time end
            before = now
        end
        equal(#flips, 15)
        close((flips[15] - flips[1]) / 14, 2.6802, 0.02)
    end
end

local function pendulum(led)
    local s = eigenrig.scene{sleep_time = 0}
    if led then s:actor{box = {1, 1, 1}, at = {100, 0, 0}, motion = "led"} end
    local bar = s:actor{box = {1, 0.1, 0.1}, at = {0.5 * math.sin(2), -0.5 * math.cos(2), 0}, turn = {0, 0, 30}, mass = 3}
    s:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
    s:run(5)
    return bar.position, bar.spin
end

function promise.a_led_actor_changes_nothing_that_it_does_not_carry()
    local position, spin = pendulum(false)
    local beside, turning = pendulum(true)
    equal((position - beside):length(), 0) equal((spin - turning):length(), 0)
end

-- A rope of 60 kg with a load of 500 kg, let go at 30 degrees: on the world, on a still actor, on a led one at rest.
function promise.a_rope_swings_alike_whatever_holds_it()
    for _, anchor in ipairs{"still", "led"} do
        local s = eigenrig.scene{sleep_time = 0}
        local above = s:actor{box = {0.2, 0.2, 0.2}, motion = anchor}
        local down, turn = vec3(0.5, -math.sqrt(0.75), 0), {0, 0, 30}
        for i = 1, 12 do
            local link = s:actor{capsule = {0.03, 0.44}, at = ((0.5 * i - 0.25) * down):totable(), turn = turn, mass = 5,
                groups = 2, ignores = 255}
            s:joint("ball", above, link, {at = ((0.5 * i - 0.5) * down):totable()})
            above = link
        end
        local load = s:actor{sphere = 0.3, at = (6 * down):totable(), mass = 500, groups = 2, ignores = 255}
        s:joint("ball", above, load, {at = (6 * down):totable()})
        s:frame()
        local E = s.energy.mechanical
        for _ = 1, 1200 do
            s:frame()
            assert(s.energy.mechanical < E + 40, "energy grows")
            assert(-load.position.y / load.position:length() > math.cos(math.rad(32)), "swings too far")
        end
    end
end

-- A rod of 6 m and 6 cm swings in a plane about a ball joint. Nothing turns it about its own axis.
function promise.a_thin_rod_swings_in_its_plane()
    local s = eigenrig.scene{sleep_time = 0}
    local rod = s:actor{capsule = {0.03, 5.94}, at = {1.5, -3 * math.sqrt(0.75), 0}, turn = {0, 0, 30}, mass = 60}
    s:joint("ball", nil, rod, {at = {0, 0, 0}})
    local most = 0
    for i = 1, 1800 do
        s:frame()
        local along = rod.orientation * vec3(0, 1, 0)
        assert(math.abs(along:dot(rod.spin)) < 1e-6, "spins about its own axis")
        if i > 1500 then most = math.max(most, math.deg(math.acos(along.y))) end
    end
    close(most, 30, 0.1)
end

-- A bar that is hinged at its end and has no weight keeps its spin.
function promise.a_propeller_keeps_its_spin()
    local s = eigenrig.scene{gravity = {0, 0, 0}, sleep_time = 0}
    local bar = s:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 3}
    s:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
    s:frame()
    bar.spin = {0, 0, 40}
    s:run(10)
    close(bar.spin.z, 40, 1e-6)
end

function promise.a_pendulum_swings_as_far_after_a_minute()
    local s = eigenrig.scene{sleep_time = 0}
    local A = math.rad(150)
    local bar = s:actor{box = {1, 0.1, 0.1}, at = {0.5 * math.sin(A), -0.5 * math.cos(A), 0}, turn = {0, 0, 60}, mass = 3}
    local hinge = s:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
    s:run(55)
    local most = 0
    for _ = 1, 300 do s:frame() most = math.max(most, math.abs(hinge.angle)) end
    close(most - 150, 150, 0.5)
end

-- Links of 0.1 kg under loads of 20 and 1000 times their sum, let go at 0.2 rad.
function promise.a_rope_swings_as_far_whatever_its_load()
    for _, ratio in ipairs{20, 1000} do
        local s = eigenrig.scene{sleep_time = 0}
        local down, above = vec3(math.sin(0.2), -math.cos(0.2), 0), nil
        for i = 1, 20 do
            local link = s:actor{capsule = {0.02, 0.21}, mass = 0.1, at = (0.25 * (i - 0.5) * down):totable(),
                turn = {0, 0, math.deg(0.2)}, groups = 2, ignores = 2}
            s:joint("hinge", above, link, {at = (0.25 * (i - 1) * down):totable(), axis = {0, 0, 1}})
            above = link
        end
        local load = s:actor{sphere = 0.2, mass = 2 * ratio, at = (5 * down):totable(), groups = 2, ignores = 2}
        s:joint("fixed", above, load, {at = (5 * down):totable()})
        s:run(15)
        local most = 0
        for _ = 1, 300 do s:frame() most = math.max(most, math.atan(load.position.x, -load.position.y)) end
        close(most, 0.2, 0.004)
    end
end

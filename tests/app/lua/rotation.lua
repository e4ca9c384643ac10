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

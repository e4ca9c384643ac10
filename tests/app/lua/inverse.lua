-- Forces of motions, in closed form.

-- A stone that floats, and a pendulum on the world: its centre of mass is 1 m below its hinge.
local function pendulum()
    return eigenrig.load(write_rig("pendulum", {{name = "a", mass = 2}, {name = "b", mass = 3, position = {5, -1, 0}}},
        {{child = 1, name = "hinge", type = "revolute", position = {5, 0, 0}, stiffness = {12}, damping = {0.5}}}))
end

local function swing(m)
    for _, mode in ipairs(m:modes()) do
        if mode.frequency_hz > 0 then return {mode = mode.index, degrees = 10, hz = 0.5} end
    end
end

local function within(got, want, most)
    if math.abs(got - want) > most then error(got .. " is not " .. want, 2) end
end

function promise.a_pendulum_needs_the_torque_that_newton_gives()
    local m = pendulum()
    local f = m:inverse{mix = {swing(m)}, duration = 2, fps = 50, gravity = 9, feet = "none"}
    equal(#f, 101) equal(f.frames, 101) equal(#f.time, 101) close(f.fps, 50) equal(f.repeats, true)
    equal(tostring(f), "forces: 101 frames, 50.0 a second")
    local hinge = f:joint("hinge")
    equal(#hinge, 1) equal(hinge[1].axis, "tz") equal(f:joint(0)[1].force[7], hinge[1].force[7])
    local size, w = math.rad(10), math.pi
    local sign = hinge[1].passive[26] < 0 and 1 or -1 -- a mode's own
    for k, t in ipairs(f.time) do
        close(t, (k - 1) / 50)
        local q, rate = sign * size * math.sin(w * t), sign * size * w * math.cos(w * t)
        local force = -4 * w * w * q + 3 * 9 * math.sin(q) -- 1 kg m^2, and 3 kg 1 m away
        within(hinge[1].force[k], force, 1e-3)
        within(hinge[1].passive[k], -12 * q - 0.5 * rate, 1e-4)
        within(hinge[1].power[k], force * rate, 1e-3)
        within(f.residual.force[k].y, 2 * 9, 1e-3) -- nothing carries the stone
        within(f.residual.force[k].x, 0, 1e-3)
    end
    equal(#f.feet, 0) close(f.weight, 5 * 9, 1e-9)
    fails("hinge", f.joint, f, "hing") fails("index", f.joint, f, 7) fails("no foot", f.foot, f, "a")
    wrong(f, "return it.weigth", "weight")
end

function promise.what_is_no_motion_is_refused()
    local m = pendulum()
    fails("clip", m.inverse, m, {}) fails("clip", m.inverse, m, {clip = "walk"})
    fails("cutoff", m.inverse, m, {mix = {swing(m)}, cutof = 6})
    fails("friction", m.inverse, m, {mix = {swing(m)}, friction = -1})
    fails("nowhere.csv", m.inverse, m, {mix = {swing(m)}, plate = "nowhere.csv"})
    fails("40", m.inverse, m, {mix = {swing(m)}, cutoff = 4000, feet = "none"})
    local f = m:inverse{mix = {swing(m)}, feet = "none"}
    fails(".csv", f.export, f, "forces.txt")
    f:close()
    fails("closed", f.joint, f, "hinge")
    equal(tostring(f), "forces (closed)")
end

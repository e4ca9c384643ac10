-- A puppet drops onto a motorcycle and rides it at another puppet; the camera looks where the rider is.
--
--     eigenrig play models/scenes/motorcycle.scene.lua

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {
    name = "motorcycle",
    length = 11,
    gravity = {0, -0.9, 0},
    substeps = 8,
    background = {colour = "#b0c4d8"},
    camera = {eye = {7, 3, 1}, target = {0, 1, -6}, fov = 40},
    -- The scene's own script: what happens one after the other.
    script = function(self)
        self:wait(sits)     -- a script can wait for a function to say true,
        self:wait(1)        -- or a number of seconds
        ride:start()
        self:wait(ride)     -- or until an action ends
        self:wait(3)
        watch:terminate()   -- the camera looks no further
    end,
}
scene:light {at = {6, 12, 4}}

local rubber = scene:material {colour = "#181818", friction = 1.2}
local red = scene:material {colour = "#b82818", specular = 0.8, shine = 60, friction = 0.9}
local leather = scene:material {colour = "#303038", friction = 0.9}
local cloth = scene:material {colour = "#3060b0", friction = 0.6}
local skin = scene:material {colour = "#e0b090", friction = 0.6}
scene:actor {name = "ground", motion = "still", plane = 40, material = scene:material {colour = "#607060", friction = 0.9}}

motorcycle = parts.motorcycle(scene, {at = {0, 0, -6}, material = red, rubber = rubber})

-- Its thighs raised and spread and its knees bent, a little above the saddle.
rider = parts.puppet(scene, {
    at = {0, 0.32, -6.35}, hip = 70, knee = 80, spread = 14, arm = 62, stiffness = 120,
    material = leather, skin = skin, name = "rider",
})
walker = parts.puppet(scene, {at = {0, 0, 4}, turn = 180, material = cloth, skin = skin, name = "walker"})

function sits()
    return math.abs(rider.trunk.velocity.y) < 0.02 and scene.time > 0.5
end

-- Both wheels turn faster and faster, up to 16 rad/s: 5 m/s.
local wheels, fastest = {motorcycle.front, motorcycle.rear}, 16
ride = scene:action {
    name = "ride", life = 4,
    update = function(self, step)
        local speed = math.min(fastest, 6 * self.age)
        for _, wheel in ipairs(wheels) do wheel.spin = {speed, wheel.spin.y, wheel.spin.z} end
    end,
}

watch = parts.watch(scene, rider.trunk)
watch:start()

return scene

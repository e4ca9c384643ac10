-- A shooting gallery of pushes: walkers come by, and spheres that you shoot push them.
--
--     eigenrig play models/scenes/gallery.scene.lua
--
-- A and D, or the arrows, turn the gun; space shoots. Without keys it shoots by itself at whoever is nearest.

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {name = "gallery", length = 12, background = {sky = true}}
scene:light {at = {-6, 12, 8}}
local floor = scene:material {colour = "#7a6a50", friction = 0.8}
local hide = scene:material {friction = 0.8}
local shot = scene:material {colour = "#c03020", specular = 0.8, shine = 60, restitution = 0.3}
scene:actor {name = "ground", motion = "still", plane = 40, material = floor}

-- They walk from left to right, each in its lane.
local function breed(file, mix)
    local model = eigenrig.load(eigenrig.files.beside("../" .. file))
    return {model = model, gait = model:gaits {mix = mix}[1]}
end
local horse = breed("horse.glb", "9:7.83@1x-9,13:11.6@1x+21,12:2.5@2x+23")
local gnome = breed("gnome.glb", "6:2.98@1x+18,9:15.6@1x+90,10:7.49@2x-3")
local fox = breed("fox.glb", "11:10.5@1x-74,15:10.9@1x+28,24:6.88@1x+69")
targets, fallen, hits = {}, {}, 0
for i, t in ipairs {
    {"mare", horse, -7, -3, 1.1}, {"foal", horse, -5, 0, 0.6}, {"gnome", gnome, -5, 2, 2}, {"fox", fox, -6, 4, 2},
} do
    targets[i] = scene:add(t[2].model, {
        name = t[1], walks = t[2].gait, at = {t[3], 0, t[4]}, turn = {0, 90, 0}, scale = t[5], material = hide,
    })
end
scene:on("falls", function(event) fallen[#fallen + 1] = event.walker end)

-- Three spheres in turn, so that a shot that is spent is used again. The impulse is a small share of a weight second.
local gun, angle, next_shot = eigenrig.vec3(0, 1, 10), 0, 0
local shots = {}
local function mass_of(walker)
    local sum = 0
    for _, bone in ipairs(walker:actors()) do sum = sum + bone.mass end
    return sum
end
local function shoot(way, mass)
    local sphere = scene:actor {name = "shot", sphere = 0.1, at = gun + way, mass = mass, material = shot, velocity = 14 * way}
    shots[#shots + 1] = sphere
    sphere:on("contact_begins", function(event)
        if event.other.name ~= "ground" and event.other.name ~= "shot" then hits = hits + 1 end
    end)
    if #shots > 8 then table.remove(shots, 1):remove() end
end
local function aim() return eigenrig.vec3(math.sin(angle), 0.12, -math.cos(angle)) end

local by_keys, held = false, {}
scene:on("key_down", function(event)
    by_keys, held[event.key] = true, true
    if event.key == "space" then shoot(aim(), 1) end
end)
scene:on("key_up", function(event) held[event.key] = nil end)
scene:action {
    update = function(self, dt)
        if held.a or held.left then angle = angle - dt end
        if held.d or held.right then angle = angle + dt end
    end,
}:start()

-- The gallery's own gun: each shot has a two-hundredth of its target's mass, so 0.7 % of its weight for a second.
scene:script(function(self)
    while true do
        self:wait(1.5)
        if not by_keys then
            next_shot = next_shot % #targets + 1
            local target = targets[next_shot]
            local there = target.centre + 0.6 * target.velocity
            local way = there - gun
            way = way * (1 / way:length())
            shoot(way + eigenrig.vec3(0, 0.15, 0), mass_of(target) / 200)
        end
    end
end):start()

scene.camera = {eye = {3, 3.5, 14}, target = {0, 0.8, 0}}

return scene

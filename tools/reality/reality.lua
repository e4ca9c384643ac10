-- The situations of docs/reality.md in eigenrig and, if they were built, in Bullet and ODE: one line for each.
--   eigenrig run tools/reality/reality.lua              all rows
--   eigenrig run tools/reality/reality.lua 17 19        those rows
--   eigenrig run tools/reality/reality.lua --ours       without the others
--   eigenrig run tools/reality/reality.lua --table      as rows in Markdown
local eigenrig = require "eigenrig"
local rival_scene = dofile(eigenrig.files.beside("rival_scene.lua"))

local rows, wanted, options = {}, {}, {}
for _, word in ipairs(arg) do
    if word:find("^%-%-") then options[word:sub(3)] = true else wanted[tonumber(word)] = true end
end

-- situation(number, text, figure, right, f): `f(scene)` gives the figure, with `scene{...}` as eigenrig.scene.
function situation(row) rows[#rows + 1] = row end
for _, name in ipairs{"balls", "edges", "hanging", "spin", "towers", "ours"} do
    dofile(eigenrig.files.beside("situations_" .. name .. ".lua"))
end
table.sort(rows, function(a, b) return a.number < b.number end)

local function text_of(row, x)
    if type(x) ~= "number" then return x end
    if x ~= x or math.abs(x) > 1e6 then return "flies off" end
    return (row.format or "%.4g"):format(x)
end

-- eigenrig's scenes: nothing sleeps unless it is asked for. Fields of the rivals alone are left out.
local function ours(row)
    return function(d)
        local fields = {sleep_time = 0, solver = row.solver}
        for key, value in pairs(d or {}) do if key ~= "many" and key ~= "swept" then fields[key] = value end end
        return eigenrig.scene(fields)
    end
end

local function figure(row, engine)
    local f = row[engine] or row.run
    if engine ~= "eigenrig" and not row.rivals then return "" end
    if type(f) == "string" then return f end
    local make = engine == "eigenrig" and ours(row) or function(d) return rival_scene(engine, d) or error("not built") end
    local ok, x = pcall(f, make, engine)
    if ok then return x end
    if tostring(x):find("not built", 1, true) then return "not built" end
    error(x, 0)
end

for _, row in ipairs(rows) do
    if next(wanted) == nil or wanted[row.number] then
        local cells = {}
        for i, engine in ipairs{"eigenrig", "bullet", "ode"} do
            cells[i] = (i == 1 or not options.ours) and text_of(row, figure(row, engine)) or ""
        end
        local right = text_of(row, row.right)
        if options.table then
            print(("| %d | %s | %s | %s | %s | %s | %s |"):format(row.number, row.what, right, cells[1], cells[2], cells[3], row.test))
        else
            print(("%2d %-62s right %-10s eigenrig %-10s bullet %-10s ode %s"):format(row.number, row.what, right, cells[1], cells[2], cells[3]))
        end
        io.stdout:flush()
    end
end

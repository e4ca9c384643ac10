-- The situations of docs/reality.md in eigenrig and, if they were built, in Bullet and ODE: one line for each.
--   eigenrig run tools/reality/reality.lua              all rows
--   eigenrig run tools/reality/reality.lua 17 19        those rows
--   eigenrig run tools/reality/reality.lua --ours       without the others
--   eigenrig run tools/reality/reality.lua --table      as rows in Markdown
-- It fails if a figure of eigenrig is wrong and not nearer to the right one than those of all others.
local eigenrig = require "eigenrig"
local rival_scene = dofile(eigenrig.files.beside("rival_scene.lua"))

local rows, wanted, options = {}, {}, {}
for _, word in ipairs(arg) do
    if word:find("^%-%-") then options[word:sub(3)] = true else wanted[tonumber(word)] = true end
end

-- situation{number, what, right, run, test, ...}: `run(scene)` gives the figure, with `scene{...}` as eigenrig.scene.
--   near    how far a right figure may be off [1.5 % of `right`]
--   limit   of a figure whose `right` is a text: it may be at most this
--   rivals  true: Bullet and ODE can be asked too
--   solver  of eigenrig's scene
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

-- How far a figure is off; 0 if it is right.
local function off(row, x)
    if row.limit then return type(x) == "number" and x <= row.limit and 0 or math.huge end
    if type(row.right) == "string" or type(x) ~= "number" then return x == row.right and 0 or math.huge end
    local d = math.abs(x - row.right)
    if d ~= d then return math.huge end
    return d <= (row.near or 0.015 * math.abs(row.right)) and 0 or d
end

local function verdict(row, x)
    local own = off(row, x[1])
    if own == 0 then return "right" end
    local is_better = row.rivals and x[2] ~= "not built"
    for i = 2, 3 do is_better = is_better and own < off(row, x[i]) end
    return is_better and "nearer" or "wrong"
end

local worst = 0
for _, row in ipairs(rows) do
    if next(wanted) == nil or wanted[row.number] then
        local x, cells = {}, {}
        for i, engine in ipairs{"eigenrig", "bullet", "ode"} do
            x[i] = (i == 1 or not options.ours) and figure(row, engine) or ""
            cells[i] = text_of(row, x[i])
        end
        local right, is = text_of(row, row.right), verdict(row, x)
        if is == "wrong" and not options.ours then worst = 1 end
        if options.table then
            for i = 2, 3 do if cells[i] == "" then cells[i] = "-" end end
            print(("| %d | %s | %s | %s | %s | %s |"):format(row.number, row.what, right, cells[1], cells[2], cells[3]))
        else
            print(("%2d %s: right %s, eigenrig %s (%s), Bullet %s, ODE %s"):format(row.number, row.what, right, cells[1], is, cells[2], cells[3]))
        end
        io.stdout:flush()
    end
end
if worst > 0 then os.exit(worst) end

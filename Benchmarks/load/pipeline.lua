-- Sixteen requests in one write; wrk counts each answer.
local depth = 16

init = function()
    local one = wrk.format()
    local burst = {}
    for index = 1, depth do burst[index] = one end
    requests = table.concat(burst)
end

request = function() return requests end

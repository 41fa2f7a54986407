-- Somebody else each time: a targeting key and two properties, which the document's rules look at.
local number = 0

request = function()
    number = number + 1
    return wrk.format("GET", "/behaviors.json?country=LV&version=2.1.3&targetingKey=user-" .. number)
end

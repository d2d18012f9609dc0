# A table of data, as exported by other programs.
ROWS = [
    {"id": 1, "name": "a", "value": -1.5, "check": lambda v: v > 0, "tags": ("x", "y",), "on": not False},
    {"id": 2, "name": 'b\'s "quoted"', "value": +2e10, "check": lambda v, w=1: v < w, "tags": (), "on": True},
    {"id": 3, "name": """three
lines (""", "value": ~3, "check": None, "tags": {"z"}, "on": 1 < 2 < 3},
]
TEXT = ("one "
        "two "
        f"three {len(ROWS)} "
        r"four\n")
TOTAL = (ROWS[0]["value"] + ROWS[1]["value"]
         - ROWS[2]["value"] * 2 // 3 % 4)
result = [
    (x, y)
    for x in range(10)
    if x % 2
    for y in range(x)
    if y
]
print("%s %(name)s" % TEXT if TEXT else "", end="")
exec("print(1)")


def outer():
    total = 0

    def inner():
        nonlocal total
        global result
        total += 1
        return total

    class Local:
        field = inner()
    return inner, Local


async def fetch(): return None
def fetch_sync(): import json; return json

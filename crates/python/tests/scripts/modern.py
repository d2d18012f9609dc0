import asyncio
from contextlib import (
    asynccontextmanager,
    suppress,
)

type Pair[T, U = int] = tuple[T, U]
type Names = list[str]


def first[T: (int, str), *Ts, **P](items: list[T], *args: *Ts) -> T:
    return items[0]


class Stack[T]:
    match = 1
    def push(self, item: T) -> None: ...


def classify(value, /):
    match value:
        case 0 | -1 | 1.5j | "a" "b":
            return "plain"
        case [x, y, *_] if x > y:
            return f"{x=} {y!s:^{x}} {f'{y:{'>'}{4}}'}"
        case {"kind": "door", **rest}:
            return rest
        case Stack(push=p) | Stack(p):
            return p
        case (1 | 2) as small:
            return small
        case str() | None | True:
            return None
        case _:
            pass


@asynccontextmanager
async def session(url: str):
    async with asyncio.timeout(1), (session(url)) as s:
        yield s


async def main(*names: str, **options: int) -> None:
    try:
        async for name in aiter(names):
            await asyncio.sleep(0)
        results = [await task async for task in aiter(names) if not name]
    except* (ValueError, KeyError) as group:
        print(group)
    except* OSError:
        raise
    finally:
        with suppress(Exception):
            ...
    del results, name
    nested = lambda x, *a, y=1, **k: (yield) if x else [lambda: x, a, y, k]
    matrix = x @ x; matrix @= x
    print(*names, sep="", **options)
    return not -x ** -2 < ~y << 3 != 4 is not None and z not in w or (u if v else t)


global_slice = main[1:2, ::3, ...]
print(rf"\d{global_slice}" r"" if False else b"\x00" B'\'')
t"template {global_slice!r}"
x = 0xFF_FF + 0b1 + 0o17 + 1_000.5e-3 + 5j + .5 + 5.
if True: pass
elif x: y = 1; z = 2
else: w = 3
while (line := input()): break
else: print("no break")
for i, in [(1,)]: continue
for j in *range(3), 4: pass
async def gen(): return [i async for i in x]

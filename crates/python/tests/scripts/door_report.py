#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Door report: counts doors by storey and fire rating."""
from __future__ import annotations

import argparse
import csv
import json
import logging
import os.path
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from collections.abc import Mapping

try:
    import orjson as fast_json
except ImportError:  # pragma: no cover
    fast_json = None
    def dumps(value: Any) -> bytes:
        return json.dumps(value).encode()
else:
    def dumps(value: Any) -> bytes:
        return fast_json.dumps(value)

log = logging.getLogger(__name__)
RATINGS: dict[str, int] = {"EI 30": 30, "EI 60": 60,}
DEFAULT = RATINGS["EI 30"]; UNKNOWN = -1
limit: int
VERSION = MAJOR, MINOR = 1, 2
(a, *rest), b = (1, 2, 3), 4


@dataclass(frozen=True, slots=True)
class Door:
    name: str
    rating: str | None = None
    tags: list[str] = field(default_factory=list)

    def minutes(self, *, default: int = DEFAULT, **extra) -> int:
        return RATINGS.get(self.rating or "", default)

    @property
    def label(self): return f"{self.name!r:>{len(self.name) + 4}} {self.minutes():03d}{'!' if self.tags else ''}"


def load(path: str | os.PathLike, /, encoding="utf-8", *, strict=True) -> Iterable[Door]:
    with open(path, encoding=encoding, newline="") as handle, \
         open(os.devnull, "w") as sink:
        for number, row in enumerate(csv.DictReader(handle), start=1):
            if not (name := row.get("name", "").strip()):
                if strict:
                    raise ValueError(f"line {number}: no name") from None
                continue
            yield Door(name=name, rating=row.get("rating"))


def run_tool(input_dir, output_dir, settings=None):
    """The entry point."""
    settings = settings or {}
    counts = Counter(door.rating for door in load(Path(input_dir) / "doors.csv"))
    by_minutes = defaultdict(list)
    for rating, count in sorted(counts.items(), key=lambda item: (-item[1], item[0] or "")):
        by_minutes[RATINGS.get(rating, UNKNOWN)].append((rating, count))
    report = {**settings, "counts": {k: v for k, v in counts.items() if k is not None}, "rest": [*by_minutes]}
    assert all(isinstance(c, int) for c in counts.values()), "counts are numbers"
    (Path(output_dir) / "report.json").write_bytes(dumps(report))
    return report


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("input_dir"); parser.add_argument("output_dir")
    args = parser.parse_args()
    sys.exit(0 if run_tool(args.input_dir, args.output_dir) else 1)

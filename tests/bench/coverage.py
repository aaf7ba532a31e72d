"""What the statistics hold, measured in simulated leagues: `python -m tests.bench.coverage [NAME]...`.

Each measurement returns rows: what was simulated, the setting, the goal and the measured value.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table."""

    what: str
    setting: str
    goal: str
    measured: str


MEASUREMENTS: dict[str, Callable[[], Iterator[Row]]] = {}


def measurement(function: Callable[[], Iterator[Row]]) -> Callable[[], Iterator[Row]]:
    """Add a function to the measurements."""
    MEASUREMENTS[function.__name__] = function
    return function


@measurement
def points() -> Iterator[Row]:
    """Intervals of points in leagues of resampled real games, 20,000 each; Student's interval for comparison."""
    from tests.stats.real_points import mean_coverage, pools, worst_coverage

    for setting in sorted(pools()):
        for single in (False, True):
            for count, goal in ((28, "at least 93%"), (60, "at least 94%")):
                where = f"{setting[0]}, {setting[1]} players, {count} {'games' if single else 'rotations'}"
                holds, student = (mean_coverage(setting, count, 20_000, single, plain) for plain in (False, True))
                text = f"{100 * holds:.1f}% (Student's {100 * student:.1f}%)"
                yield Row("interval of points holds, mean of all bots", where, goal, text)
                worst = f"{100 * worst_coverage(setting, count, 20_000, single):.1f}%"
                yield Row("interval of points holds, worst bot", where, "", worst)


@measurement
def wild_strata() -> Iterator[Row]:
    """Intervals of a mean if one stratum has another spread than all others; 10,000 leagues each."""
    import numpy

    from tests.stats.real_points import wild_coverage

    layouts = {
        "24 blocks in 10 strata, 3 of them wild": numpy.arange(24) % 10,
        "24 blocks in 10 strata, 2 of them wild": (numpy.arange(24) + 9) % 10,
        "24 blocks in 10 strata, 6 of them wild": numpy.repeat(numpy.arange(10), [6, *[2] * 9]),
        "40 blocks in 10 strata, 4 of them wild": numpy.arange(40) % 10,
        "60 blocks in 30 strata, 2 of them wild": numpy.arange(60) % 30,
    }
    for where, strata in layouts.items():
        for spread in (1.0, 3.0, 10.0):
            holds = wild_coverage(strata, spread, 10_000)
            goal = "at least 94%" if where.startswith("24") else ""
            yield Row("interval of points holds", f"{where}, {spread:g} times the spread", goal, f"{100 * holds:.1f}%")


@measurement
def early_stops() -> Iterator[Row]:
    """Intervals of the mean place score of the first of two bots, after `--until decided`; 2,000 leagues each."""
    from tests.stats.real_points import stopped_coverage

    for spread in (0.22, 0.5):
        for difference in (0.0, 0.05, 0.1, 0.2):
            holds = _share(stopped_coverage(difference, spread, 2000))
            where = f"block scores of spread {spread:g}, true difference {difference:g}"
            yield Row("interval holds after an early stop", where, "marked", holds)


def _share(cases: Iterable[bool]) -> str:
    found = list(cases)
    return f"{100 * sum(found) / len(found):.1f}%"


def main() -> None:
    """Print the rows of all measurements, or of those named, as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *MEASUREMENTS])
    print("| what | setting | goal | measured |\n| --- | --- | --- | --- |")
    for name in parser.parse_args().names or MEASUREMENTS:
        for row in MEASUREMENTS[name]():
            print("|", *(f"{cell} |" for cell in row), flush=True)


if __name__ == "__main__":
    main()

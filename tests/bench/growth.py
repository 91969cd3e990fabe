# SPDX-License-Identifier: Apache-2.0
"""growth - a plot of CPU seconds against reachable methods, both logarithmic, as SVG without anything from outside."""
import math
from typing import NamedTuple

WIDTH, HEIGHT = 790, 470
LEFT, RIGHT, TOP, BOTTOM = 58, 592, 22, 420       # of the frame; the legend is right of it
STYLE = """
text { font: 12px sans-serif; fill: #24292f; } .title { font-weight: bold; } .tick { fill: #57606a; }
.paper { fill: #ffffff; } .frame { fill: none; stroke: #8c959f; } .grid { stroke: #d8dee4; }
.fit { fill: none; stroke-width: 1.2; }
.s0 { color: #0969da; } .s1 { color: #1a7f37; } .s2 { color: #bc4c00; } .s3 { color: #8250df; } .s4 { color: #bf3989; }
.s5 { color: #9a6700; } .peer { color: #57606a; }
.full { fill: currentColor; } .line { fill: none; stroke: currentColor; stroke-width: 1.8; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .tick { fill: #9198a1; } .paper { fill: #0d1117; } .frame { stroke: #656c76; } .grid { stroke: #262c36; }
.s0 { color: #58a6ff; } .s1 { color: #3fb950; } .s2 { color: #f0883e; } .s3 { color: #bc8cff; } .s4 { color: #f778ba; }
.s5 { color: #d29922; } .peer { color: #9198a1; }
}
"""
FULL = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-3.6 -3.6h7.2v7.2h-7.2z", "M0 -4.6l4.4 7.8h-8.8z", "M0 -5l4.4 5l-4.4 5l-4.4 -5z",
        "M0 4.6l4.4 -7.8h-8.8z", "M-4.6 -1.8h9.2v3.6h-9.2z"]
LINES = ["M-4 -4l8 8m0 -8l-8 8", "M-5 0h10m-5 -5v10", "M-3.6 -3.6h7.2v7.2h-7.2z", "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
         "M0 -4.6l4.4 7.8h-8.8z"]


class Series(NamedTuple):
    name: str
    points: list             # of (methods, seconds)
    is_peer: bool


class Axis(NamedTuple):
    low: float
    high: float
    start: float             # where `low` is drawn
    end: float

    def at(self, v):
        part = (math.log(v) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return self.start + part * (self.end - self.start)

    def ticks(self, steps):
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        values = [m * 10.0 ** e for e in range(first, last + 1) for m in steps]
        return [v for v in values if self.low * 0.999 <= v <= self.high * 1.001]


def fit(points):
    """The line through the logarithms with the least squares, as (exponent, factor); None where it would say little."""
    if len(points) < 4 or max(x for x, _ in points) < 1.5 * min(x for x, _ in points):
        return None
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)
    return slope, math.exp(my - slope * mx)


def axes(series):
    xs, ys = [x for s in series for x, _ in s.points], [y for s in series for _, y in s.points]
    return (Axis(min(xs) / 1.1, max(xs) * 1.1, LEFT, RIGHT),
            Axis(10.0 ** math.floor(math.log10(min(ys))), 10.0 ** math.ceil(math.log10(max(ys))), BOTTOM, TOP))


def short(v):
    return f"{v / 1000:g}k" if v >= 1000 else f"{v:g}"


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'


def grid(x, y):
    for v in x.ticks((1, 2, 3, 5)):
        yield f'<path class="grid" d="M{x.at(v):.1f} {TOP}V{BOTTOM}"/>'
        yield text(x.at(v), BOTTOM + 17, short(v), 'class="tick" text-anchor="middle"')
    for v in y.ticks((1,)):
        yield f'<path class="grid" d="M{LEFT} {y.at(v):.1f}H{RIGHT}"/>'
        yield text(LEFT - 7, y.at(v) + 4, f"{v:g}", 'class="tick" text-anchor="end"')
    yield f'<path class="frame" d="M{LEFT} {TOP}H{RIGHT}V{BOTTOM}H{LEFT}z"/>'
    yield text((LEFT + RIGHT) / 2, HEIGHT - 14, "reachable methods", 'text-anchor="middle"')
    yield text(16, (TOP + BOTTOM) / 2, "CPU seconds", f'text-anchor="middle" transform="rotate(-90 16 {(TOP + BOTTOM) / 2:.0f})"')


def mark(s, k, at_x, at_y):
    shape, how = (LINES[k % len(LINES)], "line") if s.is_peer else (FULL[k % len(FULL)], "full")
    return f'<path class="{style(s, k)} {how}" transform="translate({at_x:.1f} {at_y:.1f})" d="{shape}"/>'


def style(s, k):
    return "peer" if s.is_peer else f"s{k % len(FULL)}"


def draw(s, k, x, y):
    line = None if s.is_peer else fit(s.points)
    if line:
        ends = [min(p[0] for p in s.points), max(p[0] for p in s.points)]
        path = "L".join(f"{x.at(v):.1f} {y.at(line[1] * v ** line[0]):.1f}" for v in ends)
        yield f'<path class="{style(s, k)} fit" stroke="currentColor" d="M{path}"/>'
    for methods, seconds in s.points:
        yield mark(s, k, x.at(methods), y.at(seconds))


def legend(s, k, at):
    line = None if s.is_peer else fit(s.points)
    more = f' <tspan class="tick">n<tspan dy="-4" font-size="9">{line[0]:.1f}</tspan></tspan>' if line else ""
    yield mark(s, k, RIGHT + 20, at - 4)
    yield text(RIGHT + 32, at, s.name + more)


def plot(series):
    """SVG text of the series that have points."""
    shown = [s for s in series if s.points]
    x, y = axes(shown)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
             "<title>CPU seconds against reachable methods</title>", f"<style>{STYLE}</style>",
             f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>', *grid(x, y)]
    numbers = {False: 0, True: 0}
    at = TOP + 12
    for s in shown:
        k = numbers[s.is_peer]
        if s.is_peer and k == 0:
            at += 12
        parts += [*draw(s, k, x, y), *legend(s, k, at)]
        numbers[s.is_peer] += 1
        at += 20
    return "\n".join([*parts, "</svg>"]) + "\n"

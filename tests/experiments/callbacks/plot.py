# SPDX-License-Identifier: Apache-2.0
"""plot - CPU seconds against the number of library calls that are looked at, both linear, as SVG without anything from outside."""
import math

WIDTH, HEIGHT = 790, 400
LEFT, RIGHT, TOP, BOTTOM = 58, 640, 22, 350       # of the frame; names are right of it
STYLE = """
text { font: 12px sans-serif; fill: #24292f; } .tick { fill: #57606a; } .paper { fill: #ffffff; }
.frame { fill: none; stroke: #8c959f; } .grid { stroke: #d8dee4; } .line { fill: none; stroke: currentColor; stroke-width: 1.8; }
.mark { fill: currentColor; } .s0 { color: #0969da; } .s1 { color: #1a7f37; } .s2 { color: #bc4c00; } .s3 { color: #8250df; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .tick { fill: #9198a1; } .paper { fill: #0d1117; } .frame { stroke: #656c76; } .grid { stroke: #262c36; }
.s0 { color: #58a6ff; } .s1 { color: #3fb950; } .s2 { color: #f0883e; } .s3 { color: #bc8cff; }
}
"""


def step_of(high):
    """1, 2 or 5 times a power of ten, four to ten of them up to `high`."""
    power = 10.0 ** math.floor(math.log10(high))
    return next(power * m for m in (0.1, 0.2, 0.5, 1, 2) if high / (power * m) <= 10)


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'


def grid(high_x, high_y, at_x, at_y):
    for i in range(int(high_x / step_of(high_x)) + 1):
        v = i * step_of(high_x)
        yield f'<path class="grid" d="M{at_x(v):.1f} {TOP}V{BOTTOM}"/>'
        yield text(at_x(v), BOTTOM + 17, f"{v:,g}", 'class="tick" text-anchor="middle"')
    for i in range(int(high_y / step_of(high_y)) + 1):
        v = i * step_of(high_y)
        yield f'<path class="grid" d="M{LEFT} {at_y(v):.1f}H{RIGHT}"/>'
        yield text(LEFT - 7, at_y(v) + 4, f"{v:g}", 'class="tick" text-anchor="end"')
    yield f'<path class="frame" d="M{LEFT} {TOP}H{RIGHT}V{BOTTOM}H{LEFT}z"/>'
    yield text((LEFT + RIGHT) / 2, HEIGHT - 12, "library calls", 'text-anchor="middle"')
    yield text(16, (TOP + BOTTOM) / 2, "CPU seconds", f'text-anchor="middle" transform="rotate(-90 16 {(TOP + BOTTOM) / 2:.0f})"')


def draw(k, name, points, at_x, at_y):
    yield f'<path class="s{k} line" d="M{"L".join(f"{at_x(x):.1f} {at_y(y):.1f}" for x, y in points)}"/>'
    for x, y in points:
        yield f'<circle class="s{k} mark" cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3.2"/>'
    x, y = points[-1]
    yield text(at_x(x) + 9, at_y(y) + 4, name)


def growth(series):
    """SVG text of {name: [(calls, seconds)]}."""
    high_x = max(x for points in series.values() for x, _ in points) * 1.02
    high_y = max(y for points in series.values() for _, y in points) * 1.1

    def at_x(v):
        return LEFT + (RIGHT - LEFT) * v / high_x

    def at_y(v):
        return BOTTOM + (TOP - BOTTOM) * v / high_y
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
             "<title>CPU seconds against library calls</title>", f"<style>{STYLE}</style>",
             f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>', *grid(high_x, high_y, at_x, at_y)]
    for k, (name, points) in enumerate(series.items()):
        parts += draw(k, name, points, at_x, at_y)
    return "\n".join([*parts, "</svg>"]) + "\n"

# SPDX-License-Identifier: Apache-2.0
"""plot - receiver classes by task and analysis: a row a task, a mark an analysis, on a logarithmic scale, as SVG."""
import math
from typing import NamedTuple

WIDTH, LEFT, RIGHT, TOP, ROW = 790, 96, 690, 22, 24
STYLE = """
text { font: 12px sans-serif; fill: #24292f; } .tick { fill: #57606a; } .paper { fill: #ffffff; }
.frame { fill: none; stroke: #8c959f; } .grid { stroke: #d8dee4; } .mark { fill: currentColor; }
.s0 { color: #57606a; } .s1 { color: #bc4c00; } .s2 { color: #1a7f37; } .s3 { color: #0969da; } .s4 { color: #8250df; }
.s5 { color: #9a6700; } .s6 { color: #bf3989; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .tick { fill: #9198a1; } .paper { fill: #0d1117; } .frame { stroke: #656c76; } .grid { stroke: #262c36; }
.s0 { color: #9198a1; } .s1 { color: #f0883e; } .s2 { color: #3fb950; } .s3 { color: #58a6ff; } .s4 { color: #bc8cff; }
.s5 { color: #d29922; } .s6 { color: #f778ba; }
}
"""
# Narrow marks, each of another height: those at the same place can be told apart.
MARKS = ["M-4.5 -4.5h9v9h-9z", "M0 -5.5l5 8.5h-10z", "M0 5.5l5 -8.5h-10z", "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
         "M-1 -9h2v6h-2z", "M-1 3h2v6h-2z", "M0 -3l3 3l-3 3l-3 -3z"]


class Series(NamedTuple):
    name: str
    values: list             # one a row; None: not known


def ticks(low, high):
    return [m * 10.0 ** e for e in range(-2, 6) for m in (1, 2, 5) if low <= m * 10.0 ** e <= high]


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'


def mark(k, x, y):
    return f'<path class="s{k} mark" transform="translate({x:.1f} {y:.1f})" d="{MARKS[k]}"/>'


def grid(rows, low, high, at):
    bottom = TOP + ROW * len(rows)
    for v in ticks(low, high):
        yield f'<path class="grid" d="M{at(v):.1f} {TOP}V{bottom}"/>'
        yield text(at(v), bottom + 17, f"{v:,g}", 'class="tick" text-anchor="middle"')
    for i, name in enumerate(rows):
        y = TOP + ROW * (i + 0.5)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>'
        yield text(LEFT - 8, y + 4, name, 'text-anchor="end"')
    yield f'<path class="frame" d="M{LEFT} {TOP}H{RIGHT}V{bottom}H{LEFT}z"/>'
    yield text((LEFT + RIGHT) / 2, bottom + 38, "receiver classes at each polymorphic call (N_RC)", 'text-anchor="middle"')


def dots(rows, series):
    """SVG text. Values of 0 have no place on the scale and are left out."""
    known = [v for s in series for v in s.values if v]
    low, high = min(known) / 1.2, max(known) * 1.2
    height = TOP + ROW * len(rows) + 52

    def at(v):
        return LEFT + (RIGHT - LEFT) * math.log(v / low) / math.log(high / low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
             "<title>Receiver classes at each polymorphic call, by task and analysis</title>", f"<style>{STYLE}</style>",
             f'<rect class="paper" width="{WIDTH}" height="{height}"/>', *grid(rows, low, high, at)]
    for k, s in enumerate(series):
        parts += [mark(k, at(v), TOP + ROW * (i + 0.5)) for i, v in enumerate(s.values) if v]
        parts += [mark(k, RIGHT + 18, TOP + 8 + 20 * k), text(RIGHT + 30, TOP + 12 + 20 * k, s.name)]
    return "\n".join([*parts, "</svg>"]) + "\n"

# SPDX-License-Identifier: Apache-2.0
"""plot - what optimisation leaves of summaries, and what summaries save clients, as SVG without anything from outside."""

WIDTH, LEFT, RIGHT, TOP, ROW = 790, 190, 640, 22, 30
STYLE = """
text { font: 12px sans-serif; fill: #24292f; } .tick { fill: #57606a; } .paper { fill: #ffffff; } .small { font-size: 10.5px; }
.frame { fill: none; stroke: #8c959f; } .grid { stroke: #d8dee4; } .share { stroke: #8c959f; stroke-dasharray: 5 4; }
.mark { fill: currentColor; } .stem { stroke: currentColor; stroke-opacity: .35; }
.s0 { color: #0969da; } .s1 { color: #1a7f37; } .s2 { color: #bc4c00; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .tick { fill: #9198a1; } .paper { fill: #0d1117; } .frame { stroke: #656c76; } .grid { stroke: #262c36; }
.share { stroke: #656c76; } .s0 { color: #58a6ff; } .s1 { color: #3fb950; } .s2 { color: #f0883e; }
}
"""


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'


def page(height, title, parts):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">', f"<title>{title}</title>",
                      f"<style>{STYLE}</style>", f'<rect class="paper" width="{WIDTH}" height="{height}"/>', *parts, "</svg>"]) + "\n"


def legend(names):
    for k, name in enumerate(names):
        yield f'<rect class="s{k} mark" x="{RIGHT + 16}" y="{TOP + 20 * k}" width="10" height="10"/>'
        yield text(RIGHT + 32, TOP + 10 + 20 * k, name)


def along(bottom, at):
    for v in range(0, 101, 20):
        yield f'<path class="grid" d="M{at(v / 100):.1f} {TOP}V{bottom}"/>'
        yield text(at(v / 100), bottom + 17, f"{v} %", 'class="tick" text-anchor="middle"')


def bars(rows):
    """SVG text of (library, fewer statements, fewer bytes, part of the object code)."""
    bottom = TOP + ROW * len(rows)

    def at(v):
        return LEFT + (RIGHT - LEFT) * v
    parts = [*along(bottom, at)]
    for i, (name, statements, size, code) in enumerate(rows):
        y = TOP + ROW * i
        parts.append(text(LEFT - 8, y + 19, name, 'text-anchor="end"'))
        for k, v in enumerate((1 - statements, 1 - size, code)):
            parts.append(f'<rect class="s{k} mark" x="{LEFT}" y="{y + 4 + 8 * k}" width="{at(min(v, 1)) - LEFT:.1f}" height="6"/>')
    parts.append(f'<path class="frame" d="M{LEFT} {TOP}H{RIGHT}V{bottom}H{LEFT}z"/>')
    parts += legend(["statements left", "bytes left", "of object code"])
    return page(bottom + 30, "What optimisation leaves of summaries, and their size against object code", parts)


def saved(points):
    """SVG text of (program, the library's share, saved time, saved memory)."""
    left, bottom = 58, 420

    def at_x(v):
        return left + (RIGHT - left) * v

    def at_y(v):
        return bottom + (TOP - bottom) * max(v, 0)
    parts = [*along(bottom, at_x)]
    for v in range(0, 101, 20):
        parts.append(f'<path class="grid" d="M{left} {at_y(v / 100):.1f}H{RIGHT}"/>')
        parts.append(text(left - 7, at_y(v / 100) + 4, f"{v} %", 'class="tick" text-anchor="end"'))
    parts.append(f'<path class="frame" d="M{left} {TOP}H{RIGHT}V{bottom}H{left}z"/>')
    parts.append(f'<path class="share" d="M{at_x(0)} {at_y(0)}L{at_x(1)} {at_y(1)}"/>')
    for name, share, time, memory in points:
        parts.append(f'<path class="s0 stem" d="M{at_x(share):.1f} {at_y(time):.1f}V{at_y(memory):.1f}"/>')
        parts.append(f'<circle class="s0 mark" cx="{at_x(share):.1f}" cy="{at_y(time):.1f}" r="4"/>')
        parts.append(f'<circle class="s2 mark" cx="{at_x(share):.1f}" cy="{at_y(memory):.1f}" r="2.8"/>')
        if share > 0.95:
            parts.append(text(at_x(share) + 8, at_y(time) + 4, name, 'class="small"'))
        else:
            parts.append(text(at_x(share) - 7, at_y(time) + 4, name, 'class="small" text-anchor="end"'))
    parts.append(text((left + RIGHT) / 2, bottom + 36, "the library's share of the program's statements", 'text-anchor="middle"'))
    parts += [f'<circle class="s0 mark" cx="{RIGHT + 20}" cy="{TOP + 6}" r="4"/>', text(RIGHT + 32, TOP + 10, "time saved"),
              f'<circle class="s2 mark" cx="{RIGHT + 20}" cy="{TOP + 26}" r="2.8"/>', text(RIGHT + 32, TOP + 30, "memory saved"),
              f'<path class="share" d="M{RIGHT + 12} {TOP + 46}h16"/>', text(RIGHT + 32, TOP + 50, "proportional")]
    return page(bottom + 48, "What summaries save clients, against the library's share", parts)

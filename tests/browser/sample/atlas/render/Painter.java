// SPDX-License-Identifier: Apache-2.0
package atlas.render;

import atlas.shape.Shape;

/** Paints shapes onto a canvas. */
public class Painter {
	private final Canvas canvas;
	private Style style = Style.PLAIN;

	public Painter(Canvas canvas) {
		this.canvas = canvas;
	}

	public void paint(Shape shape) {
		style.apply(canvas);
		canvas.draw(shape.name());
		if (shape.area() > 100)
			canvas.draw("(large)");
	}

	public void setStyle(Style style) {
		this.style = style;
	}

	public byte[] finish() {
		return canvas.bytes();
	}
}

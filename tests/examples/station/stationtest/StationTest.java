// SPDX-License-Identifier: Apache-2.0
package stationtest;

import station.Exchange;
import station.Link;
import station.Station;

/** Runs every line and branch of Station, but neither an urgent link nor one with a cipher. */
public class StationTest {
	public static void main(String[] arguments) {
		Station station = new Station();
		Exchange exchange = new Exchange();

		for (int i = 0; i < 10; i++) {
			station.post("note " + i);
			Link link = exchange.open();
			station.tell(link);
		}
	}
}

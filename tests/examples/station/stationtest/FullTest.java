// SPDX-License-Identifier: Apache-2.0
package stationtest;

import station.Exchange;
import station.Station;

/** What StationTest does, with one note more, which goes out on an urgent link, and an exchange that encrypts. */
public class FullTest {
	public static void main(String[] arguments) {
		Station station = new Station();
		Exchange exchange = new Exchange();

		StationTest.main(arguments);
		for (int i = 0; i < 11; i++)
			station.post("note " + i);
		exchange.encrypt();
		station.tell(exchange.open());
	}
}

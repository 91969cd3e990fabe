// SPDX-License-Identifier: Apache-2.0
import paths.Paths;

public class Client {
	public static void main(String[] args) throws Exception {
		System.out.println(Paths.find("..", Paths.tree()));
	}
}

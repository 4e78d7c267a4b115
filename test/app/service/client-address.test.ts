import fc from "fast-check";
import { expect, test } from "vitest";
import { createClientReader } from "../../../src/app/service/client-address.ts";

const none = { for: undefined, proto: undefined, host: undefined };

test("the last hop that is not a trusted proxy is the client", () => {
  const clientOf = createClientReader(["10.0.0.0/8", "::1", "2001:db8::/32"]);
  const address = (remote: string, hops: string) =>
    clientOf({ ...none, remote, for: hops }).address;
  expect(address("10.1.2.3", "198.51.100.9")).toBe("198.51.100.9");
  expect(address("::ffff:10.1.2.3", "198.51.100.9, 10.0.0.2")).toBe("198.51.100.9");
  expect(address("::1", "2001:db9::5, 2001:db8::1")).toBe("2001:db9::5");
  expect(address("192.0.2.1", "198.51.100.9")).toBe("192.0.2.1");
  expect(address("10.1.2.3", "")).toBe("10.1.2.3");
  expect(address("10.1.2.3", "unknown, <script>")).toBe("10.1.2.3");
});

test("no header of a client changes the address that its proxy saw", () => {
  const clientOf = createClientReader(["127.0.0.1"]);
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (claimed, seen) => {
      fc.pre(seen !== "127.0.0.1");
      const given = { ...none, remote: "127.0.0.1", for: `${claimed}, ${seen}` };
      return clientOf(given).address === seen;
    }),
  );
});

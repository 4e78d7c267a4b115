import { expect, test } from "vitest";
import { ask, BOTH, rig } from "../models/setup.ts";
import { startModelServer } from "../support/model-server.ts";

/** More than the 300 s after which Node's fetch times out. */
const SLOW_S = 310;

test(`a reply after ${SLOW_S} s is used if --call-timeout allows it`, async () => {
  const server = await startModelServer(() => ({ text: "B", delay_ms: SLOW_S * 1000 }));
  try {
    const results = await Promise.all(
      BOTH.map(({ model }) =>
        rig(server, model, { runtime: { call_timeout_s: 400 } }).models.call(ask(["?"])),
      ),
    );
    for (const result of results)
      expect(result).toMatchObject({ status: "replied", reply: { text: "B" } });
    expect(server.chats()).toHaveLength(BOTH.length);
  } finally {
    await server.close();
  }
});

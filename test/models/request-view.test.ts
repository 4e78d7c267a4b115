import { expect, test } from "vitest";
import { z } from "zod";
import { sha256 } from "../../src/core/hash.ts";
import { readSettings } from "../../src/core/settings.ts";
import { showFirstRequest } from "../../src/models/request-view.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, BOTH, GOOGLE_KEY, memoryStore, OPENAI_KEY, putFrame, rig } from "./setup.ts";

test.each(BOTH)(
  "$model: one request as it would be sent, with media as hashes",
  async ({ model }) => {
    const server = await startModelServer(() => "A");
    const store = memoryStore();
    const frame = await putFrame(store, "#336699", 2);
    const call = ask(["When?", frame], {
      seed: 3,
      tools: [{ name: "zoom", description: "closer", schema: z.object({ at_s: z.number() }) }],
    });
    const views: { method: string; url: string; body: unknown }[] = [];
    const models = showFirstRequest(
      readSettings({ strategy: "direct", model, runtime: { base_url: server.url } }),
      (view) => views.push(view),
    );
    expect(await models.call(call)).toEqual({ status: "limit", limit: "calls" });
    expect(await models.call(call)).toEqual({ status: "limit", limit: "calls" });
    expect(server.requests).toHaveLength(0);

    await rig(server, model, { store }).models.call(call);
    await server.close();
    const [seen] = server.chats();
    expect(views).toHaveLength(1);
    const [view] = views;
    expect(view?.method).toBe("POST");
    expect(view?.url).toBe(`http://127.0.0.1:${server.port}${seen?.path}`);
    const shown = JSON.stringify(view?.body);
    expect(shown).toContain(`sha256:${frame.hash}`);
    expect(shown).not.toContain(OPENAI_KEY);
    expect(shown).not.toContain(GOOGLE_KEY);
    const base64 = Buffer.from(store.bytes.get(frame.hash) ?? []).toString("base64");
    expect(sha256(shown.replace(`sha256:${frame.hash}`, base64))).toBe(seen?.hash);
  },
);

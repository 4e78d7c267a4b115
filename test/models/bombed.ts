import "../../src/app/registry.ts";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isFailure } from "../../src/core/errors.ts";
import type { Attack } from "../support/bomb-server.ts";
import { ask, BOTH, HASTY, rig } from "./setup.ts";

/*
 * A process that asks a server of attacks with the default limits: `node bombed.ts URL`. It prints `B`, the answer to a
 * first call, and on the next line of its input meets the attacks. Then it prints how they ended and waits.
 */

const ATTACKS: Attack[] = [
  ...(["spaces", "1-GiB", "gzip", "deflate", "br", "values", "nested"] as const),
  ...(["arguments-text", "arguments-object"] as const),
];

/** Half of them by each client. */
const AT_ONCE = 4;

const [fine = ""] = process.argv.slice(2);
const call = (attack: Attack, model: string) =>
  rig({ url: fine.replace(/fine$/, attack) }, model, {
    patience: { ...HASTY, retries: 0 },
  }).models.call(ask(["?"]));

for (const { model } of BOTH) {
  const first = await call("fine", model);
  if (model === BOTH[0].model) console.log(first.status === "replied" ? first.reply.text : first);
}
await once(process.stdin, "data");
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const kinds: Record<string, string> = {};
for (const attack of ATTACKS)
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const { model } = BOTH[index % 2] ?? BOTH[0];
      kinds[`${attack} ${index}`] = await call(attack, model).then(
        ({ status }) => status,
        (error: unknown) => (isFailure(error) ? error.kind : String(error)),
      );
    }),
  );
console.log(JSON.stringify({ kinds, longest_ms: delay.max / 1e6 }));
await once(process.stdin, "data");

import { Failure } from "../../core/errors.ts";
import { providers } from "../define-provider.ts";
import { parseModelName } from "../name.ts";
import type { Target } from "../server.ts";
import type { BatchApi } from "./batch-api.ts";

/** The batch interface of a model's provider. Throws `Failure` `wrong-setting` if the provider has none. */
export function batchApiOf({ provider, name }: Pick<Target, "provider" | "name">): BatchApi {
  const { batch, title } = providers.get(provider);
  if (batch !== undefined) return batch;
  const others = providers.all().flatMap((one) => (one.batch === undefined ? [] : one.name));
  throw new Failure(
    "wrong-setting",
    `Invalid --batch: ${title} has no batches that this program can use, and ${name} is one of its models. Leave --batch out, or use a model of ${others.join(" or ")}.`,
    { name: "batch", model: name },
  );
}

/** Throws as `batchApiOf` for the first model of a provider without batches. */
export function checkBatch(models: readonly string[]): void {
  for (const name of models) batchApiOf({ ...parseModelName(name), name });
}

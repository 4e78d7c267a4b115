import { type Command, Option } from "commander";
import { Failure } from "../../core/errors.ts";
import { readSecret } from "../../core/read-secret.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../core/webhook-queue.ts";
import type { WebhookOptions } from "../service/options.ts";

export interface WebhookFlags {
  webhook?: string;
  webhookSecretEnv?: string;
  webhookEvents?: WebhookEvent[];
  webhookPrivate?: boolean;
}

export function addWebhookFlags(command: Command): void {
  command
    .option(
      "--webhook <url>",
      "https URL to call when a question ends, a review is made or a video is ready",
    )
    .option(
      "--webhook-secret-env <name>",
      "environment variable with the secret that signs the calls; NAME_FILE may hold the path of its file",
    )
    .addOption(
      new Option("--webhook-events <event...>", "events to call for; default: all").choices(
        WEBHOOK_EVENTS,
      ),
    )
    .option(
      "--webhook-private",
      "allow a webhook at a private or loopback address, also over http",
    );
}

/** The webhook that the flags name, or null. Throws `Failure`: `wrong-usage`, `missing-key`. */
export async function webhookFrom(flags: WebhookFlags): Promise<WebhookOptions | null> {
  const { webhook: url, webhookSecretEnv: name, webhookEvents, webhookPrivate } = flags;
  if (url === undefined) {
    if (name === undefined && webhookEvents === undefined && !webhookPrivate) return null;
    throw new Failure("wrong-usage", "The flags of a webhook need --webhook URL.");
  }
  if (name === undefined)
    throw new Failure(
      "wrong-usage",
      "--webhook needs a secret: put one into an environment variable, for example from `openssl rand -hex 32`, and name it with --webhook-secret-env.",
    );
  const secret = readSecret(name)?.value;
  if (secret === undefined)
    throw new Failure(
      "missing-key",
      `The environment variable ${name} of --webhook-secret-env is not set.`,
      { name },
    );
  const { WEBHOOK_DEFAULTS } = await import("../service/options.ts");
  const { checkWebhook } = await import("../service/webhook.ts");
  const options = {
    ...WEBHOOK_DEFAULTS,
    ...(webhookEvents === undefined ? {} : { events: webhookEvents }),
    ...{ url, secret, allow_private: webhookPrivate ?? false },
  };
  checkWebhook(options);
  return options;
}

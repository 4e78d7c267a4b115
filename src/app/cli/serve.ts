import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { Failure, toFailure } from "../../core/errors.ts";
import { WORKERS } from "../../core/shared-runs.ts";
import type { AuthMode, ServiceOptions } from "../service/options.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, run, say } from "./output.ts";
import { addSettingFlags, givenSettings, isForQuestions, wholeNumber } from "./setting-flags.ts";
import { addWebhookFlags, type WebhookFlags, webhookFrom } from "./webhook-flags.ts";

/** Minimum characters of a token: shorter tokens can be guessed. */
const MIN_TOKEN_LENGTH = 16;

interface Flags extends WebhookFlags {
  host: string;
  port: string;
  tokenFile?: string;
  keys?: boolean;
  trustProxy: string[];
  uploadLimit: string;
  quota: string;
  keyQuota?: string;
  openUploads: string;
  openStreams: string;
  atOnce: string;
  workers: string;
  allowUrl: string[];
  allowModel?: string[];
  allowUnpriced?: boolean;
  raters: string;
  blindReviews?: boolean;
  humanStudy?: string;
  reports?: string;
  logLevel: string;
}

export function configureServe(command: Command): void {
  command
    .option(
      "--host <address>",
      "address to listen on; an address that is not loopback needs --token-file or --keys",
      "127.0.0.1",
    )
    .option("--port <number>", "port to listen on; 0: any free port", "8787")
    .option("--token-file <file>", "require the token in this file in every request")
    .option("--keys", "require a key from `video-rrd keys add` in every request")
    .option(
      "--trust-proxy <address...>",
      "addresses or CIDR ranges of your reverse proxy, whose X-Forwarded-For, -Proto and -Host headers are trusted",
      [],
    )
    .option("--upload-limit <bytes>", "maximum bytes of one video", String(2 * 2 ** 30))
    .option(
      "--quota <bytes>",
      "maximum bytes of all videos, with the frames, indexes and replies derived from them",
      String(20 * 2 ** 30),
    )
    .option(
      "--key-quota <bytes>",
      "the same for each key without its own --bytes; default: half of --quota",
    )
    .option("--open-uploads <number>", "maximum unfinished uploads of one caller", "8")
    .option("--open-streams <number>", "maximum open event streams of one caller", "64")
    .option(
      "--at-once <number>",
      "questions to run concurrently; with --keys, one key runs at most three quarters of them",
      "4",
    )
    .addOption(
      new Option(
        "--workers <where>",
        "local: this process answers questions; remote: processes of `worker` with the same --store do",
      )
        .choices(WORKERS)
        .default("local"),
    )
    .option("--allow-url <host...>", "hosts from which videos may be fetched by URL", [])
    .option(
      "--allow-model <name...>",
      "models that a question may name in addition to --model; default: any on loopback, else none",
    )
    .option(
      "--allow-unpriced",
      "allow models without a price under a cost limit, which then ignores them",
    )
    .option("--raters <number>", "reviews by different people that each answer needs", "1")
    .option(
      "--blind-reviews",
      "hide the answer and other reviews from a reviewer before their own review",
    )
    .option("--human-study <folder>", "ask the human study in this folder (see `human-study make`)")
    .option("--reports <folder>", "show the evaluation reports (.html) of this folder")
    .option("--log-level <level>", "trace, debug, info, warn, error or silent", "warn");
  addWebhookFlags(command);
  addSettingFlags(command, isForQuestions);
  withExamples(
    command,
    "serve",
    "serve --model openai:gpt-4.1 --reports sweeps",
    "serve --store postgres://ann@db.example/video_rrd --workers remote --model openai:gpt-4.1",
    "serve --host 0.0.0.0 --token-file token.txt --model openai:llava --base-url http://localhost:11434/v1",
  );
  command.action((flags: Flags) =>
    run(async (signal) => {
      const { startService } = await import("../service/serve.ts");
      const options = await optionsFrom(flags, givenSettings(command));
      const service = await startService(options);
      print(`Serving on ${service.url} (Ctrl-C stops it)`);
      if (options.workers === "remote")
        say(
          "Workers answer the questions: start them with `video-rrd worker` and the same --store.",
        );
      await new Promise((done) => signal.addEventListener("abort", done, { once: true }));
      await service.stop();
      say(
        options.workers === "remote"
          ? "Stopped: workers go on with the questions."
          : "Stopped: questions that were running continue at the next start.",
      );
      return EXIT.ok;
    }),
  );
}

async function optionsFrom(
  flags: Flags,
  settings: Record<string, unknown>,
): Promise<Partial<ServiceOptions>> {
  const { isLoopback, keyPlaceOf } = await import("../service/options.ts");
  const { readSettings } = await import("../../core/settings.ts");
  const { defaultStrategy } = await import("../service/request-settings.ts");
  const { checkModels } = await import("../../../graphs/check-models.ts");
  const workers = flags.workers === "remote" ? "remote" : "local";
  const whole = readSettings({ ...settings, strategy: defaultStrategy({ settings }) });
  checkModels(whole, undefined, keyPlaceOf({ workers }));
  const { runtime } = whole;
  const port = wholeNumber("--port", flags.port);
  if (port > 65_535)
    throw new Failure("wrong-usage", `Invalid --port ${port}: use a whole number from 0 to 65535.`);
  const levels = ["trace", "debug", "info", "warn", "error", "silent"];
  if (!levels.includes(flags.logLevel))
    throw new Failure(
      "wrong-usage",
      `Invalid --log-level ${JSON.stringify(flags.logLevel)}: use one of ${levels.join(", ")}.`,
    );
  const onlyLocal = isLoopback(flags.host) && flags.tokenFile === undefined && !flags.keys;
  return {
    data: runtime.data,
    host: flags.host,
    port,
    auth: await authModeFrom(flags),
    trust_proxy: flags.trustProxy,
    settings,
    models: flags.allowModel ?? (onlyLocal ? null : []),
    allow_unpriced: flags.allowUnpriced ?? false,
    upload_limit: wholeNumber("--upload-limit", flags.uploadLimit),
    quota: wholeNumber("--quota", flags.quota),
    key_quota:
      flags.keyQuota === undefined
        ? Math.floor(wholeNumber("--quota", flags.quota) / 2)
        : wholeNumber("--key-quota", flags.keyQuota),
    open_uploads: Math.max(1, wholeNumber("--open-uploads", flags.openUploads)),
    open_streams: Math.max(1, wholeNumber("--open-streams", flags.openStreams)),
    concurrency: Math.max(1, wholeNumber("--at-once", flags.atOnce)),
    workers,
    hosts: flags.allowUrl.map(hostIn),
    reviews: { raters: ratersIn(flags.raters), blind: flags.blindReviews ?? false },
    human_study: flags.humanStudy ?? null,
    reports: flags.reports ?? null,
    webhook: await webhookFrom(flags),
    log: { level: flags.logLevel },
  };
}

/** The host of `--allow-url` as a URL has it, in lower case, with the port that is given. */
export function hostIn(given: string): string {
  const url = URL.parse(`https://${given}`);
  if (url !== null && url.href === `https://${url.host}/` && !given.includes("*"))
    return `${url.hostname}${/:\d+$/.exec(given)?.[0] ?? ""}`;
  throw new Failure(
    "wrong-usage",
    `Invalid --allow-url ${JSON.stringify(given)}: use a host, for example films.example.com or films.example.com:8443.`,
    { flag: "--allow-url", given },
  );
}

function ratersIn(given: string): number {
  const raters = wholeNumber("--raters", given);
  if (raters >= 1 && raters <= 100) return raters;
  throw new Failure("wrong-usage", `Invalid --raters ${raters}: use a whole number from 1 to 100.`);
}

async function authModeFrom({ tokenFile, keys }: Flags): Promise<AuthMode> {
  if (tokenFile !== undefined && keys)
    throw new Failure(
      "wrong-usage",
      "--token-file and --keys exclude each other. Pass one of them.",
    );
  if (keys) return { by: "keys" };
  if (tokenFile === undefined) return { by: "nobody" };
  const text = await readFile(tokenFile, "utf8").catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", "reading the token");
  });
  const token = text.trim();
  if (token.length >= MIN_TOKEN_LENGTH && !/\s/.test(token)) return { by: "token", token };
  throw new Failure(
    "wrong-usage",
    `Invalid token in ${tokenFile}: use one token of at least ${MIN_TOKEN_LENGTH} characters without spaces, for example from \`openssl rand -hex 32\`.`,
    { file: tokenFile },
  );
}

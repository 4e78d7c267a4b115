import { existsSync } from "node:fs";
import type { Command } from "commander";
import { standard } from "../../../graphs/define-strategy.ts";
import { toFailure } from "../../core/errors.ts";
import { findPackage, installCommand } from "../../core/find-package.ts";
import { readSecret } from "../../core/read-secret.ts";
import { allServices, providers } from "../../models/define-provider.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printJson, run } from "./output.ts";
import { addBlobFlags } from "./store-flag.ts";

/** The result of one check. `advice`: what to do unless `state` is `ok`. */
interface Finding {
  what: string;
  state: "ok" | "missing" | "limited";
  found: string;
  advice?: string;
}

interface Flags {
  baseUrl?: string;
  transcriber?: string;
  transcriberUrl?: string;
  speechLanguage?: string;
  json?: boolean;
}

export function configureDoctor(command: Command): void {
  addBlobFlags(command);
  withExamples(
    command
      .option("--base-url <url>", "a model server to check")
      .option("--transcriber <engine>", "an engine for speech to check")
      .option("--transcriber-url <url>", "the server of that engine")
      .option("--speech-language <code>", "the language for that engine")
      .option("--json", "print one JSON value")
      .action((options: Flags) =>
        run(async (signal) => {
          const findings = [
            node(),
            ...(await ffmpeg(signal)),
            ocr(),
            ...keys(),
            ...packages(),
            ...(await speech(options, signal)),
            ...(await blobs()),
            ...(options.baseUrl === undefined ? [] : [await server(options.baseUrl, signal)]),
          ];
          if (options.json) printJson(findings);
          else
            for (const { what, state, found, advice } of findings)
              print(
                `${state === "ok" ? "✓" : state === "limited" ? "!" : "✗"} ${what}: ${found}${advice === undefined ? "" : `\n    ${advice}`}`,
              );
          const broken = findings.some((f) => f.state === "missing" && !f.what.endsWith("_KEY"));
          return broken ? EXIT.failed : EXIT.ok;
        }),
      ),
    "doctor",
    "doctor --base-url http://localhost:11434/v1",
    "doctor --blobs s3://bucket/prefix --blobs-endpoint http://127.0.0.1:9000",
    "doctor --transcriber openai:whisper-1 --transcriber-url http://localhost:8000/v1",
  );
}

function node(): Finding {
  return { what: "Node", state: "ok", found: process.versions.node };
}

async function ffmpeg(signal: AbortSignal): Promise<Finding[]> {
  try {
    const { findFfmpeg } = await import("../../media/find-ffmpeg.ts");
    const { missingFeatures } = await import("../../media/missing-features.ts");
    const build = await findFfmpeg();
    const missing = await missingFeatures(signal);
    return [
      {
        what: "ffmpeg",
        state: build.source === "package" ? "limited" : "ok",
        found: `${build.version}, from ${build.source === "FFMPEG_PATH" ? "FFMPEG_PATH" : build.source === "system" ? "the system" : "a package"} (${build.ffmpeg})`,
        advice:
          build.source === "package"
            ? "This is an old build with fewer formats (no AV1). Install ffmpeg with the package manager of the system, or set FFMPEG_PATH."
            : undefined,
      },
      missing.length === 0
        ? { what: "ffmpeg filters and codecs", state: "ok", found: "all required ones" }
        : {
            what: "ffmpeg filters and codecs",
            state: "missing",
            found: `without ${missing.join(", ")}`,
            advice: "Install a full build of ffmpeg, or set FFMPEG_PATH.",
          },
    ];
  } catch (error) {
    return [
      {
        what: "ffmpeg",
        state: "missing",
        found: toFailure(error, "ffmpeg-missing", "looking for ffmpeg").message,
        advice: "Install ffmpeg with the package manager of the system, or set FFMPEG_PATH.",
      },
    ];
  }
}

function ocr(): Finding {
  try {
    const file = new URL(
      "4.0.0_best_int/eng.traineddata.gz",
      import.meta.resolve("@tesseract.js-data/eng/package.json"),
    );
    if (existsSync(file)) return { what: "OCR data", state: "ok", found: "English" };
  } catch {
    // A package that cannot be resolved is missing.
  }
  return {
    what: "OCR data",
    state: "missing",
    found: "none",
    advice: "Reinstall the package with its dependency @tesseract.js-data/eng.",
  };
}

function keys(): Finding[] {
  const found = new Map<string, Finding>();
  const seen = new Set<string>();
  for (const { name, key, package: needed } of allServices()) {
    const [what] = key.variables;
    // Of a package that serves several, the first is meant.
    const isUsable = needed === undefined || (!seen.has(needed) && isInstalled(needed));
    if (needed !== undefined) seen.add(needed);
    if (what === undefined || found.has(what) || !isUsable) continue;
    found.set(what, keyIn(what, key.variables, name));
  }
  return [...found.values()];
}

/** What is found of the key `what`, which any of the variables may hold. */
function keyIn(what: string, variables: readonly string[], provider: string): Finding {
  try {
    const secret = variables.map((variable) => readSecret(variable)).find(Boolean);
    if (secret?.variable.endsWith("_FILE"))
      return { what, state: "ok", found: `set, in the file of ${secret.variable}` };
    if (secret) return { what, state: "ok", found: "set" };
  } catch (error) {
    const found = toFailure(error, "missing-key", "reading the key").message;
    return {
      what,
      state: "missing",
      found,
      advice: `The file is needed to use ${provider} models.`,
    };
  }
  return {
    what,
    state: "missing",
    found: "not set",
    advice: `Set it to use ${provider} models, or pass --base-url for another server. The strategy \`extractive\` needs neither.`,
  };
}

/** Packages that add models to a provider. None is needed. */
function packages(): Finding[] {
  return providers.all().flatMap(({ title, services }): Finding[] => {
    if (services === undefined) return [];
    const names = new Set(Object.values(services).flatMap(({ package: name }) => name ?? []));
    const installed = [...names].filter(isInstalled);
    const missing = [...names].find((name) => !isInstalled(name));
    const advice = missing === undefined ? "" : ` (to add models: ${installCommand(missing)})`;
    return [
      {
        what: `${title} packages`,
        state: "ok",
        found: `${installed.join(", ") || "none"}${advice}`,
      },
    ];
  });
}

function isInstalled(name: string): boolean {
  return findPackage(name) !== null;
}

/** The engine for speech: its program, or its key and its server. */
async function speech(
  { transcriber, transcriberUrl, speechLanguage, baseUrl }: Flags,
  signal: AbortSignal,
): Promise<Finding[]> {
  const what = "speech";
  if (transcriber === undefined)
    return [
      {
        what,
        state: "limited",
        found: "no engine, so the sound of videos without subtitles is not heard",
        advice:
          "Pass --transcriber to the commands that need it, for example --transcriber openai:whisper-1, and to `doctor` to check it.",
      },
    ];
  const { checkTranscriber } = await import("../../../tools/speech/create-transcriber.ts");
  const { readSettings } = await import("../../core/settings.ts");
  try {
    checkTranscriber(
      readSettings({
        strategy: standard("without-model").name,
        recognition: { transcriber, speech_language: speechLanguage ?? null },
        runtime: { base_url: baseUrl ?? null, transcriber_url: transcriberUrl ?? null },
      }),
    );
  } catch (error) {
    const found = toFailure(error, "wrong-setting", "checking the engine").message;
    const advice =
      "Give --transcriber and --speech-language as they are given to `ask`, and set the key of the provider.";
    return [{ what, state: "missing", found, advice }];
  }
  const reached = transcriberUrl === undefined ? [] : [await server(transcriberUrl, signal)];
  return [{ what, state: "ok", found: transcriber }, ...reached];
}

/** The place of frames and clips outside of data folders, if one is set: a small object is written, read and removed. */
async function blobs(): Promise<Finding[]> {
  const { blobPlace } = await import("../../storage/blobs/blob-place.ts");
  const { checkBlobBytes, openBlobBytes } = await import("../../storage/blobs/open-blob-bytes.ts");
  const place = blobPlace();
  if (place === null) return [];
  const what = "blobs";
  const bytes = openBlobBytes(place);
  try {
    await checkBlobBytes(bytes);
    return [{ what, state: "ok", found: `can be written and read in ${bytes.shown}` }];
  } catch (error) {
    const advice = toFailure(error, "store-unreachable", `checking ${bytes.shown}`).message;
    return [{ what, state: "missing", found: `${bytes.shown} cannot be used`, advice }];
  } finally {
    bytes.close();
  }
}

async function server(baseUrl: string, signal: AbortSignal): Promise<Finding> {
  const what = `model server ${baseUrl}`;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ""))
    return {
      what,
      state: "missing",
      found: "not an http URL",
      advice:
        "Use a URL that begins with http:// or https://, for example http://localhost:11434/v1.",
    };
  try {
    const reply = await fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]),
      redirect: "manual",
      headers: { authorization: `Bearer ${readSecret("OPENAI_API_KEY")?.value ?? "none"}` },
    });
    await reply.body?.cancel();
    if (reply.ok) return { what, state: "ok", found: "reachable" };
    return {
      what,
      state: "limited",
      found: `responded with status ${reply.status}`,
      advice:
        reply.status === 401
          ? "Set OPENAI_API_KEY to the key of the server."
          : "Check that the URL ends in /v1, or as the documentation of the server states.",
    };
  } catch (error) {
    return {
      what,
      state: "missing",
      found: `not reachable (${toFailure(error, "model-unreachable", "asking for its models").message})`,
      advice: "Start the server, or check the URL.",
    };
  }
}

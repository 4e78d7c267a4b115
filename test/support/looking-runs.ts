import { existsSync } from "node:fs";
import { appendFile, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { wilson } from "../../evals/statistics/statistics.ts";
import { ask } from "../../graphs/ask.ts";
import { indexVideo } from "../../graphs/index-video.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import { seeded } from "../../src/core/random.ts";
import { compose } from "../../src/media/compose.ts";
import { sampleFrames } from "../../tools/video/frames.ts";
import { openVideo } from "../../tools/video/video.ts";
import { CASES, type LookingQuestion, lookingFilm } from "./looking-films.ts";
import type { ModelServer, SeenRequest } from "./model-server.ts";

/*
 * The questions of films for looking, asked in several ways. Calls and frames are counted on what the server received.
 */

export const MOST_CALLS = 8;
export const MOST_FRAMES = 40;
const EVEN_FRAMES = 32;
/** Half of the films' width: what is small has to be zoomed. */
const MAX_SIDE = 320;

/** Strategies, and frames drawn at random in one request. */
export const WAYS = ["direct", "rrd", "react", "agent", "random"] as const;
export type Way = (typeof WAYS)[number];
/** Ways that search, within the same budget. */
const SEARCHES: readonly Way[] = ["react", "agent"];

export interface Outcome {
  way: Way;
  cut: boolean;
  seed: string | number;
  question: LookingQuestion;
  right: boolean;
  /** Whether a citation lies in every span of the evidence; null where nothing is cited. */
  cited: boolean | null;
  calls: number;
  frames: number;
  /** As the strategy counted it, with replies that were stored before; null if none did. */
  used: { calls: number; frames: number; tokens: number } | null;
  /** From the question to the answer, the server's looking included. */
  seconds: number;
}

export interface Where {
  folder: string;
  store: Store;
  server: ModelServer;
}

interface FilmOptions {
  ways?: readonly Way[];
  duration_s?: number;
  tools?: string;
}

/** As `askFilm`, but a film whose outcomes are in the folder is not asked again. */
export async function askFilmOnce(
  seed: string | number,
  cut: boolean,
  where: Where,
  options: FilmOptions = {},
): Promise<Outcome[]> {
  const kept = join(where.folder, `${seed}-${cut ? "cut" : "stay"}.jsonl`);
  const before = await readFile(kept, "utf8").catch(() => "");
  const lines = before.split("\n").filter((line) => line !== "");
  if (lines.length > 0) return lines.map((line) => JSON.parse(line) as Outcome);
  const asked = await askFilm(seed, cut, where, options);
  await appendFile(kept, asked.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return asked;
}

/** Makes the film of a seed, unless it is there, indexes it without a model, and asks its questions in every way. */
export async function askFilm(
  seed: string | number,
  cut: boolean,
  where: Where,
  options: FilmOptions = {},
): Promise<Outcome[]> {
  const { ways = WAYS, duration_s = 600, tools = null } = options;
  const film = lookingFilm({ seed, cut, duration_s });
  const file = join(where.folder, `${seed}-${cut ? "cut" : "stay"}.mp4`);
  if (!existsSync(file)) {
    const part = join(where.folder, `${seed}-${cut ? "cut" : "stay"}.part.mp4`);
    await compose(film.spec, part);
    await rename(part, file);
  }
  const work = { store: where.store, run: "index" };
  await indexVideo(await openVideo(file, work), {}, work);
  const outcomes: Outcome[] = [];
  for (const question of film.questions)
    for (const way of ways) {
      where.server.reset();
      const began = performance.now();
      const asked = { file, question, seed, where, tools };
      const { answer, cited, used } = await (way === "random"
        ? askRandom(asked)
        : askBy(way, asked));
      const seconds = (performance.now() - began) / 1000;
      const requests = where.server.chats();
      outcomes.push({
        ...{ way, cut, seed, question, cited, used, seconds },
        right: answer === question.right,
        calls: requests.length,
        frames: framesShown(requests),
      });
    }
  return outcomes;
}

interface AskResult {
  file: string;
  question: LookingQuestion;
  seed: string | number;
  where: Where;
  tools: string | null;
}

async function askBy(way: Exclude<Way, "random">, { file, question, where, tools }: AskResult) {
  const { answer, evidence } = await ask(
    file,
    { text: question.text, options: question.options },
    {
      store: where.store,
      settings: {
        model: "openai:scripted",
        runtime: { base_url: where.server.url },
        strategy: way,
        ...(SEARCHES.includes(way)
          ? {
              recognition: { max_side: MAX_SIDE },
              search: {
                ...(way === "agent" ? { recall: false } : {}),
                ...(tools === null ? {} : { tools }),
              },
              budget: { calls: MOST_CALLS, frames: MOST_FRAMES },
            }
          : {
              recognition: { max_side: MAX_SIDE, frames: EVEN_FRAMES, subtitles: "full" },
            }),
      },
    },
  );
  const items = evidence.items.filter((item) => answer.cites.includes(item.id));
  const cited = question.evidence_s.every(([start_s, end_s]) =>
    items.some((item) => item.end_s >= start_s && item.start_s <= end_s),
  );
  const { calls, frames, input, output } = answer.usage;
  return {
    answer: answer.answer,
    cited: way !== "direct" && items.length > 0 ? cited : null,
    used: { calls, frames, tokens: input + output },
  };
}

/** As many frames as the agent may see, drawn from the seed, with all subtitles, in one request. */
async function askRandom({ file, question, seed, where }: AskResult) {
  const work = { store: where.store, run: "random" };
  const video = await openVideo(file, work);
  const random = seeded("random viewing", seed);
  const frames = await sampleFrames(
    video,
    {
      sampler: "times",
      times_s: Array.from({ length: MOST_FRAMES }, () => random() * video.probe.duration_s),
      ...{ max_side: MAX_SIDE, max_area: null, quality: 85 },
    },
    work,
  );
  const images = await Promise.all(
    frames.map(async ({ hash }) => {
      const bytes = Buffer.from(await where.store.blobs.read(hash));
      const url = `data:image/jpeg;base64,${bytes.toString("base64")}`;
      return { type: "image_url", image_url: { url } };
    }),
  );
  const spoken = (await indexVideo(video, {}, work)).items.filter(
    ({ kind }) => kind === "subtitle",
  );
  const options = question.options.map((text, i) => `(${String.fromCharCode(65 + i)}) ${text}`);
  const { text } = (await loadPrompts(null)).render("choice/direct", {
    question: question.text,
    options: options.join("\n"),
  });
  const words = `${spoken.map((item) => item.text).join("\n")}\n\n${text}`;
  const response = await fetch(`${where.server.url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "scripted",
      messages: [{ role: "user", content: [...images, { type: "text", text: words }] }],
    }),
  });
  const reply = (await response.json()) as { choices: { message: { content: string } }[] };
  return { answer: reply.choices[0]?.message.content ?? null, cited: null, used: null };
}

/**
 * Frames that a model was shown: each once in a conversation, a sheet as the frames that it holds; those of the second
 * look, which begins anew, once more.
 */
export function framesShown(requests: readonly SeenRequest[]): number {
  const isSearch = ({ tools, toolCalls }: SeenRequest) => tools.length + toolCalls.length > 0;
  const last = requests.findLast(isSearch);
  const fresh = requests.filter((request) => !isSearch(request));
  return [...(last === undefined ? [] : [last]), ...fresh].reduce(
    (sum, request) => sum + framesIn(request),
    0,
  );
}

function framesIn({ parts }: SeenRequest): number {
  const named = new Set<string>();
  let unnamed = 0;
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (part.type !== "image") continue;
    const label = before?.type === "text" ? (before.text.trim().split("\n").at(-1) ?? "") : "";
    const names = label.match(/\[E\d+\]/g) ?? [];
    for (const name of names) named.add(name);
    if (names.length === 0) unnamed++;
  }
  return named.size + unnamed;
}

/** A line for each case, with and without a cut, and for each way of looking. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [...CASES, "all" as const].flatMap((name) =>
    [true, false].flatMap((cut) =>
      WAYS.flatMap((way) => {
        const those = outcomes.filter(
          (one) =>
            one.way === way && one.cut === cut && (name === "all" || one.question.case === name),
        );
        return those.length === 0 ? [] : [[name, cut ? "cut" : "no cut", way, ...figuresOf(those)]];
      }),
    ),
  );
  const head = [
    "case",
    "around it",
    "way",
    "right",
    "share",
    "95 %",
    "cited",
    "calls",
    "most",
    "frames",
    "most",
    "s",
  ];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function figuresOf(those: readonly Outcome[]): string[] {
  const right = those.filter((one) => one.right).length;
  const { low, high } = wilson(right, those.length);
  const citing = those.filter((one) => one.right && one.cited !== null);
  const mean = (value: (one: Outcome) => number) =>
    (those.reduce((sum, one) => sum + value(one), 0) / those.length).toFixed(1);
  const most = (value: (one: Outcome) => number) => String(Math.max(...those.map(value)));
  const percent = (share: number) => (100 * share).toFixed(0);
  return [
    `${right}/${those.length}`,
    percent(right / those.length),
    `${percent(low)}-${percent(high)}`,
    citing.length === 0 ? "" : `${citing.filter((one) => one.cited).length}/${citing.length}`,
    mean((one) => one.calls),
    most((one) => one.calls),
    mean((one) => one.frames),
    most((one) => one.frames),
    mean((one) => one.seconds),
  ];
}

/** A line for each way over all films: means of what the strategy counted for a question. */
export function strategyTable(outcomes: readonly Outcome[]): string {
  const head = ["strategy", "right", "cited", "calls", "frames", "tokens"];
  const rows = WAYS.flatMap((way) => {
    const those = outcomes.filter((one) => one.way === way);
    if (those.length === 0) return [];
    const [right = "", , , cited = ""] = figuresOf(those);
    const mean = (of: "calls" | "frames" | "tokens", digits: number) =>
      (those.reduce((sum, { used }) => sum + (used?.[of] ?? 0), 0) / those.length).toFixed(digits);
    return [[way, right, cited, mean("calls", 1), mean("frames", 1), mean("tokens", 0)]];
  });
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

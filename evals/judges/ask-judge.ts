import type { Prompts, Rendered } from "../../prompts/load-prompts.ts";
import { cutText } from "../../src/core/cut-text.ts";
import { Failure, oneLine } from "../../src/core/errors.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { CallResult, Models, Part } from "../../src/models/chat.ts";
import type { Reading } from "./reading.ts";

/** Judgement of one part of a reply. */
export interface Verdict<V> {
  /** Null: not judged. */
  value: V | null;
  /** Why it was not judged; null where it was. */
  why: string | null;
  /** The judge's own words: the first reply, and the second where the first could not be read. */
  replies: string[];
}

export interface JudgeCall<V> {
  prompt: Rendered;
  media: readonly Part[];
  /** For a person: `q7, piece 3`. */
  label: string;
  read(reply: string): Reading<V>;
  /** As `Judge.needsWholeReply`. */
  needsWholeReply?: boolean | undefined;
}

/** What all calls on one reply share. */
export interface JudgeWork {
  models: Models;
  prompts: Prompts;
  settings: Settings;
  /** Tag by which `forget` finds the calls. */
  video: string;
  /** Judge run, from 0: each draws replies of its own. */
  epoch: number;
}

/** Why a part is not judged whose judge refused. */
export const JUDGE_REFUSED = "the judge refused";

/** Characters of an unreadable reply that are shown back to the judge. */
const MOST_SHOWN = 4000;

/**
 * Asks a judge. If its reply cannot be read, asks once more and shows it that reply as data and what was wrong with it.
 * A second unreadable reply, a refusal or a budget that is spent leaves the part not judged. Throws `Failure` as model
 * calls do, and `model-unusable` if a judge that needs a whole reply gets none.
 */
export async function askJudge<V>(call: JudgeCall<V>, work: JudgeWork): Promise<Verdict<V>> {
  const first = readResult(await send([call.prompt], call, work), call);
  if (first.problem === null || !first.again) return verdictOf([first]);
  const repair = work.prompts.render("judges/repair", {
    reply: first.text.length > MOST_SHOWN ? `${cutText(first.text, MOST_SHOWN)}…` : first.text,
    fault: first.problem,
  });
  const second = readResult(await send([call.prompt, repair], call, work), call);
  return verdictOf([first, second]);
}

interface Read<V> {
  text: string;
  value: V | null;
  problem: string | null;
  /** Whether asking again could help. */
  again: boolean;
}

function readResult<V>(result: CallResult, call: JudgeCall<V>): Read<V> {
  if (result.status === "limit")
    return { text: "", value: null, problem: `the limit of ${result.limit} was met`, again: false };
  const { text, finish } = result.reply;
  if (finish === "refused") return { text, value: null, problem: JUDGE_REFUSED, again: false };
  if (call.needsWholeReply && (finish === "empty" || finish === "broken"))
    throw noReply(finish, call.label);
  const reading = call.read(text);
  if ("value" in reading) return { text, value: reading.value, problem: null, again: false };
  const cut = finish === "length" ? ", and was cut off at the limit of tokens" : "";
  const broken = finish === "broken" ? ", and broke off" : "";
  return { text, value: null, problem: `${reading.problem}${cut}${broken}`, again: true };
}

/** The server did not give a whole reply, also not when asked again. */
function noReply(finish: "empty" | "broken", label: string): Failure {
  const what = finish === "empty" ? "is empty" : "broke off";
  return new Failure(
    "model-unusable",
    `Not judged: the judge's reply ${what}, after the last attempt too. Run the same command again to repeat it.`,
    { finish, label },
  );
}

function verdictOf<V>(reads: readonly Read<V>[]): Verdict<V> {
  const last = reads.at(-1);
  return {
    value: last?.value ?? null,
    why: last?.problem == null ? null : oneLine(last.problem),
    replies: reads.map(({ text }) => text),
  };
}

function send<V>(
  prompts: readonly Rendered[],
  { media, label }: JudgeCall<V>,
  { models, settings, video, epoch }: JudgeWork,
): Promise<CallResult> {
  return models.call({
    role: "judge",
    stage: "judge",
    label: prompts.length > 1 ? `${label}, once more` : label,
    prompts: Object.fromEntries(prompts.map(({ name, hash }) => [name, hash])),
    video,
    request: {
      messages: [
        {
          role: "user",
          parts: [...media, { type: "text", text: prompts.map(({ text }) => text).join("\n\n") }],
        },
      ],
      temperature: settings.reasoning.temperature,
      maxTokens: settings.reasoning.max_tokens,
    },
    epoch,
  });
}

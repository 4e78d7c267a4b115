import { Failure } from "../../../src/core/errors.ts";
import type { Evidence, Question } from "../../../src/core/shapes.ts";
import { secondsAndClock } from "../../../src/core/time.ts";
import type { Message } from "../../../src/models/chat.ts";
import type { GraphContext } from "../../context.ts";
import type { Search, SearchUpdate } from "../../search-state.ts";
import { optionLines } from "../wording.ts";
import { find } from "./find.ts";
import { toolsFor } from "./offer.ts";
import { recalled } from "./recall.ts";
import type { Desk } from "./results.ts";
import { beginShowing, lineOf } from "./showing.ts";
import { timesOf } from "./times.ts";
import { TOOLS } from "./tools.ts";

const STAGE = "prepare";

/** Items shown for the question and for each option, out of so many that match; apart by this share of the video. */
const SHOWN_EACH = 3;
const MATCHING = 12;
const APART = 0.02;
const LEAST_APART_S = 4;

/**
 * What is found before the model reasons: for the question and for every option, what the words of the video say that
 * matches it, from moments that lie apart; the parts of the video that the question's words of time name; and the
 * overview.
 */
export async function prepare(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const { question } = state;
  const remembered = await recalled(question, context);
  for (const item of remembered) context.emit(STAGE, { type: "evidence", item });
  const evidence = [...state.evidence, ...remembered];
  const showing = beginShowing({ ...state, evidence }, context, STAGE);
  const desk: Desk = { context, evidence, showing, stage: STAGE };
  const tools = toolsFor(context);
  const found = await foundForEach(question, desk);
  const times = await timesOf(question.text, desk);
  const overview = tools.includes("overview") ? await TOOLS.overview({}, desk) : null;
  const system = context.prompts.render("agent/system", { tools: [...tools, "answer"].join(", ") });
  const variables = {
    question: question.text,
    duration: secondsAndClock(context.video.probe.duration_s),
    known: knownWords(evidence),
    times,
    left: showing.left(),
    found,
  };
  const asked =
    question.task === "choice"
      ? context.prompts.render("agent/question-choice", {
          ...variables,
          options: optionLines(question, "ask"),
        })
      : context.prompts.render("agent/question-open", variables);
  const messages: Message[] = [
    { role: "system", text: system.text },
    { role: "user", parts: [{ type: "text", text: asked.text }, ...(overview?.parts ?? [])] },
  ];
  const update = showing.update();
  return {
    ...update,
    evidence: [...remembered, ...(update.evidence ?? [])],
    messages,
    diagnostics: { recalled: remembered.length, found_beforehand: update.shown?.length ?? 0 },
    next: "think",
  };
}

async function foundForEach(question: Question, desk: Desk): Promise<string> {
  const queries = [
    { heading: "For the question", query: question.text },
    ...(question.options ?? []).map(({ letter, text }) => ({
      heading: `For option ${letter}`,
      query: text,
    })),
  ];
  const sections: string[] = [];
  for (const { heading, query } of queries) {
    const items = farApart(await find(query, { limit: MATCHING }, desk), desk);
    const lines = items.map((item) => lineOf(desk.showing.name(item), item));
    sections.push(`${heading}: ${lines.length === 0 ? "nothing" : ""}`.trimEnd(), ...lines);
  }
  return sections.join("\n");
}

/** The best items that lie apart from each other, so that one passage does not speak for the whole video. */
function farApart(items: readonly Evidence[], { context }: Desk): Evidence[] {
  const apart_s = Math.max(LEAST_APART_S, APART * context.video.probe.duration_s);
  const chosen: Evidence[] = [];
  for (const item of items) {
    if (chosen.length === SHOWN_EACH) break;
    const near = ({ start_s, end_s }: Evidence) =>
      item.start_s < end_s + apart_s && start_s < item.end_s + apart_s;
    // What stands throughout is near everything.
    const long = item.end_s - item.start_s > 4 * apart_s;
    if (long || !chosen.some(near)) chosen.push(item);
  }
  return chosen;
}

/** `12 subtitle, 3 text`, or `nothing`. */
function knownWords(evidence: readonly Evidence[]): string {
  const counts = new Map<string, number>();
  for (const { kind, text } of evidence)
    if (text !== "") counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const words = [...counts].map(([kind, count]) => `${count} of the kind ${kind}`);
  return words.length === 0 ? "nothing" : words.sort().join(", ");
}

/** Throws where there is no way to ask at all: every tool is switched off, so `direct` is what is meant. */
export function checkTools(context: GraphContext): void {
  if (toolsFor(context).length === 0)
    throw new Failure(
      "wrong-setting",
      "Expected the agent to be left at least one tool that this video has something for, but `--tools` leaves none.",
      { tools: context.settings.search.tools },
    );
}

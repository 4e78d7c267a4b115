import { numberEvidence } from "../../../src/core/evidence.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { asksSomething, joinSpoken } from "../../../tools/mathematics/align-spoken-numbers.ts";
import type { GraphContext } from "../../context.ts";
import { parsePlan } from "../../replies/parse-plan.ts";
import { callModel, withoutWords } from "../call-model.ts";
import { evidenceLines } from "../wording.ts";
import type { MathematicsState, MathematicsUpdate } from "./state.ts";

const STAGE = "mathematics";

/** Subtitles with a number or a question in them that are shown in addition to those found for the question. */
const MOST_SPOKEN = 60;

/** Asks the model what is to be calculated; a reply that cannot be used is sent back once. */
export async function planCalculation(
  state: MathematicsState,
  context: GraphContext,
): Promise<MathematicsUpdate> {
  const shown = shownTo(state);
  if (shown.size === 0) return {};
  const { prompts } = context;
  const asked = prompts.render("mathematics/plan", {
    question: state.question.text,
    options: optionsOf(state),
    evidence: evidenceLines(shown),
    spoken: spokenLines(shown),
  });
  const evidence = [...shown.values()].map(({ id }) => id);
  const first = await callModel(context, {
    stage: STAGE,
    evidence,
    role: "reasoner",
    label: "plan the calculation",
    prompts: [asked],
  });
  if (first.status === "limit" || withoutWords(first) !== null) return unplanned("no reply");
  const read = parsePlan(first.reply.text);
  if ("plan" in read) return { plan: read.plan };
  const repair = prompts.render("mathematics/repair", {
    reply: first.reply.text.slice(0, 8000),
    problem: read.problem,
  });
  const second = await callModel(context, {
    stage: STAGE,
    evidence,
    role: "reasoner",
    label: "repair the plan",
    prompts: [asked, repair],
  });
  if (second.status === "limit" || withoutWords(second) !== null) return unplanned(read.problem);
  const again = parsePlan(second.reply.text);
  return "plan" in again ? { plan: again.plan } : unplanned(again.problem);
}

function unplanned(why: string): MathematicsUpdate {
  return { diagnostics: { mathematics: { state: "not verified", why: `No usable plan: ${why}` } } };
}

function optionsOf({ question }: MathematicsState): string {
  const lines = (question.options ?? []).map(({ letter, text }) => `(${letter}) ${text}`);
  return lines.length > 0 ? `Options:\n${lines.join("\n")}` : "";
}

/**
 * By the names it has among all evidence: what was found for the question, all that stands on the board, and what is
 * said with a number or a question in it.
 */
export function shownTo({ evidence, found }: MathematicsState): Map<string, Evidence> {
  const chosen = new Set(found ?? evidence.map(({ id }) => id));
  const spoken = evidence
    .filter(({ kind, text }) => kind === "subtitle" && asksSomething(text))
    .slice(0, MOST_SPOKEN);
  for (const { id } of spoken) chosen.add(id);
  for (const { id, kind } of evidence) if (kind === "equation") chosen.add(id);
  return new Map(
    [...numberEvidence(evidence)].filter(([, { id, text }]) => chosen.has(id) && text !== ""),
  );
}

function spokenLines(shown: ReadonlyMap<string, Evidence>): string {
  const names = new Map([...shown].map(([name, { id }]) => [id, name]));
  const lines = joinSpoken([...shown.values()]).map(({ spoken, numbers, drawn }) => {
    const said = numbers.map(({ value, words }) =>
      String(value) === words ? words : `${words} = ${value}`,
    );
    return `${names.get(spoken.id)} says ${said.join(", ")} while ${drawn.map(({ id }) => names.get(id)).join(", ")} stood there`;
  });
  return lines.length > 0 ? lines.join("\n") : "none";
}

import { cutText } from "../../../src/core/cut-text.ts";
import { isSpoken, numberEvidence } from "../../../src/core/evidence.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { asksSomething, joinSpoken } from "../../../tools/mathematics/align-spoken-numbers.ts";
import type { GraphContext } from "../../context.ts";
import { parsePlan } from "../../replies/parse-plan.ts";
import { callModel, unreadableReply } from "../call-model.ts";
import { evidenceLines, questionWords } from "../question-prompts.ts";
import type { MathematicsState, MathematicsUpdate } from "./state.ts";

const STAGE = "mathematics";

/** Most subtitles with a number or a question that are shown in addition to the retrieved ones. */
const MOST_SPOKEN = 60;

/** Asks the model what is to be calculated. An unusable reply is sent back once for repair. */
export async function planCalculation(
  state: MathematicsState,
  context: GraphContext,
): Promise<MathematicsUpdate> {
  const shown = shownTo(state);
  if (shown.size === 0) return {};
  const { prompts } = context;
  const asked = prompts.render("mathematics/plan", {
    question: questionWords(state.question, prompts),
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
  if (first.status === "limit" || unreadableReply(first) !== null) return noPlan("no reply");
  const read = parsePlan(first.reply.text);
  if ("plan" in read) return { plan: read.plan };
  const repair = prompts.render("mathematics/repair", {
    reply: cutText(first.reply.text, 8000),
    problem: read.problem,
  });
  const second = await callModel(context, {
    stage: STAGE,
    evidence,
    role: "reasoner",
    label: "repair the plan",
    prompts: [asked, repair],
  });
  if (second.status === "limit" || unreadableReply(second) !== null) return noPlan(read.problem);
  const again = parsePlan(second.reply.text);
  return "plan" in again ? { plan: again.plan } : noPlan(again.problem);
}

function noPlan(why: string): MathematicsUpdate {
  return { diagnostics: { mathematics: { state: "not verified", why: `No usable plan: ${why}` } } };
}

function optionsOf({ question }: MathematicsState): string {
  const lines = (question.options ?? []).map(({ letter, text }) => `(${letter}) ${text}`);
  return lines.length > 0 ? `Options:\n${lines.join("\n")}` : "";
}

/**
 * The evidence for the plan, by its names among all evidence: the retrieved items, all equations, and subtitles with a
 * number or a question.
 */
export function shownTo({ evidence, names, found }: MathematicsState): Map<string, Evidence> {
  const chosen = new Set(found ?? evidence.map(({ id }) => id));
  const spoken = evidence
    .filter((item) => isSpoken(item) && asksSomething(item.text))
    .slice(0, MOST_SPOKEN);
  for (const { id } of spoken) chosen.add(id);
  for (const { id, kind } of evidence) if (kind === "equation") chosen.add(id);
  return new Map(
    [...numberEvidence(evidence, names)].filter(
      ([, { id, text }]) => chosen.has(id) && text !== "",
    ),
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

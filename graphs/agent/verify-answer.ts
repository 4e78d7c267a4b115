import { cutText } from "../../src/core/cut-text.ts";
import type { Evidence, Question, Support } from "../../src/core/shapes.ts";
import type { Part } from "../../src/models/chat.ts";
import { questionQueries } from "../../tools/search/question-queries.ts";
import type { GraphContext } from "../context.ts";
import { finalText, onOneLine } from "../replies/reply-text.ts";
import { callModel, unreadableReply } from "../stages/call-model.ts";
import { lineOf, pictureOf } from "../stages/named-evidence.ts";
import { questionWords } from "../stages/question-prompts.ts";
import { type ShownEvidence, trackShownEvidence } from "../toolbox/shown-evidence.ts";
import { sendBack } from "./check-citations.ts";
import { foundLines, searchEach } from "./option-search.ts";
import type { Draft, Search, SearchUpdate } from "./state.ts";
import { KEPT_FOR_VERIFYING, keptForVerifying } from "./turn-budget.ts";

const STAGE = "verify";

/**
 * Checks with a second call, given only question, answer and cited evidence, whether the evidence supports the answer. If
 * it contradicts the answer, the search continues, once.
 */
export async function verifyAnswer(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const { draft, question } = state;
  if (draft === null) return { next: "conclude" };
  const cited = state.evidence.filter((item) => draft.cites.includes(item.id));
  if (cited.length === 0)
    return {
      support: by("code", "not-shown", "The answer cites nothing that was shown."),
      next: "conclude",
    };
  const support = await askVerifier(question, draft, named(cited, state), context);
  const update: SearchUpdate = { support };
  if (support.verdict !== "contradicted") return { ...update, next: "conclude" };
  const shownEvidence = trackShownEvidence(state, context, keptForVerifying(context));
  const evidence = await evidenceForOtherOptions(
    question,
    draft,
    { ...state, shownEvidence },
    context,
  );
  const words = context.prompts.render("agent/contradicted", { reason: support.words, evidence });
  const back = sendBack("contradicted", words.text, state, context);
  return back.next === "turn"
    ? { ...update, ...shownEvidence.update(), ...back }
    : { ...update, ...back };
}

/** Evidence that matches the other options and was not shown yet. */
async function evidenceForOtherOptions(
  question: Question,
  draft: Draft,
  {
    evidence,
    shown,
    shownEvidence,
  }: Pick<Search, "evidence" | "shown"> & { shownEvidence: ShownEvidence },
  context: GraphContext,
): Promise<string> {
  const others = questionQueries(question).filter(
    ({ option }) => option !== null && option !== draft.answer,
  );
  const session = { context, evidence, shownEvidence, stage: STAGE };
  const searched = await searchEach(others, session, new Set(shown));
  return foundLines(searched, session) || "nothing";
}

async function askVerifier(
  question: Question,
  draft: Draft,
  cited: ReadonlyMap<string, Evidence>,
  context: GraphContext,
): Promise<Support> {
  const option = question.options?.find(({ letter }) => letter === draft.answer);
  const pictures = picturesFor(cited, context);
  const isShown = ({ frame }: Evidence) => frame === undefined || pictures.has(frame.hash);
  const prompt = context.prompts.render("agent/verify", {
    question: questionWords(question, context.prompts),
    claim: onOneLine(option?.text ?? draft.answer ?? ""),
    evidence: [...cited].map(([name, item]) => lineOf(name, item, isShown(item))).join("\n"),
  });
  const result = await callModel(context, {
    stage: STAGE,
    role: "verifier",
    label: "verification of the answer",
    evidence: [...cited.values()].map(({ id }) => id),
    prompts: [prompt],
    media: [...pictures.values()].flat(),
  });
  if (result.status === "limit")
    return by(
      "code",
      "unchecked",
      `The answer was not verified: the limit of ${result.limit} was met.`,
    );
  if (unreadableReply(result) !== null)
    return by("code", "unchecked", "The answer was not verified: the verifier's reply was empty.");
  return supportIn(finalText(result.reply.text));
}

/** The last verdict in the reply, such as `Verdict: not shown`; the words before it are the reason. */
export function supportIn(reply: string): Support {
  const found = [
    ...reply.matchAll(/verdict[*_\s]*:[*_\s"']*(supported|contradicted|not[\s-]+shown)\b/gi),
  ].at(-1);
  const words = cutText(onOneLine(reply.slice(0, found?.index ?? reply.length)), 600);
  if (found === undefined) return by("code", "unchecked", `The verifier gave no verdict: ${words}`);
  const verdict = (found[1] ?? "").toLowerCase().replace(/[\s-]+/g, "-");
  return { verdict: verdict as Support["verdict"], by: "model", words };
}

/** The pictures of the cited evidence by their hashes, each once, frames first, as many as the budget allows. */
function picturesFor(
  cited: ReadonlyMap<string, Evidence>,
  { ledger }: GraphContext,
): Map<string, Part[]> {
  const { frames } = ledger.left();
  const most = Math.min(KEPT_FOR_VERIFYING, frames ?? KEPT_FOR_VERIFYING);
  const items = [...cited].filter(([, item]) => item.frame !== undefined);
  const first = [
    ...items.filter(([, item]) => item.kind === "frame"),
    ...items.filter(([, item]) => item.kind !== "frame"),
  ];
  const pictures = new Map<string, Part[]>();
  for (const [name, item] of first) {
    const hash = item.frame?.hash ?? "";
    if (!pictures.has(hash) && pictures.size < most) pictures.set(hash, pictureOf(name, item));
  }
  return pictures;
}

function named(items: readonly Evidence[], { shown }: Search): Map<string, Evidence> {
  return new Map(items.map((item) => [`E${shown.indexOf(item.id) + 1}`, item]));
}

function by(who: Support["by"], verdict: Support["verdict"], words: string): Support {
  return { verdict, by: who, words };
}

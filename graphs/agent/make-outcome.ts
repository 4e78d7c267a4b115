import type { Evidence, EvidenceKind, Support } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";
import { storeSeen } from "../stages/recalled-evidence.ts";
import { weighOptions } from "../stages/support.ts";
import { type Outcome, outcome } from "../state.ts";
import { namesOf } from "../toolbox/shown-evidence.ts";
import type { Search, SearchUpdate } from "./state.ts";

/** What a model states about its own confidence is not a probability. */
const OWN_WORD = "the model's own statement, not calibrated";

/** Kinds that are stored for other questions on the video. */
const STORED_KINDS: readonly EvidenceKind[] = ["caption", "text", "equation"];

/** Makes the outcome from the last draft, or from what was shown if there is none; stores what was seen. */
export async function makeOutcome(state: Search, context: GraphContext): Promise<SearchUpdate> {
  await storeSeen(state.question.id, seenOf(state), context);
  const diagnostics = {
    turns: state.turns,
    shown: state.shown.length - state.unsent.length,
    ...(state.sentBack.length > 0 ? { sent_back: state.sentBack } : {}),
  };
  const names = namesOf(state.shown);
  if (state.outcome !== null) return { names, diagnostics };
  const outcome = outcomeOf(state);
  const byWords = state.draft === null && outcome.status === "answered";
  return {
    names,
    outcome,
    diagnostics: { ...diagnostics, ...(byWords ? { answered_by: "word overlap" } : {}) },
  };
}

function outcomeOf(state: Search): Outcome {
  const { draft } = state;
  if (draft === null) return bestSupported(state);
  if (draft.answer === null) return outcome({ status: "not-answered", cites: draft.cites });
  return outcome({
    status: "answered",
    answer: draft.answer,
    cites: draft.cites,
    cited_by: "model",
    support: supportOf(state),
    ...(draft.confidence === null
      ? {}
      : { confidence: draft.confidence, confidence_basis: OWN_WORD }),
  });
}

/** The verdict on the draft; one on an earlier draft does not count. */
function supportOf({ support, draft, sentBack, spent }: Search): Support {
  if (support !== null) return support;
  const uncited = draft?.cites.length === 0;
  if (uncited)
    return { verdict: "not-shown", by: "code", words: "The answer cites nothing that was shown." };
  const why = spent === null && !sentBack.includes("contradicted") ? "" : " within the budget";
  return { verdict: "unchecked", by: "code", words: `The answer was not verified${why}.` };
}

/** The option that the shown text supports most, if the model gave no answer. */
function bestSupported({ question, evidence, shown }: Search): Outcome {
  const observed = evidence.filter((item) => shown.includes(item.id) && item.text !== "");
  if (question.task !== "choice" || observed.length === 0)
    return outcome({ status: "not-answered" });
  const { letter, cites, scores } = weighOptions(question, observed);
  const best = letter ?? soleBest(scores);
  if (best === null) return outcome({ status: "not-answered" });
  const words =
    "The model gave no answer: the option was chosen by word overlap with the evidence that was shown.";
  return outcome({
    status: "answered",
    answer: best,
    cites: cites.map((item) => item.id),
    support: { verdict: cites.length === 0 ? "not-shown" : "unchecked", by: "code", words },
  });
}

function soleBest(scores: Readonly<Record<string, number>>): string | null {
  const [first, second] = Object.entries(scores).sort(([, a], [, b]) => b - a);
  if (first === undefined || first[1] === 0 || first[1] === second?.[1]) return null;
  return first[0];
}

/** New evidence of the search: what the model saw in pictures, and text that was read. */
function seenOf({ evidence, known }: Search): Evidence[] {
  const before = new Set(known);
  return evidence.filter(
    ({ id, kind, text }) => !before.has(id) && STORED_KINDS.includes(kind) && text !== "",
  );
}

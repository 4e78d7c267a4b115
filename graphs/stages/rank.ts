import type { OrderingDiagnostics } from "../../src/core/ordering.ts";
import type { CallResult } from "../../src/models/chat.ts";
import type { AskList, Ranking } from "../../tools/ranking/judgements.ts";
import {
  ALL_PAIRS_LIMIT,
  hybrid,
  mergeSort,
  plannedCalls,
  type Seed,
  tournament,
  tournamentAdaptive,
  vote,
} from "../../tools/ranking/methods.ts";
import type { GraphContext } from "../context.ts";
import { type Outcome, outcome, type State, type Update } from "../state.ts";
import { type Comparer, comparer, rounded } from "./compare.ts";
import {
  type DescribedClip,
  describedClips,
  orderOutcome,
  type ReasoningMedia,
  reasoningMedia,
} from "./described-clips.ts";
import { askOrder, orderIn, STAGE } from "./order.ts";

/** Makes several calls about parts of the order, and returns the order that agrees with most of their replies. */
export async function rank(state: State, context: GraphContext): Promise<Update> {
  const clips = describedClips(state);
  const { method } = context.settings.reasoning;
  if (clips.length < 2) return { outcome: orderOutcome(clips) };
  const media = await reasoningMedia(state, context, STAGE);
  context.emit(STAGE, { type: "note", text: plannedNote(clips.length, context) });
  const pairs = comparer(clips, media, state, context);
  const lists = lister(clips, media, state, context);
  const ranking = await rankBy(clips.length, pairs, lists, state, context).catch(
    async (error: unknown) => {
      await Promise.all([pairs.settle(), lists.settle()]);
      throw error;
    },
  );
  const { agreement } = ranking.diagnostics;
  return {
    evidence: pairs.evidence,
    diagnostics: {
      ...pairs.counts,
      not_paid: pairs.counts.not_paid + lists.counts.not_paid,
      ordering: diagnosticsOf(ranking, method, clips, pairs),
    },
    outcome: {
      ...checkedOutcome(
        orderOutcome(ranking.order.map((index) => clips[index] as DescribedClip)),
        pairs,
        lists,
      ),
      ...(agreement === null
        ? {}
        : { confidence: rounded(agreement), confidence_basis: basisOf(ranking, method) }),
    },
  };
}

function plannedNote(clips: number, { settings }: GraphContext): string {
  const { method, votes } = settings.reasoning;
  const { most, exact } = plannedCalls(method, clips, votes);
  const bounded =
    clips > ALL_PAIRS_LIMIT && method.startsWith("tournament")
      ? `; above ${ALL_PAIRS_LIMIT} clips, only clips near each other after a merge sort are compared both ways`
      : "";
  return `${method} over ${clips} clips makes ${exact ? "" : "at most "}${most} calls, not counting repeated ones${bounded}.`;
}

async function rankBy(
  n: number,
  { ask }: Comparer,
  { askList }: Lister,
  { question }: State,
  { settings }: GraphContext,
): Promise<Ranking> {
  const { method, votes } = settings.reasoning;
  const seed: Seed = [settings.seed, question.id];
  switch (method) {
    case "merge-sort":
      return mergeSort(n, ask);
    case "tournament":
      return tournament(n, ask, seed);
    case "tournament-adaptive":
      return tournamentAdaptive(n, ask, seed);
    case "vote":
      return vote(n, askList, votes, seed);
    case "hybrid":
      return hybrid(n, askList, ask, seed);
    case "all-at-once":
      throw new Error("One call needs no ranking: see orderAtOnce.");
  }
}

interface Lister {
  askList: AskList;
  counts: { lists: number; unread: number; not_paid: number };
  settle(): Promise<void>;
}

/**
 * Makes `askList(shown)`. Without pictures the clips are renumbered as they are shown, so that a bias towards low
 * numbers does not favour the same clips each time. With pictures the numbers on the cards are used.
 */
function lister(
  clips: readonly DescribedClip[],
  media: ReasoningMedia | null,
  state: State,
  context: GraphContext,
): Lister {
  const counts = { lists: 0, unread: 0, not_paid: 0 };
  const asked: Promise<CallResult>[] = [];
  return {
    counts,
    async askList(shown, draw) {
      const list = shown.map((index) => clips[index] as DescribedClip);
      const numbers = list.map((clip, place) => (media === null ? place + 1 : clip.number));
      const listed = { clips: list, numbers };
      const label = `order list ${draw + 1}`;
      const call = askOrder(state, context, listed, media, { draw, label });
      asked.push(call);
      counts.lists++;
      const result = await call;
      const order = orderIn(result, listed);
      if (result.status === "limit") counts.not_paid++;
      else if (order === null) counts.unread++;
      return order?.map((clip) => clips.indexOf(clip)) ?? null;
    },
    async settle() {
      await Promise.allSettled(asked);
    },
  };
}

/** An order that no reply supports is not an answer of the model. */
function checkedOutcome(found: Outcome, pairs: Comparer, lists: Lister): Outcome {
  const asked = pairs.counts.comparisons + lists.counts.lists;
  const unread = pairs.counts.invalid + lists.counts.unread;
  if (asked > unread + pairs.counts.not_paid + lists.counts.not_paid) return found;
  if (unread === 0) return outcome({ status: "not-answered" });
  const wanted = lists.counts.lists > 0 ? "an order" : "A or B";
  const message = `None of the model's replies to ${asked} questions could be read as ${wanted}.`;
  return { ...found, status: "unparsed", error: { kind: "model-unusable", message } };
}

function diagnosticsOf(
  { matrix, diagnostics }: Ranking,
  method: string,
  clips: readonly DescribedClip[],
  pairs: Comparer,
): OrderingDiagnostics {
  const { margin, agreement, ...counts } = diagnostics;
  return {
    method,
    clips: clips.map((clip) => clip.number),
    matrix: matrix.map((row) => row.map((p) => (p === null ? null : rounded(p)))),
    weighed: pairs.weighed(),
    ...counts,
    margin: margin === null ? null : rounded(margin),
    agreement: agreement === null ? null : rounded(agreement),
  };
}

function basisOf({ diagnostics, calls }: Ranking, method: string): string {
  const { contradictions, pairs_both_ways } = diagnostics;
  const both =
    pairs_both_ways === 0
      ? ""
      : `; ${contradictions} of ${pairs_both_ways} pairs compared both ways contradict themselves`;
  return `the share of the pairwise judgements in ${calls} replies (${method}) that agree with the order${both}; uncalibrated`;
}

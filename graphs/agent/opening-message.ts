import { isSpoken } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import type { Message } from "../../src/models/chat.ts";
import { frameSize } from "../../tools/agent/look.ts";
import { questionQueries } from "../../tools/search/question-queries.ts";
import { frameTable } from "../../tools/video/video.ts";
import { framesAt } from "../../tools/video/view-frames.ts";
import type { GraphContext } from "../context.ts";
import { optionLines, questionWords } from "../stages/question-prompts.ts";
import { recallEvidence } from "../stages/recalled-evidence.ts";
import { offeredTools } from "../toolbox/offered-tools.ts";
import { runTool } from "../toolbox/run-tool.ts";
import type { SearchSession } from "../toolbox/search-session.ts";
import { searchSettings } from "../toolbox/search-settings.ts";
import { trackShownEvidence } from "../toolbox/shown-evidence.ts";
import { pictured, type ShownResult } from "../toolbox/tool-results.ts";
import { ASK_WORDING } from "../wording.ts";
import { farApart, foundLines, type OptionHits, searchEach } from "./option-search.ts";
import { timesOf } from "./question-times.ts";
import type { Search, SearchUpdate } from "./state.ts";
import { namesOf } from "./tool-specs.ts";
import { keptForVerifying } from "./turn-budget.ts";

const STAGE = "prepare";

/** Frames shown of moments whose spoken words or caption match a query. */
const MOST_MOMENTS = 4;

/**
 * Begins the conversation: the question, evidence that matches it or one of its options, the parts of the video that it
 * names by time, and the results of tools that run at the start.
 */
export async function openingMessage(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const { question } = state;
  const { recall } = searchSettings(context.settings);
  const remembered = recall ? await recallEvidence(question, context) : [];
  const evidence = [...state.evidence, ...remembered];
  const shownEvidence = trackShownEvidence(
    { ...state, evidence },
    context,
    keptForVerifying(context),
  );
  const session: SearchSession = { context, evidence, shownEvidence, stage: STAGE };
  const offered = offeredTools(context);
  const searched = await searchEach(questionQueries(question), session);
  const found = foundLines(searched, session);
  const times = await timesOf(question.text, session);
  const first: ShownResult[] = [];
  for (const tool of offered) if (tool.atStart) first.push(await runTool(tool, {}, session));
  const moments = offered.some(({ look }) => look !== undefined)
    ? await framesOfMoments(searched, session)
    : null;
  const system = context.prompts.render("agent/system", { tools: namesOf(offered) });
  const variables = {
    question: questionWords(question, context.prompts),
    duration: secondsAndClock(context.video.probe.duration_s),
    known: knownWords(evidence),
    times,
    left: shownEvidence.left(),
    evidence: found,
  };
  const asked =
    question.task === "choice"
      ? context.prompts.render("agent/question-choice", {
          ...variables,
          options: optionLines(question, ASK_WORDING),
        })
      : context.prompts.render("agent/question-open", variables);
  const messages: Message[] = [
    { role: "system", text: system.text },
    {
      role: "user",
      parts: [
        { type: "text", text: asked.text },
        ...first.flatMap(({ parts }) => parts),
        ...(moments?.parts ?? []),
      ],
    },
  ];
  const update = shownEvidence.update();
  return {
    ...update,
    evidence: [...remembered, ...(update.evidence ?? [])],
    messages,
    known: evidence.map((item) => item.id),
    diagnostics: { recalled: remembered.length, found_beforehand: update.shown?.length ?? 0 },
    next: "turn",
  };
}

/** One frame of each moment whose spoken words or caption match a query, from moments that are far apart. */
async function framesOfMoments(
  searched: readonly OptionHits[],
  session: SearchSession,
): Promise<ShownResult | null> {
  const { context, shownEvidence } = session;
  const spoken = searched.flatMap(
    ({ items }) => items.find((item) => isSpoken(item) || item.kind === "caption") ?? [],
  );
  const apart = farApart(spoken, session, MOST_MOMENTS);
  const count = shownEvidence.allow(apart.length);
  if (count === 0) return null;
  const times_s = apart.slice(0, count).map((item) => (item.start_s + item.end_s) / 2);
  // Sound and subtitles may last longer than the pictures.
  const last_s = (await frameTable(context.video, context.job(STAGE))).end_s;
  const spec = {
    times_s: times_s.map((t_s) => Math.min(t_s, last_s)),
    ...frameSize(context.settings),
  };
  const frames = await framesAt(context.video, spec, context.job(STAGE));
  return pictured(shownEvidence.frames(frames), session);
}

/** `12 subtitle, 3 text`, or `nothing`. */
function knownWords(evidence: readonly Evidence[]): string {
  const counts = new Map<string, number>();
  for (const { kind, text } of evidence)
    if (text !== "") counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const words = [...counts].map(([kind, count]) => `${count} of the kind ${kind}`);
  return words.length === 0 ? "nothing" : words.sort().join(", ");
}

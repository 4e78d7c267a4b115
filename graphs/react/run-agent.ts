import { HumanMessage } from "@langchain/core/messages";
import { createAgent } from "langchain";
import type { Rendered } from "../../prompts/load-prompts.ts";
import { isFailure } from "../../src/core/errors.ts";
import type { Question } from "../../src/core/shapes.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import type { CallResult } from "../../src/models/chat.ts";
import { RoutedChatModel } from "../../src/models/routed-chat-model.ts";
import type { GraphContext } from "../context.ts";
import { toolPrompts } from "../description-prompt.ts";
import { parseCitations } from "../replies/parse-citations.ts";
import { finalText } from "../replies/reply-text.ts";
import { outcomeOf } from "../stages/answer.ts";
import { replyText, samplingOf, unreadableReply } from "../stages/call-model.ts";
import { goalOf, optionLines, questionWords } from "../stages/question-prompts.ts";
import { outcome, type State, type Update } from "../state.ts";
import { citationDiagnostics, citedEvidence } from "../toolbox/cited-evidence.ts";
import { langChainTools } from "../toolbox/langchain-tools.ts";
import { offeredTools } from "../toolbox/offered-tools.ts";
import { searchSettings } from "../toolbox/search-settings.ts";
import { framesAmong, namesOf } from "../toolbox/shown-evidence.ts";
import { textOf } from "../toolbox/tool-results.ts";
import { createToolbox } from "../toolbox/toolbox.ts";
import { ASK_WORDING } from "../wording.ts";
import { budgetMiddleware } from "./budget-middleware.ts";

const STAGE = "search";

/** Runs a LangChain agent until it answers, within the turns and the budget of the settings. */
export async function runAgent(state: State, context: GraphContext): Promise<Update> {
  const { settings, models, store, video, epoch, prompts } = context;
  const toolbox = createToolbox(context, { stage: STAGE, evidence: state.evidence });
  const offered = offeredTools(context);
  const system = prompts.render("react/system", {});
  const asked = questionPrompt(state.question, toolbox.left(), context);
  const sent = [system, asked, ...toolPrompts(offered, prompts)];
  const results: CallResult[] = [];
  /** Evidence that no call has sent yet. */
  let fresh: readonly string[] = [];
  /** Frames of a call that the budget refused; the call after it has no pictures. */
  let unsent: readonly string[] = [];
  const model = new RoutedChatModel({
    ...{ models, store, epoch, role: "reasoner", stage: STAGE, video: video.hash },
    temperature: settings.reasoning.temperature,
    maxTokens: settings.reasoning.max_tokens,
    requestFor(parts) {
      const sampling = samplingOf(parts, settings);
      return sampling === null ? {} : { video: sampling };
    },
    facts() {
      const { shown, evidence } = toolbox.takeFresh();
      fresh = [...fresh, ...evidence];
      const prompts = Object.fromEntries(sent.map(({ name, hash }) => [name, hash]));
      return { label: `turn ${results.length + 1}`, prompts, shown, evidence: fresh };
    },
    onResult(result) {
      results.push(result);
      const refused = result.status === "limit";
      if (refused) unsent = [...unsent, ...framesAmong(fresh, toolbox.state().evidence)];
      fresh = refused ? fresh.filter((id) => !unsent.includes(id)) : [];
    },
    endsAtLimit: true,
  });
  const { steps } = searchSettings(settings);
  const agent = createAgent({
    model,
    // Pictures reach the model as artifacts.
    tools: langChainTools(offered, toolbox, async (parts) => textOf(parts), context),
    systemPrompt: system.text,
    middleware: [budgetMiddleware({ toolbox, results, steps, context })],
  });
  try {
    await agent.invoke(
      { messages: [new HumanMessage(asked.text)] },
      // Two nodes per turn; the middleware ends the loop long before this limit.
      { recursionLimit: 4 * (steps + 2), signal: context.signal },
    );
  } catch (error) {
    throw causeOf(error);
  }
  const { shown, evidence } = toolbox.state();
  const update = await answerOf(state.question, results, { shown, evidence, unsent }, context);
  const diagnostics = {
    turns: results.filter(({ status }) => status === "replied").length,
    tool_calls: toolbox.calls(),
    shown: shown.length - unsent.length,
  };
  return {
    evidence: [...evidence],
    names: namesOf(shown),
    ...update,
    diagnostics: { ...diagnostics, ...update.diagnostics },
  };
}

function questionPrompt(
  question: Question,
  left: string,
  { prompts, video }: GraphContext,
): Rendered {
  const duration = secondsAndClock(video.probe.duration_s);
  const variables = { question: questionWords(question, prompts), duration, left };
  switch (question.task) {
    case "order":
      return prompts.render("react/question-order", { ...variables, goal: goalOf(question) });
    case "choice": {
      const options = optionLines(question, ASK_WORDING);
      return prompts.render("react/question-choice", { ...variables, options });
    }
    case "open":
      return prompts.render("react/question-open", variables);
  }
}

/** The answer in the last reply. It cites only evidence that the model was shown, at a time within the video. */
async function answerOf(
  question: Question,
  results: readonly CallResult[],
  state: Parameters<typeof citedEvidence>[1],
  context: GraphContext,
): Promise<Pick<Update, "outcome" | "diagnostics">> {
  const last = results.findLast(({ status }) => status === "replied") ?? results.at(-1);
  if (last === undefined || last.status === "limit")
    return { outcome: outcome({ status: "not-answered" }), diagnostics: {} };
  const said = replyText(last);
  // A model that calls tools to the end has given no answer, which is no error. Words beside a call say why it is made.
  const { text, toolCalls } = last.reply;
  if (toolCalls.length > 0 && (question.task === "open" || text.trim() === ""))
    return { outcome: outcome({ status: "not-answered", ...said }), diagnostics: {} };
  const problem = unreadableReply(last);
  if (problem !== null) return { outcome: outcome({ ...problem, ...said }), diagnostics: {} };
  const { cited } = parseCitations(finalText(last.reply.text), { has: () => true });
  const { cites, ...wrong } = await citedEvidence(cited, state, context);
  return {
    outcome: { ...outcomeOf(question, last.reply), ...said, cites, cited_by: "model" },
    diagnostics: citationDiagnostics(wrong),
  };
}

/** LangChain wraps what a middleware throws: the failure is the innermost cause. */
function causeOf(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if (isFailure(at)) return at;
  return error;
}

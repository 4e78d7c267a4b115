import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { BaseMessage } from "@langchain/core/messages";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { AgentMiddleware } from "langchain";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import type { Emit } from "../../src/core/events.ts";
import { type Budget, createLedger, NO_BUDGET } from "../../src/core/ledger.ts";
import { readSettings, type Settings, type SettingsInput } from "../../src/core/settings.ts";
import {
  addUsage,
  type Evidence,
  type Limit,
  NO_USAGE,
  type Usage,
} from "../../src/core/shapes.ts";
import { chatTarget } from "../../src/models/chat-target.ts";
import { toolText } from "../../src/models/conversation.ts";
import { createModels } from "../../src/models/models.ts";
import type { RoutedChatModel } from "../../src/models/routed-chat-model.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { strategyThat } from "../define-strategy.ts";
import { parseCitations } from "../replies/parse-citations.ts";
import { offeredTools } from "./offered-tools.ts";
import { openToolbox } from "./open-toolbox.ts";

/** Options of `videoTools`: pictures, store, budget. */
export interface VideoToolsOptions {
  /**
   * Where a model is sent pictures: in the results of tools, or in a user message after them, for servers that refuse
   * pictures in results (OpenAI's chat completions). `user` needs `middleware` or `withPictures`. Default: `tool`.
   */
  pictures?: "tool" | "user";
  /** The store, or its folder. Default: `.video-rrd`. */
  store?: Store | string;
  /**
   * Limits, reserved before each call. `calls` and `frames` count calls of the tools and frames that they show; `tokens`
   * and `cost` (dollars) what `chatModel` spends; `seconds` is wall time. Default: 40 frames.
   */
  budget?: Partial<Budget>;
  /** `all`, names to leave out (`-calculate,-solve`), or names to keep (`overview,zoom`). Default: `all`. */
  tools?: string;
  /** Whether tools search what is said: subtitles, or speech if `settings` name a transcriber. Default: true. */
  subtitles?: boolean;
  /** Whether tools search text on screen, which OCR reads at the first search. Default: true. */
  ocr?: boolean;
  /** Further settings, as `ask` takes them, such as `{ recognition: { max_side: 512 } }`. */
  settings?: SettingsInput;
  signal?: AbortSignal;
}

/** Tools for one conversation: a list for `createAgent`, with further members. */
export type VideoTools = DynamicStructuredTool[] & VideoToolsMembers;

/** The members of `VideoTools` that a list does not have. */
export interface VideoToolsMembers {
  /**
   * For `createAgent`: sends the pictures of results, ends the agent after a failure such as a missing file, and
   * no longer offers the tools when their budget of calls or seconds is used up.
   */
  readonly middleware: AgentMiddleware;
  /** For other agents: the messages with the pictures of results, as `pictures` asks for. Call it before each model call. */
  withPictures(messages: readonly BaseMessage[]): Promise<BaseMessage[]>;
  /** Evidence that the tools showed, by the name that the model got: `E1`, `E2` ... */
  evidence(): ReadonlyMap<string, Evidence>;
  /** The evidence that a reply names in square brackets, such as `[E2]`; names that were not shown are left out. */
  cited(reply: string): Evidence[];
  /** What the tools and `chatModel` used so far. `calls` counts model calls, `tool_calls` calls of the tools. */
  usage(): Usage & { tool_calls: number };
  /** Limits that were reached. */
  limitsMet(): Limit[];
  /**
   * A chat model for the agent whose calls go through this project: stored replies, retries, budget and prices. `model`
   * is `provider:name`. Throws `Failure` `unknown-model`, `missing-key`.
   */
  chatModel(model: string): RoutedChatModel;
  /** Closes the store, unless an open store was passed. */
  close(): Promise<void>;
}

/**
 * The tools of the search agent (`overview`, `zoom`, `read_text` ...) as LangChain tools, for any agent of LangChain or
 * LangGraph. Results contain text, with material from the video quoted as data, and pictures, each with a name and a time.
 * Text on screen and subtitles are read when a tool first searches them. Errors of a call are reported to the model.
 *
 * Throws `Failure`: `file-unreadable` and others for a video that cannot be opened, `wrong-setting`.
 *
 * @example
 * const tools = await videoTools("film.mp4", { pictures: "user", budget: { frames: 20 } });
 * const agent = createAgent({ model: "openai:gpt-4.1", tools, middleware: [tools.middleware] });
 * const { messages } = await agent.invoke({ messages: [new HumanMessage("What is on the sign? Cite [E1].")] });
 * console.log(tools.cited(messages.at(-1)?.text ?? ""));
 * await tools.close();
 */
export async function videoTools(
  video: string,
  options: VideoToolsOptions = {},
): Promise<VideoTools> {
  const settings = settingsOf(options);
  const prompts = await loadPrompts(settings.runtime.prompts);
  const given = options.store;
  const store =
    given === undefined || typeof given === "string"
      ? await openStore(given ?? settings.runtime.data)
      : given;
  const close = async () => {
    if (store !== given) await store.close();
  };
  try {
    return await toolsIn(video, options, { settings, prompts, store, close });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Opened {
  settings: Settings;
  prompts: Awaited<ReturnType<typeof loadPrompts>>;
  store: Store;
  close(): Promise<void>;
}

async function toolsIn(
  path: string,
  { pictures = "tool", budget = {}, signal }: VideoToolsOptions,
  { settings, prompts, store, close }: Opened,
): Promise<VideoTools> {
  const run = `tools ${randomUUID()}`;
  const video = await openVideo(resolve(path), { store, run, signal });
  const { tokens = null, cost = null, ...shown } = budget;
  const ledger = createLedger({ ...NO_BUDGET, frames: 40, ...shown });
  const spending = createLedger({ ...NO_BUDGET, tokens, cost, seconds: budget.seconds ?? null });
  let usage = NO_USAGE;
  const emit: Emit = (_stage, body) => {
    if (body.type === "call") usage = addUsage(usage, body.call.usage);
  };
  const calling = { store, run, signal, ledger: spending, emit };
  const modelsFor = (settings: Settings) => createModels({ ...calling, settings });
  const { context, toolbox } = openToolbox({
    ...{ store, video, settings, prompts, ledger, spending, run, signal, emit },
  });
  const { langChainTools } = await import("./langchain-tools.ts");
  const { contentBlocks, withPictures } = await import("./picture-messages.ts");
  const { toolsMiddleware } = await import("./tools-middleware.ts");
  const { RoutedChatModel } = await import("../../src/models/routed-chat-model.ts");
  const offered = offeredTools(context);
  const list = langChainTools(
    offered,
    toolbox,
    async (parts) => (pictures === "user" ? toolText(parts) : contentBlocks(parts, store)),
    context,
  );
  const present = async (messages: readonly BaseMessage[]) =>
    pictures === "user" ? withPictures(messages, store) : [...messages];
  const named = () => new Map(toolbox.shown().map((item, place) => [`E${place + 1}`, item]));
  const members: VideoToolsMembers = {
    middleware: toolsMiddleware({ toolbox, ledger, names: list.map(({ name }) => name), present }),
    withPictures: present,
    evidence: named,
    cited(reply) {
      const known = named();
      return parseCitations(reply, known).cited.flatMap((name) => known.get(name) ?? []);
    },
    usage: () => ({ ...usage, frames: ledger.spent().frames, tool_calls: toolbox.calls() }),
    limitsMet: () => [...new Set([...ledger.met(), ...spending.met()])],
    chatModel(model) {
      const chosen = { ...settings, model };
      chatTarget(chosen, "reasoner");
      return new RoutedChatModel({
        ...{ store, video: video.hash, role: "reasoner", stage: "search", epoch: 0 },
        models: modelsFor(chosen),
        temperature: settings.reasoning.temperature,
        maxTokens: settings.reasoning.max_tokens,
        facts: () => ({ label: "turn of an agent", prompts: {}, ...toolbox.takeFresh() }),
      });
    },
    close,
  };
  return Object.assign(list, members);
}

/** Settings of the strategy that searches, whose tools these are. */
function settingsOf({ tools, subtitles, ocr, settings = {} }: VideoToolsOptions): Settings {
  const { recognition = {}, search } = settings as SettingsInput & { search?: object };
  if (recognition.media === "video" || recognition.audio === true)
    throw new Failure(
      "wrong-setting",
      "Video and sound cannot be shown by videoTools: leave out recognition.media and recognition.audio.",
    );
  if (settings.runtime?.mcp != null)
    throw new Failure(
      "wrong-setting",
      "MCP servers cannot be named for videoTools: give their tools to your agent, for example with @langchain/mcp-adapters. Leave out runtime.mcp.",
    );
  return readSettings({
    strategy: strategyThat("that searches", ({ approach }) => approach === "search").name,
    ...settings,
    recognition: {
      ...(subtitles === false ? { subtitles: "off" } : { subtitles: "full" }),
      ...(ocr === false ? { ocr: "off" } : { ocr: "tesseract" }),
      ...recognition,
    },
    search: { ...search, ...(tools === undefined ? {} : { tools }) },
  });
}

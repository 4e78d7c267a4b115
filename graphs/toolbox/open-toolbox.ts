import type { Prompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import type { Emit } from "../../src/core/events.ts";
import type { Ledger } from "../../src/core/ledger.ts";
import type { Settings } from "../../src/core/settings.ts";
import { createModels } from "../../src/models/models.ts";
import { createTranscriber } from "../../tools/speech/create-transcriber.ts";
import type { Video } from "../../tools/video/video.ts";
import type { GraphContext } from "../context.ts";
import { createContext } from "../create-context.ts";
import { seenBefore } from "../stages/recalled-evidence.ts";
import { searchSettings } from "./search-settings.ts";
import type { ShownState } from "./shown-evidence.ts";
import { createToolbox, type Toolbox } from "./toolbox.ts";

/** A video with what its tools need, outside a question. */
export interface ToolboxParts {
  video: Video;
  settings: Settings;
  prompts: Prompts;
  store: Store;
  /** The run to which memo steps belong. */
  run: string;
  /** Counts calls of tools and frames that they show. */
  ledger: Ledger;
  /** Limits what models spend. */
  spending: Ledger;
  /** What earlier questions saw is recalled for the same owner only. */
  owner?: string;
  emit: Emit;
  signal?: AbortSignal;
  /** The state of an earlier toolbox of the same conversation. */
  state?: ShownState;
  /** Whether `state` has what tools search. */
  indexed?: boolean;
}

/** The tools of a conversation about a video. Text and speech are recognised when a tool first searches them. */
export function openToolbox({ state, indexed = false, spending, emit, ...parts }: ToolboxParts): {
  context: GraphContext;
  toolbox: Toolbox;
} {
  const { store, run, signal, video, settings } = parts;
  const question = { id: "tools", video: video.hash, text: "", task: "open" } as const;
  const calling = { store, run, signal, ledger: spending, emit, settings };
  const context = createContext({
    ...parts,
    ...{ question, epoch: 0 },
    emit: (stage, body) => {
      if (body.type === "progress") emit(stage, body);
    },
    createModels: () => createModels(calling),
    createTranscriber: () => createTranscriber(calling),
  });
  async function recognise() {
    const { readingGraph } = await import("../stages/recognition-graph.ts");
    const { evidence } = await readingGraph.invoke({ question }, { context });
    const recalls = searchSettings(settings).recall ?? true;
    return recalls ? [...evidence, ...(await seenBefore(question, context))] : evidence;
  }
  const toolbox = createToolbox(context, {
    stage: "look",
    counts: true,
    state,
    index: indexed ? undefined : recognise,
  });
  return { context, toolbox };
}

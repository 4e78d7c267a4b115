/** Every prompt there is, and the names of its holes. A test holds this list against the files. */
export const PROMPTS = {
  "vcrbench/direct": ["goal"],
  "vcrbench/direct-cot": ["goal"],
  "rrd/count-clips": [],
  "rrd/recognise-all": [],
  "rrd/recognise-one": ["clip"],
  "rrd/recognise-clips": ["count"],
  "rrd/recognise-clip": [],
  "rrd/describe-all": ["count"],
  "rrd/describe-part": ["part"],
  "rrd/read-text": [],
  "rrd/order": ["goal", "clips"],
  "rrd/order-video": ["goal", "clips"],
  "rrd/compare": ["goal", "a", "b"],
  "rrd/compare-video": ["goal", "a", "b"],
  "rrd/recognise-event": ["options"],
  "rrd/match-step": ["goal", "description", "options"],
  "choice/direct": ["question", "options"],
  "choice/direct-cot": ["question", "options"],
  "open/direct": ["question"],
  "open/direct-cot": ["question"],
  "mmr-v/direct": ["question", "options"],
  "mmr-v/direct-cot": ["question", "options"],
  "mmr-v/evidence": ["question", "options", "evidence"],
  "videomathqa/mcq": ["question", "options"],
  "videomathqa/mcq-cot": ["question", "options"],
  "videomathqa/mbin": ["question", "options"],
  "videomathqa/mbin-cot": ["question", "options"],
  "videomathqa/evidence": ["question", "options", "evidence"],
  "videomathqa/subtitles": ["subtitles"],
  "ask/subtitles": ["subtitles"],
  "ask/choice": ["question", "options", "evidence"],
  "ask/open": ["question", "evidence"],
  "judges/letter": ["options", "solution"],
  "judges/steps": ["question", "options", "answer", "steps", "solution"],
  "judges/math-errors": ["question", "options", "answer", "steps", "solution", "critique"],
  "judges/mmr-errors": ["question", "options", "answer", "solution"],
  "judges/cot-piece": ["question", "options", "solution", "piece"],
  "judges/repair": ["reply", "problem"],
} as const satisfies Record<string, readonly string[]>;

export type PromptName = keyof typeof PROMPTS;

/** What a prompt has to be given: one text a hole. */
export type PromptVariables<N extends PromptName> = Record<(typeof PROMPTS)[N][number], string>;

export const PROMPT_NAMES = Object.keys(PROMPTS) as PromptName[];

export function isPromptName(name: string): name is PromptName {
  return Object.hasOwn(PROMPTS, name);
}

/** Every prompt there is, and the names of its holes. A test holds this list against the files. */
export const PROMPTS = {
  "vcrbench/direct": ["goal"],
  "vcrbench/direct-cot": ["goal"],
  "rrd/count-clips": [],
  "rrd/recognise-all": [],
  "rrd/recognise-one": ["clip"],
  "rrd/recognise-clips": ["count"],
  "rrd/recognise-clips-video": ["count"],
  "rrd/recognise-clip": [],
  "rrd/recognise-clip-video": [],
  "rrd/describe-all": ["count"],
  "rrd/describe-all-video": ["count"],
  "rrd/describe-part": ["part"],
  "rrd/describe-part-video": ["part"],
  "rrd/read-text": [],
  "rrd/order": ["goal", "clips"],
  "rrd/order-video": ["goal", "clips"],
  "rrd/order-clips": ["goal", "clips"],
  "rrd/compare": ["goal", "a", "b"],
  "rrd/compare-video": ["goal", "a", "b"],
  "rrd/compare-clips": ["goal", "a", "b"],
  "rrd/recognise-event": ["options"],
  "rrd/match-step": ["goal", "description", "options"],
  "mathematics/plan": ["question", "options", "evidence", "spoken"],
  "mathematics/repair": ["reply", "problem"],
  "mathematics/read-board": [],
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
  "judges/repair": ["reply", "fault"],
  "agent/system": ["tools"],
  "agent/question-choice": [
    "question",
    "options",
    "duration",
    "known",
    "times",
    "left",
    "evidence",
  ],
  "agent/question-open": ["question", "duration", "known", "times", "left", "evidence"],
  "agent/found": ["count", "evidence"],
  "agent/nothing-found": [],
  "agent/pictures": ["count", "left"],
  "agent/clip": ["moments", "left"],
  "agent/no-frames-left": ["left"],
  "agent/repeated": ["names"],
  "agent/unknown-tool": ["called", "tools"],
  "agent/refused-call": ["problem"],
  "agent/not-run": [],
  "agent/answer-now": [],
  "agent/call-a-tool": [],
  "agent/uncited": ["names"],
  "agent/unreadable-answer": ["letters"],
  "agent/contradicted": ["reason", "evidence"],
  "agent/verify": ["question", "claim", "evidence"],
  "agent/tools/overview": [],
  "agent/tools/search_evidence": [],
  "agent/tools/view_frames": [],
  "agent/tools/view_clip": [],
  "agent/tools/zoom": [],
  "agent/tools/read_text": [],
  "agent/tools/subtitles": [],
  "agent/tools/compare_frames": [],
  "agent/tools/calculate": [],
  "agent/tools/solve": [],
  "agent/tools/answer": [],
} as const satisfies Record<string, readonly string[]>;

/** Holes that take the words of whoever asks. */
export const CALLER_HOLES = ["question", "goal", "options"];

/**
 * Holes that a user's prompt may have in place of one of ours. MMR-V's released code fills in the options as Python
 * prints a list of them, all on one line.
 */
export const OTHER_HOLES: Partial<Record<PromptName, Readonly<Record<string, string>>>> = {
  "mmr-v/direct": { option_list: "options" },
  "mmr-v/direct-cot": { option_list: "options" },
};

export type PromptName = keyof typeof PROMPTS;

/** What a prompt has to be given: one text a hole. */
export type PromptVariables<N extends PromptName> = Record<(typeof PROMPTS)[N][number], string>;

export const PROMPT_NAMES = Object.keys(PROMPTS) as PromptName[];

export function isPromptName(name: string): name is PromptName {
  return Object.hasOwn(PROMPTS, name);
}

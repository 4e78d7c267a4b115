import { ASK_WORDING, type Wording } from "../../../graphs/wording.ts";
import { definePrompt } from "../../../prompts/catalogue.ts";

/* How MMR-V's questions are asked: the text before the frames, an answer `[[X]]`. */

/** The released code fills in the options as Python prints a list of them, all on one line. */
const alternatives = { option_list: "options" } as const;

const direct = definePrompt({
  name: "mmr-v/direct",
  file: new URL("./prompts/direct.md", import.meta.url),
  variables: ["question", "options"],
  alternatives,
});
const directCot = definePrompt({
  name: "mmr-v/direct-cot",
  file: new URL("./prompts/direct-cot.md", import.meta.url),
  variables: ["question", "options"],
  alternatives,
});
const evidence = definePrompt({
  name: "mmr-v/evidence",
  file: new URL("./prompts/evidence.md", import.meta.url),
  variables: ["question", "options", "evidence"],
});

export const MMR_V_PROMPTS = [direct, directCot, evidence];

export const MMR_V_WORDING: Wording = {
  ...ASK_WORDING,
  choice: {
    direct: (_options, cot) => ({ prompt: cot ? directCot : direct, form: "brackets" }),
    evidence: { prompt: evidence, form: "brackets" },
    cites: false,
  },
  textFirst: true,
  recalls: false,
};

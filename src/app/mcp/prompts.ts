import type { GetPromptResult, Prompt } from "@modelcontextprotocol/sdk/types.js";
import { definePrompt } from "../../../prompts/catalogue.ts";
import type { Prompts } from "../../../prompts/load-prompts.ts";
import { Failure } from "../../core/errors.ts";

const MOST_CHARACTERS = 8000;

/** Prompts that a client offers to a person; the text of the person is quoted as data. */
const ask = definePrompt({
  name: "mcp/ask",
  file: new URL("./prompts/ask.md", import.meta.url),
  variables: ["video", "asked"],
});
const check = definePrompt({
  name: "mcp/check",
  file: new URL("./prompts/check.md", import.meta.url),
  variables: ["video", "claim"],
});

export const MCP_PROMPTS = [ask, check];

const VIDEO = { name: "video", description: "the video, as list_videos names it", required: true };

export const LISTED_PROMPTS: readonly Prompt[] = [
  {
    name: "ask_about_a_video",
    title: "Ask about a video",
    description: "Answers a question about a video and cites the evidence with its times",
    arguments: [VIDEO, { name: "question", description: "the question", required: true }],
  },
  {
    name: "check_a_claim",
    title: "Check a claim against a video",
    description: "Says whether a video supports or contradicts a claim, with the evidence",
    arguments: [
      VIDEO,
      { name: "claim", description: "the claim, in one sentence", required: true },
    ],
  },
];

/** A prompt with the arguments of a person. Throws `Failure` `not-found`, `wrong-usage`. */
export function getPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  prompts: Prompts,
): GetPromptResult {
  const listed = LISTED_PROMPTS.find((prompt) => prompt.name === name);
  if (listed === undefined)
    throw new Failure(
      "not-found",
      `Unknown prompt ${JSON.stringify(name.slice(0, 100))}. The prompts are ${LISTED_PROMPTS.map((prompt) => prompt.name).join(" and ")}.`,
    );
  const read = (argument: string) => {
    const value = given[argument] ?? "";
    if (value.trim() !== "" && value.length <= MOST_CHARACTERS) return value;
    throw new Failure(
      "wrong-usage",
      `Invalid argument ${argument} of the prompt ${name}: use a text of 1 to ${MOST_CHARACTERS} characters.`,
    );
  };
  const video = JSON.stringify(read("video"));
  const { text } =
    name === "check_a_claim"
      ? prompts.render(check, { video, claim: read("claim") })
      : prompts.render(ask, { video, asked: read("question") });
  return {
    description: listed.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

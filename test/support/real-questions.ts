import { readFile } from "node:fs/promises";
import { ask } from "../../graphs/ask.ts";
import type { Store } from "../../src/core/contracts.ts";
import { sharedFile } from "./shared.ts";

interface RealQuestion {
  id: string;
  video: string;
  question: string;
  options: string[];
  answer: string;
  evidence_s: number[];
}

/** The questions on the real videos of `../shared/data`. Call it only inside `describeShared`. */
export async function realQuestions(): Promise<RealQuestion[]> {
  return JSON.parse(await readFile(sharedFile("media/questions.json"), "utf8"));
}

/** Asks one of these questions with `extractive`; `spans` are those of the cited evidence, in seconds. */
export async function askReal(id: string, ocr: string | null, store: Store) {
  const asked = (await realQuestions()).find((one) => one.id === id);
  if (asked === undefined) throw new Error(`unknown question ${id}`);
  const { question: text, options, evidence_s } = asked;
  const settings = { recognition: { ocr } };
  const path = sharedFile(`media/${asked.video}`);
  const { answer, evidence } = await ask(path, { text, options }, { store, settings });
  const cited = evidence.items.filter((item) => answer.cites.includes(item.id));
  return {
    answered: answer.status === "answered",
    letter: answer.answer,
    expected: asked.answer.replace(/[()]/g, ""),
    spans: cited.map(({ start_s, end_s }) => [start_s, end_s] as const),
    evidence_s,
  };
}

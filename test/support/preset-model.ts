import { formalModel } from "./docs/model.ts";
import type { Script } from "./model-server.ts";

const ERRORS = [
  "Lack of Visual Reasoning",
  "Implicit Misinterpretation",
  "Knowledge Insufficiency",
  "Reasoning Error",
  "Hallucination",
  "Output Formatting Issue",
];

/**
 * A model and judge whose replies are right, wrong and unreadable in turn, the same for the same request. `orders`: goal of
 * a procedure -> its right order.
 */
export function variedModel(orders: Readonly<Record<string, readonly number[]>>): Script {
  return async (request) => {
    const words = request.texts.join("\n");
    const chance = Number.parseInt(request.hash.slice(0, 8), 16);
    const pick = (of: readonly string[] | string) => of[chance % of.length] ?? "";
    if (/error_type/.test(words))
      return JSON.stringify({ reason: "It is so.", error_type: pick(ERRORS) });
    if (/question_frame_desc/.test(words))
      return JSON.stringify({
        question_frame_desc: chance % 2 === 0,
        other_frame_desc: chance % 3 === 0,
        video_analysis: chance % 5 < 3,
        text_analysis: chance % 7 < 5,
      });
    if (/TYPE1/.test(words)) return pick(["TYPE1", "TYPE2, TYPE3", "none", "TYPE7"]);
    const said = await formalModel(request);
    if (typeof said !== "string") return said;
    if (said.startsWith("SCORE_CARD")) return scored(said, chance);
    if (said.startsWith("Correct order")) return ordered(words, orders, chance);
    if (chance % 11 === 0) return "I cannot say.";
    if (said === "A") return pick(options(words));
    if (said === "[[A]]") return `It is shown early on. [[${pick(options(words))}]]`;
    return said.replace(/Answer: \w/, `Answer: ${pick(options(words))}`);
  };
}

/** The letters of the options in a prompt; A and B if it has none. */
function options(words: string): string[] {
  const found = [...words.matchAll(/^\(?([A-L])[.)]\s/gm)].map(([, letter]) => letter ?? "");
  return found.length > 1 ? [...new Set(found)] : ["A", "B"];
}

function scored(card: string, chance: number): string {
  return card.replace(/"score": \d+/, `"score": ${chance % 11}`);
}

function ordered(
  words: string,
  orders: Readonly<Record<string, readonly number[]>>,
  chance: number,
): string {
  const goal = Object.keys(orders).find((name) => words.includes(name)) ?? "";
  const right = orders[goal] ?? [];
  const given = chance % 5 < 2 ? right : chance % 5 < 4 ? [...right].reverse() : [1];
  return `Correct order: ${given.join(", ")}`;
}

import type { Option } from "../../src/core/shapes.ts";
import { calculateInThread, type EngineOptions } from "./engine.ts";
import type { Likeness, Value } from "./engine-tasks.ts";
import { numbersSaid } from "./number-words.ts";
import { parseAmount } from "./parse-amount.ts";
import { LONGEST_EXPRESSION } from "./validate-expression.ts";

/**
 * `equal`: algebraically or at every sampled point; `rounded`: to the decimals of the option; `nearest`: within 1 %.
 */
export type OptionMatch =
  | { letter: string; how: "equal" | "rounded" | "nearest"; tolerance: number }
  | { letter: null; why: string };

/** Largest relative distance of the nearest option from the value. */
export const NEAREST = 0.01;

/** Finds the one option that equals a value. */
export async function matchOption(
  value: Pick<Value, "exact" | "json">,
  options: readonly Option[],
  engine: EngineOptions = {},
): Promise<OptionMatch> {
  const forms = options.flatMap(({ letter, text }) =>
    formsOf(text).map((latex) => ({ letter, text, latex })),
  );
  const task = {
    do: "compare",
    json: value.json,
    candidates: forms.map(({ latex }) => latex),
  } as const;
  const likenesses = forms.length === 0 ? [] : await calculateInThread(task, engine);
  const compared = forms.map((form, place) => ({ ...form, like: likenesses[place] ?? null }));
  const equal = lettersOf(compared, ({ like }) => like?.same != null);
  if (equal.length === 1 && equal[0] !== undefined)
    return { letter: equal[0], how: "equal", tolerance: 0 };
  if (equal.length > 1)
    return { letter: null, why: `${value.exact} equals the options ${equal.join(" and ")}.` };
  const rounded = lettersOf(compared, ({ text, like }) => isRounded(text, like));
  if (rounded.length === 1 && rounded[0] !== undefined) {
    const text = compared.find(({ letter }) => letter === rounded[0])?.text ?? "";
    return { letter: rounded[0], how: "rounded", tolerance: 0.5 * 10 ** -decimalsOf(text) };
  }
  const near = lettersOf(compared, ({ like }) => isNear(like));
  if (near.length === 1 && near[0] !== undefined)
    return { letter: near[0], how: "nearest", tolerance: NEAREST };
  return {
    letter: null,
    why: `No option is ${value.exact}, and none within ${NEAREST * 100} % of it alone.`,
  };
}

function lettersOf<T extends { letter: string }>(
  forms: readonly T[],
  fits: (form: T) => boolean,
): string[] {
  return [...new Set(forms.filter(fits).map(({ letter }) => letter))];
}

function decimalsOf(text: string): number {
  return /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
}

function isRounded(text: string, like: Likeness | null): boolean {
  const decimals = decimalsOf(text);
  return (
    like?.difference != null &&
    decimals > 0 &&
    like.difference <= 0.5 * 10 ** -decimals * (1 + 1e-9)
  );
}

function isNear(like: Likeness | null): boolean {
  return (
    like?.difference != null &&
    like.value !== null &&
    like.difference <= NEAREST * Math.abs(like.value)
  );
}

/** The text of an option as LaTeX, in every possible meaning; empty if it is too long to calculate. */
export function formsOf(text: string): string[] {
  if (text.length > LONGEST_EXPRESSION) return [];
  const plain = text
    .trim()
    .replace(/\$([^$]+)\$/g, "$1")
    .replace(/\\\(|\\\)|\\\[|\\\]/g, "")
    .replace(/^(?:about|approximately|roughly|nearly|≈|~|=)\s*/i, "")
    .replace(/[.;]\s*$/, "")
    .trim();
  const pairs = [...plain.matchAll(/[A-Za-z](?:_\w)?\s*=\s*([^,;=]+?)(?=\s*(?:[,;]|and\b|$))/g)];
  if (pairs.length > 1) return [`(${pairs.map((pair) => pair[1]).join(",")})`];
  const bare = plain
    .replace(/^[A-Za-z](?:_\w|\([a-z]\))?\s*=\s*/, "")
    .replace(/^[-−–—]\s*(?=[\d.])/, "-")
    .replace(/^(?:US)?[$€£]\s*(?=\d)/, "")
    .replace(/(?<![A-Za-z\\])pi(?![A-Za-z])|π/gi, "\\pi ")
    .replace(/(?<=^-?\d+)\s+and\s+(?:a|one)\s+(half|quarter)\b/i, (_, part: string) =>
      part.toLowerCase() === "half" ? " 1/2" : " 1/4",
    )
    .trim();
  const ratio = /^(\d+(?:\.\d+)?)\s*:\s*(\d+(?:\.\d+)?)$/.exec(bare);
  if (ratio !== null) return [`\\frac{${ratio[1]}}{${ratio[2]}}`];
  const percent = /^(-?[\d.,]+)\s*(?:\\?%|percent|per cent)$/i
    .exec(bare)?.[1]
    ?.replace(/,(?=\d{3})/g, "");
  if (percent !== undefined) return [percent, `\\frac{${percent}}{100}`];
  const amount = parseAmount(bare);
  if (amount !== null) return amount.isAmbiguous ? [amount.latex, bare] : [amount.latex];
  const words = /^[a-z -]+$/i.test(bare) && !/\\/.test(bare) ? numbersSaid(bare) : [];
  const [word] = words;
  if (word !== undefined && words.length === 1 && /\s/.test(bare.trim()) !== true)
    return [String(word.value)];
  if (
    word !== undefined &&
    words.length === 1 &&
    bare.toLowerCase().startsWith(word.words.split(" ")[0] ?? "")
  )
    return [String(word.value)];
  if (/[A-Za-z]{3,}\s+[A-Za-z]{2,}/.test(bare.replace(/\\[A-Za-z]+/g, ""))) return [];
  const withoutUnit = bare.replace(
    /\s+(?:cm|mm|m|km|kg|g|s|h|units?|degrees?|radians?|rad)(?:\^?\{?[23]\}?|[²³])?$/i,
    "",
  );
  return [...new Set([withoutUnit, bare])];
}

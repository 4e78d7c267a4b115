import { byTimeKindId, isSpoken, makeEvidence } from "../../../src/core/evidence.ts";
import type { Evidence, Question } from "../../../src/core/shapes.ts";
import {
  type Equation,
  type Expression,
  findArithmetic,
  OPEN,
  readEquation,
  readExpression,
  written,
} from "../../../tools/mathematics/parse-arithmetic.ts";
import {
  areEqual,
  evaluateStated,
  reopened,
  solveStated,
} from "../../../tools/mathematics/stated-arithmetic.ts";
import type { GraphContext } from "../../context.ts";
import { outcome, type State, type Update } from "../../state.ts";
import { contentWords } from "../asked.ts";
import { share, stems, weigh, weighted } from "../word-weights.ts";

const STAGE = "calculate";

/** A question about an unknown that it names by its letter. A single `a` or `i` is a word. */
const FOR_UNKNOWN =
  /\b(?:value of|solve for|find)\s+(?<named>[b-hj-z])\b|\b(?:what|which number|how (?:much|large|big))\s+(?:is|was|does|must)\s+(?<bare>[b-hj-z])\b(?!['’.]\w)/i;

/** A question about a task that the video states, and one about a blank on the board. */
const FOR_TASK =
  /\b(?:asked|asks|posed|poses|task|problem|exercise|puzzle|question)\b|\b(?:answer|solution|result)\b/i;
const FOR_OPEN =
  /\b(?:missing|question mark|blank|left open|unfinished|complete[sd]?|open place)\b/i;

/** A question about a number of things, and one about the result of arithmetic that it states. */
const HOW_MANY = /\bhow many\s+(?<things>\p{L}+)/iu;
const FOR_RESULT = /\b(?:what (?:is|are|does)|how much|calculate|result|sum|product)\b/i;

/** Least share of the question's words in an item that answers a `how many` question. */
const LEAST_SHARE = 2 / 3;
/** Least confidence of a single equation if no options can confirm its solution. */
const SURE = 0.9;
const MOST_CITED = 3;

/** An equation or arithmetic that the video states, with its value. */
interface Statement {
  item: Evidence;
  /** `2x + 3 = 11`, `12 × 4`. */
  stated: string;
  value: number;
  /** False if the statement is only the value itself. */
  worked: boolean;
}

/**
 * Answers from equations and arithmetic that the video states. All statements must have the same value, and exactly one
 * option must equal it. Otherwise returns no outcome, or `not-answered` if only a value can be the answer.
 */
export async function calculate(state: State, context: GraphContext): Promise<Update> {
  const { question, evidence } = state;
  if (question.task === "order") return {};
  const unknown = unknownAsked(question, evidence);
  const statements =
    unknown === null
      ? await sums(question, evidence)
      : await equations(question, unknown, evidence);
  if (unknown !== null || statements.length > 0)
    context.emit(STAGE, { type: "retrieved", ids: statements.map(({ item }) => item.id) });
  const found = agreed(statements);
  const answer = found === null ? null : answerOf(question, found, statements);
  if (found === null || answer === null)
    // Words near an equation say nothing about its solution.
    return unknown !== null && statements.length > 0 && isNumeric(question)
      ? { outcome: outcome({ status: "not-answered" }) }
      : {};
  const sources = [...statements]
    .sort((a, b) => Number(b.worked) - Number(a.worked) || byTimeKindId(a.item, b.item))
    .slice(0, MOST_CITED);
  const item = calculation(sources, found, unknown, context);
  const cites = [item.id, ...sources.map((source) => source.item.id)];
  return { evidence: [item], outcome: outcome({ status: "answered", answer, cites }) };
}

/**
 * The unknown that the question names. If it refers to a task in the video: the unknown that speech asks for, or the
 * blank on the board.
 */
function unknownAsked(question: Question, evidence: readonly Evidence[]): string | null {
  const named = unknownOf(question.text);
  if (named !== null || !isNumeric(question)) return named;
  if (FOR_OPEN.test(question.text)) return OPEN;
  if (!FOR_TASK.test(question.text)) return null;
  const spoken = evidence.flatMap((item) => (isSpoken(item) ? (unknownOf(item.text) ?? []) : []));
  const letters = new Set(spoken.map((letter) => letter.toLowerCase()));
  if (letters.size > 0) return letters.size === 1 ? (spoken[0] ?? null) : null;
  const open = evidence.some(
    (item) =>
      item.kind !== "caption" && !isSpoken(item) && readEquation(item.text)?.unknown === OPEN,
  );
  return open ? OPEN : null;
}

function unknownOf(question: string): string | null {
  const { named, bare } = FOR_UNKNOWN.exec(question)?.groups ?? {};
  return named ?? bare ?? null;
}

/**
 * Equations in the unknown; its letter may be read in the wrong case. If the question states an equation, only that one
 * counts.
 */
async function equations(
  question: Question,
  unknown: string,
  evidence: readonly Evidence[],
): Promise<Statement[]> {
  const own = equationIn(question.text, unknown);
  const found: Statement[] = [];
  for (const item of evidence) {
    const read = item.kind === "caption" ? null : readEquation(item.text);
    const equation =
      read !== null && unknown === OPEN && !isSpoken(item)
        ? ((await reopened(read)) ?? read)
        : read;
    if (equation?.unknown?.toLowerCase() !== unknown.toLowerCase()) continue;
    const stated = inLetter(equation, unknown);
    if (own !== null && own !== stated) continue;
    const value = await solveStated(equation);
    const worked = equation.left.tokens.length > 1 || equation.right.tokens.length > 1;
    if (value !== null) found.push({ item, stated, value, worked });
  }
  return found;
}

function equationIn(text: string, unknown: string): string | null {
  for (const run of text.match(/[-+\d(][\w\s.+\-−–*×/^()]*=[\w\s.+\-−–*×/^()]*\d/g) ?? []) {
    const equation = readEquation(run);
    if (equation !== null) return inLetter(equation, unknown);
  }
  return null;
}

function inLetter({ left, right }: Equation, unknown: string): string {
  const letter = unknown === OPEN ? "?" : unknown;
  return `${written(left)} = ${written(right)}`.replace(/[A-Za-z]/g, letter);
}

/**
 * Arithmetic that both the question and the video state. For a `how many` question: arithmetic about these things in an
 * item about the question.
 */
async function sums(question: Question, evidence: readonly Evidence[]): Promise<Statement[]> {
  const own = new Set(
    FOR_RESULT.test(question.text)
      ? findArithmetic(question.text).map(({ expression }) => written(expression))
      : [],
  );
  const [things] = stems(HOW_MANY.exec(question.text)?.groups?.things ?? "");
  if (own.size === 0 && things === undefined) return [];
  const weighing = weigh(evidence);
  const asked = weighted(contentWords(stems(question.text)), weighing);
  const found: Statement[] = [];
  for (const item of evidence) {
    if (item.kind === "caption") continue;
    const relevant = share(asked, weighing.stemsOf(item)) >= LEAST_SHARE;
    for (const { expression, after } of findArithmetic(item.text)) {
      const stated = written(expression);
      const counted = things !== undefined && relevant && firstWord(after) === things;
      if (own.size > 0 ? !own.has(stated) : !counted) continue;
      const value = await evaluateStated(expression);
      if (value !== null) found.push({ item, stated, value, worked: true });
    }
  }
  return found;
}

function firstWord(text: string): string | undefined {
  return [...stems(text.trim().split(/\s+/, 1)[0] ?? "")][0];
}

function agreed(statements: readonly Statement[]): number | null {
  const [first] = statements;
  if (first === undefined) return null;
  return statements.every(({ value }) => areEqual(value, first.value)) ? first.value : null;
}

function answerOf(
  question: Question,
  value: number,
  statements: readonly Statement[],
): string | null {
  if (question.options !== undefined) {
    const fitting = question.options.filter((option) => {
      const offered = numberIn(option.text);
      return offered !== null && areEqual(offered, value);
    });
    return fitting.length === 1 ? (fitting[0]?.letter ?? null) : null;
  }
  const sure =
    statements.length > 1 || statements.every(({ item }) => (item.confidence ?? 1) >= SURE);
  return sure ? String(value) : null;
}

function isNumeric({ options }: Question): boolean {
  return options?.every((option) => numberIn(option.text) !== null) ?? true;
}

/** `4`, `x = 4`, `7/2`, `12 eggs`; null without a number, or with more than one. */
function numberIn(text: string): number | null {
  const plain = text.replace(/^\s*[A-Za-z]\s*=/, "").replace(/−/g, "-");
  const [number, ...more] = plain.match(/-?\d+(?:\.\d+)?(?:\s*\/\s*\d+)?/g) ?? [];
  if (number === undefined || more.length > 0) return null;
  const [above = Number.NaN, below = 1] = number.split("/").map(Number);
  const words: Expression | null = readExpression(plain.replace(/[A-Za-z%°$€£.]+\s*$/, ""));
  return words === null && /[-+*^=()]/.test(plain.replace(number, "")) ? null : above / below;
}

function calculation(
  sources: readonly Statement[],
  value: number,
  unknown: string | null,
  context: GraphContext,
): Evidence {
  const stated = sources[0]?.stated ?? "";
  const name = unknown === OPEN ? "?" : unknown;
  const text = name === null ? `${stated} = ${value}` : `${name} = ${value}, from ${stated}`;
  return makeEvidence({
    video: context.video.hash,
    kind: "calculation",
    start_s: Math.min(...sources.map(({ item }) => item.start_s)),
    end_s: Math.max(...sources.map(({ item }) => item.end_s)),
    text,
    data: { statements: sources.map((source) => source.stated), unknown, value },
    by: { who: "tool", name: "compute-engine" },
    confidence: null,
    from: sources.map(({ item }) => item.id),
  });
}

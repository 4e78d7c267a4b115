import { makeEvidence } from "../../../src/core/evidence.ts";
import { seeded } from "../../../src/core/random.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { sayNumber } from "./say-number.ts";

/*
 * Lessons of many subjects and layouts, as evidence: slides with lines of text, and subtitles. They share nothing with
 * the lessons of the demo.
 */

/** A fact that a lesson states and a question asks for. `{v}` is replaced by its value. */
export interface Fact {
  /** How a slide and how a speaker may state it. */
  show: readonly string[];
  say: readonly string[];
  ask: readonly string[];
  /** A number with its unit as written and as spoken, or words. */
  value: Quantity | string;
}

interface Quantity {
  n: number;
  unit: string;
  spoken: string;
}

/** Facts on one slide or in one stretch of speech; each is a wrong option for the others with values of its sort. */
export interface Topic {
  heading: string;
  facts: readonly Fact[];
  /** Further wrong options for facts in words. */
  others?: readonly string[];
  /** Said before the facts. */
  intro?: string;
}

export type Draw = <T>(list: readonly T[]) => T;

export interface Subject {
  name: string;
  topics(whole: (least: number, most: number) => number, draw: Draw): Topic[];
  fillers: readonly string[];
}

export interface LessonQuestion {
  text: string;
  options: string[];
  right: number;
  /** Whether the answer is a number that is only spoken, in words. */
  kind: "shown" | "spoken number" | "spoken words";
  /** Seconds in which the fact is stated. */
  span_s: [number, number];
}

export interface Lesson {
  subject: string;
  slides: { start_s: number; end_s: number; lines: string[] }[];
  cues: { start_s: number; end_s: number; text: string }[];
  questions: LessonQuestion[];
}

export const quantity = (n: number, unit = "", spoken = unit): Quantity => ({ n, unit, spoken });

/** Makes a lesson of a subject. */
export function makeLesson(subject: Subject, seed: number): Lesson {
  const random = seeded("unseen lesson", subject.name, seed);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const draw: Draw = (list) => list[whole(0, list.length - 1)] as never;
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((item) => ({ item, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  const topics = shuffled(subject.topics(whole, draw));
  const lesson: Lesson = { subject: subject.name, slides: [], cues: [], questions: [] };
  let now = 0;
  const say = (text: string): [number, number] => {
    const from = now;
    // Long sentences span cues, as in real subtitles.
    const words = text.split(" ");
    const size = words.length > 14 ? Math.ceil(words.length / 2) : words.length;
    for (let at = 0; at < words.length; at += size) {
      const seconds = 1 + Math.min(size, words.length - at) * 0.35;
      lesson.cues.push({
        start_s: now,
        end_s: now + seconds,
        text: words.slice(at, at + size).join(" "),
      });
      now += seconds + 0.2;
    }
    return [from, now - 0.2];
  };
  for (const topic of topics) {
    const start_s = now;
    const shown =
      topic.facts.every(({ show }) => show.length > 0) &&
      (random() < 0.5 || topic.facts.some(({ say }) => say.length === 0));
    const bullet = draw(["", "", "- ", "• "]);
    const ends = draw(["", "", ":"]);
    const style = whole(0, 9);
    if (topic.intro !== undefined || random() < 0.5) say(topic.intro ?? draw(subject.fillers));
    const facts = shuffled(topic.facts);
    if (shown) {
      say(draw(subject.fillers));
      if (random() < 0.5) say(draw(subject.fillers));
      const lines = facts.map(
        ({ show, value }) =>
          bullet + filled(show[style % show.length] ?? "", value, "shown", random),
      );
      lesson.slides.push({ start_s, end_s: now, lines: [topic.heading + ends, ...lines] });
    } else if (random() < 0.6)
      lesson.slides.push({ start_s, end_s: start_s + 5, lines: [topic.heading] });
    const spans = facts.map((fact): [number, number] => {
      if (shown) return [start_s, now];
      const span = say(filled(draw(fact.say), fact.value, "spoken", random));
      if (random() < 0.25) say(draw(subject.fillers));
      return span;
    });
    for (const [place, fact] of facts.entries())
      if (fact.ask.length > 0)
        lesson.questions.push(
          questionOf(fact, facts, topic, shown, spans[place] as [number, number], {
            random,
            draw,
            shuffled,
          }),
        );
    now += whole(0, 2);
  }
  return lesson;
}

type Randoms = { random: () => number; draw: Draw; shuffled: <T>(list: readonly T[]) => T[] };

function questionOf(
  fact: Fact,
  facts: readonly Fact[],
  topic: Topic,
  shown: boolean,
  span_s: [number, number],
  { random, draw, shuffled }: Randoms,
): LessonQuestion {
  const written = (value: Fact["value"]) =>
    typeof value === "string" ? value : writtenValue(value, random() < 0.3);
  const right = written(fact.value);
  const alike = facts.filter(
    ({ value }) =>
      typeof value === typeof fact.value &&
      (typeof value === "string" || value.unit === (fact.value as Quantity).unit),
  );
  const wrong = [
    ...alike.filter((other) => other !== fact).map(({ value }) => written(value)),
    ...shuffled(topic.others ?? []),
  ];
  const made = () => {
    if (typeof fact.value === "string") return [];
    const { n } = fact.value;
    return [n * 2, n + 10, Math.round(n * 1.5), n + 1].map((m) =>
      written({ ...(fact.value as Quantity), n: m }),
    );
  };
  const options = [right];
  for (const text of [...wrong, ...shuffled(made())])
    if (options.length < 4 && !options.some((other) => same(other, text))) options.push(text);
  const order = shuffled(options);
  return {
    text: draw(fact.ask),
    options: order,
    right: order.indexOf(right),
    kind: shown ? "shown" : typeof fact.value === "string" ? "spoken words" : "spoken number",
    span_s,
  };
}

const same = (a: string, b: string) => a.replace(/[^\da-z]/gi, "") === b.replace(/[^\da-z]/gi, "");

function filled(
  form: string,
  value: Fact["value"],
  how: "shown" | "spoken",
  random: () => number,
): string {
  if (typeof value === "string") return form.replace("{v}", value);
  const text =
    how === "shown"
      ? writtenValue(value, random() < 0.2)
      : `${sayNumber(value.n, random)} ${value.spoken}`.trim();
  return form.replace("{v}", text);
}

function writtenValue({ n, unit }: Quantity, plain: boolean): string {
  const isYear = unit === "" && Number.isInteger(n) && n > 1000 && n < 2100;
  const figures =
    plain || isYear ? String(n) : n.toLocaleString("en", { maximumFractionDigits: 6 });
  if (unit === "$" || unit === "€") return `${unit}${figures}`;
  return `${figures}${unit === "" ? "" : unit === "%" ? unit : ` ${unit}`}`;
}

/** The lesson as evidence of text recognition and subtitles. */
export function evidenceOf(lesson: Lesson, video: string): Evidence[] {
  const written = lesson.slides.flatMap(({ start_s, end_s, lines }) =>
    lines.map((text, place) =>
      makeEvidence({
        ...{ video, start_s, end_s, text, kind: "text", confidence: 0.9, from: [] },
        box: { x: 60, y: 40 + 60 * place, width: 12 * text.length, height: 40 },
        by: { who: "tool", name: "tesseract" },
      }),
    ),
  );
  const spoken = lesson.cues.map((cue) =>
    makeEvidence({
      ...{ video, ...cue, kind: "subtitle", confidence: null, from: [] },
      by: { who: "file", name: "lesson.srt" },
    }),
  );
  return [...written, ...spoken];
}

import type { Scene } from "./film.ts";

/**
 * A question of choice that words alone cannot answer: its text and options are drawn before it is settled which of
 * them is right, and the video is made to fit. Any option could have been right, each with the same chance.
 */
export interface Riddle<Told> {
  question: string;
  options: string[];
  /** What is shown where `options[right]` is right. */
  tell(right: number): Told;
}

export interface Settled<Told> extends Riddle<Told> {
  right: number;
  told: Told;
}

export function settle<Told>(riddle: Riddle<Told>, random: () => number): Settled<Told> {
  const right = Math.floor(random() * riddle.options.length);
  return { ...riddle, right, told: riddle.tell(right) };
}

export function letter(place: number): string {
  return String.fromCharCode(65 + place);
}

/** What a story shows, scene by scene. */
export type Story = Scene[];

/** What a lesson shows before its end, the sentence that its end may tell, and how a person solves it. */
export interface Lesson {
  scenes: Scene[];
  result: string;
  /** 4 to 6. */
  steps: string[];
}

/** Five numbers, `step` apart: near misses of each other. */
export function upFrom(first: number, step: number): number[] {
  return [0, 1, 2, 3, 4].map((place) => first + place * step);
}

export interface LessonKind {
  /** One of VideoMathQA's ten. */
  category: string;
  make(random: () => number): Riddle<Lesson>;
}

export interface StoryKind {
  /** MMR-V's ability of level 2, and ours of level 3. */
  ability: [string, string];
  videoType: string;
  make(random: () => number): Riddle<Story>;
}

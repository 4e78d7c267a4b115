import type { Scene } from "./film.ts";

/**
 * A choice question that cannot be answered from its text: the text and options are drawn before the right option, and the
 * video is made to fit. Every option is right with the same probability.
 */
export interface QuestionTemplate<Content> {
  question: string;
  options: string[];
  /** The content of the video if `options[right]` is right. */
  render(right: number): Content;
}

export interface DrawnQuestion<Content> extends QuestionTemplate<Content> {
  right: number;
  content: Content;
}

export function drawQuestion<Content>(
  template: QuestionTemplate<Content>,
  random: () => number,
): DrawnQuestion<Content> {
  const right = Math.floor(random() * template.options.length);
  return { ...template, right, content: template.render(right) };
}

export function letter(place: number): string {
  return String.fromCharCode(65 + place);
}

/** The scenes of a story. */
export type Story = Scene[];

/** The scenes of a lesson before its end, the sentence with the result, and the steps of the solution. */
export interface Lesson {
  scenes: Scene[];
  result: string;
  /** 4 to 6. */
  steps: string[];
}

/** Five numbers with distance `step`, for options that are easy to confuse. */
export function upFrom(first: number, step: number): number[] {
  return [0, 1, 2, 3, 4].map((place) => first + place * step);
}

export interface LessonKind {
  /** One of VideoMathQA's ten. */
  category: string;
  make(random: () => number): QuestionTemplate<Lesson>;
}

export interface StoryKind {
  /** MMR-V's ability of level 2, and ours of level 3. */
  ability: [string, string];
  videoType: string;
  make(random: () => number): QuestionTemplate<Story>;
}

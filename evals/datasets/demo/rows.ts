import { seeded } from "../../../src/core/random.ts";
import type { FilmedLesson } from "./lessons.ts";
import type { ShuffledProcedure } from "./procedures.ts";
import { letter } from "./question-template.ts";
import type { FilmedStory } from "./stories.ts";

/*
 * Rows as the three benchmarks publish them. Two fields are our own and not in released data: `steps` (VCRBench: what
 * each clip shows, in the order of the clip numbers) and `evidence_s` ([start, end] seconds, several per question).
 */

export const video = {
  procedure: (place: number) => `video_${place + 1}.mp4`,
  lesson: (place: number) => `lesson_${place + 1}`,
  story: (place: number) => `story_${place + 1}.mp4`,
};

export function vcrbenchRow(
  { goal, groundTruth, steps, clips_s }: ShuffledProcedure,
  place: number,
) {
  return {
    qid: String(place + 1),
    goal,
    video_file: video.procedure(place),
    ground_truth: groundTruth,
    steps,
    evidence_s: clips_s,
  };
}

export function mmrRow(
  { question, options, right, film, ability, videoType }: FilmedStory,
  place: number,
) {
  return {
    video: video.story(place),
    videoType,
    question,
    options: options.map((text, option) => `(${letter(option)}) ${text}`),
    correctAnswer: `(${letter(right)})`,
    abilityType_L2: ability[0],
    abilityType_L3: ability[1],
    question_idx: place,
    evidence_s: film.evidence_s,
  };
}

/** VideoMathQA calls less than 30 s short, less than 2 min medium. */
const SHORT_S = 30;

export function mcqRow(
  { question, options, right, content, film, category }: FilmedLesson,
  place: number,
) {
  return {
    question_id: String(place + 1),
    question,
    options: options.map((text, option) => `${letter(option)}. ${text}`),
    answer: letter(right),
    category,
    length: film.duration_s < SHORT_S ? "short" : "medium",
    videoID: video.lesson(place),
    steps: content.steps,
    evidence_s: film.evidence_s,
  };
}

/** The right option paired with each other one, in either position. */
export function pairRows(lesson: FilmedLesson, place: number, seed: number) {
  const random = seeded("demo pairs", seed, place);
  return lesson.options.flatMap((_, other) => {
    if (other === lesson.right) return [];
    const first = random() < 0.5;
    const pair = first ? [lesson.right, other] : [other, lesson.right];
    const options = pair.map((option) => lesson.options[option] ?? "");
    return [mcqRow({ ...lesson, options, right: first ? 0 : 1 }, place)];
  });
}

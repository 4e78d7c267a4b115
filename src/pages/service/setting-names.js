/** @import { SettingView } from "./types.d.ts" */

/* Names of settings for a person. A setting or group that is not listed is named after its path. */

/** The groups in the order of the form, by the first part of the path. */
const GROUPS = /** @type {const} */ ([
  ["recognition", "What is looked at"],
  ["search", "Search"],
  ["reasoning", "Reasoning"],
  ["generation", "Replies of the model"],
  ["budget", "Limits of this question"],
]);

/** What a person changes, with its name and hint; everything else is for experts. @type {Record<string, readonly [string, string]>} */
const EVERYDAY = {
  "recognition.frames": ["Frames of the video", "More frames show more, and cost more."],
  "recognition.subtitles": ["Subtitles", "How much of the subtitles the model reads."],
  "recognition.speech": ["Speech", "Whether speech is written down, if the service can."],
  "recognition.ocr": ["Text on screen", "Who reads it."],
  "recognition.ocr_language": ["Languages on screen", "For example deu, chi_sim or eng+fra."],
  "search.steps": ["Turns of the search", "After so many turns, the model has to answer."],
  "reasoning.method": ["Method of ordering", "How clips are put in order."],
  "budget.calls": ["Calls", "At most so many calls of a model."],
  "budget.cost": ["Dollars", "At most so many dollars."],
  "budget.seconds": ["Seconds", "After so many seconds, no new call is made."],
};

/** @type {Record<string, string>} */
const NAMES = {
  "recognition.model": "Model that recognises",
  "recognition.mode": "Calls",
  "recognition.segments": "Parts of the video",
  "recognition.max_side": "Longest side of a frame, pixels",
  "recognition.max_area": "Largest area of a frame, pixels",
  "recognition.quality": "JPEG quality",
  "recognition.fps": "Frames per second",
  "recognition.audio": "Send the sound",
  "recognition.video_fps": "Video frames per second",
  "recognition.video_max_pixels": "Video frame area, pixels",
  "reasoning.model": "Model that reasons",
  "reasoning.cot": "Reasoning before the answer",
  "reasoning.max_tokens": "Tokens of a reply",
  "generation.top_p": "Top p",
  "generation.top_k": "Top k",
  "search.cells": "Frames of the overview",
  "search.verify": "Check the answer",
  "search.verifier": "Model that checks",
  "search.recall": "Start from earlier questions",
};

/** @param {SettingView} setting */
export function isEveryday({ path }) {
  return Object.hasOwn(EVERYDAY, path);
}

/** @param {SettingView} setting */
export function settingName({ path }) {
  const words = path.slice(path.lastIndexOf(".") + 1).replaceAll("_", " ");
  return EVERYDAY[path]?.[0] ?? NAMES[path] ?? sentenceCase(words);
}

/** @param {SettingView} setting */
export function settingHint({ path, description }) {
  return EVERYDAY[path]?.[1] ?? `${sentenceCase(description.replaceAll("`", ""))}.`;
}

/**
 * Settings in the groups of the form.
 * @param {readonly SettingView[]} settings
 * @returns {[title: string, settings: SettingView[]][]}
 */
export function groupsOf(settings) {
  const groups = Map.groupBy(settings, ({ path }) => path.split(".").slice(0, -1).join(" "));
  const known = GROUPS.map(([group]) => /** @type {string} */ (group));
  const place = (/** @type {string} */ group) =>
    (known.indexOf(group) + GROUPS.length + 1) % (GROUPS.length + 1);
  return [...groups]
    .sort(([a], [b]) => place(a) - place(b))
    .map(([group, members]) => [titleOf(group), members]);
}

/** @param {string} group */
function titleOf(group) {
  const [, title] = GROUPS.find(([name]) => name === group) ?? [];
  return title ?? (group === "" ? "General" : sentenceCase(group));
}

/** @param {string} words */
function sentenceCase(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

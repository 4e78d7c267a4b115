/** @import { QuestionView } from "./types.d.ts" */
import { answerText } from "./answer-words.js";
import { listQuestions } from "./api.js";
import { STATE_NAMES } from "./format.js";
import { html, useEffect } from "./html.js";
import { questionWords } from "./question-row.js";
import { isSettled } from "./question-store.js";
import { pathTo } from "./routes.js";
import { useFetched } from "./use-fetched.js";

/** Milliseconds between looks at the service while a question of the thread runs. */
const LOOK_MS = 1000;
/** Questions of the video among which the thread is looked for. */
const MOST = 200;

/**
 * The questions before and after this one in its thread, in order; nothing if it has no thread.
 * @param {{ video: string, question: string }} props
 */
export function Thread({ video, question }) {
  const { value, again } = useFetched(
    () => listQuestions({ video, limit: MOST }),
    [video, question],
  );
  const thread = value === null ? [] : threadOf(value.items, question);
  const runs = thread.length > 1 && thread.some((one) => !isSettled(one));
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(again, LOOK_MS);
    return () => clearInterval(timer);
  }, [runs, again]);
  if (thread.length < 2) return null;
  return html`<nav class="thread panel" aria-label="Thread">
    <h3>Thread</h3>
    <ol>
      ${thread.map(
        (one) => html`<li key=${one.id}>
          <a href=${pathTo(video, one.id)} aria-current=${one.id === question ? "page" : undefined}>
            ${questionWords(one)}
          </a>
          <span class="soft">
            ${one.answer === null ? STATE_NAMES[one.state] : answerText(one.asked, one.answer)}
          </span>
        </li>`,
      )}
    </ol>
  </nav>`;
}

/**
 * @param {readonly QuestionView[]} questions
 * @param {string} id
 */
function threadOf(questions, id) {
  const byId = new Map(questions.map((question) => [question.id, question]));
  /** @type {QuestionView[]} */
  const before = [];
  for (let one = byId.get(id); one !== undefined && !before.includes(one); ) {
    before.unshift(one);
    one = one.follows === null ? undefined : byId.get(one.follows);
  }
  const after = followers(questions, id, new Set(before.map((one) => one.id)));
  return [...before, ...after];
}

/**
 * Those that follow a question, each with its own followers, in the order in which they were asked.
 * @param {readonly QuestionView[]} questions
 * @param {string} id
 * @param {Set<string>} seen
 * @returns {QuestionView[]}
 */
function followers(questions, id, seen) {
  return questions
    .filter((one) => one.follows === id && !seen.has(one.id))
    .sort((a, b) => a.created_at.localeCompare(b.created_at))
    .flatMap((one) => {
      seen.add(one.id);
      return [one, ...followers(questions, one.id, seen)];
    });
}

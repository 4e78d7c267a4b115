/** @import { QuestionView } from "./types.d.ts" */
/** @import { QuestionStore } from "./question-store.js" */

import { doubtsAbout } from "./answer-view.js";
import { answerText, choiceText, stateText } from "./answer-words.js";
import { count, money } from "./format.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { questionWords } from "./question-row.js";
import { isSettled } from "./question-store.js";
import { pathTo } from "./routes.js";

/**
 * The name of a question among others: strategy and model; if others have the same, also the settings that differ, or
 * the time.
 * @param {QuestionView} question
 * @param {readonly QuestionView[]} others
 */
export function nameAmong(question, others) {
  const name = shortName(question);
  const same = others.filter((other) => shortName(other) === name);
  if (same.length < 2) return name;
  for (const more of [differingSettings, timeOf]) {
    const names = same.map((other) => more(other, same));
    if (new Set(names).size === same.length) return `${name}, ${more(question, same)}`;
  }
  return `${name}, ${timeOf(question)} (${same.findIndex(({ id }) => id === question.id) + 1})`;
}

/**
 * @param {QuestionView} question
 * @param {readonly QuestionView[]} others
 */
function differingSettings({ settings }, others) {
  const paths = [...new Set(others.flatMap((other) => Object.keys(other.settings)))].filter(
    (path) =>
      !IN_SHORT_NAME.includes(path) &&
      new Set(others.map((other) => JSON.stringify(other.settings[path]))).size > 1,
  );
  const parts = paths.map((path) => {
    const word = (path.split(".").at(-1) ?? path).replaceAll("_", " ");
    return `${word} ${settings[path] === undefined ? "by default" : String(settings[path])}`;
  });
  return parts.join(", ");
}

/** @param {QuestionView} question */
function timeOf({ created_at }) {
  return new Date(created_at).toLocaleTimeString("en", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  });
}

/** Settings that a short name holds, whether a request set them or not. */
const IN_SHORT_NAME = ["strategy", "model"];

/** @param {QuestionView} question */
function shortName({ strategy, model, from }) {
  return `${strategy}${model === null ? "" : `, ${model}`}${from === null ? "" : ", reasoned again"}`;
}

/**
 * Whether several answers agree, in one sentence.
 * @param {readonly QuestionView[]} questions
 * @returns {{ agrees: boolean | null, text: string }} `agrees` null: not all are answered yet, or the questions differ
 */
export function agreementOf(questions) {
  if (new Set(questions.map(askedKey)).size > 1)
    return {
      agrees: null,
      text: "These are different questions, so their answers are not compared.",
    };
  const open = questions.filter((question) => !isSettled(question)).length;
  const answered = questions.filter(({ answer }) => answer !== null && answer.answer !== null);
  const asked = questions[0]?.asked;
  if (open > 0)
    return { agrees: null, text: `${count(open, "answer")} of ${questions.length} still to come.` };
  if (asked === undefined || answered.length === 0)
    return { agrees: null, text: "None of them has an answer." };
  /** @type {Map<string, QuestionView[]>} */
  const groups = new Map();
  for (const question of answered) {
    const key = keyOf(question);
    groups.set(key, [...(groups.get(key) ?? []), question]);
  }
  const missing = questions.length - answered.length;
  const without =
    missing === 0 ? "" : ` ${missing === 1 ? "One has" : `${missing} have`} no answer.`;
  const [first = []] = groups.values();
  if (groups.size === 1 && answered.length > 1) {
    const answer = first[0]?.answer?.answer ?? "";
    const all = answered.length === 2 ? "Both" : `All ${answered.length}`;
    return { agrees: missing === 0, text: `${all} answer ${choiceText(asked, answer)}.${without}` };
  }
  if (answered.length === 1)
    return {
      agrees: null,
      text: `Only one of ${questions.length} has an answer: ${choiceText(asked, answered[0]?.answer?.answer ?? "")}.`,
    };
  const isFree = questions.some((question) => question.asked.task === "open");
  const most = Math.max(...[...groups.values()].map((group) => group.length));
  const share = answered.length > 2 && most > 1 ? ` ${most} of ${answered.length} agree.` : "";
  return {
    agrees: false,
    text: `${isFree ? "The answers are worded differently: compare them below." : "The answers differ."}${share}${without}`,
  };
}

/** Equal for equal questions: the letter of an answer means its own option. @param {QuestionView} question */
function askedKey({ asked: { task, text, goal, options } }) {
  return JSON.stringify([task, text, goal, options]);
}

/** @param {QuestionView} question */
function keyOf({ answer }) {
  const given = answer?.answer ?? null;
  return typeof given === "string"
    ? given
        .trim()
        .toLowerCase()
        .replace(/[.\s]+$/, "")
    : JSON.stringify(given);
}

/**
 * Several answers to compare: first whether they agree, then how they differ.
 * @param {{ stores: readonly QuestionStore[], video: string }} props
 */
export function ComparisonHead({ stores, video }) {
  const questions = stores.flatMap(({ state }) => state.question ?? []);
  const first = questions[0];
  if (first === undefined || questions.length < stores.length)
    return html`<p class="soft">Loading the questions…</p>`;
  const { agrees, text } = agreementOf(questions);
  const sameText = questions.every((question) => questionWords(question) === questionWords(first));
  const ids = questions.map(({ id }) => id);
  const row = (
    /** @type {string} */ name,
    /** @type {(question: QuestionView, store: QuestionStore) => unknown} */ cell,
  ) => html`<tr>
    <th scope="row">${name}</th>
    ${stores.map((store) => html`<td key=${store.id}>${cell(/** @type {QuestionView} */ (store.state.question), store)}</td>`)}
  </tr>`;
  return html`<section class="comparison" aria-label="Comparison">
    ${sameText && html`<h2 tabindex="-1">${questionWords(first)}</h2>`}
    <p class=${`agreement ${agrees === true ? "same" : agrees === false ? "differs" : ""}`} role="status">
      <${Icon} name=${agrees === true ? "check" : agrees === false ? "warning" : questions.every(isSettled) ? "info" : "clock"} /> ${text}
    </p>
    <div class="scroll" tabindex="0" role="group" aria-label="Answers side by side">
      <table class="answers">
        <thead>
          <tr>
            <td></td>
            ${questions.map(
              (question) => html`<th scope="col" key=${question.id}>
                <a href=${pathTo(video, question.id)}>${nameAmong(question, questions)}</a>
                ${
                  questions.length > 2 &&
                  html`<a
                    class="remove"
                    href=${pathTo(video, ...ids.filter((id) => id !== question.id))}
                    aria-label=${`Remove ${nameAmong(question, questions)} from the comparison`}
                    ><${Icon} name="close"
                  /></a>`
                }
              </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${!sameText && row("Question", (question) => questionWords(question))}
          ${row("Answer", (question) => html`<strong class="verdict">${verdictOf(question)}</strong>`)}
          ${row("Doubts", (question) => (question.answer === null ? "–" : doubtsAbout(question.answer).join(" ") || "none"))}
          ${row("Confidence", ({ answer }) => answer?.confidence?.toFixed(2) ?? "–")}
          ${row("Cited", ({ answer }, store) => citedOf(answer?.cites ?? [], store, stores))}
          ${row("Evidence", (_question, { state }) => count(state.list?.items.length ?? 0, "item"))}
          ${row("Time", ({ seconds }) => (seconds === null ? "–" : `${seconds.toFixed(1)} s`))}
          ${row("Calls", ({ usage }) => String(usage.calls))}
          ${row("Price", ({ usage }) => (usage.calls === 0 ? "$0" : money(usage.cost)))}
        </tbody>
      </table>
    </div>
    <${SharedOptions} questions=${questions} />
  </section>`;
}

/** @param {QuestionView} question */
function verdictOf(question) {
  const { asked, answer } = question;
  return answer === null ? stateText(question) : answerText(asked, answer);
}

/**
 * How many items an answer cites, and how many of them others cite too.
 * @param {readonly string[]} cites
 * @param {QuestionStore} store
 * @param {readonly QuestionStore[]} stores
 */
function citedOf(cites, store, stores) {
  const others = new Set(
    stores
      .filter((other) => other !== store)
      .flatMap(({ state }) => state.question?.answer?.cites ?? []),
  );
  const shared = cites.filter((id) => others.has(id)).length;
  if (cites.length === 0) return "nothing";
  return `${count(cites.length, "item")}${shared === 0 ? "" : `, ${shared} also cited by another`}`;
}

/**
 * The options, once, each with the answers that chose it.
 * @param {{ questions: readonly QuestionView[] }} props
 */
function SharedOptions({ questions }) {
  const options = questions[0]?.asked.options ?? [];
  const same = questions.every(
    ({ asked }) => JSON.stringify(asked.options ?? []) === JSON.stringify(options),
  );
  if (options.length === 0 || !same) return null;
  return html`<ol class="options" aria-label="Options">
    ${options.map(({ letter, text }) => {
      const by = questions.filter(({ answer }) => answer?.answer === letter);
      return html`<li key=${letter} class=${by.length > 0 ? "chosen" : ""}>
        <span class="letter">${letter}</span><span>${text}</span>
        ${by.map((question) => html`<span class="tag" key=${question.id}>${nameAmong(question, questions)}</span>`)}
      </li>`;
    })}
  </ol>`;
}

/** @import { ServiceView } from "./types.d.ts" */
import { AnswerForm } from "./answer-form.js";
import { questionText } from "./answer-words.js";
import { answerStudy, nextStudyItem } from "./api.js";
import { html, useState } from "./html.js";
import { FailureNotice } from "./notices.js";
import { RaterName, useRaterName } from "./rater-name.js";
import { errorMessage, Problem } from "./request.js";
import { useFetched } from "./use-fetched.js";
import { useSeconds } from "./use-seconds.js";

/**
 * The questions of a human study, one after the other. No answer of a model is shown.
 * @param {{ service: ServiceView }} props
 */
export function StudyView({ service }) {
  const { name, change } = useRaterName();
  const needsName = service.caller === null;
  return html`<div class="narrow queue">
    <h1 tabindex="-1">Study</h1>
    ${
      needsName &&
      html`<${RaterName} name=${name} change=${change} hint="The name that you were given, such as rater-1" />`
    }
    ${(!needsName || name !== "") && html`<${Questions} key=${name} rater=${needsName ? name : undefined} />`}
  </div>`;
}

/** @param {{ rater: string | undefined }} props */
function Questions({ rater }) {
  const { value: next, problem, again } = useFetched(() => nextStudyItem(rater), [rater]);
  const [refused, setRefused] = useState(/** @type {string | null} */ (null));
  const seconds = useSeconds(next);
  if (problem !== null) return html`<${FailureNotice} sentence=${problem} again=${again} />`;
  if (next === null) return html`<p class="soft" role="status">Loading the next question…</p>`;
  const { item, done, total } = next;
  const save = async (/** @type {{ answer: string | number[] }} */ { answer }) => {
    if (item === null) return;
    setRefused(null);
    try {
      await answerStudy({ item: item.id, answer, seconds: seconds(), rater });
    } catch (error) {
      if (!isAnswered(error)) return setRefused(errorMessage(error));
    }
    again();
  };
  return html`<p class="soft" role="status">${done} of ${total} answered</p>
    <progress aria-label="Answered questions" max=${Math.max(1, total)} value=${done}></progress>
    ${
      item === null
        ? html`<p>All questions are answered. Thank you.</p>`
        : html`<article class="panel" key=${item.id}>
            <div class="player"><video src=${item.media} controls preload="metadata" playsinline></video></div>
            <h2>${questionText({ text: item.question, goal: item.goal })}</h2>
            ${item.question !== "" && item.goal !== null && html`<p>${item.goal}</p>`}
            <${AnswerForm} asked=${item} clips=${clipsOf(item.clips)} action="Save and go on" save=${save} />
            ${refused !== null && html`<p class="problem" role="alert">${refused}</p>`}
          </article>`
    }`;
}

/**
 * Whether the item has an answer of this rater: given in another tab, or in a request whose response was lost.
 * @param {unknown} error
 */
function isAnswered(error) {
  return error instanceof Problem && error.view.kind === "answered";
}

/**
 * The clips of an item in the order of their numbers; where they are in the video is not told.
 * @param {number | null} count
 */
function clipsOf(count) {
  const order = Array.from({ length: count ?? 0 }, (_, place) => place + 1);
  return { order, clips: [], video: "" };
}

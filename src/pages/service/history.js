/** @import { QuestionView } from "./types.d.ts" */

import { answerText } from "./answer-words.js";
import { listQuestions } from "./api.js";
import { el, fill, select } from "./dom.js";
import { day, STATE_NAMES, spent } from "./format.js";
import { failure } from "./notices.js";
import { errorMessage } from "./request.js";
import { pathTo } from "./routes.js";
import { onChanged } from "./tabs.js";

/**
 * All questions of a video, the last one first.
 * @param {string} video
 */
export function history(video) {
  const list = el("div", {}, el("p", { class: "soft" }, "Loading the questions…"));
  const load = async () => {
    try {
      const { items: questions } = await listQuestions({ video, limit: 200 });
      fill(
        list,
        questions.length === 0
          ? el("p", { class: "soft nothing" }, "No questions about this video yet.")
          : el("ol", { class: "history" }, questions.map(entry)),
      );
    } catch (error) {
      fill(list, failure(errorMessage(error), load));
    }
  };
  const stop = onChanged(video, load);
  load();
  return {
    node: el("section", { "aria-label": "Questions" }, el("h2", {}, "Questions"), list),
    close: stop,
  };
}

/** @param {QuestionView} question */
function entry({
  id,
  video,
  asked,
  state,
  answer,
  strategy,
  model,
  usage,
  review,
  from,
  created_at,
}) {
  return el(
    "li",
    {},
    el(
      "a",
      { href: pathTo(video, id) },
      asked.text === "" ? `Order: ${asked.goal ?? ""}` : asked.text,
    ),
    el("p", {}, answer === null ? STATE_NAMES[state] : answerText(asked, answer)),
    el(
      "p",
      { class: "facts soft" },
      el("span", { class: `state ${state}` }, STATE_NAMES[state]),
      el("span", {}, model === null ? strategy : `${strategy}, ${model}`),
      el("span", {}, spent(usage)),
      from === null ? null : el("span", {}, "reasoned again"),
      review === null ? null : el("span", { class: "tag" }, review.verdict),
      el("span", {}, day(created_at)),
    ),
  );
}

/**
 * Selects another question of the same video to compare with this one.
 * @param {string} video
 * @param {string[]} shown
 */
export function comparisonPicker(video, shown) {
  const place = el("div", { class: "beside" });
  const [first = ""] = shown;
  listQuestions({ video, limit: 200, order: "asc" })
    .then(({ items: questions }) => {
      const others = questions.filter(({ id }) => id !== first);
      if (others.length === 0) return;
      const label = (/** @type {QuestionView} */ { asked, strategy, model, from }) =>
        `${asked.text.slice(0, 50) || asked.goal || "order"} – ${strategy}${model === null ? "" : ` ${model}`}${from === null ? "" : " (reasoned again)"}`;
      const choice = select(
        [["", "nothing"], ...others.map((one) => /** @type {const} */ ([one.id, label(one)]))],
        shown[1] ?? "",
        {
          "aria-label": "Compare with",
          onchange: () => {
            location.hash =
              choice.value === "" ? pathTo(video, first) : pathTo(video, first, choice.value);
          },
        },
      );
      fill(place, el("span", { class: "soft" }, "Compare with "), choice);
    })
    .catch(() => {});
  return place;
}

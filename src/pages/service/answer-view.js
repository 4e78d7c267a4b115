/** @import { Answer, EvidenceView, QuestionView } from "./types.d.ts" */

import { answerText, momentsTitle, SUPPORT_TEXT } from "./answer-words.js";
import { clock } from "./clock.js";
import { button, el } from "./dom.js";
import { count, money, span, spent, stageName } from "./format.js";

/**
 * The answer with its confidence, citations, cost, and reasons for doubt.
 *
 * @param {QuestionView} question
 * @param {readonly EvidenceView[]} cited
 * @param {readonly EvidenceView[]} items
 * @param {(item: EvidenceView) => void} choose
 */
export function answerView(question, cited, items, choose) {
  const { answer, asked, failure, state } = question;
  if (answer === null)
    return el(
      "div",
      { role: "group", class: "panel answer none", "aria-label": "Answer" },
      el(
        "p",
        { class: "verdict" },
        state === "cancelled" ? "Cancelled before an answer came." : "The question failed.",
      ),
      failure === null ? null : el("p", {}, failure.message),
      el("p", { class: "soft" }, "Paid calls are stored. Asking again continues from there."),
    );
  const doubts = doubtsAbout(answer);
  return el(
    "div",
    {
      role: "group",
      class: `panel answer ${answer.answer === null ? "none" : ""} ${doubts.length > 0 ? "doubtful" : ""}`,
      "aria-label": "Answer",
    },
    el("p", { class: "verdict" }, answerText(asked, answer)),
    answer.error === undefined ? null : el("p", { class: "problem" }, answer.error.message),
    doubts.map((doubt) => el("p", { class: "doubt" }, el("strong", {}, "Unsupported. "), doubt)),
    confidence(answer),
    checked(answer.support),
    cited.length === 0
      ? null
      : el(
          "p",
          { class: "cites" },
          el("span", { class: "soft" }, `Based on (cited by ${answer.cited_by}) `),
          cited.map((item) =>
            button(`${item.name} at ${clock(item.start_s)}`, () => choose(item), {
              class: `chip ${item.kind}`,
            }),
          ),
        ),
    momentsView(answer, items, choose),
    answer.limits_met.length === 0 || answer.answer === null
      ? null
      : el(
          "p",
          { class: "note" },
          `Limits met: ${answer.limits_met.join(", ")}. The answer uses the evidence found before the limit.`,
        ),
    typeof answer.diagnostics?.unheard_sound === "string"
      ? el("p", { class: "note" }, answer.diagnostics.unheard_sound)
      : null,
    costs(question),
    answer.reply === undefined || answer.reply === ""
      ? null
      : el("details", {}, el("summary", {}, "Model reply"), el("pre", {}, answer.reply)),
  );
}

/**
 * The moments that match the question, best first, with their matching words.
 *
 * @param {Answer} answer
 * @param {readonly EvidenceView[]} items
 * @param {(item: EvidenceView) => void} choose
 */
function momentsView({ moments = [] }, items, choose) {
  if (moments.length === 0) return null;
  const rows = moments.map((moment) => {
    const item = items.find(({ id }) => id === moment.evidence[0]);
    const time = span(moment);
    return el(
      "li",
      {},
      item === undefined
        ? el("span", { class: "soft" }, time)
        : button(time, () => choose(item), { class: `chip ${item.kind}` }),
      ` ${moment.option === undefined ? "" : `(${moment.option}) `}${moment.text} `,
      el("span", { class: "soft" }, moment.words.join(", ")),
    );
  });
  return el(
    "details",
    { class: "moments", open: true },
    el("summary", {}, momentsTitle(moments)),
    el("ol", {}, rows),
  );
}

/** @param {Answer} answer */
function confidence({ confidence, confidence_basis, answer }) {
  if (answer === null) return null;
  if (confidence === null)
    return el("p", { class: "soft" }, "No confidence: there is no measurement to compute it from.");
  const meter = el("meter", { min: "0", max: "1", "aria-label": "Confidence" });
  meter.value = confidence;
  return el(
    "p",
    { class: "confidence" },
    el("strong", {}, `Confidence ${confidence.toFixed(2)} `),
    meter,
    el("span", { class: "soft" }, ` computed from ${confidence_basis}`),
  );
}

/**
 * Why an answer may not be supported by its evidence, one sentence per reason.
 * @param {Answer} answer
 */
export function doubtsAbout({ answer, cites, support, diagnostics = {} }) {
  if (answer === null) return [];
  const { unknown_citations: unknown } = diagnostics;
  const verdict =
    support?.verdict === "contradicted" || support?.verdict === "not-shown"
      ? SUPPORT_TEXT[support.verdict]
      : undefined;
  return [
    cites.length === 0 ? "The answer cites no evidence." : "",
    Array.isArray(unknown) && unknown.length > 0
      ? `The model cited ${unknown.join(", ")}, which is not among the evidence.`
      : "",
    verdict === undefined ? "" : `${verdict}${support?.words ? `: ${support.words}` : "."}`,
  ].filter((doubt) => doubt !== "");
}

/** @param {Answer["support"]} support */
function checked(support) {
  if (support?.verdict !== "supported") return null;
  const by = support.by === "model" ? "a second model call" : "rule";
  return el(
    "p",
    { class: "soft" },
    `${SUPPORT_TEXT.supported} (checked by ${by})${support.words === "" ? "." : `: ${support.words}`}`,
  );
}

/** @param {QuestionView} question */
function costs({ stages, usage, seconds }) {
  const time = seconds === null ? "" : ` · ${seconds.toFixed(1)} s`;
  if (usage.calls === 0) return el("p", { class: "soft" }, `No model call, no cost${time}.`);
  const made = stages.filter(({ usage: own }) => own.calls > 0);
  return el(
    "details",
    { class: "costs" },
    el(
      "summary",
      {},
      `${spent(usage)}${usage.paid === null || usage.paid === usage.cost ? "" : ` (paid ${money(usage.paid)})`}${time}`,
    ),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Cost by stage" },
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["Stage", "Calls", "Frames", "Tokens in", "Tokens out", "Cost", "Paid"].map(
              (name, place) => el("th", { scope: "col", class: place === 0 ? "" : "number" }, name),
            ),
          ),
        ),
        el(
          "tbody",
          {},
          made.map(({ stage, usage: own }) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, stageName(stage)),
              [own.calls, own.frames, own.input, own.output].map((n) =>
                el("td", { class: "number" }, n.toLocaleString("en")),
              ),
              [own.cost, own.paid].map((dollars) =>
                el("td", { class: "number" }, dollars === null ? "–" : money(dollars)),
              ),
            ),
          ),
        ),
      ),
    ),
    el(
      "p",
      { class: "soft" },
      "Cost counts every call as if nothing had been cached; paid is what this run spent.",
    ),
  );
}

/** The stages that look at the video itself. */
const RECOGNITION = ["segment", "caption", "text", "subtitles", "speech", "look"];

/**
 * @param {QuestionView} question
 * @returns {string}
 */
export function recognitionText({ stages }) {
  const calls = stages
    .filter(({ stage }) => RECOGNITION.includes(stage))
    .reduce((sum, { usage }) => sum + usage.calls, 0);
  const other = stages.reduce((sum, { usage }) => sum + usage.calls, 0) - calls;
  return calls === 0
    ? `Nothing was recognised again: ${other === 0 ? "no call was made" : `${count(other, "call")}, only for reasoning`}.`
    : `${count(calls, "call")} of recognition.`;
}

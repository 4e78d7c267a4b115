/** @import { TraceCall, TracePart } from "./types.d.ts" */
import { frameUrl, getTrace } from "./api.js";
import { clock } from "./clock.js";
import { count, money, stageName } from "./format.js";
import { html, useState } from "./html.js";
import { FailureNotice } from "./notices.js";
import { useFetched } from "./use-fetched.js";

/** Characters of a text that are shown at first. */
const SHORT = 1500;

/**
 * Every model call of a question, with what was sent and what came back; read from the service when it is opened.
 * @param {{ question: string, calls: number }} props
 */
export function TraceView({ question, calls }) {
  const [isOpen, setOpen] = useState(false);
  if (calls === 0) return null;
  return html`<details
    class="trace"
    onToggle=${(/** @type {Event} */ { currentTarget }) =>
      setOpen(/** @type {HTMLDetailsElement} */ (currentTarget).open)}
  >
    <summary>Every call: prompt, pictures, reply <span class="soft">${count(calls, "call")}</span></summary>
    ${isOpen && html`<${Calls} question=${question} />`}
  </details>`;
}

/** @param {{ question: string }} props */
function Calls({ question }) {
  const { value, problem, again } = useFetched(() => getTrace(question), [question]);
  if (problem !== null) return html`<${FailureNotice} sentence=${problem} again=${again} />`;
  if (value === null) return html`<p class="soft">Loading the calls…</p>`;
  return html`
    <ol class="calls">
      ${value.calls.map((call, place) => html`<${Call} key=${place} call=${call} />`)}
    </ol>
    ${value.more > 0 && html`<p class="soft">${count(value.more, "more call")} not shown: the trace is too long.</p>`}
  `;
}

/** @param {{ call: TraceCall }} props */
function Call({ call }) {
  const { stage, label, role, model, usage, seconds, waited_s, retries, cached, error, finish } =
    call;
  const facts = [
    model,
    role,
    `${(usage.input + usage.output).toLocaleString("en")} tokens`,
    cached ? "stored reply, paid $0" : money(usage.cost),
    `${seconds.toFixed(1)} s${waited_s >= 0.1 ? ` (${waited_s.toFixed(1)} s waiting)` : ""}`,
    retries === 0 ? "" : count(retries, "retry", "retries"),
    finish === "stop" ? "" : finish,
  ];
  return html`<li>
    <details>
      <summary>
        <strong>${stageName(stage)}: ${label}</strong>
        <span class="soft"> ${facts.filter((fact) => fact !== "").join(" · ")}</span>
      </summary>
      ${
        call.messages === null
          ? html`<p class="soft">The request was not kept.</p>
              <${Pictures} frames=${call.frames} />`
          : call.messages.map(
              ({ role: by, parts }, place) => html`<section key=${place}>
                <h5>${SENDERS[by]}</h5>
                ${parts.map((part, at) => html`<${Part} key=${at} part=${part} />`)}
              </section>`,
            )
      }
      <h5>Reply</h5>
      ${error !== null && html`<p class="problem">${error.message}</p>`}
      ${call.reply !== "" && html`<${Text} text=${call.reply} />`}
      ${call.tools.map(
        ({ name, arguments: given }, place) =>
          html`<${Text} key=${place} text=${`${name} ${JSON.stringify(given, null, 1)}`} />`,
      )}
    </details>
  </li>`;
}

const SENDERS = {
  system: "Instructions",
  user: "Prompt",
  assistant: "Earlier reply",
  tool: "Result of a tool",
};

/** @param {{ part: TracePart }} props */
function Part({ part }) {
  if (part.type === "text") return html`<${Text} text=${part.text} />`;
  const label = part.label !== null && html`<p class="soft">${part.label}</p>`;
  if (part.type !== "image") return html`${label}<p class="soft">(${part.type})</p>`;
  return html`${label}<${Pictures} frames=${[{ hash: part.frame, t_s: part.t_s }]} />`;
}

/** @param {{ frames: readonly { hash: string, t_s: number }[] }} props */
function Pictures({ frames }) {
  return html`<div class="pictures">
    ${frames.map(
      ({ hash, t_s }) =>
        html`<img key=${hash} src=${`${frameUrl(hash)}?width=320`} alt=${`Frame at ${clock(t_s)}`} loading="lazy" width="160" />`,
    )}
  </div>`;
}

/** @param {{ text: string }} props */
function Text({ text }) {
  const [all, setAll] = useState(false);
  const isLong = text.length > SHORT * 1.2;
  return html`<pre>${isLong && !all ? `${text.slice(0, SHORT)}…` : text}</pre>
    ${
      isLong &&
      !all &&
      html`<button type="button" class="quiet" onClick=${() => setAll(true)}>
        Show all ${text.length.toLocaleString("en")} characters
      </button>`
    }`;
}

import { announce } from "./announce.js";
import { dropSubtitles, getSubtitles, putSubtitles } from "./api.js";
import { count } from "./format.js";
import { html, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { errorMessage } from "./request.js";
import { useFetched } from "./use-fetched.js";
import { withCode } from "./with-code.js";

/**
 * The uploaded subtitles of a video, which a person can add, replace and remove.
 * @param {{ video: string }} props
 */
export function SubtitlesField({ video }) {
  const { value, again } = useFetched(() => getSubtitles(video), [video]);
  const [problem, setProblem] = useState("");
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const trying = async (/** @type {() => Promise<unknown>} */ work, /** @type {string} */ done) => {
    setProblem("");
    try {
      await work();
      announce(done);
    } catch (error) {
      setProblem(errorMessage(error));
    }
    again();
  };
  const upload = () => {
    const file = input.current?.files?.[0];
    if (input.current !== null) input.current.value = "";
    if (file !== undefined) trying(() => putSubtitles(video, file), "Subtitles stored.");
  };
  if (value === null) return null;
  const { uploaded, cues } = value;
  return html`<div class="subtitles-field">
    <span class="soft">
      <${Icon} name="subtitles" />
      ${!uploaded ? " Subtitles: those in the video, if any" : ` Subtitles: your file with ${count(cues, "line")}`}
    </span>
    <button type="button" class="quiet" onClick=${() => input.current?.click()}>
      ${!uploaded ? "Add a subtitle file" : "Replace"}
    </button>
    ${
      uploaded &&
      html`<button
        type="button"
        class="quiet"
        onClick=${() => trying(() => dropSubtitles(video), "Subtitles removed.")}
      >
        Remove
      </button>`
    }
    <input
      ref=${input}
      type="file"
      accept=".srt,.vtt,.ass,.ssa,.sbv"
      class="hidden"
      tabindex="-1"
      aria-label="Subtitle file"
      onChange=${upload}
    />
    ${problem !== "" && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
  </div>`;
}

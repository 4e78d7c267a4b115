/** @import { QuestionView, ServiceView, VideoView as Video } from "./types.d.ts" */
/** @import { PlayerHandle } from "./player.js" */
/** @import { Screen } from "./question-view.js" */

import { getVideo } from "./api.js";
import { AskForm } from "./ask-form.js";
import { changed } from "./changes.js";
import { clock } from "./clock.js";
import { FollowUp } from "./follow-up.js";
import { size } from "./format.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef } from "./html.js";
import { may } from "./may.js";
import { FailureNotice, NoModelNotice } from "./notices.js";
import { Player } from "./player.js";
import { QuestionView as Questions } from "./question-view.js";
import { pathTo } from "./routes.js";
import { onKeys } from "./shortcuts.js";
import { SubtitlesField } from "./subtitles-field.js";
import { Thread } from "./thread.js";
import { useFetched } from "./use-fetched.js";
import { VideoQuestions } from "./video-questions.js";
import { VideoTexts } from "./video-texts.js";

/**
 * A video with its player, and with it the form that asks about it, or one of its questions, or several to compare.
 * @param {{ service: ServiceView, id: string, questions: string[], at: number | null, words: string }} props
 *   `at`: the second to show first; `words`: what a search found there
 */
export function VideoView({ service, id, questions, at, words }) {
  const { value: video, problem, again } = useFetched(() => getVideo(id), [id]);
  useEffect(() => {
    if (video !== null) document.title = `${video.name} – video-rrd`;
  }, [video]);
  if (video !== null)
    return html`<div class="watching">
      <${Watching} service=${service} video=${video} questions=${questions} at=${at} words=${words} />
    </div>`;
  if (problem === null) return html`<p class="soft">Loading the video…</p>`;
  return html`<div class="narrow">
    <h1>This video cannot be shown</h1>
    <${FailureNotice} sentence=${problem} again=${again} />
    <p><a href="#/">All videos</a></p>
  </div>`;
}

/** @param {{ service: ServiceView, video: Video, questions: string[], at: number | null, words: string }} props */
function Watching({ service, video, questions, at, words }) {
  const asking = useRef(/** @type {(() => void) | null} */ (null));
  const screen = useScreen(video);
  const { seek } = screen;
  const go = (/** @type {QuestionView[]} */ made) => {
    changed(video.id);
    location.hash = pathTo(video.id, ...made.map(({ id }) => id));
  };
  useEffect(() => {
    if (at !== null) seek(at);
  }, [at]);
  const root = useRef(/** @type {HTMLDivElement | null} */ (null));
  const wantsToAsk = useRef(false);
  const isAsking = questions.length === 0;
  const shown = questions.join(" ");
  const before = useRef(shown);
  useLayoutEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (wantsToAsk.current) asking.current?.();
    else root.current?.focus({ preventScroll: true });
    wantsToAsk.current = false;
  }, [shown]);
  useEffect(() => {
    if (!isAsking) return;
    return onKeys({
      ...{ toggle: screen.toggle, skip: (seconds) => seek(screen.time() + seconds) },
      ...{ step: () => {}, act: () => {}, add: () => {}, reason: () => {} },
      ask: () => asking.current?.(),
    });
  }, [isAsking]);
  const ask = () => {
    wantsToAsk.current = true;
    location.hash = pathTo(video.id);
  };

  const mayAsk = may(service, "ask");
  const [only] = questions;
  const thread =
    questions.length === 1 &&
    html`<div key=${only} class="stack">
      <${Thread} video=${video.id} question=${only} />
      ${mayAsk && html`<${FollowUp} service=${service} video=${video.id} question=${only} asked=${go} />`}
    </div>`;
  const { name, duration_s, width, height } = video;
  return html`<div class="turned" tabindex="-1" ref=${root}>
    ${
      isAsking
        ? html`<div class="columns">
            <div class="video-column">
              <header class="video-head">
                <h1 tabindex="-1">${name}</h1>
                <p class="soft">
                  ${clock(duration_s)}${width !== null && ` · ${width} × ${height}`} · ${size(video.size)}
                </p>
              </header>
              ${screen.player}
              <${VideoTexts} video=${video} at=${at} words=${words} screen=${screen} />
              <${SubtitlesField} video=${video.id} />
            </div>
            <div class="side-column">
              <${NoModelNotice} service=${service} />
              <${AskForm} service=${service} video=${video.id} asked=${go} focus=${asking} />
              <${VideoQuestions} video=${video.id} />
            </div>
          </div>`
        : html`<${Questions} video=${video} ids=${questions} screen=${screen} ask=${ask} mayAsk=${mayAsk} thread=${thread} />`
    }
  </div>`;
}

/**
 * The player of a video, and what the views around it do with it. It keeps its second when another view shows it.
 * @param {Video} video
 * @returns {Screen}
 */
function useScreen(video) {
  return useMemo(() => {
    /** @type {{ current: PlayerHandle | null }} */
    const handle = { current: null };
    /** @type {Set<(seconds: number) => void>} */
    const watchers = new Set();
    let now = 0;
    const onTime = (/** @type {number} */ seconds) => {
      now = seconds;
      for (const watcher of watchers) watcher(seconds);
    };
    return {
      player: html`<${Player} video=${video} handle=${handle} onTime=${onTime} />`,
      seek: (seconds) => handle.current?.seek(seconds),
      time: () => handle.current?.time() ?? now,
      toggle: () => handle.current?.toggle(),
      watch: (watcher) => {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
    };
  }, [video.id]);
}

/** @import { QuestionView, ServiceView, VideoView as Video } from "./types.d.ts" */
/** @import { PlayerHandle } from "./player.js" */
/** @import { Marked } from "./timeline.js" */

import { getVideo } from "./api.js";
import { AskForm } from "./ask-form.js";
import { clock } from "./clock.js";
import { size } from "./format.js";
import { Host, html, useEffect, useLayoutEffect, useMemo, useRef } from "./html.js";
import { FailureNotice, NoModelNotice } from "./notices.js";
import { Player } from "./player.js";
import { questionPane } from "./question-pane.js";
import { pathTo } from "./routes.js";
import { onKeys } from "./shortcuts.js";
import { changed } from "./tabs.js";
import { timeline } from "./timeline.js";
import { useFetched } from "./use-fetched.js";
import { ComparisonPicker, VideoQuestions } from "./video-questions.js";

/**
 * A video with its player and timeline, and next to it no question, one question, or two side by side.
 * @param {{ service: ServiceView, id: string, questions: string[], at: number | null }} props
 *   `at`: the second to show first
 */
export function VideoView({ service, id, questions, at }) {
  const { value: video, problem, again } = useFetched(() => getVideo(id), [id]);
  useEffect(() => {
    if (video !== null) document.title = `${video.name} – video-rrd`;
  }, [video]);
  if (video !== null)
    return html`<div class="watching">
      <${Watching} service=${service} video=${video} questions=${questions} at=${at} />
    </div>`;
  if (problem === null) return html`<p class="soft">Loading the video…</p>`;
  return html`<div class="narrow">
    <h1>This video cannot be shown</h1>
    <${FailureNotice} sentence=${problem} again=${again} />
    <p><a href="#/">All videos</a></p>
  </div>`;
}

/** @param {{ service: ServiceView, video: Video, questions: string[], at: number | null }} props */
function Watching({ service, video, questions, at }) {
  const player = useRef(/** @type {PlayerHandle | null} */ (null));
  const asking = useRef(/** @type {(() => void) | null} */ (null));
  const side = useRef(/** @type {HTMLElement | null} */ (null));
  const seek = (/** @type {number} */ seconds) => player.current?.seek(seconds);
  const go = (/** @type {QuestionView[]} */ made) => {
    changed(video.id);
    location.hash = pathTo(video.id, ...made.map(({ id }) => id));
  };
  const { line, panes } = usePanes(video, questions, {
    seek,
    time: () => player.current?.time() ?? 0,
    go,
  });

  useEffect(() => {
    if (at !== null) seek(at);
  }, [at]);
  const wantsToAsk = useRef(false);
  const shown = questions.join(" ");
  const before = useRef(shown);
  useLayoutEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (wantsToAsk.current) asking.current?.();
    else {
      side.current?.focus({ preventScroll: true });
      side.current?.scrollIntoView({ block: "start" });
    }
    wantsToAsk.current = false;
  }, [shown]);
  useEffect(() => {
    const choose = (/** @type {number} */ by) => {
      const cards = panes.flatMap((pane) => pane.evidence.cards().map((card) => ({ pane, card })));
      const place = cards.findIndex(({ card }) => card.node.classList.contains("chosen"));
      const next = cards[place < 0 ? 0 : Math.min(cards.length - 1, Math.max(0, place + by))];
      next?.pane.choose(next.card.item);
      next?.card.node.focus();
    };
    return onKeys({
      toggle: () => player.current?.toggle(),
      skip: (seconds) => seek((player.current?.time() ?? 0) + seconds),
      step: choose,
      act: (action) => {
        const card = side.current?.querySelector("li.card.chosen");
        /** @type {HTMLElement | null} */ (card?.querySelector(`[data-action=${action}]`))?.click();
      },
      add: () => panes[0]?.evidence.write(),
      reason: () => panes[0]?.reason(),
      ask: () => {
        wantsToAsk.current = asking.current === null;
        if (asking.current === null) location.hash = pathTo(video.id);
        else asking.current();
      },
    });
  }, [panes]);

  const { name, duration_s, width, height } = video;
  return html`<div class=${panes.length === 2 ? "columns two" : "columns"}>
    <div class="video-column">
      <header class="video-head">
        <h1 tabindex="-1">${name}</h1>
        <p class="soft">
          ${clock(duration_s)}${width !== null && ` · ${width} × ${height}`} · ${size(video.size)}
        </p>
      </header>
      <${Player} video=${video} handle=${player} onTime=${line.at} />
      <${Host} node=${line.node} />
    </div>
    <div class="side-column" tabindex="-1" ref=${side}>
      ${
        panes.length === 0
          ? html`<${NoModelNotice} service=${service} />
              <${AskForm} service=${service} video=${video.id} asked=${go} focus=${asking} />
              <${VideoQuestions} video=${video.id} />`
          : html`<nav class="question-nav" aria-label="Questions">
                <a href=${pathTo(video.id)}>← Ask another, all questions</a>
                <${ComparisonPicker} video=${video.id} shown=${questions} />
              </nav>
              <div class="panes">
                ${panes.map((pane) => html`<${Host} key=${pane.id} node=${pane.node} close=${pane.close} />`)}
              </div>`
      }
    </div>
  </div>`;
}

/**
 * The timeline of a video, and a pane for each question, whose evidence is marked on it.
 * @param {Video} video
 * @param {string[]} questions
 * @param {{ seek: (seconds: number) => void, time: () => number, go: (made: QuestionView[]) => void }} on
 */
function usePanes(video, questions, { seek, time, go }) {
  const state = useRef({
    panes: /** @type {ReturnType<typeof questionPane>[]} */ ([]),
    marks: /** @type {Map<string, readonly Marked[]>} */ (new Map()),
  });
  const line = useMemo(() => {
    const made = timeline(video.duration_s, {
      seek,
      choose: (item) => {
        seek(item.start_s);
        const { panes, marks } = state.current;
        for (const pane of panes)
          if (marks.get(pane.id)?.some(({ id }) => id === item.id)) pane.choose(item);
      },
    });
    made.show([]);
    return made;
  }, [video.id]);
  const panes = useMemo(() => {
    const marks = new Map();
    const made = questions.map((one) =>
      questionPane(one, {
        seek,
        time,
        point: line.point,
        asked: (question) => go([question]),
        marks: (items) => {
          marks.set(one, items);
          showMarks();
        },
      }),
    );
    const showMarks = () => {
      if (state.current.marks === marks)
        line.show(together(made.map(({ id }) => marks.get(id) ?? [])));
    };
    state.current = { panes: made, marks };
    line.show([]);
    return made;
  }, [questions.join(" ")]);
  return { line, panes };
}

/**
 * The marks of one question, or of two: evidence of both appears once, with both names.
 * @param {(readonly Marked[])[]} lists
 */
function together(lists) {
  if (lists.length < 2) return lists.flat();
  /** @type {Map<string, Marked>} */
  const all = new Map();
  for (const [place, list] of lists.entries())
    for (const item of list) {
      const name = `${"AB"[place]} ${item.name ?? ""}`;
      const there = all.get(item.id);
      all.set(item.id, {
        ...item,
        name: there === undefined ? name : `${there.name}, ${name}`,
        cited: item.cited || there?.cited,
      });
    }
  return [...all.values()];
}

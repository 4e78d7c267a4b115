/** @import { ServiceView } from "./types.d.ts" */
/** @import { Route } from "./routes.js" */
import { getService } from "./api.js";
import { watchConnection } from "./connection.js";
import { keyboardHelp, signIn } from "./dialogs.js";
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { may } from "./may.js";
import { FailureNotice } from "./notices.js";
import { QuestionsView } from "./questions-view.js";
import { QueueView } from "./queue-view.js";
import { ReportsView } from "./reports-view.js";
import { onSignInNeeded } from "./request.js";
import { readRoute } from "./routes.js";
import { isForOther, KEYS, keysOn, turnKeys } from "./shortcuts.js";
import { StudyView } from "./study-view.js";
import { TeamView } from "./team-view.js";
import { TopBar } from "./top-bar.js";
import { UsageView } from "./usage-view.js";
import { useFetched } from "./use-fetched.js";
import { VideoView } from "./video-view.js";
import { VideosView } from "./videos-view.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const bar = /** @type {HTMLElement} */ (document.querySelector("header.bar"));

function App() {
  const { value: service, problem, again } = useFetched(getService, []);
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const turn = () => {
      window.scrollTo({ top: 0, behavior: "instant" });
      setRoute(readRoute(location.hash));
    };
    window.addEventListener("hashchange", turn);
    return () => window.removeEventListener("hashchange", turn);
  }, []);
  const shown = viewKey(route);
  const first = useRef(true);
  useLayoutEffect(() => {
    document.title = "video-rrd";
    if (!first.current) main.focus({ preventScroll: true });
    first.current = false;
  }, [shown]);
  useLayoutEffect(() => {
    render(html`<${TopBar} service=${service} route=${route} help=${help} />`, bar);
    showCurrent(bar.querySelector("nav"));
  }, [service, route]);

  if (service !== null)
    return html`<${View} key=${shown} service=${service} route=${route} refresh=${again} />`;
  if (problem === null) return html`<p class="soft">Loading…</p>`;
  return html`<div class="narrow">
    <h1>The service does not respond yet</h1>
    <${FailureNotice} sentence=${problem} again=${again} />
  </div>`;
}

/**
 * Two routes with the same key are shown by the same view, which keeps its state.
 * @param {Route} route
 */
function viewKey(route) {
  return "video" in route ? `video ${route.video}` : route.view;
}

/** @param {{ service: ServiceView, route: Route, refresh: () => void }} props */
function View({ service, route, refresh }) {
  switch (route.view) {
    case "review":
      return html`<${QueueView} service=${service} />`;
    case "study":
      return html`<${StudyView} service=${service} />`;
    case "usage":
      return html`<${UsageView} service=${service} />`;
    case "team":
      return html`<${TeamView} service=${service} />`;
    case "videos":
      // Whoever only reviews has no videos.
      if (!may(service, "ask")) return html`<${QueueView} service=${service} />`;
      return html`<${VideosView} service=${service} query=${route.query} refresh=${refresh} />`;
    case "questions":
      return html`<${QuestionsView} service=${service} query=${route.query} />`;
    case "reports":
      return html`<${ReportsView} />`;
    case "nowhere":
      return html`<div class="narrow">
        <h1>Page not found</h1>
        <p><a href="#/">All videos</a></p>
      </div>`;
    default: {
      const questions = route.view === "question" ? route.questions : [];
      const words = route.view === "video" ? route.words : "";
      return html`<${VideoView} service=${service} id=${route.video} questions=${questions} at=${route.at} words=${words} />`;
    }
  }
}

/**
 * On a phone the names of the views may be wider than the window. Moves only the navigation, never the page.
 * @param {HTMLElement | null} nav
 */
function showCurrent(nav) {
  const link = nav?.querySelector("[aria-current]");
  if (nav === null || !(link instanceof HTMLElement)) return;
  nav.scrollLeft = link.offsetLeft + link.offsetWidth - nav.offsetLeft - nav.clientWidth;
}

function help() {
  keyboardHelp(KEYS, keysOn(), turnKeys);
}

history.scrollRestoration = "manual";
onSignInNeeded(signIn);
watchConnection((state) => {
  const banner = document.getElementById("connection");
  if (banner === null) return;
  banner.textContent = state === "lost" ? "Connection lost. Reconnecting; no data is lost." : "";
  banner.classList.toggle("lost", state === "lost");
});
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !isForOther(event)) help();
});
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
for (const name of ["dragover", "drop"])
  window.addEventListener(name, (event) => event.preventDefault());
main.replaceChildren();
bar.replaceChildren();
render(html`<${App} />`, main);

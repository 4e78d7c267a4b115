/** @import { Part, ServiceView } from "./types.d.ts" */
/** @import { Route } from "./routes.js" */
import { signOut as endSession, getService } from "./api.js";
import { watchConnection } from "./connection.js";
import { keyboardHelp, signIn } from "./dialogs.js";
import { button, el, fill } from "./dom.js";
import { html, mounted } from "./html.js";
import { failure } from "./notices.js";
import { ReportsView } from "./reports-view.js";
import { errorMessage, onSignInNeeded } from "./request.js";
import { readRoute } from "./routes.js";
import { isForOther, KEYS, keysOn, turnKeys } from "./shortcuts.js";
import { videoView } from "./video-view.js";
import { videosView } from "./videos-view.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const banner = /** @type {HTMLElement} */ (document.getElementById("connection"));

/** @type {(Part & { video?: string, turn?: (questions: string[]) => void }) | null} */
let shown = null;

/** @param {ServiceView} service */
function turn(service) {
  const route = readRoute(location.hash);
  const first = shown === null;
  if ((route.view === "video" || route.view === "question") && shown?.video === route.video) {
    shown.turn?.(route.view === "video" ? [] : route.questions);
    return;
  }
  shown?.close?.();
  document.title = "video-rrd";
  shown = viewOf(route, service);
  fill(main, shown.node);
  for (const link of document.querySelectorAll("header nav a")) {
    const here =
      readRoute(new URL(/** @type {HTMLAnchorElement} */ (link).href).hash).view === route.view;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!first) main.focus();
}

/**
 * @param {Route} route
 * @param {ServiceView} service
 * @returns {NonNullable<typeof shown>}
 */
function viewOf(route, service) {
  switch (route.view) {
    case "videos":
      return videosView(service);
    case "reports":
      return mounted(html`<${ReportsView} />`);
    case "nowhere":
      return {
        node: el(
          "div",
          { class: "narrow" },
          el("h1", {}, "Page not found"),
          el("p", {}, el("a", { href: "#/" }, "All videos")),
        ),
      };
    default: {
      const view = videoView(service, route.video);
      view.turn(route.view === "video" ? [] : route.questions);
      return { ...view, video: route.video };
    }
  }
}

/** @param {ServiceView} service */
function showService({ models, reports, token }) {
  const place = document.getElementById("model");
  if (place !== null) place.textContent = models.model ?? "no language model";
  const link = document.getElementById("to-reports");
  if (link !== null) link.hidden = !reports;
  if (token && document.getElementById("leave") === null)
    document
      .querySelector("header")
      ?.append(button("Sign out", signOut, { class: "quiet", id: "leave" }));
}

async function signOut() {
  await endSession().catch(() => {});
  location.reload();
}

function help() {
  keyboardHelp(KEYS, keysOn(), turnKeys);
}

async function start() {
  try {
    const service = await getService();
    showService(service);
    turn(service);
    window.addEventListener("hashchange", () => turn(service));
  } catch (error) {
    fill(
      main,
      el("h1", {}, "The service does not respond yet"),
      failure(errorMessage(error), start),
    );
  }
}

onSignInNeeded(signIn);
watchConnection((state) => {
  banner.textContent = state === "lost" ? "Connection lost. Reconnecting; no data is lost." : "";
  banner.classList.toggle("lost", state === "lost");
});
document.getElementById("help")?.addEventListener("click", help);
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !isForOther(event)) help();
});
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
for (const name of ["dragover", "drop"])
  window.addEventListener(name, (event) => event.preventDefault());
start();

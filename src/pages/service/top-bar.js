/** @import { ServiceView } from "./types.d.ts" */
/** @import { Route } from "./routes.js" */
import { signOut } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { may } from "./may.js";

const BRAND = new URL("./icon.svg", import.meta.url).pathname;

/**
 * The header of the page.
 * @param {{ service: ServiceView | null, route: Route, help: () => void }} props
 */
export function TopBar({ service, route, help }) {
  const link = (
    /** @type {string} */ href,
    /** @type {string} */ view,
    /** @type {string} */ label,
  ) => html`<a href=${href} aria-current=${route.view === view ? "page" : undefined}>${label}</a>`;
  return html`
    <a class="brand" href="#/"><img src=${BRAND} alt="" width="28" height="28" /><span class="brand-name">video-rrd</span></a>
    <nav aria-label="Main">
      ${(service === null || may(service, "ask")) && html`${link("#/", "videos", "Videos")} ${link("#/questions", "questions", "Questions")}`}
      ${link("#/review", "review", "Review")}
      ${service?.human_study && may(service, "review") && link("#/study", "study", "Study")}
      ${link("#/usage", "usage", "Usage")}
      ${service?.caller != null && service.token && may(service, "operate") && link("#/team", "team", "Team")}
      ${service?.reports && link("#/reports", "reports", "Reports")}
      <a href="/docs">API</a>
    </nav>
    <span class="model soft" id="model">
      ${service === null ? "" : (service.models.model ?? "no language model")}
    </span>
    <button type="button" class="quiet" id="help" aria-haspopup="dialog" onClick=${help}>
      <${Icon} name="keyboard" /> <span class="word">Keyboard</span>
    </button>
    ${
      service?.token &&
      html`<button type="button" class="quiet" id="leave" onClick=${leave}>
        <${Icon} name="leave" /> <span class="word">Sign out</span>
      </button>`
    }
  `;
}

async function leave() {
  await signOut().catch(() => {});
  location.reload();
}

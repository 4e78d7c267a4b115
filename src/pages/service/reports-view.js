/** @import { Part, ReportView } from "./types.d.ts" */
import { errorMessage, get } from "./api.js";
import { el, fill } from "./dom.js";
import { day, size } from "./format.js";
import { failure } from "./notices.js";

/**
 * Reports of evaluations in the service's folder of reports.
 * @returns {Part}
 */
export function reportsView() {
  const list = el("div", {}, el("p", { class: "soft" }, "Loading the reports…"));
  const load = async () => {
    try {
      const { reports } = await /** @type {Promise<{ reports: ReportView[] }>} */ (
        get("/api/reports")
      );
      fill(
        list,
        reports.length === 0
          ? el(
              "p",
              { class: "soft nothing" },
              "No report yet. ",
              el("code", {}, "video-rrd report RUNS -o reports/NAME.html"),
              " writes one into the folder that the service was started with.",
            )
          : el(
              "ul",
              { class: "reports" },
              reports.map(({ name, size: bytes, modified_at }) =>
                el(
                  "li",
                  {},
                  el(
                    "a",
                    {
                      href: `/reports/${encodeURIComponent(name)}`,
                      target: "_blank",
                      rel: "noopener",
                    },
                    name,
                  ),
                  el("span", { class: "soft" }, ` ${size(bytes)} · ${day(modified_at)}`),
                ),
              ),
            ),
      );
    } catch (error) {
      fill(list, failure(errorMessage(error), load));
    }
  };
  load();
  return {
    node: el("div", { class: "narrow" }, el("h1", { tabindex: "-1" }, "Evaluation reports"), list),
  };
}

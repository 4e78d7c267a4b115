/**
 * The view of the page, stored in the address so that reload, history and a second tab show the same view:
 * `#/`, `#/v/VIDEO`, `#/v/VIDEO/q/QUESTION`, `#/v/VIDEO/q/QUESTION/vs/OTHER`, `#/reports`.
 *
 * @typedef {{ view: "videos" } | { view: "reports" } | { view: "nowhere" }
 *   | { view: "video", video: string }
 *   | { view: "question", video: string, questions: string[] }} Route
 */

/**
 * @param {string} hash
 * @returns {Route}
 */
export function readRoute(hash) {
  const parts = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decoded);
  const [first = "", video = "", q, question = "", vs, other = ""] = parts;
  if (first === "" && parts.length === 1) return { view: "videos" };
  if (first === "reports" && parts.length === 1) return { view: "reports" };
  if (first !== "v" || video === "") return { view: "nowhere" };
  if (parts.length === 2) return { view: "video", video };
  if (q !== "q" || question === "") return { view: "nowhere" };
  if (parts.length === 4) return { view: "question", video, questions: [question] };
  if (parts.length === 6 && vs === "vs" && other !== "")
    return { view: "question", video, questions: [question, other] };
  return { view: "nowhere" };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * @param {string} video
 * @param {...string} questions one, or two to be seen side by side
 */
export function pathTo(video, ...questions) {
  const [question, other] = questions.map(encodeURIComponent);
  const place = `#/v/${encodeURIComponent(video)}`;
  if (question === undefined) return place;
  return other === undefined ? `${place}/q/${question}` : `${place}/q/${question}/vs/${other}`;
}

/**
 * The view of the page, stored in the address so that reload, history and a second tab show the same view:
 * `#/?q=WORDS&tag=TAG&sort=SORT`, `#/questions?state=...`, `#/v/VIDEO?t=SECONDS&q=WORDS`, `#/v/VIDEO/q/QUESTION`,
 * `#/v/VIDEO/q/QUESTION/vs/OTHER/...`, `#/review`, `#/study`, `#/usage`, `#/team`, `#/reports`.
 *
 * @typedef {{ view: "videos", query: Record<string, string> } | { view: "questions", query: Record<string, string> }
 *   | { view: "review" } | { view: "study" } | { view: "usage" } | { view: "team" } | { view: "reports" } | { view: "nowhere" }
 *   | { view: "video", video: string, at: number | null, words: string }
 *   | { view: "question", video: string, questions: string[], at: number | null }} Route
 */

/**
 * @param {string} hash
 * @returns {Route}
 */
export function readRoute(hash) {
  const [path = "", search = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const query = Object.fromEntries(new URLSearchParams(search));
  const parts = path.split("/").map(decoded);
  const [first = "", video = "", q, question = "", vs, ...others] = parts;
  if (first === "" && parts.length === 1) return { view: "videos", query };
  if (first === "questions" && parts.length === 1) return { view: "questions", query };
  if (isSimple(first) && parts.length === 1) return { view: first };
  if (first !== "v" || video === "") return { view: "nowhere" };
  const at = secondOf(query.t);
  if (parts.length === 2) return { view: "video", video, at, words: query.q ?? "" };
  if (q !== "q" || question === "") return { view: "nowhere" };
  if (parts.length === 4) return { view: "question", video, questions: [question], at };
  if (vs === "vs" && others.length > 0 && !others.includes(""))
    return { view: "question", video, questions: [question, ...others], at };
  return { view: "nowhere" };
}

/**
 * @param {string} name
 * @returns {name is "review" | "study" | "usage" | "team" | "reports"}
 */
function isSimple(name) {
  return ["review", "study", "usage", "team", "reports"].includes(name);
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {string | undefined} text */
function secondOf(text) {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

/**
 * @param {string} video
 * @param {...string} questions one, or several to compare
 */
export function pathTo(video, ...questions) {
  const [question, ...others] = questions.map(encodeURIComponent);
  const place = `#/v/${encodeURIComponent(video)}`;
  if (question === undefined) return place;
  return `${place}/q/${question}${others.length === 0 ? "" : `/vs/${others.join("/")}`}`;
}

/**
 * The address of a second of a video.
 * @param {string} video
 * @param {number} seconds
 * @param {string} [words] that were found there
 */
export function pathToSecond(video, seconds, words = "") {
  const query = new URLSearchParams({ t: String(Math.round(seconds * 100) / 100) });
  if (words !== "") query.set("q", words);
  return `${pathTo(video)}?${query}`;
}

/**
 * The address of a list with its filters; empty ones are left out.
 * @param {"" | "questions"} list
 * @param {Record<string, string>} query
 */
export function pathToList(list, query) {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(given).toString();
  return `#/${list}${search === "" ? "" : `?${search}`}`;
}

/** @import { BulkAsked, EstimateView, EvidenceList, KeyView, ListedQuestion, NextReview, QuestionView, RatingList, ReportView, Review, SearchHit, ServiceView, StudyNext, SubtitlesView, TagView, Trace, UploadView, UsageView, VideoText, VideoView } from "./types.d.ts" */
/** @import { Words } from "./words-form.js" */
import { call, get, SESSION, send } from "./request.js";

/* One function for each thing that the service has. No other file of the page knows a path of the API. */

const BASE = "/api/v1";

/**
 * One page of a list. `next` is the cursor of the page after it, null at the end; `total` counts all pages.
 * @template Item
 * @typedef {{ items: Item[], next: string | null, total: number }} List
 */
/** @typedef {Record<string, string | number | undefined>} ListQuery what a list takes: limit, cursor, sort, order, filters */

/** @param {string} path @param {ListQuery} query */
function withQuery(path, query) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** @param {...string} parts */
function at(...parts) {
  return [BASE, ...parts.map(encodeURIComponent)].join("/");
}

/** @returns {Promise<ServiceView>} */
export function getService() {
  return get(at("service"));
}

/** @param {string} token @returns {Promise<unknown>} */
export function signInWith(token) {
  return call("POST", SESSION, { token });
}

/** @returns {Promise<unknown>} */
export function signOut() {
  return call("DELETE", SESSION);
}

/** @param {ListQuery} [query] also q, tag @returns {Promise<List<VideoView>>} the newest first, unless `query` says otherwise */
export function listVideos(query = {}) {
  return get(withQuery(at("videos"), query));
}

/** @returns {Promise<List<TagView>>} */
export function listTags() {
  return get(at("tags"));
}

/** @param {string} id @param {{ name?: string, tags?: string[] }} change @returns {Promise<VideoView>} */
export function editVideo(id, change) {
  return call("PATCH", at("videos", id), change);
}

/** @param {string[]} ids @returns {Promise<{ deleted: string[], missing: string[] }>} */
export function deleteVideos(ids) {
  return call("POST", at("videos", "bulk-delete"), { ids });
}

/** @param {string} id @returns {Promise<VideoView>} */
export function getVideo(id) {
  return get(at("videos", id));
}

/** @param {string} id @returns {Promise<unknown>} */
export function deleteVideo(id) {
  return call("DELETE", at("videos", id));
}

/** @param {string} id */
export function mediaUrl(id) {
  return at("videos", id, "media");
}

/** @param {string} id @param {number} t_s */
export function thumbnailUrl(id, t_s) {
  return `${at("videos", id, "thumbnail")}?t_s=${t_s.toFixed(2)}`;
}

/** @param {string} hash */
export function frameUrl(hash) {
  return at("frames", hash);
}

/** @param {{ name: string, size: number }} file @returns {Promise<UploadView>} */
export function beginUpload(file) {
  return call("POST", at("uploads"), file);
}

/** @param {string} id @returns {Promise<UploadView>} */
export function getUpload(id) {
  return get(at("uploads", id));
}

/**
 * Sends the bytes from `offset` on.
 * @param {UploadView} upload
 * @param {Blob} bytes
 * @param {AbortSignal} signal
 * @returns {Promise<UploadView>}
 */
export function sendUploadPart({ id, offset, size }, bytes, signal) {
  const headers = {
    "content-type": "application/octet-stream",
    "content-range": `bytes ${offset}-${offset + bytes.size - 1}/${size}`,
  };
  return send("PATCH", at("uploads", id), bytes, headers, signal);
}

/** @param {string} id @returns {Promise<unknown>} */
export function deleteUpload(id) {
  return call("DELETE", at("uploads", id));
}

/**
 * Questions about all videos, the newest first.
 * @param {ListQuery} [query] also video, state, verdict, strategy, model, q, since, until
 * @returns {Promise<List<ListedQuestion>>}
 */
export function listQuestions(query = {}) {
  return get(withQuery(at("questions"), query));
}

/**
 * Asks, or with `dry_run` checks, the questions of a CSV or JSON Lines file.
 * @param {File} table @param {ListQuery} query also partial @returns {Promise<BulkAsked>}
 */
export function askTable(table, query) {
  const type = /\.csv$/i.test(table.name) ? "text/csv" : "application/x-ndjson";
  return send("POST", withQuery(at("questions", "bulk"), query), table, { "content-type": type });
}

/** @param {ListQuery} query `as`, and the filters of the questions */
export function exportQuestionsUrl(query) {
  return withQuery(at("export"), query);
}

/**
 * Moments whose words match, the best first.
 * @param {ListQuery} query `q` and `kinds`, separated by commas
 * @returns {Promise<List<SearchHit>>}
 */
export function searchLibrary(query) {
  return get(withQuery(at("search"), query));
}

/**
 * What is said, written and seen in a video, in order of time.
 * @param {string} video @param {ListQuery} query from_s, to_s, q @returns {Promise<List<VideoText>>}
 */
export function listTexts(video, query) {
  return get(withQuery(at("videos", video, "texts"), query));
}

/** @param {string} id @returns {Promise<QuestionView>} */
export function getQuestion(id) {
  return get(at("questions", id));
}

/** @param {string} video @param {Record<string, unknown>} question @param {string} key @returns {Promise<QuestionView>} */
export function ask(video, question, key) {
  return call("POST", at("videos", video, "questions"), question, { "idempotency-key": key });
}

/** @param {string} video @param {Record<string, unknown>} question task and settings @returns {Promise<EstimateView>} */
export function estimateQuestion(video, question) {
  return call("POST", at("videos", video, "estimate"), question);
}

/** @param {string} video @returns {Promise<SubtitlesView>} */
export function getSubtitles(video) {
  return get(at("videos", video, "subtitles"));
}

/** @param {string} video @param {File} file @returns {Promise<SubtitlesView>} */
export function putSubtitles(video, file) {
  const headers = {
    "content-type": "application/octet-stream",
    "x-file-name": encodeURIComponent(file.name),
  };
  return send("PUT", at("videos", video, "subtitles"), file, headers);
}

/** @param {string} video @returns {Promise<unknown>} */
export function dropSubtitles(video) {
  return call("DELETE", at("videos", video, "subtitles"));
}

/** @param {string} id @returns {Promise<unknown>} */
export function cancelQuestion(id) {
  return call("POST", at("questions", id, "cancel"));
}

/** @param {string} id @param {string} key @returns {Promise<QuestionView>} the new question */
export function reasonAgain(id, key) {
  return call("POST", at("questions", id, "reason-again"), undefined, { "idempotency-key": key });
}

/** @param {string} id @param {number} after the number of the last event that is known */
export function eventsUrl(id, after) {
  return `${at("questions", id, "events")}?after=${after}`;
}

/** A stream that tells what changes. */
export function changesUrl() {
  return at("changes");
}

/** @param {string} question @returns {Promise<Trace>} */
export function getTrace(question) {
  return get(at("questions", question, "trace"));
}

/** @param {string} question @returns {Promise<EvidenceList>} */
export function getEvidence(question) {
  return get(at("questions", question, "evidence"));
}

/*
 * Each edit names the set that the person saw, and returns the new one. The service refuses an edit of a set that is no
 * longer the current one: 412, kind `changed`, with the current list in `current`. Without a set, any is edited.
 */

/** @param {string | undefined} version */
function ifMatch(version) {
  return { "if-match": version === undefined ? "*" : `"${version}"` };
}

/** @param {string} question @param {string | undefined} set @param {Words & { kind: string }} item @returns {Promise<EvidenceList>} */
export function addEvidence(question, set, item) {
  return call("POST", at("questions", question, "evidence"), item, ifMatch(set));
}

/**
 * Also restores a rejected item, with the words if there are any.
 * @param {string} question
 * @param {string | undefined} set
 * @param {string} id
 * @param {Partial<Words>} words
 * @returns {Promise<EvidenceList>}
 */
export function editEvidence(question, set, id, words) {
  return call("PATCH", at("questions", question, "evidence", id), words, ifMatch(set));
}

/** @param {string} question @param {string | undefined} set @param {string} id @returns {Promise<EvidenceList>} */
export function rejectEvidence(question, set, id) {
  return call("DELETE", at("questions", question, "evidence", id), undefined, ifMatch(set));
}

/**
 * @param {string} id
 * @param {Record<string, unknown>} review
 * @param {Review | null} [seen] the review that the person saw, null for none; another one is not overwritten (412, its
 *   `current` is the review of now). Left out: any is overwritten
 * @returns {Promise<QuestionView>}
 */
export function reviewQuestion(id, review, seen) {
  const version = seen === undefined ? undefined : (seen?.reviewed_at ?? "none");
  return call("PUT", at("questions", id, "review"), review, ifMatch(version));
}

/** @param {string} id @param {string} format */
export function exportUrl(id, format) {
  return `${at("questions", id, "export")}?as=${format}`;
}

/** @returns {Promise<List<ReportView>>} */
export function listReports() {
  return get(at("reports"));
}

/** @param {string} name */
export function reportUrl(name) {
  return `/reports/${encodeURIComponent(name)}`;
}

/** @param {ListQuery} query of, after, rater, blind @returns {Promise<NextReview>} */
export function nextReview(query) {
  return get(withQuery(at("reviews", "next"), query));
}

/** @param {string} question @param {Record<string, unknown>} rating @returns {Promise<RatingList>} the own one is the last */
export function rateAnswer(question, rating) {
  return call("POST", at("questions", question, "ratings"), rating);
}

/** @param {string} question @param {string} rating @param {string | undefined} rater @returns {Promise<RatingList>} */
export function undoRating(question, rating, rater) {
  return call("DELETE", withQuery(at("questions", question, "ratings", rating), { rater }));
}

/** @param {string | undefined} rater @returns {Promise<StudyNext>} */
export function nextStudyItem(rater) {
  return get(withQuery(at("human-study", "next"), { rater }));
}

/** @param {Record<string, unknown>} answer @returns {Promise<unknown>} */
export function answerStudy(answer) {
  return call("POST", at("human-study", "answers"), answer);
}

/** @param {ListQuery} query since, until, by @returns {Promise<UsageView>} */
export function getUsage(query) {
  return get(withQuery(at("usage"), query));
}

/** @returns {Promise<List<KeyView>>} */
export function listKeys() {
  return get(at("keys"));
}

/** @param {{ name: string, roles: string[], cost_a_day: number | null }} key @returns {Promise<KeyView & { secret: string }>} */
export function addKey(key) {
  return call("POST", at("keys"), key);
}

/** @param {string} name @returns {Promise<unknown>} */
export function removeKey(name) {
  return call("DELETE", at("keys", name));
}

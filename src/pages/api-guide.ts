/** One section of the introduction to the API. Its commands run in the order of the sections, in one shell. */
export interface GuideSection {
  title: string;
  text: string;
  /** For `sh`, with `curl` and `jq`. */
  commands: string;
}

/** `SERVICE` is the address of the service, `KEY` a key or token, and `lesson.mp4` a video. */
export const API_GUIDE: readonly GuideSection[] = [
  {
    title: "Authentication",
    text: "A service on loopback may need no key. Otherwise every request carries one. Browsers, which cannot send headers for pictures and players, exchange it for a cookie with POST /api/v1/session. A request without a valid key is answered with 401, and a request that the key's role does not allow with 403.",
    commands: `curl -sf -H "Authorization: Bearer $KEY" $SERVICE/api/v1/service | jq -r .version`,
  },
  {
    title: "Quick start",
    text: "Upload a video, ask, follow the events until the question has ended, and read the answer. What a request creates is named by the header Location.",
    commands: `VIDEO=$(curl -sf --data-binary @lesson.mp4 -H 'X-File-Name: lesson.mp4' -H "Authorization: Bearer $KEY" \\
  $SERVICE/api/v1/videos | jq -r .id)
QUESTION=$(curl -sf -H 'Content-Type: application/json' -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: $(date +%s%N)" -d '{"text":"What is x?","options":["3","4"]}' \\
  $SERVICE/api/v1/videos/$VIDEO/questions | jq -r .id)
curl -sfN -H "Authorization: Bearer $KEY" $SERVICE/api/v1/questions/$QUESTION/events | tail -n 3
curl -sf -H "Authorization: Bearer $KEY" $SERVICE/api/v1/questions/$QUESTION | jq -r .state`,
  },
  {
    title: "Send a request again",
    text: "With an Idempotency-Key, a POST request has its effect once: the same request with the same key gets the first response again for 24 hours, also after a restart. Another request with that key is refused with 422. Only successful responses are kept.",
    commands: `curl -sf -H 'Content-Type: application/json' -H "Authorization: Bearer $KEY" -H 'Idempotency-Key: lesson-1' \\
  -d '{"name":"lesson.mp4","size":1000}' $SERVICE/api/v1/uploads | jq -r .id
curl -sf -H 'Content-Type: application/json' -H "Authorization: Bearer $KEY" -H 'Idempotency-Key: lesson-1' \\
  -d '{"name":"lesson.mp4","size":1000}' $SERVICE/api/v1/uploads | jq -r .id`,
  },
  {
    title: "Lists",
    text: "Lists have items, the cursor next of the next page (null at the end), and the total of all pages. Pass limit (1 to 200), sort, order and the filters of the list; unknown parameters are refused. Items that are added or removed meanwhile neither repeat nor hide others.",
    commands: `curl -sf -H "Authorization: Bearer $KEY" "$SERVICE/api/v1/questions?video=$VIDEO&state=answered&limit=1" | jq -c '{total, next}'`,
  },
  {
    title: "Edits by several people",
    text: 'Edits of evidence and reviews name the version they are based on: If-Match with the ETag of the evidence, or with reviewed_at of the review in quotes ("none" without a review). If someone else was faster, the answer is 412, and current has the current state. If-Match: * overwrites any version; without If-Match, the answer is 428. GET requests with If-None-Match are answered with 304 if nothing changed.',
    commands: `curl -s -X PUT -H 'Content-Type: application/json' -H "Authorization: Bearer $KEY" -H 'If-Match: "none"' \\
  -d '{"verdict":"approved"}' $SERVICE/api/v1/questions/$QUESTION/review | jq -r .review.verdict
curl -s -X PUT -H 'Content-Type: application/json' -H "Authorization: Bearer $KEY" -H 'If-Match: "none"' \\
  -d '{"verdict":"approved"}' $SERVICE/api/v1/questions/$QUESTION/review | jq -r .kind`,
  },
  {
    title: "Errors",
    text: "Errors are problem documents (RFC 9457): kind names the reason for programs, detail says in one sentence what is wrong and what to do. Retry 429 and 503 after the seconds in Retry-After. Instants are RFC 3339 in UTC; times in a video are seconds (..._s).",
    commands: `curl -s -H "Authorization: Bearer $KEY" "$SERVICE/api/v1/videos?limit=0" | jq -r .detail`,
  },
];

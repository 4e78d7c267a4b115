import { boardsIn, type Observation, observe, platesIn, targetOf } from "./looking-answers.ts";
import { describeViews, partToDescribe, readEvidence } from "./looking-captions.ts";
import {
  type AskedQuestion,
  type Line,
  readLines,
  readQuestion,
  readViews,
  type View,
} from "./looking-request.ts";
import { COLOURS, FIGURES } from "./looking-scenes.ts";
import type { Reply, Script, SeenRequest } from "./model-server.ts";

/*
 * A scripted model that answers from what it is sent. It has one policy for every question, uses only the pixels and
 * words of a request, and keeps nothing between requests. It replaces a multimodal model with tools in tests; its
 * accuracy says nothing about that of a real model.
 */

type Call = { name: string; arguments: Record<string, unknown> };

/** Most frames that one turn asks for without a clue where to look. */
const FRAMES_PER_TURN = 8;
/** Most plates or frames that one turn looks at closely. */
const CLOSE_UPS_PER_TURN = 4;
/** How prompts state the budget. */
const FRAMES_LEFT = /may still be looked at: (\d+)/g;

export const lookingModel: Script = async (request) => {
  const asked = readQuestion(request);
  const views = await readViews(request);
  const lines = readLines(request);
  if (request.tools.length > 0) return toReply(request, await turn(request, asked, views, lines));
  const words = request.texts.join("\n");
  if (words.includes("Verdict:")) return verdict(words, asked, views, lines);
  if (partToDescribe(request) !== null) return describeViews(views);
  // The last request of a search has no tools.
  if (request.toolCalls.length > 0) return toText(await answerOrGuess(asked, views, lines));
  const evidence = readEvidence(words);
  if (evidence.lines.length > 0)
    return toText(await answerOrGuess(asked, evidence.views, evidence.lines));
  return answerDirectly(asked, views, possibleSubtitles(words));
};

/** One turn of a search: the answer if the evidence supports one, otherwise calls that may find it. */
async function turn(
  request: SeenRequest,
  asked: AskedQuestion,
  views: View[],
  lines: Line[],
): Promise<Call[]> {
  const has = (name: string) => request.tools.some((tool) => tool.name === name);
  const found = await observe(asked, views, lines);
  if (found !== null) return [answer(found)];
  const calls =
    has("answer") && request.tools.length === 1 ? [] : await nextCalls(request, asked, views);
  const offered = calls.filter((call) => has(call.name));
  if (offered.length > 0) return offered;
  return [answer(await answerOrGuess(asked, views, lines), 0.25)];
}

const ANSWER = "answer";

const answer = ({ letter, names }: Observation, confidence = 0.9): Call => ({
  name: ANSWER,
  arguments: { answer: letter, evidence: names, confidence },
});

/** The calls as a reply; a call of `answer` becomes text if that tool is not offered. */
function toReply(request: SeenRequest, calls: Call[]): Reply {
  const [first] = calls;
  if (first?.name !== ANSWER || request.tools.some(({ name }) => name === ANSWER))
    return { toolCalls: calls };
  const { answer: letter, evidence } = first.arguments as { answer: string; evidence: string[] };
  return { text: toText({ letter, names: evidence }) };
}

function toText({ letter, names }: Observation): string {
  const cited = [...new Set(names)].map((name) => `[${name}]`).join("");
  return `It was looked for ${cited}.\nAnswer: ${letter}`;
}

/** The option that the evidence supports, or a guess. */
async function answerOrGuess(
  asked: AskedQuestion,
  views: View[],
  lines: Line[],
): Promise<Observation> {
  const found = await observe(asked, views, lines);
  return found ?? { letter: guess(asked), names: lastNames(views, lines) };
}

/** A letter from a hash of the question's words, so that a guess is no better than chance. */
function guess({ question, options }: AskedQuestion): string {
  let sum = 0;
  for (const letter of question + options.map(({ text }) => text).join())
    sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return options[sum % Math.max(1, options.length)]?.letter ?? "A";
}

function lastNames(views: View[], lines: Line[]): string[] {
  const name = views.at(-1)?.name ?? lines.at(-1)?.name;
  return name == null ? [] : [name];
}

async function nextCalls(
  request: SeenRequest,
  asked: AskedQuestion,
  views: View[],
): Promise<Call[]> {
  const target = targetOf(asked);
  const made = request.toolCalls.map(({ name, arguments: given }) => JSON.stringify([name, given]));
  const fresh = (calls: Call[]) =>
    calls.filter((call) => !made.includes(JSON.stringify([call.name, call.arguments])));
  const used = (name: string) => request.toolCalls.some((call) => call.name === name);
  if (views.length === 0 && !used("overview") && target.kind !== "spoken") return OVERVIEW;
  switch (target.kind) {
    case "spoken": {
      const search = [
        asked.question,
        ...asked.options.map(({ text }) => `${target.about.join(" ")} ${text}`),
      ];
      const searches = fresh(
        search.map((query) => ({ name: "search_evidence", arguments: { query } })),
      );
      if (searches.length > 0) return searches;
      return fresh([{ name: "subtitles", arguments: { from_s: 0, to_s: lengthOf(request) } }]);
    }
    case "written": {
      const plates = await platesIn(views, target.small);
      const zoomCalls = plates
        .filter(({ view, text }) => view.part?.width === 1 && text === "")
        .map(({ view, place }) => ({
          name: "zoom",
          arguments: { at_s: view.at_s, box: around(place) },
        }));
      const zooms = fresh(zoomCalls).slice(0, CLOSE_UPS_PER_TURN);
      if (zooms.length > 0) return zooms;
      const search = asked.options.map(({ text }) => text).join(" ");
      return [
        ...fresh([{ name: "search_evidence", arguments: { query: search, kinds: ["text"] } }]),
        ...(used("overview") ? framesInGaps(request, views) : OVERVIEW),
      ];
    }
    case "difference": {
      const unclear = boardsIn(views).filter(({ dots }) => dots === null);
      const again = fresh(unclear.map(({ view }) => at(view.at_s)));
      if (again.length > 0) return again.slice(0, CLOSE_UPS_PER_TURN);
      return used("overview") ? framesInGaps(request, views) : OVERVIEW;
    }
    default: {
      const unclear = views.filter((view) =>
        view.detections.some(
          (detection) => detection.what === "figure" && detection.figure === null,
        ),
      );
      const again = fresh(unclear.map((view) => at(view.at_s)));
      if (again.length > 0) return again.slice(0, CLOSE_UPS_PER_TURN);
      return used("overview") ? framesInGaps(request, views) : OVERVIEW;
    }
  }
}

/** A second overview shows what the first did not. */
const OVERVIEW: Call[] = [{ name: "overview", arguments: {} }];

const at = (at_s: number): Call => ({
  name: "view_frames",
  arguments: { from_s: Math.max(0, at_s - 0.3), to_s: at_s + 0.3, count: 1 },
});

/** A part of the frame with a margin. */
function around({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  const left = Math.max(0, x - width * 0.2);
  const top = Math.max(0, y - height * 0.5);
  return {
    x: rounded(left),
    y: rounded(top),
    width: rounded(Math.min(1 - left, width * 1.4)),
    height: rounded(Math.min(1 - top, height * 2)),
  };
}

const rounded = (share: number) => Math.floor(share * 1000) / 1000;

/** Frames in the middle of the longest gaps between seen frames, within the budget. */
function framesInGaps(request: SeenRequest, views: View[]): Call[] {
  const left = framesLeft(request);
  const times = [0, ...views.map((view) => view.at_s), lengthOf(request)].sort((a, b) => a - b);
  const found: Call[] = [];
  for (let count = 0; count < Math.min(FRAMES_PER_TURN, left); count++) {
    let widest = 0;
    for (let gap = 1; gap + 1 < times.length; gap++)
      if (gapAt(times, gap) > gapAt(times, widest)) widest = gap;
    const middle = ((times[widest] ?? 0) + (times[widest + 1] ?? 0)) / 2;
    times.splice(widest + 1, 0, middle);
    found.push(at(Math.round(middle * 10) / 10));
  }
  return found;
}

const gapAt = (times: readonly number[], gap: number) => (times[gap + 1] ?? 0) - (times[gap] ?? 0);

/** The frames left, from the last text that states them. */
function framesLeft(request: SeenRequest): number {
  const counts = request.texts.flatMap((text) =>
    [...text.matchAll(FRAMES_LEFT)].map(([, count]) => Number(count)),
  );
  return counts.at(-1) ?? FRAMES_PER_TURN;
}

/** Length of the video in seconds, as stated in the request; 600 if it is not. */
function lengthOf(request: SeenRequest): number {
  const stated = /([\d.]+) s(?:econds)? long|long[^\d]*([\d.]+) s|lasts ([\d.]+) s/.exec(
    request.texts.join("\n"),
  );
  return Number(stated?.[1] ?? stated?.[2] ?? stated?.[3] ?? 600);
}

async function verdict(
  words: string,
  asked: AskedQuestion,
  views: View[],
  lines: Line[],
): Promise<Reply> {
  const given = words.slice(words.indexOf("The answer:"));
  const chosen = /<<<data\n(?:\(?[A-Z][).:] )?(.*)\ndata>>>/.exec(given)?.[1]?.trim() ?? "";
  const others = [...COLOURS, ...FIGURES].filter((other) => other !== chosen);
  const options = [{ letter: "Y", text: chosen }, ...others.map((text) => ({ letter: "N", text }))];
  const found = await observe({ ...asked, options }, views, lines);
  const result = found === null ? "not shown" : found.letter === "Y" ? "supported" : "contradicted";
  return { text: `The evidence was looked at once more.\nVerdict: ${result}` };
}

/** Answers a single request: frames without names, subtitles without kinds. */
async function answerDirectly(asked: AskedQuestion, views: View[], lines: Line[]): Promise<Reply> {
  const found = await observe(asked, views, lines);
  return { text: found?.letter ?? guess(asked) };
}

/** Every line of a prompt except the question and its options, as a possible subtitle. */
function possibleSubtitles(words: string): Line[] {
  return words
    .split("\n")
    .filter((line) => !line.startsWith("Question:") && !/^\([A-Z]\)/.test(line))
    .map((text) => ({ name: "", kind: "subtitle", start_s: 0, end_s: 0, text }));
}

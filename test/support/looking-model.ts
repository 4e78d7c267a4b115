import { boardsIn, type Observation, observe, platesIn, wantOf } from "./looking-answers.ts";
import { describeViews, partToDescribe, readEvidence } from "./looking-captions.ts";
import { type Line, linesOf, type Matter, matterOf, type View, viewsOf } from "./looking-mind.ts";
import { COLOURS, FIGURES } from "./looking-scenes.ts";
import type { Reply, Script, SeenRequest } from "./model-server.ts";

/*
 * A scripted model that looks. One policy for every question: it sees the decoded request, decides by pixels and words
 * alone, and forgets everything between requests. It stands in for a multimodal model with tools; nothing that it
 * answers says how well a real one would look.
 */

type Call = { name: string; arguments: Record<string, unknown> };

/** Frames that a turn of blind looking asks for. */
const GLANCE = 8;
/** Plates that are looked at closely in one turn. */
const CLOSER = 4;
/** As the prompts tell it. */
const FRAMES_LEFT = /may still be looked at: (\d+)/g;

export const lookingModel: Script = async (request) => {
  const matter = matterOf(request);
  const views = await viewsOf(request);
  const lines = linesOf(request);
  if (request.tools.length > 0) return searched(request, await turn(request, matter, views, lines));
  const words = request.texts.join("\n");
  if (words.includes("Verdict:")) return verdict(words, matter, views, lines);
  if (partToDescribe(request) !== null) return describeViews(views);
  // The last reply of a search whose tools were taken away.
  if (request.toolCalls.length > 0) return inWords(await settled(matter, views, lines));
  const told = readEvidence(words);
  if (told.lines.length > 0) return inWords(await settled(matter, told.views, told.lines));
  return directly(matter, views, spokenLines(words));
};

/** One turn of a search: the answer where it is settled, else the looks that may settle it. */
async function turn(
  request: SeenRequest,
  matter: Matter,
  views: View[],
  lines: Line[],
): Promise<Call[]> {
  const has = (name: string) => request.tools.some((tool) => tool.name === name);
  const found = await observe(matter, views, lines);
  if (found !== null) return [answer(found)];
  const calls =
    has("answer") && request.tools.length === 1 ? [] : await looks(request, matter, views);
  const asked = calls.filter((call) => has(call.name));
  if (asked.length > 0) return asked;
  return [answer(await settled(matter, views, lines), 0.25)];
}

const ANSWER = "answer";

const answer = ({ letter, names }: Observation, confidence = 0.9): Call => ({
  name: ANSWER,
  arguments: { answer: letter, evidence: names, confidence },
});

/** A call of `answer` in words, where no such tool is offered. */
function searched(request: SeenRequest, calls: Call[]): Reply {
  const [first] = calls;
  if (first?.name !== ANSWER || request.tools.some(({ name }) => name === ANSWER))
    return { toolCalls: calls };
  const { answer: letter, evidence } = first.arguments as { answer: string; evidence: string[] };
  return { text: inWords({ letter, names: evidence }) };
}

function inWords({ letter, names }: Observation): string {
  const cited = [...new Set(names)].map((name) => `[${name}]`).join("");
  return `It was looked for ${cited}.\nAnswer: ${letter}`;
}

/** What was observed, or a guess. */
async function settled(matter: Matter, views: View[], lines: Line[]): Promise<Observation> {
  const found = await observe(matter, views, lines);
  return found ?? { letter: guess(matter), names: lastNames(views, lines) };
}

/** Something has to be said; by the question's words alone, so that it is no better than chance. */
function guess({ question, options }: Matter): string {
  let sum = 0;
  for (const letter of question + options.map(({ text }) => text).join())
    sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return options[sum % Math.max(1, options.length)]?.letter ?? "A";
}

function lastNames(views: View[], lines: Line[]): string[] {
  const name = views.at(-1)?.name ?? lines.at(-1)?.name;
  return name == null ? [] : [name];
}

async function looks(request: SeenRequest, matter: Matter, views: View[]): Promise<Call[]> {
  const want = wantOf(matter);
  const made = request.toolCalls.map(({ name, arguments: given }) => JSON.stringify([name, given]));
  const fresh = (calls: Call[]) =>
    calls.filter((call) => !made.includes(JSON.stringify([call.name, call.arguments])));
  const used = (name: string) => request.toolCalls.some((call) => call.name === name);
  if (views.length === 0 && !used("overview") && want.for !== "spoken") return OVERVIEW;
  switch (want.for) {
    case "spoken": {
      const search = [
        matter.question,
        ...matter.options.map(({ text }) => `${want.about.join(" ")} ${text}`),
      ];
      const searches = fresh(
        search.map((query) => ({ name: "search_evidence", arguments: { query } })),
      );
      if (searches.length > 0) return searches;
      return fresh([{ name: "subtitles", arguments: { from_s: 0, to_s: lengthOf(request) } }]);
    }
    case "written": {
      const plates = await platesIn(views, want.small);
      const closer = plates
        .filter(({ view, text }) => view.part?.width === 1 && text === "")
        .map(({ view, place }) => ({
          name: "zoom",
          arguments: { at_s: view.at_s, box: around(place) },
        }));
      const zooms = fresh(closer).slice(0, CLOSER);
      if (zooms.length > 0) return zooms;
      const search = matter.options.map(({ text }) => text).join(" ");
      return [
        ...fresh([{ name: "search_evidence", arguments: { query: search, kinds: ["text"] } }]),
        ...(used("overview") ? glances(request, views) : OVERVIEW),
      ];
    }
    case "difference": {
      const unclear = boardsIn(views).filter(({ dots }) => dots === null);
      const again = fresh(unclear.map(({ view }) => at(view.at_s)));
      if (again.length > 0) return again.slice(0, CLOSER);
      return used("overview") ? glances(request, views) : OVERVIEW;
    }
    default: {
      const unclear = views.filter((view) =>
        view.sights.some((sight) => sight.what === "figure" && sight.figure === null),
      );
      const again = fresh(unclear.map((view) => at(view.at_s)));
      if (again.length > 0) return again.slice(0, CLOSER);
      return used("overview") ? glances(request, views) : OVERVIEW;
    }
  }
}

/** The first, or what it did not show yet. */
const OVERVIEW: Call[] = [{ name: "overview", arguments: {} }];

const at = (at_s: number): Call => ({
  name: "view_frames",
  arguments: { from_s: Math.max(0, at_s - 0.3), to_s: at_s + 0.3, count: 1 },
});

/** A part with room around it, within the frame. */
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

/** Frames in the middle of the longest stretches that were not looked at, as far as frames are left. */
function glances(request: SeenRequest, views: View[]): Call[] {
  const left = framesLeft(request);
  const times = [0, ...views.map((view) => view.at_s), lengthOf(request)].sort((a, b) => a - b);
  const found: Call[] = [];
  for (let count = 0; count < Math.min(GLANCE, left); count++) {
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

/** As the last text that speaks of frames tells. */
function framesLeft(request: SeenRequest): number {
  const said = request.texts.flatMap((text) =>
    [...text.matchAll(FRAMES_LEFT)].map(([, count]) => Number(count)),
  );
  return said.at(-1) ?? GLANCE;
}

/** Length of the video in seconds, as the request tells it. */
function lengthOf(request: SeenRequest): number {
  const told = /([\d.]+) s(?:econds)? long|long[^\d]*([\d.]+) s|lasts ([\d.]+) s/.exec(
    request.texts.join("\n"),
  );
  return Number(told?.[1] ?? told?.[2] ?? told?.[3] ?? 600);
}

async function verdict(
  words: string,
  matter: Matter,
  views: View[],
  lines: Line[],
): Promise<Reply> {
  const given = words.slice(words.indexOf("The answer:"));
  const chosen = /<<<data\n(?:\(?[A-Z][).:] )?(.*)\ndata>>>/.exec(given)?.[1]?.trim() ?? "";
  const others = [...COLOURS, ...FIGURES].filter((other) => other !== chosen);
  const options = [{ letter: "Y", text: chosen }, ...others.map((text) => ({ letter: "N", text }))];
  const found = await observe({ ...matter, options }, views, lines);
  const said = found === null ? "not shown" : found.letter === "Y" ? "supported" : "contradicted";
  return { text: `The evidence was looked at once more.\nVerdict: ${said}` };
}

/** All there is in one request: frames without names, subtitles without kinds. */
async function directly(matter: Matter, views: View[], lines: Line[]): Promise<Reply> {
  const found = await observe(matter, views, lines);
  return { text: found?.letter ?? guess(matter) };
}

/** Any line of a prompt may be something that was said. */
function spokenLines(words: string): Line[] {
  return words
    .split("\n")
    .filter((line) => !line.startsWith("Question:") && !/^\([A-Z]\)/.test(line))
    .map((text) => ({ name: "", kind: "subtitle", start_s: 0, end_s: 0, text }));
}

import { expect, test } from "vitest";
import { makeEvidence } from "../../src/core/evidence.ts";
import { type Answer, type Evidence, NO_USAGE, type Question } from "../../src/core/shapes.ts";
import { evidencePage } from "../../src/pages/evidence-page.ts";

const video = "a".repeat(64);
const hostile = `</style><script>alert(1)</script><img src=x onerror=alert(2)>" onclick="alert(3)`;

function item(text: string, start_s: number, kind: Evidence["kind"] = "subtitle"): Evidence {
  return makeEvidence({
    video,
    kind,
    start_s,
    end_s: start_s + 2,
    text,
    by: { who: "file", name: hostile },
    confidence: null,
    from: [],
  });
}

const question: Question = {
  id: "q",
  video,
  text: hostile,
  task: "choice",
  options: [
    { letter: "A", text: hostile },
    { letter: "B", text: "Greenbelt" },
  ],
};

function page(
  evidence: Evidence[],
  answer: Partial<Answer> = {},
  asked: Partial<Question> = {},
): string {
  return evidencePage({
    video: { name: hostile, duration_s: 16.5 },
    question: { ...question, ...asked },
    answer: {
      status: "answered",
      answer: "B",
      cites: evidence.slice(0, 1).map((e) => e.id),
      cited_by: "code",
      set: video,
      limits_met: [],
      confidence: null,
      confidence_basis: null,
      usage: NO_USAGE,
      ...answer,
    },
    evidence: { items: evidence },
    strategy: "extractive",
    model: null,
    calls: [],
    usage: new Map(),
    thumbnails: new Map(),
  });
}

test("the best moments are listed in their order with their words, and lead to their evidence", () => {
  const [late, early] = [item("Keld is 516 km long.", 62), item("Orla is 383 km long.", 4)];
  const found = (one: Evidence, words: string[]) => ({
    ...{ start_s: one.start_s, end_s: one.end_s, text: one.text, words, evidence: [one.id] },
    ...{ option: "B", score: 0.5 },
  });
  const html = page([late, early], {
    moments: [found(late, ["Keld", "long"]), found(early, ["long"])],
  });
  const list = /<ol class="moments">(.*?)<\/ol>/s.exec(html)?.[1] ?? "";
  const rows = list
    .split("<li>")
    .slice(1)
    .map((row) => row.replace(/<[^>]*>/g, "").trim());
  expect(rows).toEqual([
    "01:02 (B) Keld is 516 km long. Keld, long",
    "00:04 (B) Orla is 383 km long. long",
  ]);
  expect(list).toContain('href="#E2"');
});

test("an order is headed by its goal, or by its question with the goal below", () => {
  const order = (text: string) =>
    page([], { answer: [2, 1] }, { text, task: "order", goal: "Make tea & scones" });
  const untitled = order("");
  expect(untitled).toContain("<title>Order: Make tea &amp; scones</title>");
  expect(untitled).toContain("<h1>Order: Make tea &amp; scones</h1>");
  expect(untitled).not.toContain("Goal:");
  const titled = order("Which comes first?");
  expect(titled).toContain("<title>Which comes first?</title>");
  expect(titled).toMatch(
    /<h1>Which comes first\?<\/h1>\s*<p><span class="soft">Goal: <\/span>Make tea &amp; scones<\/p>/,
  );
});

test("text of videos, files and people cannot become markup", () => {
  const [first] = [item(hostile, 8.4)];
  const moment = { ...{ start_s: 8, end_s: 9, text: hostile, words: [hostile] }, score: 1 };
  const html = page([first], { moments: [{ ...moment, evidence: [first.id] }] });
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<img src=x");
  expect(html.match(/onclick="/g)).toBeNull();
  expect(html.match(/<\/style>/g)).toHaveLength(1);
});

test("cited evidence comes first, other evidence in the order of time, named from E1, and the citation links to it", () => {
  const html = page([item("later", 12), item("earlier", 3), item("latest", 14)]);
  const places = ["later", "Timeline", "earlier", "latest"].map((text) =>
    html.search(new RegExp(`<(p|h2 id="timeline")>${text}<`)),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(html).toContain('<a href="#E2">E2 at 00:12</a>');
  expect(html).toMatch(/<li class="card subtitle cited" id="E2">/);
});

test("it loads nothing from elsewhere and reports that no model was used", () => {
  const html = page([item("x", 1)]);
  expect(html).not.toMatch(/https?:\/\//);
  expect(html).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"));
  expect(html).toContain("No language model took part");
});

test("a missing answer states the reason", () => {
  expect(page([], { status: "not-answered", answer: null, cites: [] })).toContain(
    "Not answered: the evidence supports none of the answers.",
  );
  expect(
    page([], { status: "not-answered", answer: null, cites: [], limits_met: ["calls", "frames"] }),
  ).toContain("Not answered: the answer needed more than the budget of calls and frames allows.");
});

test("an unsupported answer is marked, and so is a fallback strategy", () => {
  const words = `${hostile} shows red`;
  const against = page([item("Red", 3)], {
    support: { verdict: "contradicted", by: "model", words },
  });
  expect(against).toContain("The cited evidence contradicts the answer");
  expect(against).not.toContain("<script");
  const unseen = page([], { support: { verdict: "not-shown", by: "code", words: "" } });
  expect(unseen).toContain("The cited evidence does not show the answer");
  expect(page([])).not.toContain("upported");
  const taken = page([], { diagnostics: { handed_over: "rrd", why_handed_over: hostile } });
  expect(taken).toContain("The strategy rrd answered in the agent's place.");
  expect(taken).not.toContain("<script");
});

test("an equation that could not be read is a sentence", () => {
  const unread = makeEvidence({
    ...{ video, kind: "equation", start_s: 1, end_s: 3, text: "", data: { unread: true } },
    ...{ by: { who: "tool", name: "tesseract" }, confidence: null, from: [] },
  } as const);
  expect(page([unread])).toContain("<p>An equation that could not be read.</p>");
});

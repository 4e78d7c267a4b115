import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import type { QuestionInput } from "../../../graphs/read-question.ts";
import { toolNames } from "../../../graphs/toolbox/search-settings.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import {
  agentTurns,
  call,
  composeFilm,
  isSecondLook,
  labelled,
  nameIn,
} from "../../support/agent-film.ts";
import { makeClip } from "../../support/clips.ts";
import {
  type ModelServer,
  meanColour,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { makeShuffled, procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

const ASKED: QuestionInput = {
  text: "Which colour fills the screen at 0:13?",
  options: ["Red", "Green"],
};

let server: ModelServer;
let store: Store;
let folder: string;
let film: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "A");
  store = await openStore(join(folder, "store"));
  film = await composeFilm(folder);
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

/** Replies are stored by request, so each test asks its own question. */
let asked = 0;

const askFilm = (settings: object = {}, question: QuestionInput = ASKED, file = film) =>
  ask(
    file,
    { ...question, text: `${question.text} (${++asked})` },
    {
      store,
      settings: {
        strategy: "agent",
        model: "openai:scripted",
        recognition: { max_side: 160 },
        runtime: { base_url: server.url },
        ...settings,
      },
    },
  );

async function isGreen(image: Buffer): Promise<boolean> {
  const [r, g, b] = await meanColour(image);
  return g > 2 * r && g > 2 * b;
}

/** Views its pictures one by one, and answers by the first green one. */
async function answerByGreen(request: SeenRequest) {
  for (const { label, image } of labelled(request))
    if (label.includes("frame at") && (await isGreen(image)))
      return call("answer", { answer: "B", evidence: [nameIn(label)], confidence: 0.9 });
  return call("answer", { answer: "A", evidence: ["E1"], confidence: 0.1 });
}

test.each(["openai:scripted", "google-genai:scripted", "anthropic:scripted", "ollama:scripted"])(
  "%s looks where it wants and cites the frame that it saw",
  async (model) => {
    process.env.GOOGLE_API_KEY ??= "a-key";
    process.env.ANTHROPIC_API_KEY ??= "a-key";
    server.answer(
      agentTurns([call("view_frames", { from_s: 12, to_s: 14, count: 2 }), answerByGreen]),
    );
    const { answer, evidence } = await askFilm({ model });
    const [first, second, look] = server.chats();
    expect(server.chats()).toHaveLength(3);

    expect(first?.tools.map(({ name }) => name)).toEqual([...toolNames(), "answer"]);
    expect(first?.texts.join("\n")).toContain("Which colour fills the screen at 0:13?");
    expect(first?.texts.join("\n")).toContain("(A) Red\n(B) Green");
    expect(first?.texts.join("\n")).toMatch(
      /speaks of: "[^"]*0:13" is 1[01.\d]* s \(00:1\d\) to 1/,
    );
    const [sheet] = labelled(first as SeenRequest);
    expect(sheet?.label).toMatch(/^Sheet of 24 frames, row by row: \[E\d+\] [\d.]+ s \(00:00\), /);

    const shown = labelled(second as SeenRequest).filter(({ label }) => label.includes("frame at"));
    expect(shown.slice(-2).map(({ label }) => label.replace(/^\[E\d+\] /, ""))).toEqual([
      "frame at 12.4 s (00:12):",
      "frame at 13.4 s (00:13):",
    ]);

    const cited = evidence.items.filter((item) => answer.cites.includes(item.id));
    expect(answer).toMatchObject({ status: "answered", answer: "B", cited_by: "model" });
    expect(cited).toMatchObject([{ kind: "frame", start_s: 12.4, frame: { t_s: 12.4 } }]);
    expect(answer).toMatchObject({
      confidence: 0.9,
      confidence_basis: "the model's own statement, not calibrated",
      support: { verdict: "supported", by: "model", words: "The pictures tell." },
      limits_met: [],
    });
    // The check gets only the question, the answer and the one cited frame.
    expect(isSecondLook(look as SeenRequest)).toBe(true);
    expect(look?.images).toHaveLength(1);
    expect(await isGreen(look?.images[0] as Buffer)).toBe(true);
    expect(look?.texts.join("\n")).toContain("Green");
    expect(look?.texts.join("\n")).not.toContain("Red");
    // A sheet counts as its frames, and a frame counts once even if it is sent again.
    expect(answer.usage.frames).toBe((answer.usage.calls === 3 ? 24 + 1 + 2 : 0) + 1);
  },
);

test("evidence found for each option is in the first message, as data, with frames of its moments", async () => {
  server.answer(agentTurns([call("answer", { answer: "B", evidence: ["E1"] })]));
  await askFilm();
  const [first] = server.chats();
  const words = first?.texts.join("\n") ?? "";
  const found = /<<<data\n([\s\S]*?)\ndata>>>/.exec(words)?.[1] ?? "";
  expect(found.split("\n")).toEqual([
    "For the question:",
    expect.stringMatching(/^\[E1\] subtitle 2 s \(00:02\) to 4 s \(00:04\): Watch for the green/),
    "For option A: nothing",
    "For option B:",
    expect.stringMatching(/^\[E1\] subtitle/),
  ]);
  expect(labelled(first as SeenRequest).at(-1)?.label).toMatch(/frame at 3 s \(00:03\):$/);
});

test("a disabled tool is neither offered nor run, and answer always is", async () => {
  server.answer(
    agentTurns([
      call("overview", {}),
      (request) => {
        expect(request.toolResults.at(-1)?.text).toContain("There is no tool of this name");
        return call("answer", { answer: "B", evidence: ["E1"] });
      },
    ]),
  );
  const { answer } = await askFilm({ search: { tools: "-overview,-zoom" } });
  const [first] = server.chats();
  const left = toolNames().filter((tool) => tool !== "overview" && tool !== "zoom");
  expect(first?.tools.map(({ name }) => name)).toEqual([...left, "answer"]);
  expect(labelled(first as SeenRequest).some(({ label }) => label.startsWith("Sheet"))).toBe(false);
  expect(answer.diagnostics).toMatchObject({ unknown_tools: 1 });
  server.reset();
  server.answer(agentTurns([call("answer", { answer: "B", evidence: ["E1"] })]));
  await askFilm({ search: { tools: "subtitles" } });
  expect(server.chats()[0]?.tools.map(({ name }) => name)).toEqual(["subtitles", "answer"]);
});

test("each tool returns its kind of result", async () => {
  const results: Record<string, string> = {};
  const note = (name: string) => (request: SeenRequest) => {
    results[name] = request.toolResults.at(-1)?.text ?? "";
    results[`${name} pictures`] = labelled(request).at(-1)?.label ?? "";
    return next[name] ?? "";
  };
  const next: Record<string, ReturnType<typeof call>> = {
    search_evidence: call("zoom", { at_s: "0:13", box: { x: 0.5, y: 0, width: 0.5, height: 0.5 } }),
    zoom: call("compare_frames", { times_s: [1, 13] }),
    compare_frames: {
      toolCalls: [
        { name: "subtitles", arguments: { from_s: 0, to_s: 5 } },
        { name: "calculate", arguments: { expression: "12 \\cdot 4" } },
      ],
    },
    calculate: call("answer", { answer: "B", evidence: ["E1"] }),
  };
  server.answer(
    agentTurns([
      call("search_evidence", { query: "green part", kinds: ["subtitle"] }),
      note("search_evidence"),
      note("zoom"),
      note("compare_frames"),
      note("calculate"),
    ]),
  );
  const { answer, evidence } = await askFilm();
  expect(results.search_evidence).toMatch(
    /<<<data\n\[E1\] subtitle 2 s .*green part of the screen/,
  );
  expect(results["zoom pictures"]).toMatch(
    /^\[E\d+\] part of the frame at 13 s \(00:13\), box x 0\.5 y 0 width 0\.5 height 0\.5:$/,
  );
  expect(results["compare_frames pictures"]).toMatch(
    /^Sheet of 2 frames, row by row: \[E\d+\] 1 s \(00:01\), \[E\d+\] 13 s \(00:13\):$/,
  );
  expect(results.calculate).toContain("= 48");
  expect(evidence.items.filter(({ box }) => box !== undefined)).toMatchObject([
    { kind: "frame", start_s: 13, box: { x: 160, y: 0, width: 160, height: 90 } },
  ]);
  expect(answer.status).toBe("answered");
});

test("a comparison of more frames than are left compares the first of them", async () => {
  server.answer(
    agentTurns([
      call("compare_frames", { times_s: [1, 5, 13] }),
      call("answer", { answer: "B", evidence: ["E1"] }),
    ]),
  );
  const search = { tools: "compare_frames", verify: false };
  const { answer } = await askFilm({ search, budget: { frames: 2 } });
  const last = server.chats().at(-1) as SeenRequest;
  expect(labelled(last).at(-1)?.label).toMatch(/^Sheet of 2 frames/);
  expect(answer).toMatchObject({ status: "answered", limits_met: ["frames"] });
});

test("a second overview continues with new frames and is not a repeated call", async () => {
  server.answer(
    agentTurns([
      call("overview", {}),
      call("overview", { from_s: 14 }),
      call("answer", { answer: "B", evidence: ["E1"] }),
    ]),
  );
  const { answer } = await askFilm({ search: { cells: 8 } });
  const last = server.chats().findLast((request) => !isSecondLook(request)) as SeenRequest;
  const sheets = labelled(last).flatMap(({ label }) =>
    label.startsWith("Sheet")
      ? [[...label.matchAll(/\] ([\d.]+) s/g)].map(([, seconds]) => Number(seconds))]
      : [],
  );
  expect(sheets.map((times) => times.length)).toEqual([8, 4, 4]);
  const [first = [], second = [], third = []] = sheets;
  expect(new Set([...first, ...second, ...third]).size).toBe(16);
  expect(Math.min(...third)).toBeGreaterThanOrEqual(14);
  expect(answer.diagnostics).not.toHaveProperty("repeated_calls");
});

test("an equal call is run again once it would show something else, and only then", async () => {
  const search = call("search_evidence", { query: "lime" });
  const said: string[] = [];
  const then = (next: ReturnType<typeof call>) => (request: SeenRequest) => {
    said.push(request.toolResults.at(-1)?.text ?? "");
    return next;
  };
  server.answer(
    agentTurns([
      call("overview", {}),
      call("overview", {}),
      then(search),
      then(search),
      then(call("view_frames", { from_s: 12, to_s: 14, count: 2 })),
      call("search_evidence", { query: "lime", seen: "A lime field." }),
      then(call("answer", { answer: "B", evidence: ["E1"] })),
    ]),
  );
  const { answer } = await askFilm({ search: { cells: 8, steps: 12 }, budget: { calls: 12 } });
  const last = server.chats().findLast((request) => !isSecondLook(request)) as SeenRequest;
  const sheets = labelled(last).filter(({ label }) => label.startsWith("Sheet"));
  expect(sheets.map(({ label }) => /\d+/.exec(label)?.[0])).toEqual(["8", "4", "4"]);
  expect(said.map((words) => words.split("\n")[0])).toEqual([
    expect.stringContaining("4 frames"),
    expect.stringContaining("Nothing was found"),
    expect.stringContaining("You made this very call before"),
    expect.stringContaining("1 item"),
  ]);
  expect(said.at(-1)).toContain("A lime field.");
  expect(answer.diagnostics).toMatchObject({ repeated_calls: 1 });
});

test("the check is told which cited frames it is not shown", async () => {
  server.answer(
    agentTurns([call("answer", { answer: "B", evidence: ["E2", "E3", "E4", "E5", "E6"] })]),
  );
  // Every frame differs, while most frames of the film are one picture.
  const card = await makeClip(folder, "card.mp4", { frames: 64, rate: 8 });
  await askFilm({}, ASKED, card);
  const look = server.chats().find(isSecondLook) as SeenRequest;
  expect(look.images).toHaveLength(3);
  const shown = labelled(look).map(({ label }) => nameIn(label));
  const lines = (look.texts.at(-1) ?? "").match(/^\[E\d+\] frame .*$/gm) ?? [];
  expect(lines).toHaveLength(5);
  for (const line of lines)
    expect(line.replace(/^.*: /, "")).toBe(
      shown.includes(nameIn(line)) ? "(see the picture)" : "(its picture is not shown)",
    );
});

test("an answer that its evidence contradicts continues the search once, with the reason as data", async () => {
  server.answer(
    agentTurns(
      [
        call("answer", { answer: "A", evidence: ["E1"] }),
        (request) => {
          const said = request.toolResults.at(-1)?.text ?? "";
          expect(said).toMatch(
            /contradicts this answer:[\s\S]*<<<data\nThe pictures tell\.\ndata>>>/,
          );
          return call("answer", { answer: "B", evidence: ["E1"] });
        },
      ],
      ["contradicted", "supported"],
    ),
  );
  const { answer } = await askFilm();
  expect(answer).toMatchObject({ answer: "B", support: { verdict: "supported" } });
  expect(answer.diagnostics).toMatchObject({ sent_back: ["contradicted"] });
  expect(server.chats()).toHaveLength(4);
});

test("a remaining contradiction is marked and does not continue the search again", async () => {
  server.answer(agentTurns([call("answer", { answer: "A", evidence: ["E1"] })], ["contradicted"]));
  const { answer } = await askFilm();
  expect(answer).toMatchObject({ status: "answered", answer: "A" });
  expect(answer.support).toMatchObject({ verdict: "contradicted", by: "model" });
});

test("without verification there is no second call, and the answer is marked as not verified", async () => {
  server.answer(agentTurns([call("answer", { answer: "B", evidence: ["E1"] })]));
  const { answer } = await askFilm({ search: { verify: false } });
  expect(server.chats()).toHaveLength(1);
  expect(answer.support).toMatchObject({ verdict: "unchecked", by: "code" });
});

test("an open question is answered in words, without the names", async () => {
  server.answer(
    agentTurns([call("answer", { answer: "The screen turns green [E1].", evidence: "E1" })]),
  );
  const { answer } = await askFilm({}, { text: "What happens in the middle?" });
  expect(answer).toMatchObject({ status: "answered", answer: "The screen turns green." });
  expect(answer.cites).toHaveLength(1);
  for (const [answer, text] of [
    ["NOT ANSWERED", "Who sings in the end?"],
    ["NOT ANSWERED: the video does not show it.", "Who dances in the end?"],
  ] as const) {
    server.answer(agentTurns([call("answer", { answer })]));
    const none = await askFilm({}, { text });
    expect(none.answer).toMatchObject({ status: "not-answered", answer: null });
  }
});

test("shuffled clips fall back to rrd, with a note", async () => {
  const { file } = await makeShuffled(join(folder, "shuffled.mp4"), 3);
  server.answer(procedureModel([2, 3, 1]));
  const { answer, events } = await ask(
    file,
    { text: "", goal: "Do it" },
    {
      store,
      settings: {
        strategy: "agent",
        model: "openai:scripted",
        runtime: { base_url: server.url },
      },
    },
  );
  expect(answer).toMatchObject({ status: "answered", answer: [3, 1, 2] });
  expect(answer.diagnostics).toMatchObject({ handed_over: "rrd" });
  expect(events.some((event) => event.type === "note" && event.text.includes("rrd"))).toBe(true);
});

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import { vcrbench } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import type { EvidenceList, QuestionView } from "../../../src/app/service/api.ts";
import type { ModelServer } from "../../support/model-server.ts";
import { procedureModel, stepOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import type { Rig } from "./rig.ts";
import { makeTea, PLACES, type Tea } from "./tea.ts";

let server: ModelServer;
let rig: Rig;
let answered: Tea["answered"];
let close: Tea["close"];

beforeAll(async () => {
  ({ server, rig, answered, close } = await makeTea());
});
afterAll(() => close());

test("a corrected order is a row that VCRBench's loader reads", async () => {
  const { question } = await answered();
  const path = `/api/v1/questions/${question.id}`;
  expect(await rig.json(409, "GET", `${path}/export?as=row`)).toMatchObject({
    kind: "not-reviewed",
  });
  for (const answer of [[1, 2], [1, 1, 2], "A", [1, 2, 4]])
    await rig.json(422, "PUT", `${path}/review`, { verdict: "corrected", answer });
  const reviewed = await rig.json<QuestionView>(200, "PUT", `${path}/review`, {
    verdict: "corrected",
    answer: [2, 1, 3],
    note: "the kettle comes first",
  });
  expect(reviewed.review).toMatchObject({ verdict: "corrected", answer: [2, 1, 3], by: "person" });
  const row = await rig.json<Record<string, unknown>>(200, "GET", `${path}/export?as=row`);
  const folder = await tempFolder();
  await mkdir(join(folder, "videos"));
  await writeFile(join(folder, "videos", String(row.video_file)), "");
  await writeFile(join(folder, "data.json"), JSON.stringify([row]));
  const { samples, notes } = await vcrbench.load(folder);
  expect(notes).toEqual([]);
  expect(samples).toMatchObject([
    { id: question.id, task: "order", goal: "Make tea", answer: [2, 1, 3], hasVideo: true },
  ]);
});

test("an approved choice is a row that MMR-V's loader reads", async () => {
  server.answer((request) =>
    stepOf(request) === "other" ? "Answer: B" : procedureModel(PLACES)(request),
  );
  const { question } = await answered({
    text: "What is made?",
    options: ["Soup", "Tea"],
    settings: { strategy: "direct" },
  });
  server.answer(procedureModel(PLACES));
  const path = `/api/v1/questions/${question.id}`;
  await rig.json(422, "PUT", `${path}/review`, { verdict: "corrected", answer: "C" });
  await rig.json(422, "PUT", `${path}/review`, { verdict: "corrected" });
  await rig.json(200, "PUT", `${path}/review`, { verdict: "approved" });
  const row = await rig.json<Record<string, unknown>>(200, "GET", `${path}/export?as=row`);
  const folder = await tempFolder();
  await mkdir(join(folder, "videos"));
  await writeFile(join(folder, "videos", String(row.video)), "");
  await writeFile(join(folder, "data.json"), JSON.stringify([row]));
  const { samples, notes } = await mmrV.load(folder);
  expect(notes).toEqual([]);
  expect(samples).toMatchObject([
    {
      question: "What is made?",
      task: "choice",
      options: [
        { letter: "A", text: "Soup" },
        { letter: "B", text: "Tea" },
      ],
      answer: "B",
      hasVideo: true,
    },
  ]);
});

test("an export is complete JSON, or a page that shows names and texts as text", async () => {
  const { question } = await answered({
    text: "<svg onload=alert(2)>",
    goal: "Make <b>tea</b>",
    task: "order",
  });
  const path = `/api/v1/questions/${question.id}/export`;
  const all = await rig.json<{ evidence: EvidenceList; video: { name: string } }>(
    200,
    "GET",
    `${path}?as=json`,
  );
  expect(all).toMatchObject({ question: { id: question.id }, evidence: { set: question.set } });
  expect(all.video.name).toBe("<img src=x onerror=alert(1)>.mp4");
  const page = await rig.send("GET", `${path}?as=html`);
  expect(page.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w-]+\.html"$/);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const text = await page.text();
  expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;.mp4");
  expect(text).toContain("&lt;svg onload=alert(2)&gt;");
  expect(text).not.toMatch(/<img src=x|<svg onload/);
  expect(text).toContain("data:image/jpeg;base64,");
  await rig.json(422, "GET", `${path}?as=pdf`);
});

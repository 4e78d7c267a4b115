import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, chromiumPath } from "../support/browser.ts";
import { makeClip } from "../support/clips.ts";
import type { Script } from "../support/model-server.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { makeShuffled, procedureModel, wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const PLACES = [3, 1, 2, 4];
/** A biased judge: its verdict depends on which clip is shown first, so that the matrix has inconsistent pairs. */
const bent: Script = async (request) => {
  const words = wordsOf(request);
  if (words.includes("was observed in a video"))
    return "The bowl is at stage 2 in the first clip [E1], and there is more [E99].\nAnswer: B";
  if (words.includes("Event A:") && words.includes("stage 3") && words.includes("stage 4"))
    return "A";
  if (words.includes("Describe part")) return "A field of one colour, which grows lighter.";
  return procedureModel(PLACES)(request);
};

/** Checks a state of the page twice: wide and light, narrow and dark. */
async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const [device, width, colorScheme] of [
    ["phone", 390, "dark"],
    ["desktop", 1280, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await checkPage(page, `service-${name}-${device}-${colorScheme}`), name).toEqual([]);
  }
}

async function ask(page: Page, fill: () => Promise<unknown>): Promise<void> {
  await fill();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
}

describe.skipIf(chromiumPath === null)(
  "accessibility and layout of every state of the page",
  () => {
    let service: PageService;
    let folder: string;
    let video: string;
    beforeAll(async () => {
      folder = await tempFolder();
      const reports = join(folder, "reports");
      await mkdir(reports);
      await writeFile(join(reports, "arms.html"), "<!doctype html><title>Arms</title>");
      service = await openPageService(bent, { reports });
      await makeShuffled(join(folder, "bowl.mp4"), PLACES.length);
      const bytes = await readFile(join(folder, "bowl.mp4"));
      video = await putVideo(service.url, "A bowl in four shuffled steps.mp4", bytes);
    });
    afterAll(() => service?.close());

    test("videos, and uploads that run, are refused or are incomplete", async () => {
      const { page } = await service.open();
      await page.addInitScript(
        `localStorage.setItem("video-rrd:uploads", '[{"id":"0123456789abcdef01234567","name":"half a lecture.mp4","size":9000000,"modified":1,"offset":4200000}]')`,
      );
      await page.goto(service.url);
      await page.getByText("A bowl in four shuffled steps.mp4").waitFor();
      await writeFile(join(folder, "words.mp4"), "only words, which are no video");
      await page.locator("input[type=file]").setInputFiles(join(folder, "words.mp4"));
      await page.locator(".uploads .refused").waitFor();
      await page
        .locator(".poster img")
        .evaluate((img: { decode(): Promise<void> }) => img.decode());
      await expectGoodLooks(page, "videos");
      await page.getByRole("button", { name: "Delete A bowl" }).click();
      await page.getByRole("dialog").waitFor();
      await expectGoodLooks(page, "delete");
      await page.keyboard.press("Escape");
      expect(await page.evaluate("document.activeElement.ariaLabel")).toMatch(/^Delete A bowl/);
    });

    test("the question form: choice, order, a second strategy, all settings", async () => {
      const { page } = await service.open();
      await page.goto(`${service.url}/#/v/${video}`);
      await page.getByText("No questions about this video yet.").waitFor();
      await expectGoodLooks(page, "ask");
      await page.getByText("Choice", { exact: true }).click();
      await page.getByLabel("Ask a second strategy too").check();
      await page.getByText("More settings", { exact: true }).click();
      await expectGoodLooks(page, "ask-all");
    });

    test("an order with its judgements", async () => {
      const { page } = await service.open();
      await page.goto(`${service.url}/#/v/${video}`);
      await ask(page, async () => {
        await page.getByText("Order", { exact: true }).click();
        await page.getByLabel("Goal").fill("Finish the bowl");
        await page.getByText("More settings", { exact: true }).click();
        await page
          .getByRole("group", { name: "Reasoning" })
          .first()
          .getByLabel("Method")
          .selectOption("tournament");
      });
      await page.locator(".matrix").waitFor();
      expect(await page.locator(".answer .verdict").textContent()).toMatch(/^Clip 2 → Clip 3/);
      expect(await page.locator(".confidence").textContent()).toContain("computed from");
      await expectGoodLooks(page, "order");
      await page.getByRole("button", { name: "Wrong, the answer is …" }).click();
      const save = page.getByRole("button", { name: "Save the right answer" });
      expect(await save.isDisabled()).toBe(true);
      const tiles = page.locator(".editable .tile");
      const before = await tiles.evaluateAll((all: { dataset: { clip: string } }[]) =>
        all.map(({ dataset }) => dataset.clip),
      );
      await tiles.first().focus();
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowLeft");
      await tiles.nth(0).dragTo(tiles.nth(1));
      const [first = "", second = "", third = "", fourth = ""] = before;
      const right = [third, second, first, fourth];
      await expectGoodLooks(page, "order-review");
      await save.click();
      await page.getByText(right.map((clip) => `Clip ${clip}`).join(" → ")).waitFor();
    });

    test("a running question, an answer with a missing citation, edits and their effect", async () => {
      const { page } = await service.open();
      let go = () => {};
      const held = new Promise<void>((done) => {
        go = done;
      });
      service.models.answer(async (request) => {
        if (wordsOf(request).includes("was observed")) await held;
        return bent(request);
      });
      await page.goto(`${service.url}/#/v/${video}`);
      await ask(page, async () => {
        await page
          .getByLabel("Question", { exact: true })
          .fill("At which stage is the bowl at first?");
        await page.getByText("Choice", { exact: true }).click();
        await page.getByLabel("Option A").fill("Stage one");
        await page.getByLabel("Option B").fill("Stage two");
      });
      await page.locator(".stages li.now").filter({ hasText: "Reason" }).waitFor();
      await expectGoodLooks(page, "running");
      go();
      await page
        .getByText("The model cited E99, but was shown no evidence of that name.")
        .waitFor();
      await expectGoodLooks(page, "answer");
      // The prices of a model that has some: the table has its widest cells, and still all columns are seen.
      expect(
        await page.evaluate(`(() => {
          const table = document.querySelector(".how .scroll");
          for (const cell of table.querySelectorAll("td:nth-last-child(-n + 2)")) cell.textContent = "$0.0008";
          return table.scrollWidth - table.clientWidth;
        })()`),
      ).toBe(0);
      service.models.answer(bent);
      await page.getByRole("button", { name: "Edit E2" }).click();
      await expectGoodLooks(page, "edit");
      await page.getByLabel("Words").fill("The bowl stands empty on the table.");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Reject E3" }).click();
      await page.getByText("The answer does not include your changes yet").waitFor();
      await page.getByRole("button", { name: "Wrong, the answer is …" }).click();
      await expectGoodLooks(page, "edited");
      await page.getByRole("button", { name: "Reason again" }).click();
      await page.getByText("The answer stayed the same").waitFor();
      expect(await page.locator(".changes li").allTextContents()).toEqual([
        "Corrected at 00:03–00:05: “A field of one colour, which grows lighter.” became “The bowl stands empty on the table.”",
        "Rejected at 00:05–00:07: “A field of one colour, which grows lighter.”",
      ]);
      await expectGoodLooks(page, "changes");
      const others = await page
        .getByLabel("Compare with")
        .locator("option")
        .evaluateAll((options: { value: string }[]) => options.map(({ value }) => value));
      const response = await fetch(`${service.url}/api/v1/videos/${video}/questions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: "At which stage is it at last?", options: ["One", "Two"] }),
      });
      const { id } = (await response.json()) as { id: string };
      await page.getByLabel("Compare with").selectOption(others.at(-1) ?? "");
      await page.locator(".agreement").filter({ hasText: "Both answer" }).waitFor();
      await expect.poll(() => page.locator(".pane .how").count()).toBe(2);
      await expectGoodLooks(page, "two");
      await page.getByLabel("Also compare with").selectOption(id);
      const agreement = page.locator(".agreement");
      await agreement.filter({ hasText: "These are different questions" }).waitFor();
      expect(await agreement.textContent()).not.toContain("Both answer");
      await page.getByRole("link", { name: "Ask another" }).click();
      await page.locator(".history li").first().waitFor();
      await expectGoodLooks(page, "history");
    });

    test("reached limits, and an answer that the check contradicts", async () => {
      const { page } = await service.open();
      await page.route("**/api/v1/questions/*", async (route) => {
        const response = await route.fetch();
        const question = (await response.json()) as { answer: object | null };
        // The response of the service at a limit, with an answer that the check contradicts.
        const support = { verdict: "contradicted", by: "model", words: "the bowl is full in E1" };
        const answer = question.answer && { ...question.answer, answer: "Half full.", support };
        await route.fulfill({ response, json: { ...question, answer } });
      });
      await page.goto(`${service.url}/#/v/${video}`);
      await ask(page, async () => {
        await page.getByLabel("Question", { exact: true }).fill("How full is the bowl?");
        await page.getByText("More settings", { exact: true }).click();
        await page
          .getByRole("group", { name: "Limits of this question" })
          .first()
          .getByLabel("Calls")
          .fill("1");
      });
      await page.getByText("Limits met: calls.").waitFor();
      await page.getByText("contradicts the answer: the bowl is full in E1").waitFor();
      await expectGoodLooks(page, "doubts");
    });

    test("errors are explained in one sentence: a refusing model, a deleted video, an unreachable service", async () => {
      const { page } = await service.open();
      service.models.answer(() => ({ status: 400, text: "no such deployment" }));
      await page.goto(`${service.url}/#/v/${video}`);
      await ask(page, () => page.getByLabel("Question", { exact: true }).fill("Will this fail?"));
      await page.locator(".state.failed").waitFor();
      await expectGoodLooks(page, "failed");
      service.models.answer(bent);
      await page.goto(`${service.url}/#/v/nothing-of-that-name-here`);
      await page.getByRole("alert").waitFor();
      await expectGoodLooks(page, "gone");
      await page.goto(`${service.url}/#/reports`);
      await page.getByRole("link", { name: "arms.html" }).waitFor();
      await expectGoodLooks(page, "reports");
      await page.goto(`${service.url}/#/`);
      await page.locator(".video").waitFor();
      await page.route("**/*", (route) => route.abort());
      await page.getByRole("button", { name: "Delete A bowl" }).click();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByText("Connection lost").waitFor();
      await expectGoodLooks(page, "lost");
      await page.unroute("**/*");
      await expect.poll(() => page.locator("#connection").textContent()).toBe("");
    });

    test("a video that the browser cannot play is shown as frames", async () => {
      const { page } = await service.open();
      const file = await makeClip(folder, "old.mp4", { frames: 50, encode: ["-c:v", "mpeg4"] });
      const old = await putVideo(service.url, "from an old camera.mp4", await readFile(file));
      await page.goto(`${service.url}/#/v/${old}`);
      await page.getByText("This browser cannot play this video format").waitFor();
      await page.getByLabel("Strategy", { exact: true }).first().selectOption("extractive");
      await ask(page, () => page.getByLabel("Question", { exact: true }).fill("What is written?"));
      await page.locator(".answer").waitFor();
      await page.getByRole("button", { name: "Add evidence" }).click();
      await page.getByLabel("Words").fill("Seen at the end.");
      await page.getByLabel("From second").fill("1.5");
      await page.getByLabel("to second").fill("1.8");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^Go to 00:01/ }).click();
      await expect.poll(() => page.locator(".still").getAttribute("src")).toContain("t_s=1.50");
      await page.locator(".still").evaluate((img: { decode(): Promise<void> }) => img.decode());
      await expectGoodLooks(page, "unplayable");
    });
  },
);

describe.skipIf(chromiumPath === null)(
  "a service without a model, and one that asks for a key",
  () => {
    let service: PageService;
    const token = "a-token-that-nobody-would-guess-0123456789";
    beforeAll(async () => {
      const auth = { by: "token", token } as const;
      service = await openPageService(() => "A", { model: false, auth });
    });
    afterAll(() => service?.close());

    test("the key is asked for once and not readable by scripts, and a wrong key is reported", async () => {
      const { page, context, violations } = await service.open();
      await page.goto(service.url);
      await page.getByRole("dialog").waitFor();
      await page.getByLabel("Access key").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("alert").waitFor();
      await expectGoodLooks(page, "key");
      await page.getByLabel("Access key").fill(token);
      await page.keyboard.press("Enter");
      await page.getByText("No language model.").waitFor();
      await page.getByText("video-rrd serve --model openai:gpt-4.1").waitFor();
      await expectGoodLooks(page, "empty");
      expect(
        await page.evaluate("JSON.stringify([document.cookie, localStorage, sessionStorage])"),
      ).not.toContain(token);
      expect(
        (await context.cookies()).map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
      ).toEqual([{ httpOnly: true, sameSite: "Strict" }]);
      const other = await context.newPage();
      await other.goto(service.url);
      await other.getByText("Drop videos here").waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
      await expectGoodLooks(page, "keyboard");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Access key").waitFor();
      expect(violations).toEqual([]);
    });
  },
);

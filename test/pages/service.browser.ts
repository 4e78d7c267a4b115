import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import type { SeenRequest } from "../support/model-server.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { describeShared, sharedFile } from "../support/shared.ts";

const WEBB = "media/videos/nasa_webb_subs.mp4";
const MISREAD = "A sign says PASADENA over the door.";
const RIGHT = "A sign says GREENBELT over the door.";

/** Describes each part, misreads the sign in the second, and answers from the evidence about the sign. */
function misreading(request: SeenRequest): string {
  const words = request.texts.at(-1) ?? "";
  if (!words.includes("was observed in a video"))
    return words.includes("Describe part 2") ? MISREAD : "People in white suits work on a mirror.";
  const item = /\[(E\d+)\][^\n]*A sign says/.exec(words)?.[1] ?? "E1";
  const town = /A sign says GREENBELT/.test(words) ? "B" : "A";
  return `The sign over the door says so [${item}].\nAnswer: ${town}`;
}

const isRecognition = (request: SeenRequest) =>
  !(request.texts.at(-1) ?? "").includes("was observed in a video");

const player = (page: Page) =>
  page.locator("video").evaluate((video: { currentTime: number }) => video.currentTime);

/** Each test asks its own question, because replies to an earlier question on the same frames come from the memo. */
async function askTown(page: Page, words: string): Promise<void> {
  await page.getByLabel("Question", { exact: true }).fill(words);
  await page.getByText("Choice", { exact: true }).click();
  await page.getByLabel("Option A").fill("Pasadena");
  await page.getByLabel("Option B").fill("Greenbelt");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
}

const answered = (page: Page) => page.locator(".answer .verdict").first().waitFor();
const verdict = (page: Page) => page.locator(".answer .verdict").first().textContent();

describe.skipIf(chromiumPath === null)("the page of the service", () => {
  let service: PageService;
  beforeAll(async () => {
    service = await openPageService(misreading);
  });
  afterAll(() => service?.close());
  beforeEach(() => {
    service.models.answer(misreading);
    service.models.reset();
  });

  describeShared("with a real video", () => {
    test("upload, ask, play, seek, correct, reason again without new recognition, review", async () => {
      const { page, violations } = await service.open();
      await page.goto(service.url);
      await page.getByText("Drop videos here").waitFor();
      await page.locator("input[type=file]").setInputFiles(sharedFile(WEBB));
      await page.getByRole("link", { name: "Ask about nasa_webb_subs.mp4" }).click();
      await askTown(page, "Which town does the sign name?");
      await page.getByText("Describe clips", { exact: true }).waitFor();
      await answered(page);
      expect(await verdict(page)).toBe("(A) Pasadena");
      const described = service.models.chats().filter(isRecognition).length;
      expect(described).toBeGreaterThan(1);

      const wrong = page.locator("li.card").filter({ hasText: MISREAD });
      expect(await wrong.getAttribute("class")).toContain("cited");
      const starts = await wrong.getByRole("button", { name: /^Go to/ }).textContent();
      await wrong.getByRole("button", { name: /^Go to/ }).click();
      await expect.poll(() => player(page)).toBeGreaterThan(0.5);
      const second = Number(starts?.slice(3, 5));
      expect(Math.floor(await player(page))).toBe(second);
      await page.locator(".mark.subtitle").nth(1).click();
      await expect.poll(() => player(page)).toBeCloseTo(4.26, 1);

      await wrong.getByRole("button", { name: /^Edit/ }).click();
      await page.getByLabel("Words").fill(RIGHT);
      await page.keyboard.press("Enter");
      const right = page.locator("li.card").filter({ hasText: RIGHT });
      expect(await right.locator("del").textContent()).toBe(MISREAD);
      service.models.reset();
      await page.getByRole("button", { name: "Reason again" }).click();
      await page.getByText("The answer changed").waitFor();
      expect(await verdict(page)).toBe("(B) Greenbelt");
      expect(await page.locator(".side").allTextContents()).toEqual([
        expect.stringContaining("(A) Pasadena"),
        expect.stringContaining("(B) Greenbelt"),
      ]);
      expect(service.models.chats().filter(isRecognition)).toEqual([]);
      expect(service.models.chats()).toHaveLength(1);
      await page.getByText("Nothing was recognised again: 1 call, only for reasoning.").waitFor();

      await page.getByRole("button", { name: "Right", exact: true }).click();
      const row = page.getByRole("link", { name: "Row of a test set" });
      const [download] = await Promise.all([page.waitForEvent("download"), row.click()]);
      const kept = JSON.parse(await readFile((await download.path()) ?? "", "utf8"));
      expect(JSON.stringify(kept)).toContain("Greenbelt");
      expect(violations).toEqual([]);
      await page.context().close();
    });

    test("stages are live; a reload continues; two tabs show the same result", async () => {
      const { page, context, violations } = await service.open();
      const video = await putVideo(service.url, "webb.mp4", await readFile(sharedFile(WEBB)));
      let go = () => {};
      const held = new Promise<void>((done) => {
        go = done;
      });
      service.models.answer(async (request) => {
        if (!isRecognition(request)) await held;
        return misreading(request);
      });
      await page.goto(`${service.url}/#/v/${video}`);
      await askTown(page, "Which town stands over the door?");
      await page.locator(".stages li.done").filter({ hasText: "Describe clips" }).waitFor();
      await page.locator(".stages li.now").filter({ hasText: "Reason" }).waitFor();
      expect(await page.locator(".panel.running").textContent()).toMatch(
        /So far: \d+ calls · [\d,]+ tokens/,
      );
      expect(await page.locator(".mark").count()).toBeGreaterThan(3);
      await expect.poll(() => page.locator("#live").textContent()).toContain("Reason…");

      const address = page.url();
      await page.reload();
      await page.locator(".stages li.now").filter({ hasText: "Reason" }).waitFor();
      expect(page.url()).toBe(address);
      const other = await context.newPage();
      await other.goto(address);
      await other.locator(".stages li.now").filter({ hasText: "Reason" }).waitFor();
      go();
      await Promise.all([answered(page), answered(other)]);
      expect(await verdict(page)).toBe(await verdict(other));

      const wrong = page.locator("li.card").filter({ hasText: MISREAD });
      await wrong.getByRole("button", { name: /^Reject/ }).click();
      await other.locator("li.card.rejected").filter({ hasText: MISREAD }).waitFor();
      await other.getByRole("button", { name: /^Put back/ }).click();
      await page.locator("li.card:not(.rejected)").filter({ hasText: MISREAD }).waitFor();
      expect(violations).toEqual([]);
    });

    test("cancelling stops the calls and asking again resumes, with the keyboard only", async () => {
      const { page, violations } = await service.open();
      const video = await putVideo(service.url, "again.mp4", await readFile(sharedFile(WEBB)));
      service.models.answer(async (request) => {
        if (!isRecognition(request)) await new Promise((done) => setTimeout(done, 5000));
        return misreading(request);
      });
      await page.goto(`${service.url}/#/v/${video}`);
      await page.locator("form.ask").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("Which town can be read?");
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Pasadena");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Greenbelt");
      await page.keyboard.press("Control+Enter");
      await page.locator(".stages li.now").filter({ hasText: "Reason" }).waitFor();
      await page.getByRole("button", { name: "Cancel" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Cancelled before an answer came.").waitFor();
      const paid = service.models.chats().length;
      service.models.answer(misreading);
      await page.getByRole("button", { name: "Ask again" }).focus();
      await page.keyboard.press("Enter");
      await page.locator(".answer:not(.none) .verdict").waitFor();
      const again = service.models.chats().slice(paid).filter(isRecognition);
      expect(again).toEqual([]);

      await page.keyboard.press("n");
      await page.keyboard.press("e");
      const element = () => page.evaluate("document.activeElement.localName");
      await expect.poll(element).toBe("textarea");
      await page.keyboard.press("Escape");
      const action = () => page.evaluate("document.activeElement.dataset.action");
      await expect.poll(action).toBe("edit");
      await page.keyboard.press("e");
      await expect.poll(element).toBe("textarea");
      await page.keyboard.press("Control+A");
      await page.keyboard.type("A person saw to it.");
      await page.keyboard.press("Enter");
      const mended = page.locator("li.card").filter({ hasText: "A person saw to it." });
      await mended.locator("del").waitFor();
      const focus = () => page.evaluate("document.activeElement.textContent");
      await expect.poll(focus).toBe("Edit");
      expect(await mended.locator(":focus").count()).toBe(1);
      await page.keyboard.press("x");
      await expect.poll(focus).toBe("Put back");
      await page.keyboard.press("Enter");
      await expect.poll(focus).toBe("Edit");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".track").last().locator("[tabindex='0']").focus();
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      await expect.poll(() => player(page)).toBeGreaterThan(6);
      expect(violations).toEqual([]);
    });

    test("two strategies side by side, and the history of the video", async () => {
      const { page } = await service.open();
      const video = await putVideo(service.url, "two.mp4", await readFile(sharedFile(WEBB)));
      await page.goto(`${service.url}/#/v/${video}`);
      await page.getByLabel("Ask a second strategy too").check();
      await page.locator(".second").getByLabel("Strategy").selectOption("extractive");
      await askTown(page, "Which town do both see?");
      await page.waitForURL(/\/vs\//);
      await expect.poll(() => page.locator(".pane .how").count()).toBe(2);
      const columns = page.locator(".answers thead th");
      expect(await columns.allTextContents()).toEqual(["rrd, openai:scripted", "extractive"]);
      await page
        .locator(".agreement")
        .filter({ hasText: "Only one of 2 has an answer: (A) Pasadena." })
        .waitFor();
      await page.reload();
      const lanes = () => page.locator(".lane-name").allTextContents();
      await expect.poll(lanes).toEqual(["rrd, openai:scripted", "extractive"]);
      await page.locator(".lane").last().locator(".mark.subtitle").first().click();
      await expect
        .poll(() => page.locator(".pane").last().locator("li.card.chosen").count())
        .toBe(1);
      expect(await page.locator("li.card.chosen").count()).toBe(1);
      await page.getByRole("link", { name: "Ask another, all questions" }).click();
      await expect.poll(() => page.locator(".history > li").count()).toBe(2);
      await page.locator(".history a").first().click();
      await answered(page);
      await page.keyboard.press("/");
      await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("question");
    });

    test("a restarted service loses nothing, and the page reports the interruption", async () => {
      const { page } = await service.open();
      const video = await putVideo(service.url, "away.mp4", await readFile(sharedFile(WEBB)));
      let slow = true;
      service.models.answer(async (request) => {
        if (!isRecognition(request) && slow) await new Promise((done) => setTimeout(done, 60_000));
        return misreading(request);
      });
      await page.goto(`${service.url}/#/v/${video}`);
      await askTown(page, "Which town is it, after all?");
      await page.locator(".stages li.now").filter({ hasText: "Reason" }).waitFor();
      slow = false;
      await service.stop();
      await page.getByText("Connection lost. Reconnecting").waitFor();
      await service.restart();
      await expect
        .poll(() => page.locator("#connection").textContent(), { timeout: 20_000 })
        .toBe("");
      await answered(page);
      expect(await verdict(page)).toBe("(A) Pasadena");
    });
  });
});

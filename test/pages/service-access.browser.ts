import { appendFile, readFile } from "node:fs/promises";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_TIMEOUTS } from "../../src/app/service/options.ts";
import { chromiumPath } from "../support/browser.ts";
import { makeClip } from "../support/clips.ts";
import { openPageService, type PageService } from "../support/page-service.ts";
import { tempFolder } from "../support/temp.ts";

const TOKEN = "a-token-that-nobody-would-guess-0123456789";
const PART = 4 * 1024 * 1024;

describe.skipIf(chromiumPath === null)("the page after its session or question has ended", () => {
  let service: PageService;
  let file: string;
  let slow = false;
  beforeAll(async () => {
    service = await openPageService(
      async () => {
        if (slow) await new Promise((done) => setTimeout(done, 60_000));
        return "Answer: A";
      },
      { auth: { by: "token", token: TOKEN }, timeouts: { ...DEFAULT_TIMEOUTS, grace_ms: 100 } },
    );
    file = await makeClip(await tempFolder(), "a lecture.mp4", { frames: 50 });
  });
  afterAll(() => service?.close());

  async function giveKey(page: Page): Promise<void> {
    await page.getByLabel("Access key").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }

  async function signedIn(): Promise<{ page: Page; context: BrowserContext }> {
    const { page, context } = await service.open();
    await page.goto(service.url);
    await giveKey(page);
    await page.getByText("Drop videos here").waitFor();
    return { page, context };
  }

  /** Uploads a video in the page's session; returns its id. */
  async function put(page: Page): Promise<string> {
    const headers = { "content-type": "application/octet-stream", "x-file-name": "a.mp4" };
    const data = await readFile(file);
    const response = await page.request.post(`${service.url}/api/v1/videos`, { headers, data });
    return ((await response.json()) as { id: string }).id;
  }

  async function askSlowly(page: Page, video: string): Promise<void> {
    slow = true;
    await page.goto(`${service.url}/#/v/${video}`);
    await page.getByLabel("Strategy", { exact: true }).first().selectOption("direct");
    await page.getByLabel("Question", { exact: true }).fill(`What happens in ${video}?`);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
  }

  test("if a restarted service refuses the event stream, the page asks for the key once and continues", async () => {
    const { page } = await signedIn();
    await askSlowly(page, await put(page));
    await page.locator(".stages li.now").waitFor();
    await expect.poll(() => service.models.chats().length).toBeGreaterThan(0);
    slow = false;
    await service.stop();
    await service.restart();
    await giveKey(page);
    await page.locator(".answer").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a question that ended just before the service stopped is shown as ended after the restart", async () => {
    const { page } = await signedIn();
    const video = await put(page);
    await askSlowly(page, video);
    await page.locator(".stages li.now").waitFor();
    slow = false;
    let away = true;
    await page.route(/api.v1.questions.[^/]+(.evidence)?$/, (route) =>
      away ? route.abort() : route.continue(),
    );
    await page.route("**/healthz", (route) => (away ? route.abort() : route.continue()));
    const question = new URL(page.url()).hash.split("/").at(-1);
    await page.request.post(`${service.url}/api/v1/questions/${question}/cancel`);
    await page.getByText("cannot be reached").first().waitFor();
    away = false;
    await page
      .getByText(/cancelled/i)
      .first()
      .waitFor();
  });

  test("a deleted question is shown as deleted and not requested again", async () => {
    const { page } = await signedIn();
    const video = await put(page);
    let streams = 0;
    await page.route(/\/events\?after=/, async (route) => {
      if (streams++ === 0) await page.request.delete(`${service.url}/api/v1/videos/${video}`);
      return route.continue();
    });
    await askSlowly(page, video);
    await page.getByText("Question not found").waitFor();
    slow = false;
    expect(await page.locator(".stages").count()).toBe(0);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.waitForTimeout(3_000);
    expect([streams, asked]).toEqual([1, []]);
  });

  test("an upload continues after the key is given, and is kept if it is not", async () => {
    const heavy = Buffer.alloc(2 * PART);
    heavy.writeUInt32BE(heavy.length, 0);
    heavy.write("free", 4);
    await appendFile(file, heavy);
    const { page } = await signedIn();
    const begun: string[] = [];
    const ranges: string[] = [];
    await page.route("**/api/v1/uploads**", async (route) => {
      const method = route.request().method();
      if (method === "POST") begun.push(method);
      if (method !== "PATCH") return route.continue();
      ranges.push((await route.request().headerValue("content-range")) ?? "");
      if (ranges.length === 2) {
        await service.stop();
        await service.restart();
      }
      return route.continue();
    });
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".uploads .refused").waitFor();
    expect(
      await page.evaluate(`JSON.parse(localStorage.getItem("video-rrd:uploads")).length`),
    ).toBe(1);
    await page.locator("input[type=file]").setInputFiles(file);
    await giveKey(page);
    await page.locator(".uploads .arrived").waitFor();
    expect(begun).toEqual(["POST"]);
    expect(ranges.filter((range) => range.startsWith("bytes 0-"))).toHaveLength(1);
  });
});

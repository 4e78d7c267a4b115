import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { chromiumPath } from "../support/browser.ts";
import { makeClip } from "../support/clips.ts";
import type { SeenRequest } from "../support/model-server.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

/** Injections that would set a global or open a dialog if they ran. */
const ATTACKS = [
  `<img src=x onerror="window.hit=1;alert(1)">`,
  `</textarea></script><script>window.hit=1;alert(2)</script>`,
  `"><svg onload=alert(3)><a href="javascript:window.hit=1">x</a>`,
  `' autofocus onfocus='window.hit=1' x='`,
  `{{constructor.constructor('window.hit=1')()}}\${window.hit=1}`,
];
const HOSTILE = ATTACKS.join(" ");

function hostile(request: SeenRequest): string {
  return wordsOf(request).includes("was observed in a video")
    ? `${HOSTILE} [E1]\nAnswer: A`
    : `${HOSTILE} in part ${/part (\d+)/.exec(wordsOf(request))?.[1]}`;
}

const hit = (page: Page) => page.evaluate("window.hit ?? null");

describe.skipIf(chromiumPath === null)("hostile texts", () => {
  let service: PageService;
  let bytes: Buffer;
  beforeAll(async () => {
    service = await openPageService(hostile);
    const folder = await tempFolder();
    const clip = await makeClip(folder, "clip.mp4", { frames: 100 });
    const cues = ATTACKS.map(
      (attack, n) =>
        `${n + 1}\n00:00:0${(n / 2) | 0},${n % 2}00 --> 00:00:0${(n / 2) | 0},${n % 2}90\n${attack}\n`,
    );
    const file = join(folder, "subtitled.mkv");
    await runFfmpeg(
      ["-i", clip, "-f", "srt", "-i", "pipe:0", "-c:v", "copy", "-c:s", "srt", "-y", file],
      { stdin: Buffer.from(cues.join("\n")) },
    );
    bytes = await readFile(file);
  });
  afterAll(() => service?.close());

  test("names, questions, options, subtitles, captions, replies, notes and corrections are shown as text", async () => {
    const { page, violations } = await service.open();
    const name = `${HOSTILE.slice(0, 200)}.mkv`;
    const video = await putVideo(service.url, name, bytes);
    await page.goto(service.url);
    await page.getByText(HOSTILE.slice(0, 60)).first().waitFor();
    await page.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${service.url}/#/v/${video}`);
    await page.getByLabel("Question", { exact: true }).fill(HOSTILE);
    await page.getByText("Choice", { exact: true }).click();
    await page.getByLabel("Option A").fill(HOSTILE);
    await page.getByLabel("Option B").fill("Another");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".answer .verdict").waitFor();
    expect(await page.locator(".answer .verdict").textContent()).toBe(`(A) ${HOSTILE}`);
    await page.getByText("Model reply").click();
    expect(await page.locator(".card.subtitle").count()).toBeGreaterThan(0);
    expect(await page.locator(".card.caption .words").first().textContent()).toContain(HOSTILE);
    await page.getByRole("button", { name: /^Edit/ }).first().click();
    await page.getByLabel("Words").fill(`${HOSTILE} corrected`);
    await page.keyboard.press("Enter");
    await page.locator("del").first().waitFor();
    await page.getByRole("button", { name: "Wrong, the answer is …" }).click();
    await page.getByLabel("(B) Another").check();
    await page.getByLabel(/^Note/).fill(HOSTILE);
    await page.getByRole("button", { name: "Save the right answer" }).click();
    await page.getByText(/^Wrong. The right answer: /).waitFor();
    await page.getByRole("button", { name: "Reason again" }).click();
    await page.locator(".changes").waitFor();
    for (const mark of await page.locator(".mark").all()) await mark.hover({ force: true });
    expect(
      await page
        .locator("main script, main svg:not(.icon), main iframe, main a[href^=javascript]")
        .count(),
    ).toBe(0);
    expect(await hit(page)).toBeNull();
    expect(violations).toEqual([]);
  });

  test("hostile URLs open no other page", async () => {
    const { page, violations } = await service.open();
    for (const attack of ATTACKS) {
      await page.goto(
        `${service.url}/#/v/${encodeURIComponent(attack)}/q/${encodeURIComponent(attack)}`,
      );
      await page.getByRole("alert").first().waitFor();
      await page.goto(`${service.url}/#${attack}`);
      await page.getByRole("link", { name: "All videos" }).waitFor();
    }
    expect(await hit(page)).toBeNull();
    expect(violations).toEqual([]);
  });

  test("the content security policy blocks inline scripts and markup from strings", async () => {
    const { page, violations } = await service.open();
    await page.goto(service.url);
    await page.getByText("Drop videos here").waitFor();
    const outcome = await page.evaluate(`(() => {
      const script = document.createElement("script");
      script.setAttribute("nonce", "");
      try { script.text = "window.hit = 1"; document.head.append(script); } catch {}
      try { document.body.innerHTML = "<p>gone</p>"; return "markup"; } catch (error) { return error.name; }
    })()`);
    expect(outcome).toBe("TypeError");
    expect(await hit(page)).toBeNull();
    await expect.poll(() => violations.join()).toContain("policy: require-trusted-types-for");
  });
});

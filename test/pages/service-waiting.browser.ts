import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkPage, chromiumPath } from "../support/browser.ts";
import { layoutFaults } from "../support/page-layout.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { postgresPrograms, startPostgres } from "../support/postgres-server.ts";
import { makeShuffled } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const lacks = chromiumPath === null || (postgresPrograms() === null && !process.env.CI);

describe.skipIf(lacks)("a service that leaves its questions to workers, of which none runs", () => {
  let service: PageService;
  let video: string;

  beforeAll(async () => {
    vi.stubEnv("VIDEO_RRD_STORE", (await startPostgres()).address("page"));
    service = await openPageService(() => "Answer: A", { workers: "remote" });
    vi.unstubAllEnvs();
    const file = join(await tempFolder(), "bowl.mp4");
    await makeShuffled(file, 2);
    video = await putVideo(service.url, "bowl.mp4", await readFile(file));
  });
  afterAll(() => service?.close());

  test.each([1280, 390])(
    "at %i pixels, a question says why it waits, and can be cancelled",
    async (width) => {
      const asked = await fetch(`${service.url}/api/v1/videos/${video}/questions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: "Which colour?", options: ["red", "blue"] }),
      });
      const { id } = (await asked.json()) as { id: string };
      const { page, violations } = await service.open({ width });
      await page.goto(`${service.url}/#/v/${video}/q/${id}`);
      const progress = page.getByRole("group", { name: "Progress" });
      await progress.getByRole("status").waitFor();
      const reason = progress.getByRole("status");
      expect(await reason.textContent()).toMatch(/worker[^`]*$/);
      expect(await reason.locator("code").allTextContents()).toEqual([
        expect.stringContaining("worker"),
      ]);
      expect(await checkPage(page, `waiting-${width}`)).toEqual([]);
      expect(await layoutFaults(page)).toEqual([]);
      await progress.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Cancelled").first().waitFor();
      expect(service.models.chats()).toEqual([]);
      expect(violations).toEqual([]);
    },
  );
});

import sharp from "sharp";
import { expect, test } from "vitest";
import { makeEvidence } from "../../src/core/evidence.ts";
import { EVIDENCE_KINDS, type Evidence, type Usage } from "../../src/core/shapes.ts";
import { evidencePage } from "../../src/pages/evidence-page.ts";
import { describePage, testAppearance } from "../support/browser.ts";
import { madeOrdering } from "./made-ordering.ts";

const video = "b".repeat(64);
const frameHash = "c".repeat(64);
const usage: Usage = { calls: 3, frames: 24, input: 5120, output: 310, cost: 0.0127, paid: 0 };

function items(): Evidence[] {
  return Array.from({ length: 28 }, (_, index) => {
    const kind = EVIDENCE_KINDS[index % EVIDENCE_KINDS.length] as Evidence["kind"];
    return makeEvidence({
      video,
      kind,
      start_s: index * 4,
      end_s: index * 4 + (kind === "frame" ? 0 : 5),
      text:
        kind === "frame"
          ? ""
          : `What was observed number ${index}: ${"a word and another ".repeat(index % 5)}`,
      frame:
        kind === "frame" || kind === "text"
          ? { hash: frameHash, video, t_s: index * 4, width: 640, height: 360 }
          : undefined,
      by: { who: "tool", name: "test" },
      confidence: index % 3 === 0 ? 0.91 : null,
      from: [],
    });
  });
}

async function html(): Promise<string> {
  const picture = await sharp({
    create: { width: 320, height: 180, channels: 3, background: "#507090" },
  })
    .jpeg()
    .toBuffer();
  const evidence = items();
  return evidencePage({
    video: { name: "a_recording_with_a_rather_long_file_name_2026-11-20.mp4", duration_s: 120 },
    question: {
      id: "q",
      video,
      text: "Why did the farmer sell so few baskets on Wednesday?",
      task: "choice",
      options: [
        { letter: "A", text: "The prices had gone up" },
        { letter: "B", text: "Heavy rain kept the customers away" },
      ],
    },
    answer: {
      status: "answered",
      answer: "B",
      cites: evidence.slice(3, 6).map((item) => item.id),
      cited_by: "model",
      set: video,
      limits_met: [],
      confidence: null,
      confidence_basis: null,
      diagnostics: {
        ordering: madeOrdering(7),
      },
      usage,
    },
    evidence: { items: evidence },
    strategy: "rrd",
    model: "scripted:test",
    calls: [
      {
        key: "k",
        role: "recogniser",
        model: "scripted:test",
        prompts: {},
        label: "clip 1",
        finish: "stop",
        cached: false,
        usage,
        seconds: 1.2,
        frames: [{ hash: frameHash, t_s: 3 }],
        text: "A person pours water.",
      },
    ],
    usage: new Map([["caption", usage]]),
    thumbnails: new Map([[frameHash, `data:image/jpeg;base64,${picture.toString("base64")}`]]),
  });
}

describePage("the evidence page in a browser", html, (open) => {
  testAppearance("evidence", open);

  test("Tab reaches the citation, and Enter moves to its card", async () => {
    const page = await open();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toMatch(/^E4 at 00:12$/);
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.querySelector(':target').id")).toBe("E4");
  });
});

import { Writable } from "node:stream";
import type { BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { ServiceOptions } from "../../src/app/service/options.ts";
import { type Service, startService } from "../../src/app/service/serve.ts";
import { testBrowser } from "./browser.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";
import { tempFolder } from "./temp.ts";

/* The real service with a scripted model server and a real browser. */

export interface PageService {
  url: string;
  models: ModelServer;
  /** Stops the service and starts it again on the same folder and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Opens a new window, and records in it what should never happen. */
  open(window?: WindowOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

export interface WindowOptions {
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  reducedMotion?: "reduce" | "no-preference";
  /** 2 with half the width and height: 200 % zoom. */
  deviceScaleFactor?: number;
}

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** Dialogs, script errors and violations of the content security policy. */
  violations: string[];
}

/** Starts the service without OCR, which would take most of the time. `model` false: without any language model. */
export async function openPageService(
  script: Script,
  given: Partial<ServiceOptions> & { model?: boolean } = {},
): Promise<PageService> {
  const { model = true, ...options } = given;
  const models = await startModelServer(script);
  const data = await tempFolder();
  const start = (port: number): Promise<Service> =>
    startService({
      data,
      port,
      settings: {
        recognition: { frames: 12, max_side: 256, ocr: "off" },
        ...(model ? { model: "openai:scripted", runtime: { base_url: models.url } } : {}),
      },
      models: model ? ["openai:scripted", "openai:other"] : [],
      log: { level: "silent", to: new Writable({ write: (_chunk, _encoding, done) => done() }) },
      ...options,
    });
  let service = await start(0);
  const { url } = service;
  const browser = await testBrowser();
  return {
    url,
    models,
    restart: async () => {
      service = await start(Number(new URL(url).port));
    },
    stop: () => service.stop(),
    open: async ({ width = 1280, height = 900, ...rest }: WindowOptions = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        // A browser that draws a turning sign all the time leaves less of a processor to the tests beside it.
        reducedMotion: "reduce",
        ...rest,
      });
      // A page that is left open asks the service again and again, and draws.
      onTestFinished(() => context.close());
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      const violations = await recordViolations(page);
      return { page, context, violations };
    },
    close: async () => {
      await service.stop().catch(() => {});
      await models.close();
    },
  };
}

async function recordViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  page.on("dialog", (dialog) => {
    violations.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on("pageerror", (error) => violations.push(`script error: ${error.message}`));
  await page.exposeFunction("policyRefused", (what: string) => violations.push(`policy: ${what}`));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    window.policyRefused(event.effectiveDirective + " " + event.blockedURI))`);
  return violations;
}

/** Uploads a file like a program; returns the id of the video. */
export async function putVideo(url: string, name: string, bytes: Uint8Array): Promise<string> {
  const response = await fetch(`${url}/api/v1/videos`, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      "x-file-name": encodeURIComponent(name),
    },
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  const body = (await response.json()) as { id?: string; detail?: string };
  if (body.id === undefined) throw new Error(`the video was refused: ${body.detail}`);
  return body.id;
}

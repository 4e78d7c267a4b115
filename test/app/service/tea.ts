import { join } from "node:path";
import { expect } from "vitest";
import type { EvidenceList, QuestionView } from "../../../src/app/service/api.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { makeShuffled, procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

/* A service with one video of three shuffled steps, whose name looks like markup. */

/** The step that each clip shows. */
export const PLACES = [2, 3, 1];
export const ASKED = { text: "In which order?", goal: "Make tea" };

export interface Tea {
  server: ModelServer;
  rig: Rig;
  file: string;
  video: string;
  /** Asks, and waits for the answer. */
  answered(asked?: object): Promise<{ question: QuestionView; list: EvidenceList }>;
  close(): Promise<void>;
}

export async function makeTea(): Promise<Tea> {
  const server = await startModelServer(procedureModel(PLACES));
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, PLACES.length);
  const rig = await startRig({
    settings: {
      model: "openai:scripted",
      recognition: { frames: 12, max_side: 64 },
      runtime: { base_url: server.url },
    },
  });
  const video = (await rig.upload(file, "<img src=x onerror=alert(1)>.mp4")).id;
  return {
    ...{ server, rig, file, video },
    async answered(asked = ASKED) {
      const { id } = await rig.ask(video, asked);
      const question = await rig.ended(id);
      expect(question.state).toBe("answered");
      return { question, list: await rig.evidence(id) };
    },
    async close() {
      await rig.stop();
      await server.close();
    },
  };
}

import { join } from "node:path";
import type { Store } from "../../../src/core/contracts.ts";
import type { JobContext } from "../../../src/core/job-context.ts";
import { openStore } from "../../../src/storage/open.ts";
import { written as put, readEquation } from "../../../tools/mathematics/parse-arithmetic.ts";
import { solveStated } from "../../../tools/mathematics/stated-arithmetic.ts";
import { readText } from "../../../tools/text/read-text.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { type FilmedLesson, lessons } from "./lessons.ts";
import { video } from "./rows.ts";

/** How many equations on the lessons' boards are read correctly, and how many of these are solved, without a model. */
export interface EquationCount {
  written: number;
  read: number;
  /** Equations with an unknown, of those read. */
  unknown: number;
  solved: number;
}

/** Reads the lessons of a seed in `folder`; readings that `store` has are reused. */
export async function countEquations(
  folder: string,
  seed: number,
  store: Store,
  signal?: AbortSignal,
): Promise<EquationCount> {
  const count = { written: 0, read: 0, unknown: 0, solved: 0 };
  const job: JobContext = { store, run: "equations", signal };
  for (const [place, lesson] of lessons(seed).entries()) {
    const onBoard = equationsOn(lesson);
    if (onBoard.length === 0) continue;
    const file = join(folder, "videos", `${video.lesson(place)}.mp4`);
    const evidence = await readText(await openVideo(file, job), {}, job);
    const read = new Set(evidence.flatMap(({ text }) => text.split("\n").map(normalised)));
    for (const line of onBoard) {
      count.written++;
      if (!read.has(normalised(line))) continue;
      count.read++;
      const equation = readEquation(line);
      if (equation?.unknown == null) continue;
      count.unknown++;
      if ((await solveStated(equation)) !== null) count.solved++;
    }
  }
  return count;
}

/** Counts the equations of the sets that `evalDemo` made in `folder`, with the store in that folder. */
export async function countDemoEquations(
  folder: string,
  seed: number,
  signal?: AbortSignal,
): Promise<EquationCount> {
  const store = await openStore(join(folder, "store"));
  try {
    return await countEquations(join(folder, "data", "videomathqa"), seed, store, signal);
  } finally {
    await store.close();
  }
}

export function equationsInWords({ written, read, unknown, solved }: EquationCount): string {
  return `${read} of ${written} equations on the lessons' boards were read correctly; of the ${unknown} with an unknown, ${solved} were solved, without a language model.`;
}

/** Lines of a lesson's pictures that are equations, each once. */
function equationsOn({ film }: FilmedLesson): string[] {
  const lines = film.spec.segments.flatMap((segment) => {
    if (segment.kind !== "picture") return [];
    const { picture } = segment;
    const { shapes } = typeof picture === "function" ? picture(0) : picture;
    return shapes.flatMap((shape) => (shape.draw === "text" ? [shape.text] : []));
  });
  return [...new Set(lines)].filter((line) => readEquation(line) !== null);
}

/** A line for comparison: without spaces, with uniform signs, in lower case. */
function normalised(line: string): string {
  const equation = readEquation(line);
  return equation === null
    ? line.replace(/\s+/g, "")
    : `${put(equation.left)}=${put(equation.right)}`.toLowerCase();
}

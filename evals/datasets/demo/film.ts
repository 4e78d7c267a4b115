import type { Caption, ComposeSpec, Picture, Tone } from "../../../src/media/compose.ts";

export type Span = [start_s: number, end_s: number];

/** What is seen and heard for some seconds. */
export interface Scene {
  seconds: number;
  picture: Picture | ((t_s: number) => Picture);
  /** A subtitle, on screen for all but the edges of the scene. */
  said?: string;
  tone?: Tone;
  /** Whether the answer depends on this scene. */
  evidence?: boolean;
}

export interface Film {
  spec: ComposeSpec;
  /** Spans of the evidence, in seconds. */
  evidence_s: Span[];
  duration_s: number;
}

const EDGE_S = 0.2;
/** Scenes last multiples of a frame, so that spans are exact. */
export const FPS = 5;

export function filmOf(
  scenes: readonly Scene[],
  { width, height, where }: { width: number; height: number; where: "embedded" | "sidecar" },
): Film {
  const spans: Span[] = [];
  let at = 0;
  for (const { seconds } of scenes) {
    const frames = Math.max(1, Math.round(seconds * FPS));
    spans.push([at / FPS, (at + frames) / FPS]);
    at += frames;
  }
  const captions = scenes.flatMap(({ said }, place): Caption[] => {
    const [start_s, end_s] = spans[place] as Span;
    return said === undefined
      ? []
      : [{ start_s: start_s + EDGE_S, end_s: end_s - EDGE_S, text: said }];
  });
  return {
    spec: {
      width,
      height,
      fps: FPS,
      silent: scenes.every((scene) => scene.tone === undefined),
      segments: scenes.map(({ seconds, picture, tone }) => ({
        kind: "picture",
        duration_s: seconds,
        picture,
        sound: tone,
      })),
      ...(captions.length === 0 ? {} : { subtitles: { where, language: "eng", captions } }),
    },
    evidence_s: mergeSpans(spans.filter((_, place) => scenes[place]?.evidence === true)),
    duration_s: at / FPS,
  };
}

/** Spans that touch become one. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const [start, end] of spans) {
    const last = out.at(-1);
    if (last !== undefined && last[1] === start) last[1] = end;
    else out.push([start, end]);
  }
  return out;
}

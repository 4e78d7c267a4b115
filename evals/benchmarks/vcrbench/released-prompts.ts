import type { ReleasedPrompt } from "../protocols/released-prompt.ts";

const VCRBENCH = "pritamqu/VCRBench";
const RRD = "models/qwen2_5_vl_rrd.py";
const rrd = (
  prompt: string,
  inside: string,
  sha256: string,
  holes: Record<string, string> = {},
  variables: readonly string[] = [],
): ReleasedPrompt => ({
  prompt,
  sha256,
  repository: VCRBENCH,
  path: RRD,
  place: { kind: "python", path: RRD, variable: "prompt", inside },
  holes,
  variables,
});
const CLIPS = { goal: "goal", clip_details: "clips" };
const GOAL_THEN_CLIPS = ["goal", "goal", "clips"];

export const VCRBENCH_RELEASED: readonly ReleasedPrompt[] = [
  {
    prompt: "vcrbench/direct",
    sha256: "8630bafeb4f5cf43ebdc5b664a10da21f234c6ab6f9cefce566894c404d0dd31",
    repository: VCRBENCH,
    path: "data/dataset.py",
    place: { kind: "python", path: "data/dataset.py", variable: "PROMPT" },
    holes: { goal: "goal" },
    variables: ["goal", "goal"],
  },
  rrd(
    "rrd/recognise-all",
    "video_recognition",
    "f13b5c0751f8881bc1cfdeb1167ea5f2a49668844474dab2eae14bd1d3d8a26d",
  ),
  rrd(
    "rrd/count-clips",
    "identify_number_of_events",
    "f0a96a15c5d94433892234c349adb77ae34153e42287e106f81356191d913d74",
  ),
  rrd(
    "rrd/recognise-one",
    "video_recognition_iterative",
    "02f562a4a66ac07940e3e71acc2b1efaa76b90485f43dda8f1e990feacfa6448",
    { step: "clip" },
    ["clip", "clip"],
  ),
  rrd(
    "rrd/order",
    "causal_reasoning",
    "968255a794541726896de46150078c1f38d630527dd66f9ef6179795105c449b",
    CLIPS,
    GOAL_THEN_CLIPS,
  ),
  // One released text; our prompts differ by whether frames or the video are sent.
  ...(["rrd/order-video", "rrd/order-clips"] as const).map((prompt) =>
    rrd(
      prompt,
      "causal_reasoning_with_videos",
      "084d6d27ab42030596c47bc92fd9342d8fdec481e22065abbe16e9e40da47c18",
      CLIPS,
      GOAL_THEN_CLIPS,
    ),
  ),
];

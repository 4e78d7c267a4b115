import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { QuestionView, UploadView, VideoView } from "../../../src/app/service/api.ts";
import type { client } from "../../app/service/rig.ts";

/** The attacker's client and files. */
export interface Attacker {
  url: string;
  token: string;
  api: ReturnType<typeof client>;
  /** A small video of the attacker. */
  video: string;
  /** A video of 200 frames of 4096x2304. */
  large: string;
  /** Packet bombs, by size in bytes. */
  bombs: { small: readonly string[]; large: readonly string[] };
  /** Models called since the previous read. */
  seen(): Promise<string[]>;
}

export interface Attack {
  name: string;
  /** One round; repeated until the attack's time is over. */
  run(by: Attacker): Promise<void>;
  /** Runs after the last round. */
  check?(by: Attacker): Promise<void>;
}

/** Time limit of the questions of one round; then they are cancelled. */
const ROUND_MS = 20_000;
const GIBIBYTE = 2 ** 30;
let asked = 0;

/** Asks all questions at once, waits for their results, and cancels those that exceed the time limit. */
async function askAll(
  { api, video }: Pick<Attacker, "api" | "video">,
  all: readonly Record<string, unknown>[],
): Promise<QuestionView[]> {
  const options = ["Rain", "Snow", "Hail"];
  const views = await Promise.all(
    all.map((settings) => api.ask(video, { text: `What falls? (${++asked})`, options, settings })),
  );
  const until = performance.now() + ROUND_MS;
  return Promise.all(
    views.map(async ({ id }) => {
      for (let cancelled = false; ; await sleep(250)) {
        const view = await api.json<QuestionView>(200, "GET", `/api/v1/questions/${id}`);
        if (view.state !== "queued" && view.state !== "running") return view;
        if (cancelled || performance.now() < until) continue;
        await api.send("POST", `/api/v1/questions/${id}/cancel`);
        cancelled = true;
      }
    }),
  );
}

/** Models whose replies are these attacks, in both protocols. */
const models = (...attacks: string[]) =>
  attacks.flatMap((attack) => [`openai:${attack}`, `google-genai:${attack}`]);

/** Questions whose model replies with attacks; none may be answered. */
const replies = (name: string, strategy: string, ...attacks: string[]): Attack => ({
  name,
  async run(by) {
    const ends = await askAll(
      by,
      models(...attacks).map((model) => ({ model, strategy })),
    );
    for (const { state, answer } of ends)
      expect([state, answer?.status ?? "error"]).not.toEqual(["answered", "answered"]);
  },
});

const redirect: Attack = {
  ...replies("redirecting model", "direct", "redirect"),
  async check({ seen }) {
    const all = await seen();
    expect(all).toContain("redirect");
    expect(all).not.toContain("stolen");
  },
};

const LARGE = { model: "openai:fine", strategy: "direct", "recognition.max_side": null };

const frames: Attack = {
  name: "200 frames of 4096 px, quality 100",
  async run(by) {
    const [refused] = await askAll({ ...by, video: by.large }, [
      { ...LARGE, "recognition.frames": 200, "recognition.quality": 100 },
    ]);
    // With other attacks of the same key it may wait for longer than its round.
    if (refused?.state !== "cancelled") expect(refused?.failure?.kind).toBe("media-limit");
    // The largest requests that the limits allow, four at once, with nothing decoded before.
    const qualities = [100, 99, 98, 97].map((quality) => quality - 4 * (frameRounds % 3));
    frameRounds++;
    await askAll(
      { ...by, video: by.large },
      qualities.map((quality) => ({
        ...LARGE,
        "recognition.frames": 90,
        "recognition.quality": quality,
      })),
    );
  },
};
let frameRounds = 0;

/** Sends the headers of a request and then a few bytes at intervals, until the connection is closed. */
function drip({ url, token }: Attacker, head: string): () => void {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`${head}\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`);
  socket.write("Transfer-Encoding: chunked\r\n\r\n");
  const timer = setInterval(() => socket.write("1\r\na\r\n"), 200);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}

const uploads: Attack = {
  name: "ten uploads of 2 GiB announced, twelve chunked",
  async run(by) {
    const { api } = by;
    const begun = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        api.send("POST", "/api/v1/uploads", { name: `x${i}`, size: 2 * GIBIBYTE }),
      ),
    );
    for (const { status } of begun) expect([201, 429]).toContain(status);
    const head = "POST /api/v1/videos HTTP/1.1\r\nX-File-Name: a.mp4";
    const dripping = Array.from({ length: 12 }, () => drip(by, head));
    await sleep(5_000);
    for (const stop of dripping) stop();
    for (const response of begun) {
      const { id } = (await response.json()) as Partial<UploadView>;
      if (id !== undefined) await api.send("DELETE", `/api/v1/uploads/${id}`);
    }
  },
};

const tokens: Attack = {
  name: "wrong tokens",
  async run({ url }) {
    const statuses = new Set<number>();
    const until = performance.now() + 5_000;
    const guess = async (series: number) => {
      for (let i = 0; i < 20 || performance.now() < until; i++) {
        // Half of the guesses share a prefix.
        const token = series % 2 === 0 ? `vrrd_${series}_alike_${i}` : `vrrd_${i}_${series}`;
        const authorization = `Bearer ${token}`;
        const { status } = await fetch(`${url}/api/v1/videos`, { headers: { authorization } });
        statuses.add(status);
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, series) => guess(series)));
    expect([...statuses].sort()).toEqual([401, 429]);
  },
};

/** Uploads bombs, all at once; opens, asks about and removes those accepted as videos. */
const packets = (name: string, size: keyof Attacker["bombs"]): Attack => ({
  name,
  async run({ api, bombs }) {
    const send = async (file: string) => {
      const video = await api.upload(file, "bomb.mkv").catch((): VideoView | null => null);
      if (video === null) return;
      await Promise.race([
        api.send("GET", `/api/v1/videos/${video.id}/thumbnail?t_s=500`).catch(() => null),
        sleep(ROUND_MS),
      ]);
      await askAll({ api, video: video.id }, [{ strategy: "extractive" }]);
      await api.json(204, "DELETE", `/api/v1/videos/${video.id}`);
    };
    await Promise.all(bombs[size].map(send));
  },
});

/** Sends many invalid bodies at once; every one must be refused. */
const bodies = (name: string, made: () => readonly string[]): Attack => {
  let all: readonly string[] | undefined;
  return {
    name,
    async run({ api, video }) {
      all ??= made();
      const answers = await Promise.all(
        all.map((body) => api.send("POST", `/api/v1/videos/${video}/questions`, body)),
      );
      for (const response of answers) {
        expect(response.status).toBe(422);
        await response.arrayBuffer();
      }
    },
  };
};

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const asking = (settings: string) => `{"text":"x","settings":${settings}}`;

const json = bodies("deep and wide JSON", () => [
  asking(`{"model":${nested(100_000)}}`),
  asking(`{"model":${nested(500_000)}}`),
  asking(`${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`),
  asking(`{"model":[${"{},".repeat(340_000)}{}]}`),
  asking(`{${Array.from({ length: 70_000 }, (_, i) => `"k${i}":[]`).join()}}`),
  `{"text":${nested(500_000)}}`,
]);

const settings = bodies("budgets of 100,000, __proto__", () => [
  asking('{"budget":{"calls":100000}}'),
  asking('{"budget.calls":100000}'),
  asking('{"budget":{"calls":null}}'),
  asking('{"__proto__":{"calls":1}}'),
  asking('{"budget":{"__proto__":{"calls":1}}}'),
  asking('{"\\u005f_proto__":{"calls":1}}'),
]);

const bombs = packets("packet bombs of 14 MB", "small");
const stream = replies("endless stream", "direct", "spaces", "slow");

export const ATTACKS: readonly Attack[] = [
  { name: "none", run: () => sleep(8_000) },
  redirect,
  replies("1 GiB of spaces", "direct", "1-GiB", "bad-request"),
  replies("gzip bombs", "direct", "gzip", "br", "gzip-of-gzip", "empty-gzips"),
  stream,
  replies("10 MB of tool arguments", "agent", "arguments-text", "arguments-object", "values"),
  frames,
  uploads,
  tokens,
  bombs,
  packets("packet bombs of 119 MB", "large"),
  json,
  settings,
  {
    name: "five of them at once",
    async run(by) {
      await Promise.all([stream, frames, bombs, tokens, json].map((attack) => attack.run(by)));
    },
  },
];

/** Models that the operator has to allow for the attacks. */
export const MODELS: readonly string[] = models(
  ...["redirect", "1-GiB", "bad-request", "gzip", "br", "gzip-of-gzip", "empty-gzips"],
  ...["spaces", "slow", "arguments-text", "arguments-object", "values", "fine"],
);

import {
  defineJudge,
  inlinePrompt,
  type Judge,
  type Judged,
  judgedReplies,
  readObject,
} from "video-rrd";
import { z } from "zod";

const Value = z.strictObject({ why: z.string(), gives_reason: z.boolean() });

const WORDS = `Does this reply give a reason for its answer that can be seen or heard in the video?
Reply with one JSON object and nothing else: {"why": "...", "gives_reason": true or false}`;

/** The words are ours; the reply is untrusted, and follows them in quotation marks. */
const prompt = (reply?: string) => inlinePrompt("my-judge/reason", WORDS, reply);

const reason: Judge<z.infer<typeof Value>> = {
  kind: "my-judge",
  benchmarks: "any",
  value: Value,
  sees: false,
  temperature: 0,
  prompts: [prompt()],
  ask: ({ text }) => [prompt(text)],
  // A reply that cannot be read is asked for once more, with the problem.
  read: (reply) => readObject(reply, Value),
};

interface Summary extends Judged {
  with_reason: number;
}

const shareText = ({ with_reason, judged }: Summary) => `${with_reason} of ${judged}`;

/** Whether replies give a reason. */
export default defineJudge<Summary>({
  name: "my-judge",
  summary: "whether a reply gives a reason for its answer",
  judges: [reason],
  summarise(results, judging, options) {
    const { told, replies } = judgedReplies(results, judging, reason, options);
    const values = replies.flatMap(({ parts }) => parts.map(({ value }) => value));
    return { ...told, with_reason: values.filter((value) => value?.gives_reason).length };
  },
  rows: (summary) => [
    ["replies", "number"],
    ["with a reason", shareText(summary)],
  ],
  report: (summaries) => ({
    tables: summaries.map((summary) => ({
      title: `Replies with a reason: ${summary.run}`,
      head: ["With a reason"],
      words: 0,
      rows: [[shareText(summary)]],
    })),
  }),
});

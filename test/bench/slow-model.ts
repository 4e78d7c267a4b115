import type { Script } from "../support/model-server.ts";

/** A model whose every reply takes 2 s, or the milliseconds of `REPLY_MS`. */
const script: Script = () => ({ text: "[[A]]", delay_ms: Number(process.env.REPLY_MS ?? 2000) });
export default script;

import type { Script } from "../support/model-server.ts";

/** A model whose every reply takes 2 s. */
const script: Script = () => ({ text: "[[A]]", delay_ms: 2000 });
export default script;

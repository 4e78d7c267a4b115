import type { Script } from "../support/model-server.ts";

/** A model that takes two seconds over everything. */
const script: Script = () => ({ text: "[[A]]", delay_ms: 2000 });
export default script;

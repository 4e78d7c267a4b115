import { z } from "zod";

/** A server with its tools, as a run records it. */
export const ServerRecord = z.object({
  /** Its name in the operator's file. */
  name: z.string(),
  transport: z.enum(["stdio", "http"]),
  /** Name and version that the server states. */
  server: z.object({ name: z.string(), version: z.string() }),
  tools: z.array(
    z.object({
      /** As the model calls it. */
      name: z.string(),
      /** Of its name, description and schema as the server lists them. */
      sha256: z.string(),
      /** Its results are stored. */
      pure: z.literal(true).optional(),
    }),
  ),
});
export type ServerRecord = z.infer<typeof ServerRecord>;

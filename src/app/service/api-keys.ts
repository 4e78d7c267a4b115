import { z } from "zod";
import { Instant } from "./api.ts";
import { requestBody } from "./api-shared.ts";
import { KEY_ROLES } from "./options.ts";

/* Schemas of the keys of callers. */

export const KeyName = z
  .string()
  .regex(/^[\w.@-]{1,64}$/, { error: "1 to 64 letters, digits or ._@-" })
  .meta({ description: "The name of the caller." });

const limits = {
  in_flight: z
    .int()
    .positive()
    .nullable()
    .meta({ description: "Maximum queued and running questions; null: no limit." }),
  cost_a_day: z
    .number()
    .nonnegative()
    .nullable()
    .meta({ description: "Maximum dollars a day (UTC); null: no limit." }),
  bytes: z
    .int()
    .nonnegative()
    .nullable()
    .meta({ description: "Maximum bytes of videos and derived data; null: the usual limit." }),
};
const roles = z
  .array(z.enum(KEY_ROLES))
  .min(1)
  .max(KEY_ROLES.length)
  .meta({ description: "What the key may do; `operate` includes the other roles." });

export const KeyView = z
  .object({ name: KeyName, roles, ...limits, created_at: Instant })
  .meta({ id: "Key", description: "The key of a caller, without its secret." });
export type KeyView = z.infer<typeof KeyView>;

export const NewKey = requestBody({
  name: KeyName,
  roles: roles.default(["ask"]),
  in_flight: limits.in_flight.default(null),
  cost_a_day: limits.cost_a_day.default(null),
  bytes: limits.bytes.default(null),
}).meta({ id: "NewKey", description: "A key to create." });

export const CreatedKey = KeyView.extend({
  secret: z.string().meta({ description: "The key itself. It cannot be shown again." }),
}).meta({ id: "CreatedKey", description: "A new key with its secret." });

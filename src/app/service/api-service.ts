import { z } from "zod";
import { TASKS } from "../../core/shapes.ts";
import { Instant, requestBody, StrategyName } from "./api-shared.ts";
import { KEY_ROLES } from "./options.ts";

/* Schemas of the service itself: models, settings, sessions, reports. */

export const StrategyView = z
  .object({
    name: StrategyName,
    summary: z.string().meta({ description: "One sentence." }),
    needs_model: z.boolean().meta({ description: "Whether it calls a model." }),
    over_evidence: z
      .boolean()
      .meta({ description: "Whether it can reason over corrected evidence." }),
  })
  .meta({ id: "Strategy", description: "A way to answer questions." });

/** One setting, for a form. */
export const SettingView = z
  .object({
    path: z.string(),
    description: z.string(),
    kind: z.enum(["boolean", "number", "string", "choice"]),
    choices: z.array(z.string()).nullable(),
    nullable: z.boolean(),
    default: z.unknown(),
    strategies: z
      .array(StrategyName)
      .nullable()
      .meta({ description: "Strategies that read it; null: all of them." }),
    tasks: z
      .array(z.enum(TASKS))
      .nullable()
      .meta({ description: "Tasks whose questions read it; null: all of them." }),
  })
  .meta({ id: "Setting", description: "One setting, for a form." });

export const ServiceView = z
  .object({
    version: z.string(),
    models: z.object({
      model: z
        .string()
        .nullable()
        .meta({ description: "The default `provider:model`; null: no model is configured." }),
      allowed: z
        .array(z.string())
        .nullable()
        .meta({ description: "Models that a question may name; null: any." }),
      strategies: z.array(StrategyName).meta({
        description: "Strategies that a question may name: without a model, those that need none.",
      }),
      strategy: StrategyName.meta({ description: "The default strategy." }),
      missing: z.string().nullable().meta({
        description:
          "The reason why the model cannot be called, such as a missing API key; null: it can be called.",
      }),
    }),
    strategies: z.array(StrategyView).meta({ description: "All strategies, for a form." }),
    settings: z.array(SettingView),
    limits: z.object({
      upload: z.int().meta({ description: "Maximum bytes of one upload." }),
      quota: z.int().meta({
        description: "Bytes that the caller may store: videos and the data derived from them.",
      }),
      used: z.int().meta({
        description:
          "Bytes that the caller stores, as far as they are counted: after a start, counting takes seconds.",
      }),
      open_uploads: z.int(),
      in_flight: z.int().nullable().meta({
        description: "Maximum queued and running questions of the caller; null: no limit.",
      }),
      cost_a_day: z
        .number()
        .nullable()
        .meta({ description: "Maximum dollars a day of the caller; null: no limit." }),
    }),
    hosts: z.array(z.string()).meta({ description: "Hosts from which a video may be fetched." }),
    reports: z.boolean(),
    reviews: z.object({ raters: z.int(), blind: z.boolean() }).meta({
      description:
        "How answers are reviewed: verdicts that each needs, and whether reviewers see no answer before their own.",
    }),
    human_study: z.boolean().meta({ description: "Whether the service asks a human study." }),
    waiting: z.string().nullable().meta({
      description:
        "Why no worker answers questions, with `--workers remote`; null: questions are answered.",
    }),
    token: z.boolean().meta({
      description: "`token`: whether a token is required. `caller`: the name of the caller's key.",
    }),
    caller: z.string().nullable(),
    roles: z
      .array(z.enum(KEY_ROLES))
      .meta({ description: "What the caller's key may do; `operate` includes the other roles." }),
  })
  .meta({ id: "Service", description: "Models, strategies, settings and limits." });
export type ServiceView = z.infer<typeof ServiceView>;

export const NewSession = requestBody({ token: z.string().min(1).max(500) }).meta({
  id: "NewSession",
  description: "The token or key to sign in with.",
});

export const SessionView = z
  .object({ name: z.string() })
  .meta({ id: "Session", description: "The key of the session." });

export const ReportView = z
  .object({ name: z.string(), size: z.int(), modified_at: Instant })
  .meta({ id: "Report", description: "An evaluation report." });

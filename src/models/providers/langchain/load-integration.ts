import { type ResolveHookSync, registerHooks } from "node:module";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { Failure, oneLine, systemCode } from "../../../core/errors.ts";
import { findPackage, installCommand } from "../../../core/find-package.ts";
import { checkPackage } from "../../check-package.ts";
import { serviceName } from "../../name.ts";
import type { Target } from "../../target.ts";
import type { Integration } from "./integration.ts";
import { INTEGRATIONS } from "./integrations.ts";

interface LoadedIntegration {
  /** As `initChatModel` calls it. */
  name: string;
  /** Without the name of the integration. */
  model: string;
  integration: Integration;
  ChatModel: new (fields: Record<string, unknown>) => BaseChatModel;
}

/**
 * Loads the class of a model from the user's current folder, or otherwise from this program's packages.
 * Throws `Failure` `package-missing`, or `wrong-setting` for a base URL that the integration does not support.
 */
export async function loadIntegration(target: Target): Promise<LoadedIntegration> {
  const name = serviceName(target);
  const integration = INTEGRATIONS[name];
  if (integration === undefined)
    throw new Failure("unknown-model", `Unknown model ${target.name}.`);
  const { package: from, className, hasFetch, server } = integration;
  if (!hasFetch && target.baseUrl !== server.home)
    throw new Failure(
      "wrong-setting",
      `Requests for ${target.name} cannot go to ${target.baseUrl}: ${from} takes no address.`,
      { model: target.name, package: from },
    );
  checkPackage(target);
  const exported = await importPackage(from);
  const ChatModel = exported[className];
  if (typeof ChatModel !== "function")
    throw unloadable(from, `it does not export ${className}`, `${from}@latest`);
  return {
    name,
    model: target.model.slice(name.length + 1),
    integration,
    ChatModel: ChatModel as LoadedIntegration["ChatModel"],
  };
}

async function importPackage(name: string): Promise<Record<string, unknown>> {
  const url = findPackage(name);
  const hooks = registerHooks({ resolve: withOurCore });
  try {
    return (await import(/* @vite-ignore */ url ?? name)) as Record<string, unknown>;
  } catch (error) {
    throw unloadable(name, oneLine(error instanceof Error ? error.message : String(error)), name);
  } finally {
    hooks.deregister();
  }
}

/** Packages that integrations need as peers. */
const EXPECTED = /^(@langchain\/core|zod)(\/|$)/;

/** Resolves LangChain's core and zod to those of this program if an integration has none of its own. */
const withOurCore: ResolveHookSync = (specifier, context, next) => {
  try {
    return next(specifier, context);
  } catch (error) {
    if (systemCode(error) !== "ERR_MODULE_NOT_FOUND" || !EXPECTED.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
};

function unloadable(name: string, why: string, install: string): Failure {
  return new Failure(
    "package-missing",
    `Cannot load the package ${name}: ${why}. Install it again: ${installCommand(install)}`,
    { package: name },
  );
}

import { Failure } from "../core/errors.ts";
import { findPackage, installCommand } from "../core/find-package.ts";
import { serviceOf } from "./name.ts";
import type { Target } from "./server.ts";

/** Throws `Failure` `package-missing`, with the command that helps, if a model needs a package that is not installed. */
export function checkPackage(target: Pick<Target, "name" | "provider" | "model">): void {
  const { package: name } = serviceOf(target);
  if (name === undefined || findPackage(name) !== null) return;
  throw new Failure(
    "package-missing",
    `Cannot use ${target.name}: the package ${name} is not installed. Run: ${installCommand(name)}`,
    { model: target.name, package: name },
  );
}

/**
 * Checks the direction of imports and refuses cycles.
 * `node scripts/imports.ts [FOLDER]` checks the project, or a folder with the same layout.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";

/** Layers from the ground up. A file imports from its own entry and from entries above its line, nothing else. */
const LAYERS: readonly (readonly string[])[] = [
  ["src/core"],
  ["src/tracing"],
  ["src/models", "src/storage", "src/media", "src/pages"],
  ["tools", "prompts"],
  ["graphs"],
  ["evals"],
  ["src/app"],
];

const STRATEGY = "^graphs/(?!stages/|replies/|toolbox/)([^/]+)/";

/** A strategy's folder can be deleted: only `src/app` imports from it. */
const STRATEGY_RULES: readonly IForbiddenRuleType[] = [
  {
    name: "strategies-import-no-other-strategy",
    severity: "error",
    from: { path: STRATEGY },
    to: { path: STRATEGY, pathNot: "^graphs/$1/" },
  },
  {
    name: "only-the-app-imports-a-strategy",
    severity: "error",
    from: { path: "^(graphs/[^/]+\\.ts$|graphs/(stages|replies|toolbox)/|evals/)" },
    to: { path: STRATEGY },
  },
];

/** The support for users' tests, and the client of the API: they import nothing of the package, and nothing imports them. */
const APART_RULES: readonly IForbiddenRuleType[] = ["testing", "client"].flatMap((name) => {
  const own = `^src/${name}/`;
  return [
    {
      name: `${name}-imports-nothing-of-the-package`,
      severity: "error",
      from: { path: own },
      to: { path: "^(src|graphs|tools|prompts|evals|test|scripts)/", pathNot: own },
    },
    {
      name: `nothing-of-the-package-imports-${name}`,
      severity: "error",
      from: { path: "^(src|graphs|tools|prompts|evals)/", pathNot: own },
      to: { path: own },
    },
  ] as const;
});

function forbidden(): IForbiddenRuleType[] {
  const directions = LAYERS.flatMap((layer, depth) =>
    layer.map((entry): IForbiddenRuleType => {
      const above = LAYERS.slice(depth + 1).flat();
      const peers = depth === LAYERS.length - 1 ? [] : layer.filter((other) => other !== entry);
      return {
        name: `${entry}-imports-only-below`,
        severity: "error",
        from: { path: `^${entry}` },
        to: { path: `^(${[...above, ...peers, "test", "scripts"].join("|")})(/|$)` },
      };
    }),
  );
  return [
    ...directions,
    ...STRATEGY_RULES,
    ...APART_RULES,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
  ];
}

/** Sentences, one per violation, and the number of modules read: a reader that reads none finds no violation. */
export async function importViolations(
  root: string,
): Promise<{ modules: number; violations: string[] }> {
  const folders = ["src", "graphs", "tools", "prompts", "evals"].filter((folder) =>
    existsSync(join(root, folder)),
  );
  const result = await cruise(folders, {
    baseDir: root,
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "node_modules" },
    enhancedResolveOptions: { extensions: [".ts", ".js", ".json"] },
    ruleSet: { forbidden: forbidden() },
    validate: true,
  });
  const { summary, modules } = result.output as ICruiseResult;
  return {
    modules: modules.filter((module) => module.source.endsWith(".ts")).length,
    violations: summary.violations.map(
      (violation) => `${violation.rule.name}: ${violation.from} -> ${violation.to}`,
    ),
  };
}

if (import.meta.main) {
  const { modules, violations } = await importViolations(
    resolve(process.argv[2] ?? join(import.meta.dirname, "..")),
  );
  for (const violation of violations) console.error(violation);
  if (modules === 0) console.error("No module was read.");
  console.log(`${modules} modules read, ${violations.length} wrong imports`);
  if (modules === 0 || violations.length > 0) process.exitCode = 1;
}

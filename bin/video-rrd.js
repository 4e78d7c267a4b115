#!/usr/bin/env node
const needed = 24;
if (Number(process.versions.node.split(".")[0]) < needed) {
  process.stderr.write(
    `video-rrd needs Node ${needed} or later, and this is Node ${process.versions.node}: install a newer Node, or run it as \`npx -p node@${needed} -p video-rrd video-rrd\`.\n`,
  );
  process.exitCode = 1;
} else {
  let cli;
  try {
    cli = await import("../dist/bundle/src/app/cli/main.js");
  } catch (error) {
    const { existsSync } = await import("node:fs");
    // A module that is missing within a build is another error.
    if (existsSync(new URL("../dist/bundle/src/app/cli/main.js", import.meta.url))) throw error;
    process.stderr.write("video-rrd is not built: run `npm run build` in its folder.\n");
    process.exitCode = 1;
  }
  await cli?.main(process.argv.slice(2));
}

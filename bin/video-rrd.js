#!/usr/bin/env node
const needed = 24;
if (Number(process.versions.node.split(".")[0]) < needed) {
  process.stderr.write(
    `video-rrd needs Node ${needed} or later, and this is Node ${process.versions.node}: install a newer Node, or run it as \`npx -p node@${needed} -p video-rrd video-rrd\`.\n`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import("../dist/bundle/src/app/cli/main.js");
  await main(process.argv.slice(2));
}

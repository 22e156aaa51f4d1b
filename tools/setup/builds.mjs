// Builds what its arguments name: `service`, `console`. A process of its own, since a fresh clone is set up by the
// system's Node.js, which can be older than the one that the sources need.

import { fileURLToPath } from 'node:url';
import { buildConsole } from '../../ui/console/build.mjs';
import { buildService } from './build.mjs';
import { consoleFolder, digestOfConsole } from './sources.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** @param {string} line */
function say(line) {
  process.stderr.write(`keywright: ${line}\n`);
}

/** @type {Readonly<Record<string, () => Promise<unknown>>>} */
const BUILDS = {
  service: () => buildService(root, say),
  console: () => {
    // Before reading them: if a source is edited during the build, the next setup builds again.
    const sources = digestOfConsole(root);
    return buildConsole({ root, outdir: consoleFolder(root), sources });
  },
};

await Promise.all(
  process.argv.slice(2).map(async (name) => {
    say(`building the ${name}`);
    try {
      await BUILDS[name]?.();
    } catch (error) {
      say(`the build failed: ${error instanceof Error ? error.message : String(error)}`);
      process.exit(1);
    }
  }),
);

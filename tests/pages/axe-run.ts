import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Adds axe to a page: half as long as the other form, and read by the browser in half the time. */
export const AXE_SOURCE = readFileSync(
  fileURLToPath(import.meta.resolve('axe-core/axe.min.js')),
  'utf8',
);

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs axe in a page that contains its source, and returns the violations. A string, since it runs in a browser. */
export const AXE_RUN = `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] }).then(
  ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ' ' + node.html.slice(0, 160))),
)`;

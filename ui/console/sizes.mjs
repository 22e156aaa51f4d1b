// `node ui/console/sizes.mjs`: builds the console and prints what a browser loads, in KB after gzip.

import { fileURLToPath } from 'node:url';
import { buildConsole } from './build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const started = performance.now();
const chunks = await buildConsole({
  root,
  outdir: fileURLToPath(new URL('dist', import.meta.url)),
});
const took = performance.now() - started;

/** @param {number} bytes */
const kb = (bytes) => (bytes / 1024).toFixed(1).padStart(7);

/** @param {(name: string) => boolean} isIncluded */
const firstView = (isIncluded) =>
  chunks
    .filter(({ name, isFirst }) => isFirst && isIncluded(name))
    .reduce((sum, { gzipped }) => sum + gzipped, 0);

for (const { name, gzipped, isFirst } of chunks.toSorted((a, b) => b.gzipped - a.gzipped)) {
  process.stdout.write(`${kb(gzipped)}  ${isFirst ? 'first' : '     '}  ${name}\n`);
}
process.stdout.write(`${kb(firstView((name) => name.endsWith('.js')))}  first view, script\n`);
process.stdout.write(`${kb(firstView((name) => name.endsWith('.css')))}  first view, style\n`);
process.stdout.write(`${kb(firstView((name) => name.endsWith('.svg')))}  first view, icons\n`);
process.stdout.write(`${kb(firstView((name) => name.endsWith('.woff2')))}  first view, font\n`);
process.stdout.write(`built in ${(took / 1000).toFixed(2)} s\n`);

// Stack traces out of a bundle name the sources. Node.js' own source maps would take 12 MB, and a third of a second for
// the first error; here one line leads to one line, and nothing is read before somebody looks at a stack.

import { readFileSync } from 'node:fs';

/**
 * Where the lines of a file of the bundle come from; it lies beside that file, with `.json` added to its name.
 * @typedef {object} Places
 * @property {string[]} sources relative to the file
 * @property {number[]} lines for each line two numbers: which source, and which line of it; -1: none
 */

/** @type {Map<string, Places | undefined>} */
const known = new Map();

/**
 * Has every stack trace of this process name sources in place of files of the bundle.
 * @param {string} folder URL of the bundle, with a slash at its end
 */
export function nameSources(folder) {
  const format = Error.prepareStackTrace?.bind(Error);
  if (format === undefined) return;
  Error.prepareStackTrace = (error, sites) =>
    String(format(error, sites)).replaceAll(/(file:[^\s()]+):(\d+):\d+/g, (place, file, line) =>
      file.startsWith(folder) ? (sourceOf(file, Number(line)) ?? place) : place,
    );
}

/**
 * @param {string} file URL
 * @param {number} line from 1
 */
function sourceOf(file, line) {
  if (!known.has(file)) known.set(file, read(file));
  const places = known.get(file);
  const source = places?.sources[places.lines[2 * line - 2] ?? -1];
  return source && `${new URL(source, file).href}:${places?.lines[2 * line - 1]}`;
}

/**
 * @param {string} file URL
 * @returns {Places | undefined}
 */
function read(file) {
  try {
    return JSON.parse(readFileSync(new URL(`${file}.json`), 'utf8'));
  } catch {
    // A trace that names the bundle is better than none.
    return undefined;
  }
}

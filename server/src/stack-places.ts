// Node's own source maps would take 12 MB, and a tenth of a second for the first error (ADR 26).

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Where the lines of a built file come from: what lies beside it, with `.json` added to its name. */
interface Places {
  /** Relative to the file. */
  readonly sources: readonly string[];
  /** For each line two numbers: which source, and which line of it. -1: none. */
  readonly lines: readonly number[];
}

/**
 * Has every stack trace of this process name sources in place of built files. Nothing is read before a stack is looked at.
 * @param folder that was built
 */
export function nameSources(folder: string): void {
  const format = Error.prepareStackTrace?.bind(Error);
  if (format === undefined) return;
  const built = `${pathToFileURL(folder).href}/`;
  const known = new Map<string, Places | undefined>();
  const sourceOf = (file: string, line: number) => {
    if (!known.has(file)) known.set(file, read(file));
    const places = known.get(file);
    const source = places?.sources[places.lines[2 * line - 2] ?? -1];
    return source && `${new URL(source, file).href}:${places?.lines[2 * line - 1]}`;
  };
  Error.prepareStackTrace = (error, sites) =>
    String(format(error, sites)).replaceAll(
      /(file:[^\s()]+):(\d+):\d+/g,
      (place, file: string, line) =>
        file.startsWith(built) ? (sourceOf(file, Number(line)) ?? place) : place,
    );
}

function read(file: string): Places | undefined {
  try {
    return JSON.parse(readFileSync(new URL(`${file}.json`), 'utf8')) as Places;
  } catch {
    // A trace that names the built file is better than none.
    return undefined;
  }
}

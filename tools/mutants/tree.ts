import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Tree } from './areas.ts';

const FUNCTIONS = 'server/sql';

/** @param root with a slash at its end */
export function readTree(root: URL): Tree {
  const paths = readdirSync(new URL(FUNCTIONS, root), { recursive: true, encoding: 'utf8' });
  return {
    read: (file) => readFileSync(new URL(file, root), 'utf8'),
    functions: new Map(
      paths
        .filter((path) => /\bkw_\w+\.sql$/.test(path))
        .toSorted()
        .map((path) => [basename(path, '.sql'), `${FUNCTIONS}/${path}`]),
    ),
  };
}

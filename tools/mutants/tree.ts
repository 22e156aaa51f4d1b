import { readdirSync, readFileSync } from 'node:fs';
import type { Tree } from './areas.ts';

const MIGRATIONS = 'server/migrations';

/** @param root with a slash at its end */
export function readTree(root: URL): Tree {
  return {
    read: (file) => readFileSync(new URL(file, root), 'utf8'),
    migrations: readdirSync(new URL(MIGRATIONS, root))
      .filter((file) => file.endsWith('.sql'))
      .toSorted()
      .map((file) => `${MIGRATIONS}/${file}`),
  };
}

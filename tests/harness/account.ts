import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The account that runs PostgreSQL in the tests; undefined means the current user. PostgreSQL refuses to run as root,
 * so root's tests run it as an unprivileged user (uid 65534).
 */
export const account: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Whether all users can read the path and traverse all its parent directories. */
export function reachable(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    const needed = at === path ? 0o005 : 0o001;
    if ((statSync(at).mode & needed) !== needed) return false;
    if (at === dirname(at)) return true;
  }
}

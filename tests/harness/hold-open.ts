import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** Sets whether a child keeps this process running. */
export function holdOpen(child: ChildProcess, yes: boolean): void {
  for (const handle of [child, child.stdout as Socket | null, child.stderr as Socket | null]) {
    if (yes) handle?.ref();
    else handle?.unref();
  }
}

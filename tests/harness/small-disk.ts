import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entrust } from './janitor.ts';
import { temporaryDirectory } from './temporary.ts';

/** A file system of a limited size. */
export interface SmallDisk {
  /** Its directory, for processes of the same user. */
  readonly path: string;
  /** The same, for processes that `node` starts. */
  readonly inside: string;
  /** A program that runs Node.js in the namespace, for code that resolves symbolic links itself, such as SQLite. */
  readonly node: string;
  close(): void;
}

/**
 * A file system of this size, in a namespace that needs no privileges.
 * @param account the user with access to it; default the user who runs the tests
 */
export async function smallDisk(
  size: string,
  account?: { readonly uid: number; readonly gid: number },
): Promise<SmallDisk> {
  const directory = await temporaryDirectory('disk');
  await chmod(directory, 0o755);
  const mount = `mount -t tmpfs -o size=${size} keywright ${directory} && echo mounted && exec sleep infinity`;
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', mount];
  const holder = spawn('unshare', args, { ...account, stdio: ['ignore', 'pipe', 'inherit'] });
  entrust({ kind: 'process', pid: holder.pid ?? 0 });
  await once(holder.stdout, 'data');
  const programs = await temporaryDirectory('node');
  const node = join(programs, 'node');
  const enter = `nsenter --user --mount --preserve-credentials --target ${holder.pid} --wd="$PWD"`;
  await writeFile(node, `#!/bin/sh\nexec ${enter} ${process.execPath} "$@"\n`, { mode: 0o755 });
  return {
    inside: directory,
    node,
    path: join('/proc', String(holder.pid), 'root', directory),
    close: () => void holder.kill(),
  };
}

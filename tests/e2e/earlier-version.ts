import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../harness/temporary.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The files that define the schema. */
const MIGRATIONS = 'server/migrations';
const SCHEMA = [MIGRATIONS, ':(glob)server/sql/**/*.sql'];
/** Lists what a version uses of the schema. */
const CONTRACT = 'server/sql/contract.txt';
const SOURCES = ['package.json', 'contract', 'server', 'cli', 'sdk'];

/** A version of the service that can still be running while this one is started. */
export interface EarlierVersion {
  /** The commit, or the reason why it is the current version. */
  readonly name: string;
  /** Where its sources are. */
  readonly root: string;
}

/**
 * The last version with a different schema. Before the first release, the migrations and the contract can still change,
 * and then no version can be upgraded. In that case, and without a history, it is this version itself: that only shows
 * that two nodes serve together. `server/src/platform/db/contract.test.ts` covers the schema.
 */
export async function findEarlierVersion(): Promise<EarlierVersion> {
  const commit = findCommit();
  if (commit === undefined)
    return { name: 'this version: the history has no other one', root: ROOT };
  if (!isUpgradable(commit)) {
    const name = `this version: since ${commit}, migrations or lines of ${CONTRACT} were changed or deleted`;
    return { name, root: ROOT };
  }
  const root = await temporaryDirectory('earlier');
  const archive = spawnSync('git', ['archive', commit, ...SOURCES], {
    cwd: ROOT,
    maxBuffer: 1024 ** 3,
  });
  const { status } = spawnSync('tar', ['-x', '-C', root], { input: archive.stdout });
  if (archive.status !== 0 || status !== 0) throw new Error(`${commit} cannot be unpacked.`);
  linkPackages(root);
  return { name: commit, root };
}

function findCommit(): string | undefined {
  if (!existsSync(join(ROOT, '.git'))) return undefined;
  const isChanged = git('status', '--porcelain', '--', ...SCHEMA) !== '';
  const last = git('log', '--first-parent', '-1', '--format=%H', '--', ...SCHEMA);
  return git('rev-parse', '--verify', '--quiet', isChanged ? 'HEAD' : `${last}^`) || undefined;
}

/** Whether this version can upgrade a commit's databases and keeps what the commit uses of the schema. */
function isUpgradable(commit: string): boolean {
  const range = ['--no-renames', '--diff-filter=MD', '--name-only', commit];
  const isEdited = git('diff', ...range, '--', MIGRATIONS) !== '';
  const contract = new Set(readFileSync(join(ROOT, CONTRACT), 'utf8').split('\n'));
  const used = git('show', `${commit}:${CONTRACT}`).split('\n');
  return !isEdited && used.every((line) => contract.has(line));
}

/** The output of git; empty if it fails. */
function git(...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/** Third-party packages are shared with this version; workspace packages are not. */
function linkPackages(root: string): void {
  const scope = '@keywright';
  mkdirSync(join(root, 'node_modules', scope), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== scope)
      symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
  }
  for (const name of ['contract', 'server', 'cli', 'sdk']) {
    symlinkSync(join(root, name), join(root, 'node_modules', scope, name));
    const nested = join(ROOT, name, 'node_modules');
    if (existsSync(nested)) symlinkSync(nested, join(root, name, 'node_modules'));
  }
}

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { blocksOf } from '../../tests/e2e/guide-page.ts';
import { temporaryDirectory } from '../../tests/harness/temporary.ts';

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The files that `npm pack` needs. They are copied because packing builds the SDK, and several tests can pack at the
 * same time.
 */
const SOURCES = ['tsconfig.json', 'package.json', 'contract/src', 'contract/package.json', 'sdk'];

/** Runs npm offline and without the user's own settings. */
function npm(cwd: string, ...args: readonly string[]) {
  return run('npm', [...args, '--offline', '--ignore-scripts=false', '--no-audit', '--no-fund'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, npm_config_cache: join(cwd, '.npm') },
  });
}

/** Packs the SDK with the command of its guide. @returns the package file, which the guide also installs */
export async function packSdk(): Promise<string> {
  const copy = await temporaryDirectory('pack');
  for (const path of SOURCES) {
    const filter = (from: string) => !/\/(node_modules|dist)$/.test(from);
    await cp(join(ROOT, path), join(copy, path), { recursive: true, filter });
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const page = 'sdk.md';
  const command = blocksOf(page).find(({ language }) => language === 'sh');
  const [program, ...args] = command?.text.trim().split(' ') ?? [];
  assert.equal(program, 'npm');
  await npm(copy, ...args);
  const file = await packageIn(copy);
  const guide = await readFile(join(ROOT, 'docs/guide', page), 'utf8');
  assert.ok(guide.includes(`npm install ./${file}`), file);
  return join(copy, file);
}

async function packageIn(folder: string): Promise<string> {
  const file = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (file === undefined) throw new Error('npm pack made no package.');
  return file;
}

/**
 * Creates a project with the package installed, and its dependency jose installed from a file.
 *
 * @param linked further packages, in the repository's versions
 */
export async function installSdk(packed: string, linked: readonly string[] = []): Promise<string> {
  const project = await temporaryDirectory('project');
  const manifest = { name: 'project', version: '1.0.0', private: true, type: 'module' };
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
  await npm(join(ROOT, 'node_modules/jose'), 'pack', '--pack-destination', project);
  await npm(project, 'install', packed, join(project, await packageIn(project)));
  for (const name of linked) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), link);
  }
  return project;
}

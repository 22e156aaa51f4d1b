// `npm run shots`: a picture of every page, for review. `npm run shots -- --help` lists its other uses.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { linkPackages } from '../../../tools/mutants/scratch.ts';
import { compareFolders } from './compare.ts';
import { takeConsole } from './console.ts';
import { writeComparison, writeSheet } from './sheet.ts';
import { record } from '../recording/record.ts';
import { takeForDocs } from './docs.ts';
import { takePictures } from './take.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const SELF = relative(ROOT, import.meta.filename);
const INITIAL_ENV = { ...process.env };

const USAGE = `npm run shots -- [--only <text>] [--locale <tag>] [--against <ref>] [--out <folder>]
    | --console [--only <text>] [--locale <tag>] [--out <folder>] | --docs | --recording

  Writes a picture of every page, in light and dark, 1440, 1280 and 390 pixels wide, with a sheet: index.html.
  --only     pages whose name contains this
  --locale   one language; default all
  --against  builds the pages of another commit too, and shows where the pictures differ: differences.html
  --out      default .artifacts/shots
  --console  instead, every screen of the console, in English and Arabic, 1440, 1280 and 390 pixels wide
  --docs     instead, those of the README and the guides: docs/images/*.png
  --recording  instead, the recording of the README: docs/images/revocation.webp`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Takes the pictures of another commit, with the packages that are installed here. */
async function takeOf(ref: string, folder: string, only: readonly string[]): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'keywright-shots-'));
  try {
    const archive = execFileSync('git', ['archive', ref], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', tree], { input: archive });
    if (!existsSync(join(tree, SELF))) throw new Error(`${ref} is older than npm run shots.`);
    linkPackages(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    const child = spawn(process.execPath, [SELF, '--out', folder, ...only], {
      cwd: tree,
      // Without the settings that taking pictures has made here, so that the commit uses a database of its own version.
      env: INITIAL_ENV,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw new Error(`The pictures of ${ref} could not be taken.`);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    locale: { type: 'string' },
    against: { type: 'string' },
    out: { type: 'string', default: '.artifacts/shots' },
    console: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    recording: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { only, locale, against } = values;
const out = resolve(ROOT, values.out);

if (values.help) {
  print(USAGE);
} else if (values.docs) {
  for (const path of await takeForDocs(join(ROOT, 'docs/images'))) print(relative(ROOT, path));
} else if (values.recording) {
  for (const path of await record(join(ROOT, 'docs/images'))) print(relative(ROOT, path));
} else {
  rmSync(out, { recursive: true, force: true });
  const take = values.console ? takeConsole : takePictures;
  const taken = await take(out, { only, locale });
  writeSheet(out, taken);
  print(`${taken.length} pictures: ${join(out, 'index.html')}`);
  if (against !== undefined) {
    const former = join(out, 'against');
    await takeOf(against, former, ['--only', only, ...(locale ? ['--locale', locale] : [])]);
    const differences = await compareFolders(former, out, join(out, 'differences'));
    writeComparison(out, differences);
    for (const { name, what } of differences) print(`  ${name}: ${what}`);
    print(`${differences.length} differ from ${against}: ${join(out, 'differences.html')}`);
  }
}

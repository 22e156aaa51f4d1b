// Builds dist/, the published files. Run by `npm pack` and `npm publish`.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = join(here, 'dist');
const compiler = createRequire(import.meta.url).resolve('typescript/package.json');

rmSync(dist, { recursive: true, force: true });
const tsc = join(dirname(compiler), 'bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '--project', 'tsconfig.build.json'], {
  cwd: here,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

// The compiler rewrites `./x.ts` to `./x.js` in code but not in declarations, which older compilers then cannot
// resolve.
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith('.d.ts')) continue;
  const file = join(entry.parentPath, entry.name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}

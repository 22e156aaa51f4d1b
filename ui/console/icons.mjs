// `node ui/console/icons.mjs <name> …`: adds icons of Lucide (ISC license, https://lucide.dev) to src/look/icons.json.
// The package has 2,000 icons and 67 MB, so it is not a dependency: this reads it once, at a pinned version.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'lucide-static@1.62.0';
const ICONS = fileURLToPath(new URL('src/look/icons.json', import.meta.url));

const folder = fs.mkdtempSync(join(tmpdir(), 'keywright-icons-'));
try {
  execFileSync('npm', ['pack', '--silent', PACKAGE], { cwd: folder });
  const [archive = ''] = fs.readdirSync(folder);
  execFileSync('tar', ['-xzf', archive, 'package/icons'], { cwd: folder });
  const icons = JSON.parse(fs.readFileSync(ICONS, 'utf8'));
  for (const name of process.argv.slice(2)) {
    const svg = fs.readFileSync(join(folder, 'package', 'icons', `${name}.svg`), 'utf8');
    icons[name] = shapesOf(svg);
  }
  const sorted = Object.entries(icons).toSorted(([a], [b]) => (a < b ? -1 : 1));
  fs.writeFileSync(ICONS, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

/**
 * Returns what is inside the svg element, in few bytes. The style sets stroke, fill and width.
 * @param {string} svg
 */
function shapesOf(svg) {
  const [, shapes = ''] = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(svg) ?? [];
  return shapes
    .replaceAll(/\s*\n\s*/g, '')
    .replaceAll(' />', '/>')
    .replaceAll(/(rx="([^"]+)") ry="\2"/g, '$1')
    .replaceAll(/(?:<path d="[^"]*"\/>){2,}/g, joined);
}

/**
 * Joins paths. Each starts at an absolute point.
 * @param {string} paths
 */
function joined(paths) {
  const [first = '', ...others] = paths.split('"/>').map((path) => path.replace('<path d="', ''));
  return `<path d="${first}${others.map((path) => path.replace(/^m/, 'M0 0m')).join('')}"/>`;
}

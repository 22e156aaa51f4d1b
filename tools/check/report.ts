// `npm run check -- --report`: how easily a reader can follow the code, in numbers.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { countPatterns, isGenerated, titlesOf } from './patterns.ts';
import { filesPerRequest } from '../../tests/costs/request-files.ts';
import { createResolver } from './resolve.ts';
import { isSource, isTest, listFiles } from './source-files.ts';
import { MODULES } from './zones.ts';

/** Folders of the product, without tests and tools. */
const PRODUCT =
  /^(contract\/src|server\/(src|sql|migrations)|cli\/src|sdk\/src|ui\/console\/src)\//;
const LOGIN_SERVICE = 'server/src/modules/authentication/login/login-service.ts';

/** Names and values, in the order of the output. */
export async function reportOf(root: string): Promise<readonly (readonly [string, string])[]> {
  const files = listFiles(root).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));
  const handwritten = files.filter((file) => !isTest(file.path) && !isGenerated(file));
  const modules = handwritten.filter(({ path }) => path.startsWith(MODULES) && isSource(path));
  const lines = modules.map(({ text }) => linesOf(text)).toSorted((a, b) => a - b);
  const product = handwritten.filter(({ path }) => PRODUCT.test(path));
  const counts = countPatterns(root);
  const titles = titlesOf(root);
  return [
    ...[...(await filesPerRequest(root))].map(
      ([request, read]) => [`files read for ${request}`, String(read.length)] as const,
    ),
    ['server modules: files', String(modules.length)],
    ['server modules: median lines', String(lines[Math.floor(lines.length / 2)] ?? 0)],
    ['server modules: share of import lines', importShare(modules)],
    ['files that the login service imports', String(valueClosure(root, LOGIN_SERVICE).size)],
    [
      'migrations',
      String(files.filter(({ path }) => path.startsWith('server/migrations/')).length),
    ],
    ...Object.entries(counts).map(
      ([name, folders]) => [name, String(sumOf(Object.values(folders)))] as const,
    ),
    ['test titles', String(titles.length)],
    ['hand-written product lines', String(sumOf(product.map(({ text }) => linesOf(text))))],
  ];
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0);
}

function importShare(files: readonly { readonly path: string; readonly text: string }[]): string {
  let imports = 0;
  for (const { path, text } of files) {
    for (const node of parseSync(path, text).program.body) {
      const isImport =
        node.type === 'ImportDeclaration' ||
        (node.type === 'ExportNamedDeclaration' && node.source);
      if (isImport) imports += linesOf(text.slice(node.start, node.end)) + 1;
    }
  }
  return `${((100 * imports) / sumOf(files.map(({ text }) => linesOf(text)))).toFixed(1)} %`;
}

/** The files that run when a file is loaded: its imports without types, and theirs. */
function valueClosure(root: string, start: string): ReadonlySet<string> {
  const resolve = createResolver(root);
  const loaded = new Set<string>();
  const waiting = [start];
  for (const path of waiting) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const { module } = parseSync(path, readFileSync(join(root, path), 'utf8'));
    const imports = module.staticImports.filter(
      ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType),
    );
    const exports = module.staticExports.flatMap(({ entries }) =>
      entries.filter(({ isType, moduleRequest }) => !isType && moduleRequest),
    );
    const specifiers = [
      ...imports.map(({ moduleRequest }) => moduleRequest.value),
      ...exports.map(({ moduleRequest }) => moduleRequest?.value ?? ''),
    ];
    for (const specifier of specifiers) {
      const target = resolve(path, specifier);
      if (target.kind === 'file') waiting.push(target.path);
    }
  }
  loaded.delete(start);
  return loaded;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** The folders of the project's own code; missing ones are skipped. */
const CODE_FOLDERS = [
  'contract',
  'server',
  'sdk',
  'cli',
  'ui',
  'examples',
  'site',
  'tests',
  'bench',
  'tools',
];
const BUILT = ['sdk/dist', 'server/dist', 'site/dist', 'ui/console/dist'];
const SOURCE = /\.(ts|tsx|mts|js|jsx|mjs)$/;

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** Every file of the code folders, as paths from the root with forward slashes. */
export function listFiles(root: string): string[] {
  return CODE_FOLDERS.flatMap((folder) => filesBelow(root, folder)).toSorted();
}

function filesBelow(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
      const path = `${folder}/${entry.name}`;
      if (BUILT.includes(path)) return [];
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function isSource(path: string): boolean {
  return SOURCE.test(path);
}

export function isTest(path: string): boolean {
  return path.startsWith('tests/') || /\.test\.[a-z]+$/.test(path);
}

/** All imports of a file: static, re-exported, dynamic with a literal, and type-only. */
export function importsOf(root: string, path: string): Import[] {
  const text = readFileSync(join(root, path), 'utf8');
  const { module, program, errors } = parseSync(path, text);
  const firstError = errors[0];
  if (firstError) throw new Error(`${path} cannot be parsed: ${firstError.message}`);
  const found: { specifier: string; start: number }[] = [];
  const add = (specifier: string, start: number): void => void found.push({ specifier, start });

  for (const { moduleRequest } of module.staticImports)
    add(moduleRequest.value, moduleRequest.start);
  for (const { entries } of module.staticExports) {
    const request = entries[0]?.moduleRequest;
    if (request) add(request.value, request.start);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2] !== undefined) add(literal[2], moduleRequest.start);
  }
  new Visitor({
    TSImportType: (node) => add(node.source.value, node.source.start),
  }).visit(program);

  return found.map(({ specifier, start }) => ({ specifier, line: lineAt(text, start) }));
}

/** The line of the character at `offset`, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

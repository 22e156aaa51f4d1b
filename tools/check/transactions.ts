import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync, visitorKeys } from 'oxc-parser';
import type { Violation } from './dependencies.ts';
import { isSource, isTest, lineAt, listFiles } from './source-files.ts';

/** Methods that change a collection in a way that a second run repeats. */
const ACCUMULATING = new Set(['push', 'unshift', 'pop', 'shift', 'splice', 'add', 'delete']);
/** The name of a transaction in every function that has one. */
const TRANSACTION = 'tx';

/**
 * Finds work within a transaction that is not repeatable: the gate runs it again after a deadlock. It can assign its
 * result to a variable outside, but must not count or collect there, or set a flag.
 */
export function findUnrepeatable(root: string): Violation[] {
  return listFiles(root)
    .filter((file) => file.startsWith('server/src/') && isSource(file) && !isTest(file))
    .flatMap((file) => check(file, readFileSync(join(root, file), 'utf8')));
}

function check(file: string, text: string): Violation[] {
  const found = new Map<number, Violation>();
  for (const node of nodesIn(parseSync(file, text).program)) {
    if (!isFunction(node) || !namesIn(node.params).has(TRANSACTION)) continue;
    const locals = localNames(node);
    for (const inner of nodesIn(node)) {
      const changed = changedBy(inner);
      if (changed === undefined || locals.has(changed)) continue;
      const what = text.slice(inner.start, inner.end);
      const rule = 'work within a transaction runs again after a deadlock';
      const fix = `return ${changed}, or reset it within the work`;
      found.set(inner.start, { file, line: lineAt(text, inner.start), what, rule, fix });
    }
  }
  return [...found.values()];
}

/** The variable that an expression counts or collects in, or sets to a constant. */
function changedBy(node: Node): string | undefined {
  if (node.type === 'UpdateExpression') return rootOf(node.argument);
  if (node.type === 'AssignmentExpression') {
    const isRepeatable = node.operator === '=' && node.right.type !== 'Literal';
    return isRepeatable ? undefined : rootOf(node.left);
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const { object, property } = node.callee;
  const isAccumulating = property.type === 'Identifier' && ACCUMULATING.has(property.name);
  return isAccumulating ? rootOf(object) : undefined;
}

function rootOf(node: Node): string | undefined {
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return node.type === 'Identifier' ? node.name : undefined;
}

/** Parameters and variables of a function and of those within it. */
function localNames(node: Node): Set<string> {
  const declarations = [...nodesIn(node)].flatMap((inner) => {
    if (isFunction(inner)) return inner.params;
    return inner.type === 'VariableDeclarator' ? inner.id : [];
  });
  return namesIn(declarations);
}

function namesIn(patterns: readonly Node[]): Set<string> {
  const nodes = patterns.flatMap((pattern) => [...nodesIn(pattern)]);
  return new Set(nodes.flatMap((node) => (node.type === 'Identifier' ? node.name : [])));
}

function isFunction(node: Node): node is Node & { readonly params: readonly Node[] } {
  return (
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionExpression' ||
    node.type === 'FunctionDeclaration'
  );
}

/** A node and all those within it. */
function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const key of visitorKeys[node.type] ?? []) {
    const children = (node as unknown as Record<string, Node | (Node | null)[] | null>)[key];
    for (const child of Array.isArray(children) ? children : [children]) {
      if (child) yield* nodesIn(child);
    }
  }
}

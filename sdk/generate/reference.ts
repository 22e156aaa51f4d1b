// Generates docs/reference/sdk.md: the exports of each entry point of the SDK, with their comments from the source.

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Route } from '@keywright/contract/route';
import { type Class, type Comment, parseSync, type Program, type Statement } from 'oxc-parser';
import { methodsOf } from './operations.ts';

const ROOT = new URL('../../', import.meta.url);
const ENTRIES = [
  ['@keywright/sdk', 'sdk/src/sdk.ts'],
  ['@keywright/sdk/express', 'sdk/src/adapters/express.ts'],
  ['@keywright/sdk/fastify', 'sdk/src/adapters/fastify.ts'],
  ['@keywright/sdk/fetch', 'sdk/src/adapters/fetch.ts'],
  ['@keywright/sdk/hono', 'sdk/src/adapters/hono.ts'],
  ['@keywright/sdk/koa', 'sdk/src/adapters/koa.ts'],
  ['@keywright/sdk/next', 'sdk/src/adapters/next.ts'],
] as const;
/** Generated files are documented in the route reference, except the claims of tokens. */
const GENERATED = /^sdk\/src\/generated\/(?!claims)/;

interface Source {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** An export of an entry point, and its declaration. */
interface Offer {
  readonly name: string;
  readonly source: Source;
  readonly statement: Statement;
}

export function referencePage(routes: readonly Route[]): string {
  const sources = new Map<string, Source>();
  const open = (path: string): Source => {
    const source = sources.get(path) ?? read(path);
    sources.set(path, source);
    return source;
  };
  const parts = ENTRIES.map(([name, path]) => {
    const offers = offersOf(open(path), open).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return `## ${name}\n\n${offers.map(describe).join('\n')}`;
  });
  return `# @keywright/sdk\n\nMade from the source by \`npm run generate\`. The guide is [here](../guide/sdk.md).\n\n${parts.join('\n')}\n${clientTable(routes)}`;
}

function read(path: string): Source {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const { program, comments } = parseSync(path, text);
  return { path, text, program, comments };
}

function offersOf(source: Source, open: (path: string) => Source): Offer[] {
  return source.program.body.flatMap((statement): Offer[] => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    if (statement.source === null) return declared(source, statement);
    const path = posix.join(posix.dirname(source.path), statement.source.value);
    if (GENERATED.test(path)) return [];
    const names = statement.specifiers.map(({ exported }) =>
      exported.type === 'Identifier' ? exported.name : '',
    );
    return offersOf(open(path), open).filter(({ name }) => names.includes(name));
  });
}

type ExportStatement = Extract<Statement, { type: 'ExportNamedDeclaration' }>;

function declared(source: Source, statement: ExportStatement): Offer[] {
  const { declaration } = statement;
  if (declaration === null || !('id' in declaration) || !declaration.id) return [];
  const { id } = declaration;
  return 'name' in id && typeof id.name === 'string' ? [{ name: id.name, source, statement }] : [];
}

function describe({ name, source, statement }: Offer): string {
  const { declaration } = statement as ExportStatement;
  const text = commentBefore(source, statement.start);
  let code = source.text.slice(declaration?.start, declaration?.end);
  if (declaration?.type === 'FunctionDeclaration' && declaration.body) {
    code = source.text.slice(declaration.start, declaration.body.start).trimEnd();
  }
  if (declaration?.type === 'ClassDeclaration') code = classText(source, declaration);
  return `### ${name}\n\n${prose(text)}\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
}

/** Returns a class without private members and without method bodies. */
function classText(source: Source, { start, body }: Class): string {
  const members = body.body.flatMap((member) => {
    const isShown = 'key' in member && member.key.type !== 'PrivateIdentifier';
    const above = source.comments.find(({ end }) => isNext(source, end, member.start));
    // Members without a comment are for the SDK alone, or self-explanatory.
    if (!isShown || !above) return [];
    const inner = member.type === 'MethodDefinition' ? member.value.body : null;
    const code = source.text.slice(member.start, inner?.start ?? member.end).trimEnd();
    const comment = `  ${source.text.slice(above.start, above.end)}\n`;
    return [`${comment}  ${code.endsWith(';') ? code : `${code};`}`];
  });
  return `${source.text.slice(start, body.start)}{\n${members.join('\n')}\n}`;
}

function commentBefore(source: Source, at: number): string {
  const comment = source.comments.find(({ end }) => isNext(source, end, at));
  return comment?.value.startsWith('*') ? comment.value : '';
}

function isNext({ text }: Source, end: number, start: number): boolean {
  return end <= start && text.slice(end, start).trim() === '';
}

/** Returns the text of a comment as Markdown, with its tags as separate sentences. */
function prose(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*( |$)/, '').trimEnd())
    .join('\n')
    .trim()
    .replaceAll(/^@throws (.*)/gm, '\nThrows $1')
    .replaceAll(/^@param (\w+) /gm, '\n`$1`: ')
    .replaceAll(/^@returns /gm, '\nReturns ')
    .replaceAll(/\n{3,}/g, '\n\n');
}

function clientTable(routes: readonly Route[]): string {
  const rows = methodsOf(routes).map(
    ({ group, name, route }) =>
      `| \`client.${group}.${name}\` | \`${route.method} ${route.path}\` | ${route.summary} |`,
  );
  return `## Methods of the client\n\nEach is described in the editor, and with its fields in [the routes](routes.md).\n\n| method | route | what it does |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

import { readFileSync } from 'node:fs';
import type { ErrorCode } from '@keywright/contract/errors';
import { errorPageBlocks, type PageBlock, routesWith } from '@keywright/contract/error-example';
import { ERROR_PAGES, type ErrorPage } from '@keywright/contract/error-pages';
import { impliedErrors, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';

const DOCS = new URL('../../docs/', import.meta.url);
const NOTE = '<!-- Generated from the contract by `npm run generate`; not edited by hand. -->';
const MOST_ROUTES = 8;
/** Errors that precede the route, although some routes declare them in addition. */
const GENERAL: readonly ErrorCode[] = ['REQUEST_MALFORMED', 'UNAVAILABLE', 'INTERNAL'];

/** Returns the pages of all error codes, by path from the root. */
export function errorPages(): ReadonlyMap<string, string> {
  const entries = Object.entries(ERROR_PAGES) as [ErrorCode, ErrorPage][];
  return new Map(
    entries.map(([code, page]) => [`docs/errors/${code.toLowerCase()}.md`, pageOf(code, page)]),
  );
}

function pageOf(code: ErrorCode, page: ErrorPage): string {
  return (
    [
      `# ${code}`,
      NOTE,
      ...errorPageBlocks(code, ROUTES).map(markdownOf),
      '## Returned by',
      returnedBy(code),
      '## Related',
      related(page),
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  );
}

function markdownOf(block: PageBlock): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`;
    case 'lead':
      return block.text.replace(/^Status \d+/, '**$&**');
    case 'text':
      return block.text;
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n');
    case 'code':
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
  }
}

function returnedBy(code: ErrorCode): string {
  const errorsOf = (route: Route) => [...route.errors, ...impliedErrors(route)];
  const routes = routesWith(code, ROUTES, errorsOf);
  const shown = routes.slice(0, MOST_ROUTES).map(({ method, path }) => `- \`${method} ${path}\``);
  const left = routes.length - shown.length;
  if (routes.length === 0 || GENERAL.includes(code)) return 'Any request, regardless of its route.';
  return [
    ...shown,
    ...(left > 0 ? [`- ${left} more: see the [routes](../reference/routes.md)`] : []),
  ].join('\n');
}

function related({ guides }: ErrorPage): string {
  const links = guides.map((guide) => `- [${titleOf(guide)}](../${guide})`);
  return [...links, '- [All errors](../reference/errors.md)'].join('\n');
}

function titleOf(guide: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(new URL(guide, DOCS), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${guide} has no title.`);
  return title;
}

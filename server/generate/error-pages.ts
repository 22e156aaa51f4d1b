import { readFileSync } from 'node:fs';
import { type ErrorCode, ERRORS } from '@keywright/contract/errors';
import { exampleBody, exampleCommand, routesWith } from '@keywright/contract/error-example';
import { ERROR_PAGES, type ErrorPage } from '@keywright/contract/error-pages';
import { impliedErrors, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { SHORT_NAME } from '@keywright/contract/status-names';

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
  const { status, detail } = ERRORS[code];
  return (
    [
      `# ${code}`,
      NOTE,
      `**Status ${status}** ${SHORT_NAME[status]}. ${detail}`,
      '## Causes',
      list(page.causes),
      '## How to fix it',
      list(page.fixes),
      '## Example',
      `\`\`\`sh\n${exampleCommand(page, ROUTES)}\n\`\`\``,
      response(code, page),
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

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function response(code: ErrorCode, page: ErrorPage): string {
  const { status } = ERRORS[code];
  const body = exampleBody(code, page, ROUTES);
  if (body === undefined) {
    return `The response is an HTML page with the status ${status}. Its last line shows \`${status} ${code}\` and the ID of the request in the log.`;
  }
  const json = JSON.stringify(body, null, 2);
  return `The response has the status ${status} and this body:\n\n\`\`\`json\n${json}\n\`\`\``;
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

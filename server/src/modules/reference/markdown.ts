import { ERRORS } from '@keywright/contract/errors';
import { impliedErrors, type Route, scopeOf } from '@keywright/contract/route';
import { describeSetting, Environment } from '../../platform/config.ts';

const NOTE = 'Generated from the contract by `npm run generate`; not edited by hand.';

/** Every route with what it needs and answers, as Markdown. */
export function routesPage(routes: readonly Route[]): string {
  const rows = routes.map((route) =>
    row(
      `\`${route.method} ${route.path}\``,
      route.summary,
      accessText(route),
      String(route.ok.status),
      codes(route),
    ),
  );
  return page('Routes', [
    row('Route', 'What it does', 'Needs', 'Success', 'Errors'),
    row('---', '---', '---', '---', '---'),
    ...rows,
  ]);
}

function codes(route: Route): string {
  return [...new Set([...route.errors, ...impliedErrors(route)])]
    .map((code) => `\`${code}\``)
    .join(' ');
}

function accessText(route: Route): string {
  const scope = scopeOf(route);
  if (scope !== undefined) return `\`${scope}\``;
  return ACCESS[route.access as keyof typeof ACCESS];
}

const ACCESS = {
  open: 'nothing',
  tenant: 'a tenant',
  caller: 'a token',
  user: 'a token of a user',
  system: 'a system administrator',
} as const;

/** Every error code, as Markdown. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, detail }]) =>
    row(`\`${code}\``, String(status), detail),
  );
  return page('Errors', [row('Code', 'Status', 'Detail'), row('---', '---', '---'), ...rows]);
}

/** Every environment variable, as Markdown. */
export function environmentPage(): string {
  const rows = Object.keys(Environment.properties)
    .filter((name) => name.startsWith('KEYWRIGHT_'))
    .map((name) => row(`\`${name}\``, describeSetting(name)));
  return page('Environment', [row('Variable', 'Meaning'), row('---', '---'), ...rows]);
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function page(title: string, table: readonly string[]): string {
  return `# ${title}\n\n${NOTE}\n\n${table.join('\n')}\n`;
}

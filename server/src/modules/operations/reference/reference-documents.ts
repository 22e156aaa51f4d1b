import { AUDIT_ACTIONS } from '@keywright/contract/audit';
import { ERRORS } from '@keywright/contract/errors';
import { scopesToReceive } from '@keywright/contract/event-scopes';
import { EVENT_TYPES, EVENTS } from '@keywright/contract/events';
import { TAGS, tagOf } from '@keywright/contract/openapi-tags';
import { impliedErrors, loginsText, type Route, scopeOf } from '@keywright/contract/route';
import { UNREPEATABLE } from '@keywright/contract/unrepeatable';
import { describeSetting, Environment } from '../../../platform/environment.ts';

const NOTE = 'Generated from the contract by `npm run generate`; not edited by hand.';

/** Returns every route with its requirements and responses, as Markdown, by group. */
export function routesPage(routes: readonly Route[]): string {
  return page('Routes', [
    'With all fields, examples and headers they are in [openapi.json](openapi.json), which the service serves at `/openapi.json`, and as a page at `/reference`.',
    ...[...Map.groupBy(routes, tagOf)].flatMap(([tag, members]) => routesSection(tag, members)),
    '',
    '## Repeating a POST',
    '',
    'Every `POST` takes an `Idempotency-Key`, except:',
    '',
    row('Route', 'Why'),
    row('---', '---'),
    ...routes.flatMap(unrepeatable),
  ]);
}

function routesSection(tag: string, routes: readonly Route[]): string[] {
  const rows = routes.map((route) =>
    row(
      `\`${route.method} ${route.path}\``,
      `${route.summary}. ${route.description ?? ''}`.trim(),
      accessText(route),
      String(route.ok.status),
      codes(route),
    ),
  );
  return [
    '',
    `## ${tag.replaceAll('_', ' ')}`,
    '',
    TAGS[tag] ?? '',
    '',
    row('Route', 'What it does', 'Needs', 'Success', 'Errors'),
    row('---', '---', '---', '---', '---'),
    ...rows,
  ];
}

function unrepeatable({ id, method, path }: Route): string[] {
  const why = UNREPEATABLE[id];
  return why === undefined ? [] : [row(`\`${method} ${path}\``, why)];
}

function codes(route: Route): string {
  return [...new Set([...route.errors, ...impliedErrors(route)])]
    .map((code) => `\`${code}\``)
    .join(' ');
}

function accessText(route: Route): string {
  return route.fresh ? `${plainAccessText(route)}, after a recent login` : plainAccessText(route);
}

function plainAccessText(route: Route): string {
  const scope = scopeOf(route);
  const logins = loginsText(route);
  if (scope !== undefined) return `\`${scope}\`${logins === undefined ? '' : `, ${logins}`}`;
  if (route.tenant === 'path') return ACCESS.open;
  return ACCESS[route.access as keyof typeof ACCESS];
}

const ACCESS = {
  open: 'nothing',
  tenant: 'a tenant',
  caller: 'a token',
  browser: 'a browser session',
  user: 'a token of a user',
  system: 'a system administrator',
} as const;

/** Returns every error code, as Markdown. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, detail }]) =>
    row(`\`${code}\``, String(status), detail),
  );
  return page('Errors', [row('Code', 'Status', 'Detail'), row('---', '---', '---'), ...rows]);
}

/** Returns every event type with the contents of its data, as Markdown. */
export function eventsPage(): string {
  const rows = EVENT_TYPES.map((type) => {
    const { meaning, isSpecified, data } = EVENTS[type];
    const fields = Object.keys(data.properties).map((name) => `\`${name}\``);
    const needed = scopesToReceive(type).map((scope) => `\`${scope}\``);
    const sent = isSpecified ? 'yes' : 'by name';
    return row(`\`${type}\``, meaning, fields.join(' '), sent, needed.join(' '));
  });
  return page('Events', [
    row('Kind', 'Meaning', 'Data', 'Sent by default', 'Scopes for a webhook'),
    row('---', '---', '---', '---', '---'),
    ...rows,
  ]);
}

/** Returns the JSON schemas (2020-12) of event data by event type. */
export function eventSchemas(): Readonly<Record<string, unknown>> {
  const schemas = EVENT_TYPES.map((type) => {
    const { meaning, data } = EVENTS[type];
    return [type, { description: meaning, ...data }] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: Object.fromEntries(schemas),
  };
}

/** Returns the actions of the audit log, as Markdown. */
export function auditPage(): string {
  const rows = Object.entries(AUDIT_ACTIONS).map(([action, meaning]) =>
    row(`\`${action}\``, meaning),
  );
  return page('Audit log', [row('Action', 'Meaning'), row('---', '---'), ...rows]);
}

/** Returns every environment variable, as Markdown. */
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

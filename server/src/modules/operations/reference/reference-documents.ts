import { AUDIT_ACTIONS } from '@keywright/contract/audit';
import { ERRORS } from '@keywright/contract/errors';
import { scopesToReceive } from '@keywright/contract/event-scopes';
import { EVENT_TYPES, EVENTS } from '@keywright/contract/events';

const NOTE = 'Generated from the contract by `npm run generate`; not edited by hand.';

/** Returns every error code, as Markdown. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, detail }]) =>
    row(`[\`${code}\`](../errors/${code.toLowerCase()}.md)`, String(status), detail),
  );
  return page('Errors', [
    'Every error has the same fields: `error`, `detail`, `code`, and `doc`, the URL of the page that explains the code. Programs should depend on `code` only. OAuth routes have the fields of RFC 6749 in addition, with the same URL in `error_uri`. [Troubleshooting](../troubleshooting.md) lists problems by their symptoms.',
    '',
    row('Code', 'Status', 'Detail'),
    row('---', '---', '---'),
    ...rows,
  ]);
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

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function page(title: string, table: readonly string[]): string {
  return `# ${title}\n\n${NOTE}\n\n${table.join('\n')}\n`;
}

import { ERRORS } from '@keywright/contract/errors';
import { linkToError, page, table } from './markdown.ts';
import { OUTGOING, RETENTION } from './limits/background.ts';
import { COUNTS } from './limits/counts.ts';
import { CONNECTIONS, MESSAGE_RATES, RATES } from './limits/rates.ts';
import { REQUESTS } from './limits/requests.ts';
import { type Limit, settingText } from './limits/row.ts';
import { LIFETIMES } from './limits/times.ts';

/** Returns every limit that callers, users and operators meet, by area, with the values of the code. */
export function limitsPage(): string {
  requireErrors();
  return page('Limits', [
    'The limits of a tenant, of a request and of a node. Limits with a setting show its default. The others cannot be changed.',
    '## Requests',
    section(REQUESTS),
    '## Counts',
    section(COUNTS),
    '## Rates',
    'A request that exceeds a rate gets 429 with the header `Retry-After`. “One IP address” is one IPv4 address or one IPv6 /64 network; larger networks have higher limits. [Sessions](../guide/sessions.md) describes the limits of logins.',
    section(RATES),
    '## Messages',
    'The limits of a network apply to an IPv4 address or an IPv6 /64 network. A /56 network has 4 times these limits, and a /48 network or an IPv4 /24 network has 16 times.',
    section(MESSAGE_RATES),
    '## Connections',
    section(CONNECTIONS),
    '## Lifetimes',
    section(LIFETIMES),
    '## Outgoing calls',
    section(OUTGOING),
    '## Retention',
    'The audit log is kept as long as the tenant exists.',
    section(RETENTION),
  ]);
}

/** Only with the columns that a limit of the section fills. */
function section(limits: readonly Limit[]): string {
  const columns = COLUMNS.filter(([, textOf]) => limits.some((limit) => textOf(limit) !== ''));
  return table(
    columns.map(([title]) => title),
    limits.map((limit) => columns.map(([, textOf]) => textOf(limit))),
  );
}

const COLUMNS: readonly (readonly [title: string, textOf: (limit: Limit) => string])[] = [
  ['Limit', ({ what }) => what],
  ['Value', ({ value }) => value],
  ['Setting', settingText],
  ['Error', ({ error }) => (error === undefined ? '' : linkToError(error, '../errors'))],
];

/** Requires a limit for each error of a request beyond one. */
function requireErrors(): void {
  const all = [REQUESTS, COUNTS, RATES, MESSAGE_RATES, CONNECTIONS, LIFETIMES].flat();
  const listed: ReadonlySet<string | undefined> = new Set(all.map(({ error }) => error));
  const lacking = Object.keys(ERRORS).filter(
    (error) => /^TOO_|_FULL$|_TOO_LARGE$/.test(error) && !listed.has(error),
  );
  if (lacking.length > 0) throw new Error(`Add the limits of ${lacking.join(', ')}.`);
}

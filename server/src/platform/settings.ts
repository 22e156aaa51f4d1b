// Settings whose validation needs more than a pattern.

import type { BlockList } from 'node:net';
import { listOf, parseRange } from './cidr.ts';
import { type Environment, expectedFormOf } from './environment.ts';
import type { MailServer } from './mail/mail.ts';

/** The parts of the value are not repeated, because one is a password. */
export function databaseUrlViolations(url: string | undefined): string[] {
  if (url === undefined || !/^postgres(ql)?:\/\//.test(url)) return [];
  const [, authority = '', query = ''] = /^[a-z]+:\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(url) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const settings = new URLSearchParams(query);
  if (host.includes(',') || settings.getAll('host').join(',').includes(',')) {
    return [
      'KEYWRIGHT_DATABASE_URL contains several hosts, but only one is supported. Use a host that always leads to the primary, such as a proxy (docs/guide/postgresql.md).',
    ];
  }
  if (settings.has('target_session_attrs')) {
    return [
      'KEYWRIGHT_DATABASE_URL contains target_session_attrs, which has no effect: its host must be the primary (docs/guide/postgresql.md).',
    ];
  }
  return URL.canParse(url)
    ? []
    : [
        'KEYWRIGHT_DATABASE_URL: expected a URL such as postgres://user:password@host:5432/name, with special characters in the password such as @ : / # % percent-encoded.',
      ];
}

/** @param violations violations are appended to this list */
export function readProxies(list: string, violations: string[]): BlockList {
  const entries = list
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
  const ranges = entries.map((entry) => {
    const range = parseRange(entry);
    if (!range) {
      violations.push(
        `${expectedFormOf('KEYWRIGHT_TRUSTED_PROXIES')} Got ${JSON.stringify(entry)}.`,
      );
    }
    return range;
  });
  return listOf(ranges.filter((range) => range !== undefined));
}

/** The mail server for tenants without their own, and the sender address of its emails. */
export interface FallbackMail {
  readonly server: MailServer;
  readonly from: string;
}

const SUBMISSION_PORTS = { 'smtps:': 465, 'smtp:': 587 };

/**
 * @param violations violations are appended to this list; parts of the value are not repeated, because one is a
 * password
 */
export function readMail(
  { KEYWRIGHT_SMTP_URL: address, KEYWRIGHT_MAIL_FROM: from }: Environment,
  violations: string[],
): FallbackMail | undefined {
  if ((address === undefined) !== (from === undefined)) {
    violations.push(
      'KEYWRIGHT_SMTP_URL and KEYWRIGHT_MAIL_FROM belong together: set both, or neither.',
    );
  }
  if (address === undefined || from === undefined) return undefined;
  const server = mailServerOf(address);
  if (!server) violations.push(expectedFormOf('KEYWRIGHT_SMTP_URL'));
  return server && { server, from };
}

function mailServerOf(address: string): MailServer | undefined {
  const url = URL.parse(address);
  const port = url && SUBMISSION_PORTS[url.protocol as keyof typeof SUBMISSION_PORTS];
  if (!url || !port || url.hostname === '') return undefined;
  const isPlain = url.searchParams.get('tls') === 'none';
  try {
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || port),
      security: url.protocol === 'smtps:' ? 'tls' : isPlain ? 'none' : 'starttls',
      username: url.username === '' ? undefined : decodeURIComponent(url.username),
      password: url.password === '' ? undefined : decodeURIComponent(url.password),
      isOperators: true,
    };
  } catch {
    return undefined;
  }
}

// Settings whose validation needs more than a pattern.

import type { BlockList } from 'node:net';
import { listOf, parseRange } from './cidr.ts';
import { expectedFormOf } from './environment.ts';

/** Its parts are not repeated: one of them is a password. */
export function databaseUrlViolations(url: string | undefined): string[] {
  if (url === undefined || !/^postgres(ql)?:\/\//.test(url)) return [];
  const [, authority = '', query = ''] = /^[a-z]+:\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(url) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const settings = new URLSearchParams(query);
  if (host.includes(',') || settings.getAll('host').join(',').includes(',')) {
    return [
      'KEYWRIGHT_DATABASE_URL names several hosts, but only one is supported: an address that always leads to the primary, such as that of a proxy (docs/guide/postgresql.md).',
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
        'KEYWRIGHT_DATABASE_URL: expected an address such as postgres://user:password@host:5432/name, with characters of the password such as @ : / # % percent-encoded.',
      ];
}

/** @param violations violations are appended to it */
export function readProxies(list: string, violations: string[]): BlockList {
  const entries = list
    .split(',')
    .map((one) => one.trim())
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

import { apiKey } from './api-key.ts';
import { clientCredentials } from './client-credentials.ts';
import { keySet, keySetUnchanged } from './key-set.ts';
import { login } from './login.ts';
import { me } from './me.ts';
import { refresh } from './refresh.ts';
import { code, loginMethods, loginMethodsUnchanged, totp, wrongCode } from './login-flow.ts';
import { EXCHANGE_BAR, OAUTH_ROWS } from './oauth.ts';
import { passkeyLogin } from './passkey.ts';
import type { Bar, Row } from './row.ts';
import {
  usersDeepPage,
  usersFirstPage,
  usersSearch,
  usersSearchByName,
  usersSearchShort,
  usersSearchSorted,
} from './users.ts';
import { verifyTokenCached, verifyTokenNew } from './verify-token.ts';

export const ROWS: readonly Row[] = [
  login,
  refresh,
  verifyTokenCached,
  verifyTokenNew,
  apiKey,
  clientCredentials,
  me,
  keySet,
  keySetUnchanged,
  loginMethods,
  loginMethodsUnchanged,
  ...OAUTH_ROWS,
  code,
  wrongCode,
  // Last: they add users to the tenant.
  totp,
  passkeyLogin,
];

/** These need a tenant with a million users. */
export const MILLION_ROWS: readonly Row[] = [
  usersFirstPage,
  usersDeepPage,
  usersSearch,
  usersSearchByName,
  usersSearchShort,
  usersSearchSorted,
];

/** The bar of a row, or of a code exchange, whose cost is derived from a row about codes. */
export function barOf(row: string): Bar | undefined {
  if (row.startsWith('oauth-exchange-')) return EXCHANGE_BAR;
  return [...ROWS, ...MILLION_ROWS].find(({ name }) => name === row)?.bar;
}

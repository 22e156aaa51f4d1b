import { apiKey } from './api-key.ts';
import { authorize, authorizeBatch } from './authorize.ts';
import { clientCredentials } from './client-credentials.ts';
import { keySet, keySetUnchanged } from './key-set.ts';
import { login } from './login.ts';
import { me } from './me.ts';
import { refresh } from './refresh.ts';
import type { Row } from './row.ts';
import { verifyTokenApiKey, verifyTokenCached, verifyTokenNew } from './verify-token.ts';

export const ROWS: readonly Row[] = [
  login,
  refresh,
  verifyTokenCached,
  verifyTokenNew,
  verifyTokenApiKey,
  apiKey,
  authorize,
  authorizeBatch,
  clientCredentials,
  me,
  keySet,
  keySetUnchanged,
];

/** Rows whose names start with one of these; all of them where none is given. */
export function rowsNamed(prefixes: readonly string[]): readonly Row[] {
  if (prefixes.length === 0) return ROWS;
  return ROWS.filter((row) => prefixes.some((prefix) => row.name.startsWith(prefix)));
}

import { AppError, type ErrorCode } from '@keywright/contract/errors';
import { readRefreshToken } from '../../tokens/access-tokens/index.ts';
import type { Refresh } from '../../tokens/sessions/index.ts';
import {
  answerWith,
  idTokenOf,
  requireField,
  requireGrant,
  type Telling,
} from './application-answer.ts';
import type { Identify } from './identify.ts';
import type { IssueToken, Refuse } from './request.ts';

/** What is the same for a client: it cannot go on with this token. */
const REFUSALS: readonly ErrorCode[] = ['TOKEN_INVALID', 'TENANT_MISMATCH', 'REFRESH_TOKEN_REUSED'];

interface Dependencies extends Telling {
  readonly identify: Identify;
  readonly refresh: Refresh;
}

/** RFC 6749 §6: by the rotation that the refresh tokens of direct logins have. */
export function createRefreshGrant(dependencies: Dependencies): IssueToken {
  const { identify, refresh } = dependencies;
  return async (request, fail) => {
    const { tenant, parameters, from } = request;
    const client = await identify.application(request, fail);
    requireGrant(client, 'refresh_token', fail);
    const token = parameters.refresh_token ?? requireField('refresh_token', fail);
    const granted = readRefreshToken(token)?.client?.scopes ?? [];
    const narrowedTo = narrowedBy(parameters.scope, granted, fail);
    const use = { token, from, clientId: client.id, narrowedTo };
    const { answer: tokens, session } = await refresh(tenant, use, refusing(fail));
    const scopes = narrowedTo ?? granted;
    const idToken = await idTokenOf(dependencies, tenant, { client, tokens, scopes, session });
    return { ...answerWith(tokens, scopes), ...idToken };
  };
}

/** @throws AppError SCOPE_INVALID when more is asked for than was granted */
function narrowedBy(
  scope: string | undefined,
  granted: readonly string[],
  fail: Refuse,
): string[] | undefined {
  const asked = [...new Set((scope ?? '').split(' ').filter(Boolean))];
  if (asked.length === 0) return undefined;
  return asked.every((one) => granted.includes(one)) ? asked : fail('SCOPE_INVALID');
}

function refusing(fail: Refuse): Parameters<Refresh>[2] {
  return (code) => {
    if (REFUSALS.includes(code)) return fail('GRANT_INVALID', { internal: code });
    throw new AppError(code);
  };
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccessTokenClaims } from '@keywright/contract/claims';
import { AppError, ERRORS } from '@keywright/contract/errors';
import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import { needsAdministrator, needsToken, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { callerOf } from '../modules/authentication/bearer/bearer-service.ts';
import { requireAccess } from './authorization.ts';

const USER = 'user:01m817qnm0e599bza8yqh63kxq' as UserId;
const SESSION = 'session:01m8184fs0eaf81caj1xgnzy8b' as SessionId;
const CLIENT = 'client_01m81ehc7wfj4r8d2n6y0s5t3b' as OAuthClientId;
const FROM = { address: '192.0.2.1', requestId: 'request' };

/** The claims of a system administrator's token with all permissions, with these changes. */
function claims(change: Partial<AccessTokenClaims>): AccessTokenClaims {
  const defaults = {
    sub: USER,
    sid: SESSION,
    tenant_id: 'org_default',
    roles: ['system_admin'],
    scopes: ['*:*'],
    client_id: 'keywright',
    ver: 0,
  };
  return { ...defaults, ...change } as AccessTokenClaims;
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && ERRORS[error.code].status === 403;
}

const app = callerOf(claims({ client_id: CLIENT }), FROM);

describe('the token of an application', () => {
  test('The token of an application is not that of its user, even if the user is a system administrator', () => {
    assert.deepEqual([app?.kind, app?.subject, app?.isSystemAdministrator], ['app', USER, false]);
    assert.equal(callerOf(claims({}), FROM)?.kind, 'user');
  });

  test('The token of an application identifies no caller if its client_id is not that of a client', () => {
    for (const client of ['', 'client_', 'Keywright', USER]) {
      assert.equal(callerOf(claims({ client_id: client }), FROM), undefined);
    }
  });

  for (const route of ROUTES.filter(needsToken)) {
    const isAllowed = scopeOf(route) !== undefined && !needsAdministrator(route);
    test(`${isAllowed ? 'may' : 'may not'} ${route.method} ${route.path}`, () => {
      assert.ok(app);
      if (isAllowed) requireAccess(route, app);
      else assert.throws(() => requireAccess(route, app), isRefusal);
    });
  }
});

import type { ErrorCode } from '@keywright/contract/errors';
import type { RequestOptions } from '../harness/http.ts';
import type { World } from './world.ts';

/** A credential, and the error code of its rejection. */
interface WrongCredential {
  readonly code: ErrorCode;
  readonly options: () => RequestOptions;
}

/** Every kind of credential that is not a token of the test's own tenant. */
export function wrongCredentials(world: World): Readonly<Record<string, WrongCredential>> {
  return {
    'no token': { code: 'TOKEN_INVALID', options: () => ({}) },
    'another scheme': {
      code: 'TOKEN_INVALID',
      options: () => ({ headers: { authorization: `Basic ${btoa('root:root')}` } }),
    },
    'an empty token': {
      code: 'TOKEN_INVALID',
      options: () => ({ headers: { authorization: 'Bearer ' } }),
    },
    garbage: { code: 'TOKEN_INVALID', options: () => ({ token: 'garbage' }) },
    'garbage in three parts': { code: 'TOKEN_INVALID', options: () => ({ token: 'e30.e30.e30' }) },
    'an expired token': {
      code: 'TOKEN_INVALID',
      options: () => ({ token: world.expiredToken }),
    },
    'a refresh token': {
      code: 'TOKEN_INVALID',
      options: () => ({ token: world.local.admin.refreshToken }),
    },
    'claims of this tenant under a key of another': {
      code: 'TOKEN_INVALID',
      options: () => ({ token: world.forgedTokens[0] ?? '' }),
    },
    "claims of this tenant under this tenant's key id and a key of another": {
      code: 'TOKEN_INVALID',
      options: () => ({ token: world.forgedTokens[1] ?? '' }),
    },
    "another tenant's token": {
      code: 'TENANT_MISMATCH',
      options: () => ({ token: world.foreign.admin.token }),
    },
    "another tenant's token, this tenant named by the host": {
      code: 'TENANT_MISMATCH',
      options: () => ({
        token: world.foreign.admin.token,
        tenant: [],
        host: world.local.tenant.domains[0] ?? '',
      }),
    },
    "a system administrator's token": {
      code: 'TENANT_MISMATCH',
      options: () => ({ token: world.system.token }),
    },
    "another tenant's API key": {
      code: 'TOKEN_INVALID',
      options: () => ({ token: world.foreign.robot.key }),
    },
    "another tenant's API key, this tenant named by the host": {
      code: 'TOKEN_INVALID',
      options: () => ({
        token: world.foreign.robot.key,
        tenant: [],
        host: world.local.tenant.domains[0] ?? '',
      }),
    },
    'an API key with a character changed': {
      code: 'TOKEN_INVALID',
      options: () => ({ token: `${world.local.robot.key.slice(0, -1)}-` }),
    },
    'the token of a system administrator who impersonates in another tenant': {
      code: 'TENANT_MISMATCH',
      options: () => ({ token: world.foreignImpersonationToken }),
    },
  };
}

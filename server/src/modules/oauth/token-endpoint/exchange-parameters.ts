import type { Fail } from '@keywright/contract/errors';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import type { TokenRequest } from './client-proof.ts';

type Refuse = Fail<'VALIDATION_FAILED'>;

/** An access token is a JWT here. */
export function requireAccessTokenWanted(parameters: TokenRequest, fail: Refuse): void {
  const { requested_token_type: wanted = TOKEN_TYPE.accessToken } = parameters;
  if (wanted !== TOKEN_TYPE.accessToken && wanted !== TOKEN_TYPE.jwt) {
    const message = `must be ${TOKEN_TYPE.accessToken} or ${TOKEN_TYPE.jwt}`;
    refuseField('requested_token_type', message, fail);
  }
}

export function refuseField(name: string, message: string, fail: Refuse): never {
  return fail('VALIDATION_FAILED', { errors: [{ path: `/${name}`, message }] });
}

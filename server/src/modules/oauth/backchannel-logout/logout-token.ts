import type { SessionId, UserId } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { SignJwt } from '../../tokens/signing-keys/index.ts';
import type { SubjectFor } from '../claims/index.ts';
import type { KnownClient } from '../clients/index.ts';

/** OpenID Connect Back-Channel Logout §2.4 recommends two minutes at most. */
const LIFETIME_SECONDS = 120;

/** The member of `events` that makes it a logout token. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A session that ended, as its client is told. */
interface EndedLogin {
  readonly tenant: Tenant;
  readonly client: KnownClient;
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** Mints a logout token (OpenID Connect Back-Channel Logout §2.4). It has no nonce, so that it is no ID token. */
export type LogoutToken = (ended: EndedLogin) => Promise<string>;

interface LogoutTokenDependencies {
  readonly signJwt: SignJwt;
  readonly subjectFor: SubjectFor;
  readonly clock: Clock;
}

export function createLogoutToken({ signJwt, subjectFor, clock }: LogoutTokenDependencies): LogoutToken {
  return async ({ tenant, client, userId, sessionId }) => {
    const iat = epochSeconds(clock.now());
    const claims = {
      iss: tenant.issuer,
      sub: await subjectFor(tenant.id, client, userId),
      aud: client.id,
      iat,
      exp: iat + LIFETIME_SECONDS,
      // Of each token: a client may refuse one that it has seen, and be told again all the same (§2.6).
      jti: randomId(),
      sid: sessionId,
      events: { [EVENT]: {} },
    };
    return signJwt(tenant.id, {
      alg: client.id_token_signed_response_alg,
      typ: 'logout+jwt',
      claims,
    });
  };
}

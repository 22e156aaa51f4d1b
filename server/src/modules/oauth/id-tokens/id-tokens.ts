import { hash, createHmac } from 'node:crypto';
import type { Acr } from '@keywright/contract/authentication';
import type { SessionId, UserId, TenantId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { SignJwt, KeyRing } from '../../tokens/signing-keys/index.ts';
import { sectorOf } from '../clients/index.ts';
import { type ClaimedUser, claimsOf } from './user-claims.ts';

/** How long a client may take to read it: it is no credential. */
const LIFETIME_SECONDS = 600;

/** Whom a client learns about, and how they logged in. */
interface Login {
  readonly tenant: Tenant;
  readonly client: Pick<
    OAuthClientRecord,
    | 'id'
    | 'redirect_uris'
    | 'sector_identifier_uri'
    | 'subject_type'
    | 'id_token_signed_response_alg'
    | 'id_token_claims'
  >;
  readonly user: ClaimedUser & { readonly id: UserId };
  /** What a logout names. */
  readonly sessionId: SessionId;
  /** Of the authorization request; undefined after a refresh (OpenID Connect Core §12.2). */
  readonly nonce: string | undefined;
  readonly authTime: Date;
  readonly acr: Acr;
  readonly amr: readonly string[];
  /** That it comes with. */
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** Claims that were asked for by name, for the ID token. */
  readonly asked: readonly string[];
}

/** Mints an ID token (OpenID Connect Core §2). */
export type IdToken = (login: Login) => Promise<string>;

interface Dependencies {
  readonly signJwt: SignJwt;
  readonly subjectFor: SubjectFor;
  readonly clock: Clock;
}

export function createIdToken({ signJwt, subjectFor, clock }: Dependencies): IdToken {
  return async (login) => {
    const { tenant, client, user } = login;
    const sub = await subjectFor(tenant.id, client, user.id);
    const claims = draftIdToken(login, sub, clock.now());
    return signJwt(tenant.id, { alg: client.id_token_signed_response_alg, typ: 'JWT', claims });
  };
}

/** What an ID token says. @param sub whom the client knows the user as */
export function draftIdToken(
  { tenant, client, user, scopes, asked, accessToken, nonce, ...login }: Login,
  sub: string,
  now: Date,
) {
  const iat = epochSeconds(now);
  return {
    // First, so that nothing known of the user takes the place of what follows.
    ...claimsOf(user, client.id_token_claims ? scopes : [], asked),
    iss: tenant.issuer,
    sub,
    aud: client.id,
    iat,
    exp: iat + LIFETIME_SECONDS,
    auth_time: epochSeconds(login.authTime),
    ...(nonce === undefined ? {} : { nonce }),
    acr: login.acr,
    amr: login.amr,
    sid: login.sessionId,
    at_hash: leftHalfHash(client.id_token_signed_response_alg, accessToken),
  };
}

/** OpenID Connect Core §3.1.3.6: by the hash of the signature, which is SHA-512 in Ed25519. */
function leftHalfHash(alg: KeyAlgorithm, token: string): string {
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', token, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

/** What decides how a client knows users. */
type TellingClient = Pick<
  OAuthClientRecord,
  'redirect_uris' | 'sector_identifier_uri' | 'subject_type'
>;

/** The subject that a client knows a user by (OpenID Connect Core §8). */
export type SubjectFor = (
  tenantId: TenantId,
  client: TellingClient,
  userId: UserId,
) => Promise<string>;

export function createSubjectFor(keys: KeyRing): SubjectFor {
  return async (tenantId, client, userId) => {
    if (client.subject_type === 'public') return userId;
    const sector = sectorOf(client);
    // Rejected at its registration: otherwise clients of different owners would have a subject in common.
    if (sector === undefined) throw new Error('A pairwise client has no sector.');
    const key = await keys.subjectKey(tenantId);
    return createHmac('sha256', key).update(`${sector}|${userId}`).digest('base64url');
  };
}

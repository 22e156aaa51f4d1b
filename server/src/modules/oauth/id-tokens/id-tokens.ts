import { createHmac, hash } from 'node:crypto';
import type { Acr } from '@keywright/contract/authentication';
import type { SessionId, TenantId, UserId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KeyRing, ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import { sectorOf } from '../clients/index.ts';

/** The time for a client to read an ID token, which is not a credential. */
export const LIFETIME_SECONDS = 600;

/** The login that an ID token describes. */
interface ClientLogin {
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
  /** The session that a logout token names. */
  readonly sessionId: SessionId;
  /** The nonce of the authorization request; undefined after a refresh (OpenID Connect Core §12.2). */
  readonly nonce: string | undefined;
  readonly authTime: Date;
  readonly acr: Acr;
  readonly amr: readonly string[];
  /** The access token in the same response. */
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** Claims for the ID token that the client requested by name. */
  readonly requestedClaims: readonly string[];
}

/** Issues ID tokens (OpenID Connect Core §2). */
export class IdTokens {
  readonly #jwts: ApplicationJwts;
  readonly #subjects: SubjectIdentifiers;
  readonly #clock: Clock;

  constructor(jwts: ApplicationJwts, subjects: SubjectIdentifiers, clock: Clock) {
    this.#jwts = jwts;
    this.#subjects = subjects;
    this.#clock = clock;
  }

  async issue(login: ClientLogin): Promise<string> {
    const { tenant, client, user } = login;
    const sub = await this.#subjects.of(tenant.id, client, user.id);
    const claims = draftIdToken(login, sub, this.#clock.now());
    return this.#jwts.sign(tenant.id, {
      alg: client.id_token_signed_response_alg,
      typ: 'JWT',
      claims,
    });
  }
}

/** Returns the claims of an ID token. @param sub the subject that identifies the user to the client */
export function draftIdToken(
  { tenant, client, user, scopes, requestedClaims, accessToken, nonce, ...login }: ClientLogin,
  sub: string,
  now: Date,
) {
  const iat = epochSeconds(now);
  return {
    // First, so that the claims below replace user claims of the same name, never the reverse.
    ...claimsOf(user, client.id_token_claims ? scopes : [], requestedClaims),
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

/** OpenID Connect Core §3.1.3.6: uses the hash of the signature algorithm, which is SHA-512 for Ed25519. */
function leftHalfHash(alg: KeyAlgorithm, token: string): string {
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', token, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

/** The subjects that identify users to clients (OpenID Connect Core §8). */
export class SubjectIdentifiers {
  readonly #keys: KeyRing;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  async of(
    tenantId: TenantId,
    client: Pick<OAuthClientRecord, 'redirect_uris' | 'sector_identifier_uri' | 'subject_type'>,
    userId: UserId,
  ): Promise<string> {
    if (client.subject_type === 'public') return userId;
    const sector = sectorOf(client);
    // Registration rejects such clients: otherwise clients of different owners would share a subject.
    if (sector === undefined) throw new Error('A pairwise client has no sector.');
    const key = await this.#keys.subjectKey(tenantId);
    return createHmac('sha256', key).update(`${sector}|${userId}`).digest('base64url');
  }
}

/** The data from which user claims are built. */
export interface ClaimedUser {
  readonly identifiers: readonly IdentifierRecord[];
  readonly name: string | null;
  readonly picture: string | null;
  /** Written by administrators: metadata that users write is not verified. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When the data last changed, in seconds; undefined if it was not read. */
  readonly updated_at: number | undefined;
}

/** Whether a value is valid for the claim. */
type IsExpected = (text: string) => boolean;

const isText: IsExpected = (text) => text !== '';
const isAddress: IsExpected = (text) => /^https?:/i.test(text) && URL.canParse(text);
/** ISO 8601, with the year 0000 or only the year if the rest is unknown. */
const isBirthdate: IsExpected = (text) => /^\d{4}(-\d{2}-\d{2})?$/.test(text);

/** The profile claims that are fields of the user, which the user can change (OpenID Connect Core §5.1). */
const FIELDS = ['name', 'picture'] as const;

/** The other profile claims, which come from the metadata. */
const IN_METADATA: ReadonlyMap<string, IsExpected> = new Map([
  ['given_name', isText],
  ['middle_name', isText],
  ['family_name', isText],
  ['nickname', isText],
  ['preferred_username', isText],
  ['profile', isAddress],
  ['website', isAddress],
  ['gender', isText],
  ['birthdate', isBirthdate],
  ['locale', isText],
  ['zoneinfo', isText],
]);

const IDENTIFIERS = {
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
} as const;

/** The claims of each scope (OpenID Connect Core §5.4). */
const BY_SCOPE: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['profile', [...FIELDS, ...IN_METADATA.keys(), 'updated_at']],
  ...Object.entries(IDENTIFIERS),
]);

/** All claims about users. */
export const USER_CLAIMS: readonly string[] = [...BY_SCOPE.values()].flat();

/** Returns the user claims of these scopes, and those that the client requested by name. Unknown names are ignored. */
export function claimsOf(
  user: ClaimedUser,
  scopes: readonly string[],
  requested: readonly string[] = [],
): Record<string, unknown> {
  const names = new Set([...scopes.flatMap((scope) => BY_SCOPE.get(scope) ?? []), ...requested]);
  const userClaims = {
    ...fieldsOf(user),
    ...profileOf(user.metadata),
    ...changeOf(user),
    ...emailOf(user),
    ...phoneOf(user),
  };
  return Object.fromEntries(Object.entries(userClaims).filter(([name]) => names.has(name)));
}

/** Returns the source of a user claim; undefined for any other claim. */
export function originOf(name: string): 'user' | 'metadata' | 'identifier' | undefined {
  if (FIELDS.some((field) => field === name)) return 'user';
  if (IN_METADATA.has(name)) return 'metadata';
  return Object.values(IDENTIFIERS).some((names) => names.some((candidate) => candidate === name))
    ? 'identifier'
    : undefined;
}

function fieldsOf(user: ClaimedUser): Record<string, string> {
  const claims: Record<string, string> = {};
  for (const field of FIELDS) {
    const value = user[field];
    if (value !== null) claims[field] = value;
  }
  return claims;
}

/** Returns the profile claims in the metadata. Only text is included, because a client can fail on other types. */
function profileOf(metadata: ClaimedUser['metadata']): Record<string, string> {
  const claims: Record<string, string> = {};
  for (const [name, isExpected] of IN_METADATA) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    if (typeof value === 'string' && isExpected(value)) claims[name] = value;
  }
  return claims;
}

/** OpenID Connect Core §5.1: the time in seconds. */
function changeOf({ updated_at: at }: ClaimedUser): object {
  return at === undefined ? {} : { updated_at: at };
}

/** The first email address. */
function emailOf({ identifiers }: ClaimedUser): object {
  const first = identifiers.find(({ type }) => type === 'email');
  return first ? { email: first.identifier, email_verified: first.verified } : {};
}

function phoneOf({ identifiers }: ClaimedUser): object {
  const first = identifiers.find(({ type }) => type === 'phone');
  return first ? { phone_number: first.identifier, phone_number_verified: first.verified } : {};
}

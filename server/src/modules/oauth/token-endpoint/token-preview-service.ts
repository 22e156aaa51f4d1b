import { RESERVED_CLAIMS } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { parseUserId } from '@keywright/contract/ids';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type {
  PreviewedClaim,
  PreviewedMapping,
  TokenPreview,
} from '@keywright/contract/records/token-preview';
import type { BodyOf } from '@keywright/contract/route';
import type { previewTokens } from '@keywright/contract/routes/token-previews';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireScopes } from '../../access/evaluation/index.ts';
import {
  type PreviewedUser,
  findPreviewed,
  placesOf,
  previewAccessToken,
} from '../../tokens/sessions/index.ts';
import type { Clients, LoadedClient } from '../clients/index.ts';
import { draftIdToken, originOf } from '../id-tokens/index.ts';
import { needsKey } from './token-request.ts';

type CustomClaims = TenantConfig['custom_claims'];

type RefusePreview = Fail<'VALIDATION_FAILED' | 'SCOPE_REQUIRED' | 'NOT_FOUND'>;

/** Required in addition to the scope of the route: they allow reading everything that a preview contains. */
const REQUIRED_SCOPES = ['read:tenant', 'read:roles'];

/** Thumbprint of no key. */
const NO_KEY = sha256('the key of the caller who requests a token').toString('base64url');
/** Stands for the access token in the same response. */
const NO_TOKEN = 'no.access.token';

/** Previews the contents of a user's tokens, with the code that issues them. Nothing is signed. */
export class TokenPreviewService {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #clients: Clients;

  constructor(gate: Gate, clock: Clock, clients: Clients) {
    this.#gate = gate;
    this.#clock = clock;
    this.#clients = clients;
  }

  async preview(
    stored: Tenant,
    caller: Caller,
    body: BodyOf<typeof previewTokens>,
    fail: RefusePreview,
  ): Promise<TokenPreview> {
    const { client_id: named, custom_claims: mapping = stored.config.custom_claims } = body;
    const required = named === undefined ? [] : ['read:clients'];
    requireScopes(caller, [...REQUIRED_SCOPES, ...required], fail);
    const id = parseUserId(body.user_id) ?? fail('NOT_FOUND');
    const data = this.#gate.into(stored.id);
    const user = (await data.transaction((tx) => findPreviewed(tx, id))) ?? fail('NOT_FOUND');
    const client = named === undefined ? undefined : await this.#clients.find(stored.id, named);
    if (named !== undefined) requireLogins(client ?? fail('NOT_FOUND'), fail);
    const tenant = withCustomClaims(stored, acceptedClaims(mapping));
    const now = this.#clock.now();
    const granted = client ? { id: client.id, scopes: client.scopes, targets: [] } : null;
    const jkt = client && needsKey(tenant, client, undefined) ? NO_KEY : undefined;
    const { claims, facts } = previewAccessToken(tenant, { user, client: granted, jkt }, now);
    const idToken = client?.scopes.includes('openid')
      ? presentIdToken(client, draftIdToken(loginOf(tenant, client, user, facts), user.id, now))
      : undefined;
    return {
      user_id: id,
      tenant_id: tenant.id,
      ...(client && { client_id: client.id }),
      access_token: presentAccessToken(claims, tenant.config.custom_claims),
      ...(idToken && { id_token: idToken }),
      custom_claims: presentMapping(mapping, claims),
    };
  }
}

type Facts = ReturnType<typeof previewAccessToken>['facts'];

function withCustomClaims(tenant: Tenant, claims: CustomClaims): Tenant {
  return { ...tenant, config: { ...tenant.config, custom_claims: claims } };
}

/** Returns a simulated login with all scopes that the client can request. */
function loginOf(
  tenant: Tenant,
  client: LoadedClient,
  user: PreviewedUser,
  { sessionId, authentication }: Facts,
) {
  const { auth_time: authTime, acr, amr } = authentication;
  const { scopes } = client;
  const login = { sessionId, authTime, acr, amr, nonce: undefined, accessToken: NO_TOKEN };
  return { tenant, client, user, scopes, requestedClaims: [], ...login };
}

/** @throws AppError VALIDATION_FAILED for a client that cannot get tokens of users */
function requireLogins({ grant_types: grants }: LoadedClient, fail: RefusePreview): void {
  if (grants.includes('authorization_code') || grants.includes(DEVICE_GRANT)) return;
  const message = 'is a client that users cannot sign in to';
  fail('VALIDATION_FAILED', { errors: [{ path: '/client_id', message }] });
}

const RESERVED = 'is reserved: the service or a standard sets it';

/** Returns why a tenant cannot have a claim with this name; undefined if it can. */
function objectionTo(name: string): string | undefined {
  return RESERVED_CLAIMS.has(name) ? RESERVED : undefined;
}

/** Returns the custom claims that can be saved. */
function acceptedClaims(claims: CustomClaims): CustomClaims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name]) => objectionTo(name) === undefined),
  );
}

/** Claims whose value differs between logins. */
const LOGIN_CLAIMS: ReadonlySet<string> = new Set([
  'jti',
  'iat',
  'exp',
  'sid',
  'ver',
  'auth_time',
  'acr',
  'amr',
  'status',
  'cnf',
  'at_hash',
]);

type Claims = Readonly<Record<string, unknown>>;

function presentAccessToken(claims: Claims, mapping: CustomClaims): PreviewedClaim[] {
  const places = new Map(placesOf(mapping));
  return entriesOf(claims).map(([name, value]) => {
    const usual = LOGIN_CLAIMS.has(name) ? 'login' : 'service';
    return { name, value, origin: places.get(name)?.source ?? usual };
  });
}

function presentIdToken(
  { subject_type: subjects }: Pick<LoadedClient, 'subject_type'>,
  claims: Claims,
): PreviewedClaim[] {
  return entriesOf(claims).map(([name, value]) => {
    const usual = LOGIN_CLAIMS.has(name) ? 'login' : 'service';
    const origin = originOf(name) ?? usual;
    return name === 'sub' && subjects === 'pairwise' ? { name, origin } : { name, value, origin };
  });
}

/** Returns the claims that a token contains. */
function entriesOf(claims: Claims) {
  return Object.entries(claims).filter(([, value]) => value !== undefined);
}

/** Returns the outcome of each custom claim. @param claims of the access token */
function presentMapping(mapping: CustomClaims, claims: Claims): PreviewedMapping[] {
  const sorted = placesOf(mapping).toSorted(([left], [other]) => (left < other ? -1 : 1));
  return sorted.map(([name, place]) => Object.assign({ name }, place, outcomeOf(name, claims)));
}

function outcomeOf(name: string, claims: Claims): Pick<PreviewedMapping, 'outcome' | 'reason'> {
  const reason = objectionTo(name);
  if (reason !== undefined) return { outcome: 'refused', reason };
  return { outcome: Object.hasOwn(claims, name) ? 'added' : 'no_value' };
}

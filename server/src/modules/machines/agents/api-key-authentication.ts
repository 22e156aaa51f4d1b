import type { CredentialClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import type { AgentId, ApiKeyId, TenantId } from '@keywright/contract/ids';
import type { AgentRecord } from '@keywright/contract/records/agent';
import { API_KEY_PREFIX } from '@keywright/contract/records/api-key';
import { intersectScopes } from '@keywright/contract/scopes';
import { Cache } from '../../../platform/cache/cache.ts';
import { isWithin, listOf, parseRange } from '../../../platform/cidr.ts';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { checkedSecrets } from '../../../platform/crypto/checked-secrets.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { AgentCaller, Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { NoteUse } from '../../../tenancy/activity.ts';
import {
  type KeyAndAgentRow,
  type PresentedKey,
  findKeyAndAgent,
  findValidKeyVersions,
} from './api-keys-store.ts';
import { presentAgent } from './agent-service.ts';

const SHOWN_CHARACTERS = 12;

/** A key consists of `svc_sk_`, random base62 characters and six check characters. */
export const { mint: mintApiKey, hashIfWellFormed: hashApiKey } = checkedSecrets(API_KEY_PREFIX);

/** The prefix that is stored to recognize the key. */
export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

/** Whether a text has the format of an API key rather than a token. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(API_KEY_PREFIX);
}

/** @throws AppError VALIDATION_FAILED, naming each entry that is neither an address nor a network */
export function requireNetworks(list: readonly string[], fail: Fail<'VALIDATION_FAILED'>): void {
  const message = 'must be an IP address or a network, such as 192.0.2.7 or 192.0.2.0/24';
  const errors = list.flatMap((text, index) =>
    parseRange(text) ? [] : [{ path: `/allowed_ips/${index}`, message }],
  );
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/** Whether an address is in one of the networks. */
type IsAllowed = (address: string) => boolean;

export function networksMatcher(list: readonly string[]): IsAllowed {
  const networks = listOf(list.flatMap((text) => parseRange(text) ?? []));
  return (address) => isWithin(networks, address);
}

/** The current permissions of a valid key. */
interface KeyProfile {
  readonly keyId: ApiKeyId;
  readonly agentId: AgentId;
  /** The scopes that both the key and its agent have. */
  readonly scopes: readonly string[];
  readonly accessVersion: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isAllowedFrom: IsAllowed;
  readonly agent: AgentRecord;
}

const MAX_PROFILES = 10_000;
const ANYWHERE: IsAllowed = () => true;
/** Checked if there is no key, so that rejecting a valid key because of its address takes no longer. */
const isNowhere = networksMatcher(['192.0.2.0']);

/**
 * API keys as credentials. Each use reads from the database whether a key is valid, and the version of the key and its
 * agent; concurrent requests share a statement. Only the contents of that version are cached.
 */
export class ApiKeys {
  readonly #gate: Gate;
  readonly #noteUse: NoteUse<ApiKeyId>;
  readonly #findVersion: (key: PresentedKey) => Promise<string | undefined>;
  readonly #profiles = new Cache<
    string,
    { readonly version: string; readonly profile: KeyProfile }
  >(MAX_PROFILES);

  constructor(gate: Gate, clock: Clock, noteUse: NoteUse<ApiKeyId>) {
    this.#gate = gate;
    this.#noteUse = noteUse;
    this.#findVersion = batched(
      (keys: readonly PresentedKey[]) => findValidKeyVersions(gate, keys, clock.now()),
      { size: 256, flights: 1 },
    );
  }

  /** Returns the agent of a presented key; undefined if the key is invalid, or not allowed from this address. */
  async authenticate(tenant: Tenant, key: string, from: Origin): Promise<AgentCaller | undefined> {
    const profile = await this.#find(tenant.id, key);
    const isAllowedFrom = profile?.isAllowedFrom ?? isNowhere;
    if (!isAllowedFrom(from.address) || !profile) return undefined;
    this.#noteUse(tenant.id, profile.keyId);
    return callerOf(tenant, profile, from);
  }

  /**
   * Returns the claims of a key for a service to which it was presented. The address of that request is unknown, so it
   * is not checked.
   */
  async findClaims(tenant: Tenant, key: string): Promise<CredentialClaims | undefined> {
    const profile = await this.#find(tenant.id, key);
    if (!profile) return undefined;
    this.#noteUse(tenant.id, profile.keyId);
    return claimsOf(tenant, profile);
  }

  async #find(tenantId: TenantId, key: string): Promise<KeyProfile | undefined> {
    const hash = hashApiKey(key);
    if (!hash) return undefined;
    const place = `${tenantId} ${hash.toString('latin1')}`;
    const version = await this.#findVersion({ tenantId, hash, place });
    if (version === undefined) return undefined;
    const cached = this.#profiles.get(place);
    return cached?.version === version ? cached.profile : this.#read(tenantId, hash, place);
  }

  async #read(tenantId: TenantId, hash: Buffer, place: string): Promise<KeyProfile | undefined> {
    const row = await findKeyAndAgent(this.#gate.into(tenantId), hash);
    if (!row) return undefined;
    const profile = profileOf(row);
    this.#profiles.set(place, { version: row.version, profile });
    return profile;
  }
}

function callerOf(tenant: Tenant, profile: KeyProfile, from: Origin): AgentCaller {
  return {
    kind: 'agent',
    subject: profile.agentId,
    keyId: profile.keyId,
    record: profile.agent,
    scopes: profile.scopes,
    roles: [],
    isSystemAdministrator: false,
    from,
    claims: claimsOf(tenant, profile),
  };
}

/** The claims that a token would have if the agent obtained it with this key (RFC 7662 §2.2). */
function claimsOf(tenant: Tenant, profile: KeyProfile): CredentialClaims {
  return {
    token_type: 'access',
    iss: tenant.issuer,
    sub: profile.agentId,
    aud: tenant.audience,
    iat: epochSeconds(profile.createdAt),
    exp: epochSeconds(profile.expiresAt),
    tenant_id: tenant.id,
    workspace_id: profile.agent.workspace_id,
    roles: [],
    scopes: [...profile.scopes],
    scope: profile.scopes.join(' '),
    client_id: profile.agentId,
    key_id: profile.keyId,
    ver: profile.accessVersion,
  };
}

function profileOf(row: KeyAndAgentRow): KeyProfile {
  return {
    keyId: row.key_id,
    agentId: row.id,
    scopes: row.key_scopes === null ? row.scopes : intersectScopes(row.key_scopes, row.scopes),
    accessVersion: row.access_version,
    createdAt: row.key_created_at,
    expiresAt: row.expires_at,
    isAllowedFrom: row.allowed_ips === null ? ANYWHERE : networksMatcher(row.allowed_ips),
    agent: presentAgent(row),
  };
}

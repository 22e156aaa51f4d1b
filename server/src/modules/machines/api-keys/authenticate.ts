import type { CredentialClaims } from '@keywright/contract/claims';
import { epochSeconds } from '../../../platform/clock.ts';
import type { AgentCaller, Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { networksMatcher } from './allowed-ips.ts';
import type { FindKey, KeyProfile } from './lookup.ts';
import { hashApiKey } from './secret.ts';
import type { NoteKeyUse } from './uses.ts';

/** API keys as credentials. */
export interface ApiKeys {
  /** The agent of a presented key; undefined when it is invalid, or not allowed from this address. */
  authenticate(tenant: Tenant, key: string, from: Origin): Promise<AgentCaller | undefined>;
  /**
   * The claims of a key, requested by a service to which it was presented: the address of its use is unknown here, so
   * it is not checked.
   */
  findClaims(tenant: Tenant, key: string): Promise<CredentialClaims | undefined>;
}

/** Queried when there is no key: a valid one that is not allowed from this address takes no longer to reject. */
const isNowhere = networksMatcher(['192.0.2.0']);

export function createApiKeys(find: FindKey, noteUse: NoteKeyUse): ApiKeys {
  async function findProfile(tenant: Tenant, key: string): Promise<KeyProfile | undefined> {
    const hash = hashApiKey(key);
    return hash && find(tenant.id, hash);
  }

  return {
    async authenticate(tenant, key, from) {
      const profile = await findProfile(tenant, key);
      const isAllowedFrom = profile?.isAllowedFrom ?? isNowhere;
      if (!isAllowedFrom(from.address) || !profile) return undefined;
      noteUse(tenant.id, profile.keyId);
      return callerOf(tenant, profile, from);
    },
    async findClaims(tenant, key) {
      const profile = await findProfile(tenant, key);
      if (!profile) return undefined;
      noteUse(tenant.id, profile.keyId);
      return claimsOf(tenant, profile);
    },
  };
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

/** The claims that a token of the agent by this key would have (RFC 7662 §2.2). */
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

import type { CredentialClaims } from '@keywright/contract/claims';
import { epochSeconds } from '../../../platform/clock.ts';
import type { AgentCaller, Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { networksMatcher } from './allowed-ips.ts';
import type { FindKey, KeyProfile } from './lookup.ts';
import { hashApiKey } from './secret.ts';
import type { NoteUse } from './uses.ts';

/** API keys as credentials. */
export interface ApiKeys {
  /** Who presents a key; nobody when it is not good, or not from where they are. */
  authenticate(tenant: Tenant, key: string, from: Origin): Promise<AgentCaller | undefined>;
  /**
   * What a key says, asked by somebody to whom it was presented: from where is not known here, so where it is
   * allowed from is not judged.
   */
  findClaims(tenant: Tenant, key: string): Promise<CredentialClaims | undefined>;
}

/** Asked where there is no key: one that is good from elsewhere takes no longer to be refused. */
const isNowhere = networksMatcher(['192.0.2.0']);

export function createApiKeys(find: FindKey, noteUse: NoteUse): ApiKeys {
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

/** What a token of the agent by this key would say (RFC 7662 §2.2). */
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

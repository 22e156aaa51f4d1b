import { type AccessTokenClaims, DIRECT_CLIENT } from '@keywright/contract/claims';
import {
  DEFAULT_TENANT,
  parseAgentId,
  parseOAuthClientId,
  parseUserId,
} from '@keywright/contract/ids';
import type { Caller, Origin } from '../../../tenancy/caller.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';

/** The caller that a verified token identifies; undefined when its claims are inconsistent. */
export function callerOf(claims: AccessTokenClaims, from: Origin): Caller | undefined {
  const { sub, act, sid, scopes, roles, tenant_id: tenantId } = claims;
  const credential = { scopes, roles, from, claims, isSystemAdministrator: false };
  const agentId = parseAgentId(sub);
  if (agentId) return { ...credential, kind: 'agent', subject: agentId, keyId: claims.key_id };
  const userId = parseUserId(sub);
  if (!userId) return undefined;
  if (act?.delegation_id !== undefined) {
    const delegate = parseAgentId(act.sub);
    return delegate && { ...credential, kind: 'delegate', subject: userId, agentId: delegate };
  }
  if (sid === undefined) return undefined;
  // An application that exchanged the token of another one has `act`, too.
  if (claims.client_id !== DIRECT_CLIENT) {
    const clientId = parseOAuthClientId(claims.client_id);
    return clientId && { ...credential, kind: 'app', subject: userId, clientId, sessionId: sid };
  }
  if (act) return { ...credential, kind: 'impersonator', subject: userId, sessionId: sid };
  return {
    ...credential,
    kind: 'user',
    subject: userId,
    sessionId: sid,
    isSystemAdministrator: tenantId === DEFAULT_TENANT && roles.includes(SYSTEM_ADMIN),
  };
}

import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import {
  TENANT_RESOURCE,
  type TargetId,
  type TenantResources,
  commonScopes,
  readDetails,
  targetsNamed,
} from '../resources/index.ts';
import { scopesByTarget, allScopes } from './authorization-decision.ts';
import {
  type RequestingClient,
  type RequestPolicy,
  type AuthorizationRequest,
  RequestRejected,
  type ExistingTargets,
} from './authorization-request.ts';

const MAX_SCOPES = 64;

/** Limited because each target becomes part of the code and of the refresh token. */
const MAX_TARGETS = 8;

/** OpenID Connect Core §11: with this scope, the tokens outlive the browser's session. */
const OFFLINE = 'offline_access';

/** RFC 6749 Appendix A.4: neither quotes nor backslashes. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

/** The scopes of a user with every permission. */
const ALL_PERMISSIONS: readonly string[] = ['*:*'];

/** Reads the targets of the requested access tokens (RFC 8707 §2). */
export function readTargets(
  uris: readonly string[],
  { tenant, resources }: Pick<RequestPolicy, 'tenant' | 'resources'>,
): readonly TargetId[] {
  const targets = targetsNamed(uris, tenant, resources);
  if (targets && targets.length <= MAX_TARGETS) return targets;
  throw new RequestRejected({
    error: 'invalid_target',
    description: 'A resource does not belong to this tenant, or there are too many resources.',
  });
}

/**
 * Reads the authorization details (RFC 9396 §5). Their resources become targets of the request. If the request itself
 * names targets, they must include these resources.
 */
export function readAuthorizationDetails(
  {
    client,
    policy,
    value,
  }: {
    readonly client: Pick<RequestingClient, 'authorization_details_types'>;
    readonly policy: Pick<RequestPolicy, 'resources'>;
    readonly value: (name: string) => string | undefined;
  },
  targets: readonly TargetId[],
): { readonly targets: readonly TargetId[]; readonly details?: readonly AuthorizationDetail[] } {
  const text = value('authorization_details');
  if (text === undefined) return { targets };
  const read = readDetails(text, client.authorization_details_types, policy.resources);
  if ('flaw' in read) throw detailsRejected(read.flaw);
  // Without a scope, the client would request all its scopes.
  if (value('scope') === undefined) throw detailsRejected('scope is also required');
  const { details } = read;
  const required = read.resources.map(({ id }) => id);
  if (targets.every((target) => target === TENANT_RESOURCE)) {
    return { targets: [...targets, ...required], details };
  }
  if (required.some((id) => !targets.includes(id))) {
    throw detailsRejected('the parameter resource does not name its resource');
  }
  return { targets, details };
}

function detailsRejected(flaw: string): RequestRejected {
  const description = `authorization_details cannot be granted: ${flaw}. RFC 9396.`;
  return new RequestRejected({ error: 'invalid_authorization_details', description });
}

/**
 * Reads the requested scopes. Scopes that the client cannot request, or that the targets do not have, are left out (RFC
 * 6749 §3.3). Without the parameter, the client requests all its scopes.
 */
export function readScopes(
  client: Pick<RequestingClient, 'scopes' | 'grant_types'>,
  parameter: string | undefined,
  targets: ExistingTargets,
): readonly string[] {
  const requested = [...new Set((parameter ?? '').split(' ').filter(Boolean))];
  if (requested.length > MAX_SCOPES || !requested.every((scope) => SCOPE.test(scope))) {
    throw scopeRejected('The scope is malformed.');
  }
  const canRefresh = client.grant_types.includes('refresh_token');
  const allowed = client.scopes.filter((scope) => scope !== OFFLINE || canRefresh);
  const possible = requested.length === 0 ? allowed : commonScopes(requested, allowed);
  const scopes = allScopes(scopesByTarget(possible, targets, ALL_PERMISSIONS));
  if (scopes.length > 0) return scopes;
  throw scopeRejected('None of these scopes are among the scopes of the client.');
}

function scopeRejected(description: string): RequestRejected {
  return new RequestRejected({ error: 'invalid_scope', description });
}

/** Reads the scopes and targets of a request without other parameters (RFC 8628 §3.1). */
export function readScopesAndTargets(
  client: Pick<RequestingClient, 'scopes' | 'grant_types'>,
  policy: Pick<RequestPolicy, 'tenant' | 'resources'>,
  scope: string | undefined,
  uris: readonly string[],
): Pick<AuthorizationRequest, 'scopes' | 'targets'> {
  const targets = readTargets(uris, policy);
  const scopes = readScopes(client, scope, existingTargets(targets, policy.resources));
  return { scopes, targets: withoutTenantAlone(targets) };
}

/** Empty if the only target is the tenant itself. */
export function withoutTenantAlone(targets: readonly TargetId[]): readonly TargetId[] {
  return targets.every((target) => target === TENANT_RESOURCE) ? [] : targets;
}

/** The targets that still exist. */
export function existingTargets(
  targets: readonly TargetId[],
  resources: Pick<TenantResources, 'named'>,
): ExistingTargets {
  return {
    includesTenant: targets.length === 0 || targets.includes(TENANT_RESOURCE),
    resources: targets.flatMap((id) => (id === TENANT_RESOURCE ? [] : (resources.named(id) ?? []))),
  };
}

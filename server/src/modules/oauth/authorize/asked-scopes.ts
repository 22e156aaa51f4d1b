import {
  commonScopes,
  type KnownResources,
  OWN,
  type TargetId,
  targetsNamed,
} from '../resources/index.ts';
import type {
  AuthorizationRequest,
  Rejection,
  RequestingClient,
  RequestPolicy,
} from './request.ts';
import { allOf, EVERYTHING, OFFLINE, place, type Places } from './scopes.ts';
import { placesOf } from './targets.ts';

const MOST_SCOPES = 64;
/** Each is part of the code and of the refresh token. */
const MOST_TARGETS = 8;

/** RFC 8707 §2. */
const UNKNOWN_TARGET: Rejection = {
  error: 'invalid_target',
  description: 'The resource is not one of this tenant, or there are too many.',
};

/** RFC 6749 Appendix A.4: no quotes and no backslash. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

type AskingClient = Pick<RequestingClient, 'scopes' | 'grant_types'>;

/** The targets of the requested access tokens. */
export function readTargets(
  uris: readonly string[],
  tenant: RequestPolicy['tenant'],
  resources: KnownResources,
): readonly TargetId[] | Rejection {
  const named = targetsNamed(uris, tenant, resources);
  return named && named.length <= MOST_TARGETS ? named : UNKNOWN_TARGET;
}

/** Empty if the only target is the tenant itself. */
export function withoutOwn(targets: readonly TargetId[]): readonly TargetId[] {
  return targets.every((one) => one === OWN) ? [] : targets;
}

export function placesIn(
  targets: readonly TargetId[] | Rejection,
  resources: KnownResources,
): Places {
  return placesOf('error' in targets ? [] : targets, resources);
}

/**
 * RFC 6749 §3.3: scopes that the client cannot request, or that its targets do not have, are left out. Without any, the
 * client requests all that it can.
 */
export function readScopes(
  client: AskingClient,
  given: string | undefined,
  places: Places,
): Pick<AuthorizationRequest, 'scopes'> | Rejection {
  const asked = [...new Set((given ?? '').split(' ').filter(Boolean))];
  if (asked.length > MOST_SCOPES || !asked.every((scope) => SCOPE.test(scope))) {
    return { error: 'invalid_scope', description: 'The scope is malformed.' };
  }
  const allowed = client.scopes.filter((scope) => scope !== OFFLINE || canBeOffline(client));
  const possible = asked.length === 0 ? allowed : commonScopes(asked, allowed);
  const scopes = allOf(place(possible, places, EVERYTHING));
  return scopes.length > 0
    ? { scopes }
    : {
        error: 'invalid_scope',
        description: 'None of these scopes are among the scopes of the client.',
      };
}

/** Both, for a request without parameters. */
export function readScopesAndTargets(
  {
    client,
    tenant,
    resources,
  }: { readonly client: AskingClient } & Pick<RequestPolicy, 'tenant' | 'resources'>,
  scope: string | undefined,
  uris: readonly string[],
): Pick<AuthorizationRequest, 'scopes' | 'targets'> | Rejection {
  const targets = readTargets(uris, tenant, resources);
  if ('error' in targets) return targets;
  const scopes = readScopes(client, scope, placesIn(targets, resources));
  return 'error' in scopes ? scopes : { ...scopes, targets: withoutOwn(targets) };
}

function canBeOffline({ grant_types: grants }: Pick<RequestingClient, 'grant_types'>): boolean {
  return grants.includes('refresh_token');
}

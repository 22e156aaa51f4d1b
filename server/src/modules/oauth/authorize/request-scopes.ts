import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { isOpenIdScope } from '@keywright/contract/records/oauth-client';
import { intersectScopes, isCommonPermission, missingScopes } from '@keywright/contract/scopes';
import {
  commonScopes,
  type KnownResources,
  OWN,
  type TargetId,
  targetsNamed,
  readDetails,
  type Resource,
  scopesAt,
} from '../resources/index.ts';
import type {
  AuthorizationRequest,
  Rejection,
  RequestingClient,
  RequestPolicy,
} from './authorization-request.ts';

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

interface DetailsInput {
  readonly client: Pick<RequestingClient, 'authorization_details_types'>;
  readonly policy: Pick<RequestPolicy, 'resources'>;
  readonly value: (name: string) => string | undefined;
}

interface Particular {
  readonly targets: readonly TargetId[] | Rejection;
  readonly details?: readonly AuthorizationDetail[];
}

function rejectDetails(flaw: string): Rejection {
  const description = `authorization_details cannot be granted: ${flaw}. RFC 9396.`;
  return { error: 'invalid_authorization_details', description };
}

/**
 * The authorization details (RFC 9396 §5). Their resources become targets of the request. If the request names targets
 * itself, they must include these resources.
 */
export function readParticular(
  { client, policy, value }: DetailsInput,
  targets: readonly TargetId[] | Rejection,
): Particular | Rejection {
  const text = value('authorization_details');
  if (text === undefined || 'error' in targets) return { targets };
  const read = readDetails(text, client.authorization_details_types, policy.resources);
  if ('flaw' in read) return rejectDetails(read.flaw);
  // Without a scope, the client would request all of its scopes.
  if (value('scope') === undefined) return rejectDetails('scope is required beside it');
  const { details } = read;
  const places = read.resources.map(({ id }) => id);
  if (targets.every((one) => one === OWN)) return { targets: [...targets, ...places], details };
  const isLacking = places.some((id) => !targets.includes(id));
  return isLacking ? rejectDetails('resource does not name its resource') : { targets, details };
}

/** OpenID Connect Core §11: the tokens outlive the session of the browser. */
const OFFLINE = 'offline_access';

/** Those that the others do not include. */
export function furtherScopes(wanted: readonly string[], given: readonly string[]): string[] {
  const named = wanted.filter((scope) => !isCommonPermission(scope) && !given.includes(scope));
  return [
    ...named,
    ...missingScopes(given.filter(isCommonPermission), wanted.filter(isCommonPermission)),
  ];
}

/** The targets of access tokens. */
export interface Places {
  /** Whether the tenant itself is one. */
  readonly own: boolean;
  readonly resources: readonly Resource[];
}

/** Scopes, by where they apply. */
export interface PlacedScopes {
  /** Those of OpenID Connect, and permissions at the tenant itself. */
  readonly scopes: readonly string[];
  readonly at: readonly { readonly resource: Resource; readonly scopes: readonly string[] }[];
}

/**
 * The scopes that exist at these targets, for a user who holds these permissions. The rest is left out (RFC 6749 §3.3).
 */
export function place(
  scopes: readonly string[],
  { own, resources }: Places,
  held: readonly string[],
): PlacedScopes {
  const permissions = own ? intersectScopes(scopes.filter(isCommonPermission), held) : [];
  return {
    scopes: [...scopes.filter(isOpenIdScope), ...permissions],
    at: resources.map((resource) => ({ resource, scopes: scopesAt(resource, scopes, held) })),
  };
}

/** All of them, wherever they apply. */
export function allOf({ scopes, at }: PlacedScopes): string[] {
  return [...new Set([...scopes, ...at.flatMap((one) => one.scopes)])];
}

/** A user with every permission. */
const EVERYTHING: readonly string[] = ['*:*'];

/** The targets that still exist. */
export function placesOf(
  targets: readonly TargetId[],
  resources: Pick<KnownResources, 'named'>,
): Places {
  return {
    own: targets.length === 0 || targets.includes(OWN),
    resources: targets.flatMap((id) => (id === OWN ? [] : (resources.named(id) ?? []))),
  };
}

/** Whether a requested resource was deleted in the meantime. */
export function lacksTarget(targets: readonly TargetId[], { resources }: Places): boolean {
  return targets.filter((id) => id !== OWN).length > resources.length;
}

import type { Fail } from '@keywright/contract/errors';
import type { OAuthResourceId } from '@keywright/contract/ids';
import { isUnderFapi2, WEAK_ALGORITHM } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { FindResources, KnownResources, Resource } from './rules.ts';

/** The tenant itself, as one of several that tokens are asked for. */
export const OWN = 'tenant';

/** What tokens can be for (RFC 8707 §2). */
export type TargetId = OAuthResourceId | typeof OWN;

const WEAK = {
  detail: 'Under the profile fapi2 no access token is signed with RS256.',
  internal: 'fapi2: access_token_signing_alg',
};

type OwnNames = Pick<Tenant, 'audience' | 'issuer'>;

/** What these URIs name; undefined when one of them is nothing of the tenant. */
export function targetsNamed(
  uris: readonly string[],
  tenant: OwnNames,
  resources: KnownResources,
): TargetId[] | undefined {
  const found = new Set(uris.map((uri) => targetNamed(uri, tenant, resources)));
  const targets = [...found].filter((one) => one !== undefined);
  return targets.length === found.size ? targets : undefined;
}

function targetNamed(
  uri: string,
  { audience, issuer }: OwnNames,
  resources: KnownResources,
): TargetId | undefined {
  if (uri === audience || uri === issuer) return OWN;
  return (resources.at(uri) ?? resources.at(otherSpelling(uri)))?.id;
}

/** Clients that parse a URL without a path add one (RFC 3986 §6.2.3), or take it away. Else the URI itself. */
function otherSpelling(uri: string): string {
  const [, origin = uri, path] = /^(https?:\/\/[^/?]+)(\/?)$/.exec(uri) ?? [];
  return path === '' ? `${origin}/` : origin;
}

/**
 * What one access token is for: undefined is the tenant itself.
 * @param granted what a user has granted tokens for, empty if only for the tenant; undefined where no grant says
 * @param asked the parameter of the token request
 * @throws AppError TARGET_INVALID
 */
export async function chooseTarget(
  findResources: FindResources,
  tenant: Tenant,
  granted: readonly string[] | undefined,
  asked: string | readonly string[] | undefined,
  fail: Fail<'TARGET_INVALID'>,
): Promise<Resource | undefined> {
  const uris = [asked ?? []].flat();
  const possible = granted?.length === 0 ? [OWN] : granted;
  const [only = OWN] = possible ?? [];
  if (uris.length === 0 && possible?.length !== 1 && possible) fail('TARGET_INVALID');
  // Nearly always, and then nothing has to be known of resources.
  if (uris.length === 0 && only === OWN) return undefined;
  const resources = await findResources(tenant.id);
  const [target, ...others] =
    uris.length === 0 ? [only] : (targetsNamed(uris, tenant, resources) ?? []);
  const isGranted = target !== undefined && (possible?.includes(target) ?? true);
  if (!isGranted || others.length > 0) return fail('TARGET_INVALID');
  if (target === OWN) return undefined;
  // It may have been deleted since.
  const resource = resources.named(target) ?? fail('TARGET_INVALID');
  // It may be of the time before the tenant took on the profile.
  return isTooWeak(tenant, resource) ? fail('TARGET_INVALID', WEAK) : resource;
}

/** Whether the profile of the tenant has no access tokens of the algorithm that the resource wants. */
export function isTooWeak(tenant: Tenant, { algorithm }: Pick<Resource, 'algorithm'>): boolean {
  return algorithm === WEAK_ALGORITHM && isUnderFapi2(tenant);
}

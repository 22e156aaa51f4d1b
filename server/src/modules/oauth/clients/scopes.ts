import { isOpenIdScope, OPENID_SCOPES } from '@keywright/contract/records/oauth-client';
import { isCommonPermission, missingScopes } from '@keywright/contract/scopes';
import type { Resource } from '../resources/index.ts';
import { usualScopesOf } from './metadata.ts';

/** As many as a client has. */
const MOST_SCOPES = 64;

/** What an application may ask for that no administrator registered. */
export interface ScopePolicy {
  /** Undefined: of OpenID Connect, of the resources, and permissions to read. */
  readonly most: readonly string[] | undefined;
  /** Permissions to write and to delete, too: whoever registers it holds them. */
  readonly mayWrite: boolean;
  /** Those whose scopes it may ask for. */
  readonly resources: readonly Pick<Resource, 'scopes'>[];
}

export interface JudgedScopes {
  readonly scopes: readonly string[];
  /** Asked for, known, and not allowed. */
  readonly refused: readonly string[];
}

/**
 * The scopes of an application, of those that it asks for. What nobody knows is left out: lists are written for many
 * servers.
 */
export function judgeScopes(
  asked: readonly string[],
  said: Parameters<typeof usualScopesOf>[0],
  policy: ScopePolicy,
): JudgedScopes {
  const names = namesAt(policy);
  const known = asked.filter(
    (one) => isCommonPermission(one) || isOpenIdScope(one) || names.includes(one),
  );
  const refused = known.filter((one) => !isAllowed(one, policy));
  const possible = policy.most ?? [...OPENID_SCOPES, ...names];
  const usual = policy.most ? [...policy.most] : usualScopesOf(said, possible);
  const allowed = known.filter((one) => !refused.includes(one));
  const scopes = allowed.length > 0 ? [...allowed, ...furtherAt(allowed, policy)] : usual;
  return { scopes: [...new Set(scopes)].slice(0, MOST_SCOPES), refused };
}

/**
 * The other names of the resources whose names are asked for. Clients of MCP register with the scopes of the first challenge,
 * and ask for further ones when a tool requires them; users are asked for each.
 */
function furtherAt(asked: readonly string[], policy: ScopePolicy): string[] {
  const named = policy.resources.filter(({ scopes }) =>
    scopes.some(({ name }) => !isCommonPermission(name) && asked.includes(name)),
  );
  return namesAt({ resources: named }).filter((name) => isAllowed(name, policy));
}

/** Names of resources' own; permissions are named only by who needs them. */
function namesAt({ resources }: Pick<ScopePolicy, 'resources'>): string[] {
  const all = resources.flatMap(({ scopes }) => scopes.map(({ name }) => name));
  return [...new Set(all)].filter((name) => !isCommonPermission(name));
}

function isAllowed(scope: string, { most, mayWrite }: ScopePolicy): boolean {
  if (!isCommonPermission(scope)) return most === undefined || most.includes(scope);
  if (most !== undefined)
    return missingScopes(most.filter(isCommonPermission), [scope]).length === 0;
  return mayWrite || scope.startsWith('read:');
}

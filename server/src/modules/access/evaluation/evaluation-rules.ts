import type { ActorClaim, CredentialClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { ID_PREFIX, parseAgentId, parseUserId, type WorkspaceId } from '@keywright/contract/ids';
import {
  type Explanation,
  type ExplainedChange,
  type ReasonCode,
  REASONS,
} from '@keywright/contract/records/explanation';
import type { BodyOf } from '@keywright/contract/route';
import type { evaluate } from '@keywright/contract/routes/evaluation';
import type { explain } from '@keywright/contract/routes/explain';
import { isPermission, missingScopes } from '@keywright/contract/scopes';
import type { Caller } from '../../../tenancy/caller.ts';
import type { HistoryEntry } from '../../events/journal/index.ts';
import type { EffectivePermissions } from './evaluation-store.ts';

/** A check whether the holder of a token, or a named subject, has all of these scopes. */
export type Check = (
  | { readonly token: string; readonly subject?: undefined }
  | { readonly subject: string; readonly token?: undefined }
) & {
  readonly needed: readonly string[];
  readonly workspaceId: WorkspaceId | undefined;
};

export type Evaluation = BodyOf<typeof evaluate>;

/** The check of an evaluation; undefined if its action and resource do not form a scope. */
export function checkOf({ subject, action, resource }: Evaluation): Check | undefined {
  const scope = `${action.name}:${resource.type}`;
  // The first colon ends the action: a colon in the action's name would move part of it to the resource.
  if (action.name.includes(':') || !isPermission(scope)) return undefined;
  const query = { needed: [scope], workspaceId: resource.properties?.workspace_id };
  return subject.type === 'token'
    ? { token: subject.id, ...query }
    : { subject: idOf(subject), ...query };
}

/** Replaces an invalid ID by an unknown one: all unknown subjects get the same response. */
function idOf({ type, id }: Evaluation['subject']): string {
  return type === 'user'
    ? (parseUserId(id) ?? ID_PREFIX.user)
    : ((type === 'agent' ? parseAgentId(id) : undefined) ?? ID_PREFIX.agent);
}

export function readCheck(
  { token, subject, scope, workspace_id: workspaceId }: BodyOf<typeof explain>,
  fail: Fail<'VALIDATION_FAILED'>,
): Check {
  const query = { needed: [...new Set(scope.split(' '))], workspaceId };
  if (token !== undefined && subject === undefined) return { token, ...query };
  if (subject !== undefined && token === undefined) return { subject, ...query };
  const message = 'is required without subject, and cannot be combined with it';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/token', message }] });
}

/**
 * Requires the scopes to read named subjects other than the caller. The holder of a token needs no scope to check it,
 * as with verify-token.
 */
export function requireMayCheck(
  caller: Caller,
  checks: readonly Check[],
  fail: Fail<'SCOPE_REQUIRED'>,
): void {
  const needed = checks.flatMap(({ subject }) =>
    subject === undefined || isOneself(caller, subject) ? [] : [scopeToRead(subject)],
  );
  requireScopes(caller, [...new Set(needed)], fail);
}

export function requireScopes(
  caller: Caller,
  needed: readonly string[],
  fail: Fail<'SCOPE_REQUIRED'>,
): void {
  const missing = missingScopes(caller.scopes, needed);
  if (missing.length > 0) {
    fail('SCOPE_REQUIRED', { detail: `The token lacks: ${missing.join(', ')}.` });
  }
}

function isOneself(caller: Caller, subject: string): boolean {
  const isInPerson = caller.kind === 'user' || caller.kind === 'agent';
  return isInPerson && caller.subject === subject;
}

function scopeToRead(subject: string): string {
  return isUser(subject) ? 'read:users' : 'read:agents';
}

export function isUser(subject: string): boolean {
  return subject.startsWith(ID_PREFIX.user);
}

/** Everything within the tenant, including its workspaces. */
const EVERYTHING = '*:*';

/** The properties of a subject that decide a check. */
export interface Holder {
  readonly scopes: readonly string[];
  /** The user, the agent, or the user and each agent that acts for the user. */
  readonly subjects: readonly string[];
}

/** The scopes that a subject can use now. */
export function usableScopes({
  is_active,
  scopes,
}: Pick<EffectivePermissions, 'is_active' | 'scopes'>): readonly string[] {
  return is_active ? scopes : [];
}

/** Whether a subject with these scopes belongs to the workspace of a check. */
export function isInWorkspace(
  subject: string,
  place: EffectivePermissions['place'],
  scopes: readonly string[],
): boolean {
  if (place === null || place === 'inside') return true;
  // Users hold their roles in every workspace; an agent belongs to one.
  const isAdministrator =
    subject.startsWith('user:') && missingScopes(scopes, [EVERYTHING]).length === 0;
  return place === 'outside' && isAdministrator;
}

/** The missing scopes: all of them for a subject outside the workspace. */
export function missingFor(
  { scopes, subjects }: Holder,
  places: readonly EffectivePermissions['place'][],
  needed: readonly string[],
): string[] {
  const areInside = subjects.every((subject, index) =>
    isInWorkspace(subject, places[index] ?? null, scopes),
  );
  return areInside ? missingScopes(scopes, needed) : [...needed];
}

/** Returns the agents that act for the subject of a token. The first agent presents it. */
export function actorsOf({ act }: Pick<CredentialClaims, 'act'>): ActorClaim[] {
  const actors: ActorClaim[] = [];
  for (
    let actor: ActorClaim | undefined = act;
    actor?.delegation_id !== undefined;
    actor = actor.act
  ) {
    actors.push(actor);
  }
  return actors;
}

/** Returns the subject of a token, with every agent that acts for it: the permissions of each count. */
export function holderOf(claims: CredentialClaims): Holder {
  const actors = actorsOf(claims).map((actor) => actor.sub);
  return { scopes: claims.scopes, subjects: [claims.sub, ...actors] };
}

export type Reason = Explanation['reasons'][number];
export type Grant = Explanation['grants'][number];

interface ReasonDetails {
  readonly name?: string | undefined;
  readonly scopes?: readonly string[];
  readonly reason?: string | null | undefined;
  readonly at?: Date | null;
  readonly change?: HistoryEntry | undefined;
}

export function reasonOf(
  code: ReasonCode,
  { name, scopes, reason, at, change }: ReasonDetails = {},
): Reason {
  return {
    code,
    detail: REASONS[code],
    ...(name === undefined ? {} : { name }),
    ...(scopes ? { scopes: [...scopes] } : {}),
    ...(reason ? { reason } : {}),
    ...(at ? { at: at.toISOString() } : {}),
    ...(change ? { change: presentChange(change) } : {}),
  };
}

export function presentChange(entry: HistoryEntry): ExplainedChange {
  return {
    action: entry.action,
    at: entry.created_at.toISOString(),
    by: { kind: entry.actor_kind, sub: entry.actor_id, on_behalf_of: entry.on_behalf_of },
    target: { kind: entry.target_kind, name: entry.target_id },
    details: entry.details,
  };
}

/** Returns the needed scopes that a source grants, each with the first of its scopes that covers it. */
export function grantsBy(
  source: Pick<Grant, 'kind' | 'name'>,
  scopes: readonly string[],
  needed: readonly string[],
): Grant[] {
  return needed.flatMap((scope) => {
    const cover = scopes.find((candidate) => missingScopes([candidate], [scope]).length === 0);
    return cover === undefined ? [] : [{ ...source, scope, covered_by: cover }];
  });
}

/** The needed scopes that `from` covers and `by` does not. */
export function scopesWithheld(
  by: readonly string[],
  from: readonly string[],
  needed: readonly string[],
): string[] {
  const lacking = missingScopes(by, needed);
  const absent = missingScopes(from, needed);
  return lacking.filter((scope) => !absent.includes(scope));
}

/** Without duplicates. */
export function distinct<T extends object>(all: readonly T[]): T[] {
  return [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
}

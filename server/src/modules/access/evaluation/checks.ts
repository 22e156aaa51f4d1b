import type { Fail } from '@keywright/contract/errors';
import { ID_PREFIX, parseAgentId, parseUserId, type WorkspaceId } from '@keywright/contract/ids';
import type { BodyOf } from '@keywright/contract/route';
import type { evaluate } from '@keywright/contract/routes/evaluation';
import type { explain } from '@keywright/contract/routes/explain';
import { isPermission, missingScopes } from '@keywright/contract/scopes';
import type { Caller } from '../../../tenancy/caller.ts';

/** Whether the holder of a token, or a named subject, has all of these scopes. */
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
  // The first colon ends the action: one in its name would move a part of it to the resource.
  if (action.name.includes(':') || !isPermission(scope)) return undefined;
  const question = { needed: [scope], workspaceId: resource.properties?.workspace_id };
  return subject.type === 'token'
    ? { token: subject.id, ...question }
    : { subject: idOf(subject), ...question };
}

/** An invalid id becomes an unknown one: all unknown subjects get the same answer. */
function idOf({ type, id }: Evaluation['subject']): string {
  return type === 'user'
    ? (parseUserId(id) ?? ID_PREFIX.user)
    : ((type === 'agent' ? parseAgentId(id) : undefined) ?? ID_PREFIX.agent);
}

export function readCheck(
  { token, subject, scope, workspace_id: workspaceId }: BodyOf<typeof explain>,
  fail: Fail<'VALIDATION_FAILED'>,
): Check {
  const question = { needed: [...new Set(scope.split(' '))], workspaceId };
  if (token !== undefined && subject === undefined) return { token, ...question };
  if (subject !== undefined && token === undefined) return { subject, ...question };
  const message = 'is required if subject is missing, and excludes it';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/token', message }] });
}

/** A token may be evaluated by its holder, as with verify-token; other subjects require a scope to read them. */
export function requireMayAsk(
  caller: Caller,
  checks: readonly Check[],
  fail: Fail<'SCOPE_REQUIRED'>,
): void {
  const needed = checks.flatMap(({ subject }) =>
    subject === undefined || isOwn(caller, subject) ? [] : [scopeToRead(subject)],
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

function isOwn(caller: Caller, subject: string): boolean {
  const isOfTheirOwn = caller.kind === 'user' || caller.kind === 'agent';
  return isOfTheirOwn && caller.subject === subject;
}

function scopeToRead(subject: string): string {
  return isUser(subject) ? 'read:users' : 'read:agents';
}

export function isUser(subject: string): boolean {
  return subject.startsWith(ID_PREFIX.user);
}

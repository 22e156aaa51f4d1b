import type { Fail } from '@keywright/contract/errors';
import type { WorkspaceId } from '@keywright/contract/ids';
import type { BodyOf } from '@keywright/contract/route';
import type { authorize } from '@keywright/contract/routes/authorization';
import { missingScopes } from '@keywright/contract/scopes';
import type { Caller } from '../../../tenancy/caller.ts';

/** One question: whether the bearer of a token, or somebody by name, has all of these scopes. */
export type Check = (
  | { readonly token: string; readonly subject?: undefined }
  | { readonly subject: string; readonly token?: undefined }
) & {
  readonly needed: readonly string[];
  readonly workspaceId: WorkspaceId | undefined;
};

type Body = BodyOf<typeof authorize>;
type Asked = NonNullable<Body['checks']>[number];

/** The one question of a body, or its list of them. */
export function readChecks(body: Body, fail: Fail<'VALIDATION_FAILED'>): Check | Check[] {
  const { checks, ...alone } = body;
  if (checks === undefined) {
    const { scope, ...rest } = alone;
    return readCheck({ ...rest, scope: scope ?? refuse('/scope', 'is required', fail) }, '', fail);
  }
  const [besides] = Object.keys(alone);
  if (besides !== undefined) refuse(`/${besides}`, 'goes into each of the checks', fail);
  return checks.map((check, index) => readCheck(check, `/checks/${index}`, fail));
}

export function readCheck(asked: Asked, at: string, fail: Fail<'VALIDATION_FAILED'>): Check {
  const { token, subject, scope, workspace_id: workspaceId } = asked;
  const question = { needed: [...new Set(scope.split(' '))], workspaceId };
  if (token !== undefined && subject === undefined) return { token, ...question };
  if (subject !== undefined && token === undefined) return { subject, ...question };
  const message = 'is required where subject is missing, and cannot go with it';
  return refuse(`${at}/token`, message, fail);
}

function refuse(path: string, message: string, fail: Fail<'VALIDATION_FAILED'>): never {
  return fail('VALIDATION_FAILED', { errors: [{ path, message }] });
}

/** Whoever holds a token may ask about it, as with verify-token; about others it takes a right to read them. */
export function requireMayAsk(
  caller: Caller,
  checks: readonly Check[],
  fail: Fail<'SCOPE_REQUIRED'>,
): void {
  const needed = checks.flatMap(({ subject }) =>
    subject === undefined || isOwn(caller, subject) ? [] : [scopeToRead(subject)],
  );
  const missing = missingScopes(caller.scopes, [...new Set(needed)]);
  if (missing.length > 0) {
    fail('SCOPE_REQUIRED', { detail: `The token lacks: ${missing.join(', ')}.` });
  }
}

function isOwn(caller: Caller, subject: string): boolean {
  const isOfTheirOwn = caller.kind === 'user' || caller.kind === 'agent';
  return isOfTheirOwn && caller.subject === subject;
}

function scopeToRead(subject: string): string {
  return subject.startsWith('user:') ? 'read:users' : 'read:agents';
}

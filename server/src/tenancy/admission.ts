import { type ErrorCode, type Fail, fail } from '@keywright/contract/errors';
import type { Route } from '@keywright/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from '../platform/http/failures.ts';
import { originOf } from './authorization.ts';
import type { Call } from './call.ts';
import { presentedCredential } from './caller.ts';

/**
 * Refuses callers without permission where the handler checks the credential itself: called for a request whose fields
 * are invalid, so that only permitted callers learn that they are.
 */
export type Admit<Code extends ErrorCode> = (
  call: Pick<
    Call<Route & { readonly access: 'tenant' }>,
    'tenant' | 'credential' | 'from' | 'headers'
  >,
  fail: Fail<Code>,
) => Promise<unknown>;

/** Refuses a request with an invalid body for another reason, if there is one, before any work. */
export function refuseFirst(check: (request: FastifyRequest, error: unknown) => Promise<unknown>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const respond = (reason: unknown): void => void sendFailure(request, reply, reason);
    void check(request, error).then(() => respond(error), respond);
  };
}

/** Checks the caller only for errors that the library found. A handler's error comes after its own credential check. */
export function admitting<Code extends ErrorCode>(admit: Admit<Code>) {
  return async (request: FastifyRequest, error: unknown): Promise<void> => {
    const isOfHandler = !(error instanceof Error && 'validationContext' in error);
    // The error can also come from an earlier step; then the caller is not known yet.
    if (isOfHandler) return;
    const { tenant } = request.identity;
    if (!tenant) return;
    const { headers } = request;
    const from = originOf(request);
    await admit({ tenant, credential: presentedCredential(request), from, headers }, fail);
  };
}

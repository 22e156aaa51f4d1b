import type { Fail } from '@keywright/contract/errors';
import { AuthorizationParameters } from '@keywright/contract/routes/authorize';
import type { Origin } from '../../../tenancy/caller.ts';
import type { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { KnownClient } from '../clients/index.ts';
import { judgeInApp, readSent, refuse, type RefuseSent, UNREGISTERED } from './request-reader.ts';
import type { EntryDependencies } from './authorization-endpoint.ts';
import { issueCode, type Answer } from './authorization-response.ts';
import type { AuthorizationRequest, Verdict } from './authorization-request.ts';
import { situate } from './authorization-context.ts';

/** Size of a request as a form, which the client carries through its login, sealed. */
const LONGEST = 8192;

const NAMES = Object.keys(AuthorizationParameters.properties);

type Dependencies = Pick<
  EntryDependencies,
  | 'gate'
  | 'clock'
  | 'clients'
  | 'codes'
  | 'browserLogins'
  | 'subjectFor'
  | 'findResources'
  | 'findClientKey'
  | 'pushedRequests'
>;

/** Authorization requests whose users log in inside the client (draft-ietf-oauth-first-party-apps). */
export interface InAppRequests {
  /** @returns the request as a form, without anything that proves who the client or the user is */
  read(
    tenant: Tenant,
    client: KnownClient,
    given: { readonly sent: object; readonly key: ProvenKey | undefined },
    fail: RefuseSent,
  ): Promise<string>;
  /** Reads the form again, by what the client can request now. */
  judge(
    tenant: Tenant,
    client: KnownClient,
    form: string,
    fail: RefuseSent,
  ): Promise<AuthorizationRequest>;
  /**
   * The outcome of a login for the request. Undefined: only pages can continue.
   * @throws AppError AUTH_SESSION_INVALID if the client has changed in the meantime
   */
  answer(
    tenant: Tenant,
    request: AuthorizationRequest,
    login: SessionCookie,
    from: Origin,
    fail: Fail<'AUTH_SESSION_INVALID'>,
  ): Promise<Answer | undefined>;
}

export function createInAppRequests(dependencies: Dependencies): InAppRequests {
  return {
    async read(tenant, client, { sent, key }, fail) {
      const asked = Object.fromEntries(
        Object.entries(sent).filter(([name]) => NAMES.includes(name)),
      );
      const unpacked = await readSent(dependencies, tenant, client, { sent: asked, key }, fail);
      requireSound(await judgeInApp(dependencies, tenant, client, unpacked), fail);
      const form = unpacked.parameters.toString();
      return form.length <= LONGEST ? form : refuse(TOO_LONG, fail);
    },
    async judge(tenant, client, form, fail) {
      // The signature was checked when it was read.
      const unpacked = { parameters: new URLSearchParams(form), isSigned: true };
      return requireSound(await judgeInApp(dependencies, tenant, client, unpacked), fail);
    },
    async answer(tenant, request, { value, sessionId }, from, fail) {
      const done = sessionId === undefined ? {} : { login: sessionId };
      const found = await situate(dependencies, tenant, { request, done }, value);
      const situation = found ?? fail('AUTH_SESSION_INVALID');
      const { outcome, login } = situation;
      if (outcome.kind === 'page' || !login) return undefined;
      return outcome.kind === 'error' ? outcome : issueCode(dependencies, situation, login, from);
    },
  };
}

const TOO_LONG = {
  error: 'invalid_request',
  description: 'The request is longer than 8 KiB.',
} as const;

function requireSound(verdict: Verdict, fail: RefuseSent): AuthorizationRequest {
  if (verdict.kind === 'page') return fail('VALIDATION_FAILED', UNREGISTERED);
  if (verdict.kind === 'rejected') return refuse(verdict.rejection, fail);
  const { request } = verdict;
  const { prompts, idTokenHint } = request;
  if (prompts.includes('none')) return refuse(AT_ONCE, fail);
  return idTokenHint === undefined ? request : refuse(HINTED, fail);
}

const AT_ONCE = {
  error: 'invalid_request',
  description: 'prompt=none has no place here: each request is a login.',
} as const;
const HINTED = {
  error: 'invalid_request',
  description: 'id_token_hint has no place here: login_hint says who logs in.',
} as const;

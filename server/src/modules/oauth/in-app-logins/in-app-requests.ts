import type { Fail } from '@keywright/contract/errors';
import { AuthorizationParameters } from '@keywright/contract/routes/authorize';
import type { Origin } from '../../../tenancy/caller.ts';
import type { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import {
  type AuthorizationContexts,
  type AuthorizationGrants,
  type AuthorizationRequest,
  type AuthorizationResponse,
  type DirectFail,
  failDirectly,
  invalidRequest,
  type RequestReader,
  UNREGISTERED_REDIRECT_URI,
  type Verdict,
} from '../authorize/index.ts';
import type { KnownClient } from '../clients/index.ts';

/** The maximum length of a request as a form, which the client carries through its login, sealed. */
const MAX_LENGTH = 8192;

const PARAMETERS = Object.keys(AuthorizationParameters.properties);

const CHANNEL = { isPushed: true, isInApp: true };

const TOO_LONG = invalidRequest('The request is longer than 8 KiB.');
const PROMPT_NONE = invalidRequest('prompt=none has no place here: each request is a login.');
const ID_TOKEN_HINT = invalidRequest(
  'id_token_hint has no place here: login_hint says who logs in.',
);

/** Authorization requests whose users log in inside the client (draft-ietf-oauth-first-party-apps). */
export class InAppRequests {
  readonly #reader: RequestReader;
  readonly #contexts: AuthorizationContexts;
  readonly #grants: AuthorizationGrants;

  constructor(reader: RequestReader, contexts: AuthorizationContexts, grants: AuthorizationGrants) {
    this.#reader = reader;
    this.#contexts = contexts;
    this.#grants = grants;
  }

  /** @returns the valid request as a form, without the parameters that authenticate the client or the user */
  async read(
    tenant: Tenant,
    client: KnownClient,
    body: object,
    key: ProvenKey | undefined,
    fail: DirectFail,
  ): Promise<string> {
    const parameters = Object.fromEntries(
      Object.entries(body).filter(([name]) => PARAMETERS.includes(name)),
    );
    const request = await this.#reader.readFromClient(tenant, client, parameters, key, fail);
    requireValid(await this.#reader.check(tenant, client, request, CHANNEL), fail);
    const form = request.parameters.toString();
    return form.length <= MAX_LENGTH ? form : failDirectly(TOO_LONG, fail);
  }

  /** Checks the form again, by what the client can request now. */
  async check(
    tenant: Tenant,
    client: KnownClient,
    form: string,
    fail: DirectFail,
  ): Promise<AuthorizationRequest> {
    // The signature was checked when the request was read.
    const request = { parameters: new URLSearchParams(form), isSigned: true };
    return requireValid(await this.#reader.check(tenant, client, request, CHANNEL), fail);
  }

  /**
   * Responds to the request after a login.
   * @returns undefined if only pages can continue
   * @throws AppError AUTH_SESSION_INVALID if the client has changed in the meantime
   */
  async respond(
    tenant: Tenant,
    request: AuthorizationRequest,
    { value, sessionId }: SessionCookie,
    from: Origin,
    fail: Fail<'AUTH_SESSION_INVALID'>,
  ): Promise<AuthorizationResponse | undefined> {
    const done = sessionId === undefined ? {} : { login: sessionId };
    const context =
      (await this.#contexts.load(tenant, { request, done }, value)) ?? fail('AUTH_SESSION_INVALID');
    const { decision, login } = context;
    if (decision.kind === 'page' || !login) return undefined;
    return decision.kind === 'error' ? decision : this.#grants.issueCode(context, login, from);
  }
}

function requireValid(verdict: Verdict, fail: DirectFail): AuthorizationRequest {
  if (verdict.kind === 'untrusted') return fail('VALIDATION_FAILED', UNREGISTERED_REDIRECT_URI);
  if (verdict.kind === 'rejected') return failDirectly(verdict.rejection, fail);
  const { request } = verdict;
  if (request.prompts.includes('none')) return failDirectly(PROMPT_NONE, fail);
  return request.idTokenHint === undefined ? request : failDirectly(ID_TOKEN_HINT, fail);
}

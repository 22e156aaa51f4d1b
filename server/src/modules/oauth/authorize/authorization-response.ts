import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { formPostView, leaveView, stoppedView } from '../../branding/views/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import type { SignJwt } from '../../tokens/signing-keys/index.ts';
import type { Clients, KnownClient } from '../clients/index.ts';
import type { AuthorizationCodes, PushedRequests } from '../codes/index.ts';
import type { Situation } from './authorization-context.ts';
import { type Consented, coversAddress } from './authorization-decision.ts';
import { grantWithin } from './authorization-grants.ts';
import type { ReplyTo, AuthorizationError } from './authorization-request.ts';

interface CodeDependencies {
  readonly gate: Gate;
  readonly browserLogins: BrowserLogins;
  readonly clients: Clients;
  readonly codes: AuthorizationCodes;
  readonly pushedRequests: PushedRequests;
}

/** A response to the client. */
interface Departure {
  readonly to: ReplyTo;
  readonly answer: Answer;
  /** Whether browsers are redirected to the client automatically. */
  readonly isVetted: boolean;
}

/**
 * Whether the browser can be redirected to the client automatically. Anyone can register a client, and use an error to
 * redirect users from our address to theirs (RFC 9700 §4.11.2). Until a user has authorized a client that no
 * administrator created, at that address, our page names its host, and the user decides.
 */
export function isVettedClient(
  { created_by: by }: Pick<KnownClient, 'created_by'>,
  consent: Pick<Consented, 'redirectOrigins'> | undefined,
  uri: string,
): boolean {
  return by === 'admin' || coversAddress(consent, uri);
}

/** The response to the client that made the request. */
export function departureOf(
  { interaction: { request }, client, consent }: Situation,
  answer: Answer,
): Departure {
  const isVetted = isVettedClient(client, consent, request.redirectUri);
  return { to: request, answer, isVetted };
}

/** Returns to the client from a page. */
export async function leave(
  signer: ReplySigner,
  tenant: Tenant,
  { to, answer, isVetted }: Departure,
  texts: Texts,
): Promise<Page> {
  const parameters = await responseTo(signer, tenant, to, answer);
  if (!isVetted && 'error' in answer) return stop(to, answer, parameters, texts);
  if (to.responseMode === 'query') return new Page(leaveView(addressOf(to, parameters), texts));
  const formTarget = new URL(to.redirectUri);
  return new Page(formPostView(formTarget, parameters, texts), { formTarget });
}

/** Shows the error, and a link for users who know where it leads. */
function stop(
  to: ReplyTo,
  { error, description }: Exclude<Answer, { code: string }>,
  parameters: ReadonlyMap<string, string>,
  texts: Texts,
): Page {
  const detail = description === undefined ? error : `${error}: ${description}`;
  if (to.responseMode === 'query') {
    return new Page(stoppedView({ to: addressOf(to, parameters), detail, texts }));
  }
  const formTarget = new URL(to.redirectUri);
  const html = stoppedView({ to: formTarget, fields: parameters, detail, texts });
  return new Page(html, { formTarget });
}

/** The same without a page: the browser follows a redirect. */
export async function leaveDirectly(
  signer: ReplySigner,
  tenant: Tenant,
  departure: Departure,
  wishes: Wishes,
): Promise<SeeOther | Page<'REQUEST_INVALID'>> {
  const { to, answer, isVetted } = departure;
  const isStopped = !isVetted && 'error' in answer;
  if (to.responseMode === 'form_post' || isStopped) {
    const texts = await loadTexts(chooseLocale(wishes));
    const { html, formTarget } = await leave(signer, tenant, departure, texts);
    const options = formTarget && { formTarget };
    return new Page(html, { ...options, ...(isStopped && { refusal: 'REQUEST_INVALID' }) });
  }
  return new SeeOther(addressOf(to, await responseTo(signer, tenant, to, answer)));
}

const USED: Answer = {
  error: 'invalid_request_uri',
  description: 'The pushed request was answered before, or the login took too long.',
};

/** Issues a code for what the user grants. */
export async function issueCode(
  { codes, pushedRequests, ...dependencies }: CodeDependencies,
  situation: Situation,
  login: BrowserLogin,
  from: Origin,
): Promise<Answer> {
  const { tenant, interaction, client, now } = situation;
  const { request } = interaction;
  const { redirectUri, challenge, nonce, jkt, claims, targets, details, pushed, inApp } = request;
  if (pushed && !(await pushedRequests.use(tenant.id, pushed))) return USED;
  const code = {
    clientId: client.id,
    ...(await grantWithin(dependencies, situation, login, from)),
    redirectUri: inApp ? undefined : redirectUri,
    challenge,
    nonce,
    jkt,
    targets: targets.length > 0 ? targets : undefined,
    details,
    claims,
  };
  return { code: await codes.issue(tenant.id, code, now) };
}

/** JARM §2.1 recommends at most ten minutes. */
const LIFETIME_SECONDS = 600;

interface ReplySigner {
  readonly signJwt: SignJwt;
  readonly clock: Clock;
}

/** The parameters of the response; if the client requests a signed response, one JWT of them (JARM §2.1). */
async function responseTo(
  { signJwt, clock }: ReplySigner,
  { id, issuer }: Tenant,
  to: ReplyTo,
  answer: Answer,
): Promise<ReadonlyMap<string, string>> {
  const parameters = parametersOf(to, answer, issuer);
  if (!to.signedFor) return parameters;
  const { clientId: aud, algorithm: alg } = to.signedFor;
  const exp = epochSeconds(clock.now()) + LIFETIME_SECONDS;
  const claims = { ...Object.fromEntries(parameters), iss: issuer, aud, exp };
  return new Map([['response', await signJwt(id, { alg, typ: 'JWT', claims })]]);
}

/** The response to a client (RFC 6749 §4.1.2). */
export type Answer =
  | { readonly code: string }
  | { readonly error: AuthorizationError; readonly description?: string };

/** The parameters of the response. They name the issuer (RFC 9207), so that it cannot be confused with another. */
function parametersOf(
  { state }: ReplyTo,
  answer: Answer,
  issuer: string,
): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if ('code' in answer) parameters.set('code', answer.code);
  else {
    parameters.set('error', answer.error);
    if (answer.description !== undefined) parameters.set('error_description', answer.description);
  }
  if (state !== undefined) parameters.set('state', state);
  return parameters.set('iss', issuer);
}

/** The URL that the browser goes to. A query that the client registered is kept. */
export function addressOf(
  { redirectUri }: Pick<ReplyTo, 'redirectUri'>,
  parameters: ReadonlyMap<string, string>,
): URL {
  const added = [...parameters].map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
  );
  const separator = redirectUri.includes('?') ? '&' : '?';
  const start = redirectUri.endsWith('?') ? redirectUri : `${redirectUri}${separator}`;
  return new URL(`${start}${added.join('&')}`);
}

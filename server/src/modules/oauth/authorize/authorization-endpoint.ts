import type { OAuthClientId } from '@keywright/contract/ids';
import type { Fail } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { startAgainView } from '../../branding/views/index.ts';
import type { SignJwt, VerifyOwnJwt } from '../../tokens/signing-keys/index.ts';
import type { SubjectFor } from '../id-tokens/index.ts';
import { type Clients, type KnownClient, requireOAuth } from '../clients/index.ts';
import type { BrowserLogins } from '../../tokens/sessions/index.ts';
import type { PushedRequests, AuthorizationCodes } from '../codes/index.ts';
import type { FindResources } from '../resources/index.ts';
import type { FindClientKey } from '../token-endpoint/index.ts';
import { continuePath, type Interaction, type Interactions } from './interaction.ts';
import { readAsked } from './request-reader.ts';
import {
  departureOf,
  issueCode,
  isVettedClient,
  leaveDirectly,
  type Answer,
} from './authorization-response.ts';
import { invalid, type PageReason, type Rejection, type ReplyTo } from './authorization-request.ts';
import { situate } from './authorization-context.ts';

export interface EntryDependencies {
  readonly gate: Gate;
  readonly clients: Clients;
  readonly browserLogins: BrowserLogins;
  readonly clock: Clock;
  readonly codes: AuthorizationCodes;
  readonly interactions: Interactions;
  readonly subjectFor: SubjectFor;
  readonly verifyOwnJwt: VerifyOwnJwt;
  readonly signJwt: SignJwt;
  readonly findClientKey: FindClientKey;
  readonly findResources: FindResources;
  readonly pushedRequests: PushedRequests;
}

const UNKNOWN_HINT = 'id_token_hint is not an ID token of this client.';

/** The subject of an ID token that was issued to this client, expired or not. */
async function subjectIn(
  { verifyOwnJwt }: EntryDependencies,
  tenant: Tenant,
  clientId: OAuthClientId,
  hint: string,
): Promise<string | undefined> {
  const expected = { kind: 'ID token', allowExpired: true, retiredToo: true } as const;
  const claims = await verifyOwnJwt(tenant, hint, expected);
  const subject = claims?.['aud'] === clientId ? claims['sub'] : undefined;
  return typeof subject === 'string' ? subject : undefined;
}

/** Users cannot fix it: what its developers must do. */
const ADVICE: Readonly<Record<PageReason, string>> = {
  client_unknown:
    'The application that sent you here is unknown. For its developers: client_id has to be the id of an active client of this tenant.',
  document_unusable:
    'The application that sent you here cannot be verified. For its developers: client_id is the address of a document that cannot be used.',
  redirect_uri_unknown:
    'The application that sent you here has not registered the address to return to. For its developers: redirect_uri has to be one of the redirect_uris of the client, character by character.',
  parameter_repeated:
    'The application sent a request that cannot be answered. For its developers: a parameter was sent twice.',
  request_uri_unknown:
    'The login took too long to begin, or its address was opened before. Go back to the application, and try again. For its developers: request_uri has to be one that this client pushed within the last minute.',
};

/** The same before the request has been read. */
async function isVettedNow(
  { browserLogins, clock }: EntryDependencies,
  tenant: Tenant,
  client: KnownClient | undefined,
  { redirectUri }: Pick<ReplyTo, 'redirectUri'>,
  cookie: string | undefined,
): Promise<boolean> {
  if (!client || isVettedClient(client, undefined, redirectUri)) return client !== undefined;
  const login = await browserLogins.find(tenant, cookie, client.id, clock.now());
  return isVettedClient(client, login?.consent, redirectUri);
}

interface DeadEnd extends Pick<Asked, 'cookies' | 'wishes'> {
  readonly client: KnownClient | undefined;
  readonly detail: string;
}

/** OpenID Connect Core §4: a link to where the login starts at the client, if the client has registered that. */
async function startAgain(
  dependencies: EntryDependencies,
  tenant: Tenant,
  { client, detail, cookies, wishes }: DeadEnd,
): Promise<Page<'REQUEST_INVALID'> | undefined> {
  const { is_active: isActive, initiate_login_uri: redirectUri } = client ?? {};
  if (!isActive || !redirectUri) return undefined;
  const to = new URL(redirectUri);
  to.searchParams.set('iss', tenant.issuer);
  const [texts, isVetted] = await Promise.all([
    loadTexts(chooseLocale(wishes)),
    isVettedNow(dependencies, tenant, client, { redirectUri }, cookies.session),
  ]);
  return new Page(startAgainView({ to, isVetted, detail, texts }), { refusal: 'REQUEST_INVALID' });
}

interface Asked {
  readonly parameters: URLSearchParams;
  readonly cookies: { readonly session?: string; readonly flow?: string };
  readonly from: Origin;
  readonly wishes: Wishes;
}

/** An authorization request from a client: the response is immediate, or a page. */
export async function enter(
  dependencies: EntryDependencies,
  tenant: Tenant,
  { parameters, cookies, from, wishes }: Asked,
  fail: Fail<'REQUEST_INVALID' | 'OAUTH_OFF' | 'TOO_MANY_ATTEMPTS'>,
): Promise<SeeOther<'flow'> | Page<'REQUEST_INVALID'>> {
  requireOAuth(tenant, fail);
  const { interactions } = dependencies;
  const { client, verdict, pushed } = await readAsked(
    dependencies,
    tenant,
    { parameters, from },
    fail,
  );
  if (verdict.kind === 'page') {
    const detail = `${ADVICE[verdict.reason]} ${verdict.detail ?? ''}`.trim();
    const page = await startAgain(dependencies, tenant, { client, detail, cookies, wishes });
    return page ?? fail('REQUEST_INVALID', { detail, internal: verdict.reason });
  }
  const refuse = async (to: ReplyTo, answer: Rejection) => {
    const isVetted = await isVettedNow(dependencies, tenant, client, to, cookies.session);
    return leaveDirectly(dependencies, tenant, { to, answer, isVetted }, wishes);
  };
  if (verdict.kind === 'rejected') return refuse(verdict.to, verdict.rejection);
  const { request } = verdict;
  const { idTokenHint: hint } = request;
  const expected = hint && (await subjectIn(dependencies, tenant, request.clientId, hint));
  if (hint && !expected) return refuse(request, invalid(UNKNOWN_HINT));
  const kept = { ...request, idTokenHint: undefined, ...(pushed && { pushed }) };
  const interaction: Interaction = { request: kept, ...(expected && { expected }), done: {} };
  const situation =
    (await situate(dependencies, tenant, interaction, cookies.session, client)) ??
    fail('REQUEST_INVALID');
  const { outcome, login, now } = situation;
  // The client has changed, so the decision may no longer apply.
  if (situation.client.version !== client?.version) {
    return enter(dependencies, tenant, { parameters, cookies, from, wishes }, fail);
  }
  const goBack = (answer: Answer) =>
    leaveDirectly(dependencies, tenant, departureOf(situation, answer), wishes);
  if (outcome.kind === 'error') return goBack(outcome);
  if (outcome.kind === 'granted' && login) {
    return goBack(await issueCode(dependencies, situation, login, from));
  }
  const { flow = randomId() } = cookies;
  const added: Cookie<'flow'>[] = cookies.flow === undefined ? [{ name: 'flow', value: flow }] : [];
  const sealed = await interactions.seal(tenant.id, flow, interaction, now);
  return new SeeOther(continuePath(tenant, sealed), added);
}

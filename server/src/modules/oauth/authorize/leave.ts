import type { Gate } from '../../../tenancy/gate.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { formPostView, leaveView } from '../../pages/hosted/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import type { Clients } from '../clients/index.ts';
import type { Codes } from '../codes/index.ts';
import type { PushedRequests } from '../pushed-requests/index.ts';
import { grantWithin } from './grant-within.ts';
import { type Answer, addressOf } from './reply.ts';
import type { ReplyTo } from './request.ts';
import { type ReplySigner, responseTo } from './signed-reply.ts';
import type { Situation } from './situation.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly browserLogins: BrowserLogins;
  readonly clients: Clients;
  readonly codes: Codes;
  readonly pushedRequests: PushedRequests;
}

/** The way back to the client, behind a page. */
export async function leave(
  signer: ReplySigner,
  tenant: Tenant,
  to: ReplyTo,
  answer: Answer,
  texts: Texts,
): Promise<Page> {
  const parameters = await responseTo(signer, tenant, to, answer);
  if (to.responseMode === 'query') return new Page(leaveView(addressOf(to, parameters), texts));
  const formTarget = new URL(to.redirectUri);
  return new Page(formPostView(formTarget, parameters, texts), { formTarget });
}

/** The same where there was no page: browsers follow a redirect. */
export async function leaveDirectly(
  signer: ReplySigner,
  tenant: Tenant,
  to: ReplyTo,
  answer: Answer,
  wishes: Wishes,
): Promise<SeeOther | Page> {
  if (to.responseMode === 'form_post') {
    return leave(signer, tenant, to, answer, await loadTexts(chooseLocale(wishes)));
  }
  return new SeeOther(addressOf(to, await responseTo(signer, tenant, to, answer)));
}

const USED: Answer = {
  error: 'invalid_request_uri',
  description: 'The pushed request was answered before, or the login took too long.',
};

/** What the user grants, as a code. */
export async function issueCode(
  { codes, pushedRequests, ...dependencies }: Dependencies,
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
    ...(!inApp && { redirectUri }),
    ...(challenge !== undefined && { challenge }),
    ...(nonce !== undefined && { nonce }),
    ...(jkt !== undefined && { jkt }),
    ...(targets.length > 0 && { targets }),
    ...(details && { details }),
    claims,
  };
  return { code: await codes.issue(tenant.id, code, now) };
}

import { AppError } from '@keywright/contract/errors';
import type { Gate } from '../../../tenancy/gate.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { formPostView, leaveView } from '../../pages/hosted/index.ts';
import { type BrowserLogin, noteUse } from '../../tokens/sessions/index.ts';
import type { Codes } from '../codes/index.ts';
import { grantConsent } from '../consents/index.ts';
import type { PushedRequests } from '../pushed-requests/index.ts';
import { addedTo } from './decide.ts';
import { type Answer, addressOf } from './reply.ts';
import type { ReplyTo } from './request.ts';
import { allOf } from './scopes.ts';
import { type ReplySigner, responseTo } from './signed-reply.ts';
import type { Situation } from './situation.ts';

interface Dependencies {
  readonly gate: Gate;
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

/** What the user grants, as a code. What a client of the tenant itself may do is noted without a question. */
export async function issueCode(
  { gate, codes, pushedRequests }: Dependencies,
  { tenant, interaction, client, consent: before, outcome, now }: Situation,
  login: BrowserLogin,
  from: Origin,
): Promise<Answer> {
  if (outcome.kind !== 'granted') throw new Error('Nothing was granted.');
  const data = gate.into(tenant.id);
  const { redirectUri, challenge, nonce, jkt, claims, targets, pushed } = interaction.request;
  if (pushed && !(await pushedRequests.use(data, pushed))) return USED;
  const { sessionId, userId, workspaceId } = login;
  const { scopes } = outcome;
  const by = { kind: 'user', subject: userId, sessionId, from } as const;
  const at = outcome.at.map((one) => ({ resourceId: one.resource.id, scopes: one.scopes }));
  const granted = { userId, clientId: client.id, scopes, at };
  const isNoted = addedTo(before, outcome) === undefined;
  const consent = isNoted ? login.consent : await grantConsent(data, by, granted);
  if (!consent) throw new AppError('REQUEST_INVALID');
  await noteUse(data, tenant, login, now);
  const code = {
    clientId: client.id,
    userId,
    workspaceId,
    loginId: sessionId,
    consent: { id: consent.id, version: consent.version },
    redirectUri,
    ...(challenge !== undefined && { challenge }),
    ...(nonce !== undefined && { nonce }),
    ...(jkt !== undefined && { jkt }),
    scopes: allOf(outcome),
    ...(targets.length > 0 && { targets }),
    claims,
  };
  return { code: await codes.issue(tenant.id, code, now) };
}

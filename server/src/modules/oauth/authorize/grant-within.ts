import { AppError } from '@keywright/contract/errors';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import type { Clients } from '../clients/index.ts';
import { grantConsent } from '../consents/index.ts';
import { addedTo } from './decide.ts';
import { keepingClient } from './kept-client.ts';
import { allOf } from './scopes.ts';
import type { Situation } from './situation.ts';

interface GrantDependencies {
  readonly gate: Gate;
  readonly clients: Clients;
  readonly browserLogins: BrowserLogins;
}

/** What the user grants within their login. For first-party clients it is recorded without asking. */
export async function grantWithin(
  { gate, clients, browserLogins }: GrantDependencies,
  { tenant, client, consent: before, outcome, interaction, now }: Situation,
  login: BrowserLogin,
  from: Origin,
) {
  if (outcome.kind !== 'granted') throw new Error('Nothing was granted.');
  const data = gate.into(tenant.id);
  const { sessionId, userId, workspaceId } = login;
  const { scopes } = outcome;
  const by = { kind: 'user', subject: userId, sessionId, from } as const;
  const at = outcome.at.map((one) => ({ resourceId: one.resource.id, scopes: one.scopes }));
  const { details } = interaction.request;
  // No page showed a redirect origin.
  const redirectOrigin = undefined;
  const granted = { userId, clientId: client.id, scopes, at, details, redirectOrigin };
  // If the user was asked, they allowed it on the page.
  const isNew = client.first_party && details !== undefined;
  const isNoted = addedTo(before, outcome) === undefined && !isNew;
  const consent = isNoted
    ? login.consent
    : await grantConsent(data, by, granted, keepingClient(clients, by, tenant, client.id));
  if (!consent) throw new AppError('REQUEST_INVALID');
  browserLogins.noteUse(tenant, login, now);
  return {
    userId,
    workspaceId,
    loginId: sessionId,
    consent: { id: consent.id, version: consent.version },
    scopes: allOf(outcome),
  };
}

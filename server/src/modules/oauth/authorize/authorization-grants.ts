import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import type { OAuthClientId } from '@keywright/contract/ids';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Actor } from '../../events/journal/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import type { Clients } from '../clients/index.ts';
import { grantConsent } from '../consents/index.ts';
import type { Situation } from './authorization-context.ts';
import { addedTo } from './authorization-decision.ts';
import { allOf } from './request-scopes.ts';

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

const FULL = 'No further application can be used here: there are as many as there may be.';

const refuseFull: Fail<ErrorCode> = (internal) => {
  throw new AppError('REQUEST_INVALID', { detail: FULL, internal });
};

/** Stores a client in the transaction of its first consent. */
export function keepingClient(
  clients: Clients,
  by: Actor,
  tenant: Tenant,
  id: OAuthClientId,
): (tx: TenantTx) => Promise<void> {
  return (tx) => clients.keep(tx, by, tenant, id, refuseFull);
}

import { AppError } from '@keywright/contract/errors';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Device } from '../../../tenancy/device.ts';
import { type Clients, redirectOriginOf } from '../clients/index.ts';
import { grantConsent } from '../consents/index.ts';
import type { Interaction } from './interaction.ts';
import { keepingClient } from './kept-client.ts';
import type { Situation } from './situation.ts';
import type { Fields } from './step-call.ts';

/** Pages that the user can choose. */
const WANTED: Readonly<Record<string, Interaction['wants']>> = {
  begin_code: 'code',
  begin_recovery: 'recovery',
  begin_registration: 'registration',
  another: 'another',
};

/**
 * The user's choice on a page, other than a proof: another page, this account, this consent. Undefined if it is a
 * proof.
 */
export async function turnTo(
  { gate, clients }: { readonly gate: Gate; readonly clients: Clients },
  { tenant, interaction, client, login, outcome }: Situation,
  { action }: Fields,
  { from }: Device,
): Promise<Interaction | undefined> {
  const { request, expected, done, wants } = interaction;
  const kept = { request, ...(expected && { expected }) };
  if (action === 'restart') {
    return { ...kept, done, ...(wants === 'another' && { wants }) };
  }
  const wanted = WANTED[action];
  if (wanted) return { ...kept, done, wants: wanted };
  if (outcome.kind !== 'page' || !login) return undefined;
  const { sessionId, userId } = login;
  if (action === 'select') return { ...kept, done: { ...done, selection: sessionId } };
  if (action !== 'allow') return undefined;
  // A consent applies to what the page showed.
  if (outcome.page !== 'consent') throw new AppError('FORM_TOO_OLD');
  const by = { kind: 'user', subject: userId, sessionId, from } as const;
  const at = outcome.at.map((one) => ({ resourceId: one.resource.id, scopes: one.scopes }));
  const { details, device, redirectUri } = request;
  const redirectOrigin = device ? undefined : redirectOriginOf(redirectUri);
  const { scopes } = outcome;
  const granted = { userId, clientId: client.id, scopes, at, details, redirectOrigin };
  const consent = await grantConsent(
    gate.into(tenant.id),
    by,
    granted,
    keepingClient(clients, by, tenant, client.id),
  );
  if (!consent) throw new AppError('REQUEST_INVALID');
  return { ...kept, done: { ...done, consent: sessionId } };
}

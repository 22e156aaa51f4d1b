import type { UserId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type BrowserLogin, findBrowserLogin } from '../../tokens/sessions/index.ts';
import type { SubjectFor } from '../claims/index.ts';
import { findNamedClient } from '../clients/index.ts';
import { decideAuthorization, type Outcome } from './decide.ts';
import type { Interaction } from './interaction.ts';

/** A request, with what is true of it now. */
export interface Situation {
  readonly tenant: Tenant;
  readonly interaction: Interaction;
  readonly client: OAuthClientRecord;
  readonly login: BrowserLogin | undefined;
  readonly outcome: Outcome;
  readonly now: Date;
}

/** Somebody else than whoever has logged in. */
const ANOTHER = 'user:another' as UserId;

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly subjectFor: SubjectFor;
}

/** @returns undefined when the client is gone or inactive, or has given up the address to return to */
export async function situate(
  { gate, clock, subjectFor }: Dependencies,
  tenant: Tenant,
  interaction: Interaction,
  cookie: string | undefined,
): Promise<Situation | undefined> {
  const now = clock.now();
  const data = gate.into(tenant.id);
  const { request, done, wants } = interaction;
  const client = await findNamedClient(data, request.clientId);
  if (!client?.is_active) return undefined;
  const login = await findBrowserLogin(data, tenant, cookie, client.id, now);
  // Who wants another account is not asked about this one.
  const session = wants === 'another' ? undefined : login;
  const consent = login?.consent;
  const expected = await expectedOf(subjectFor, tenant, client, interaction, login);
  const outcome = decideAuthorization({ request, client, session, consent, done, expected, now });
  return { tenant, interaction, client, login, outcome, now };
}

/** The user behind the subject that the client expects, as far as it can be known. */
async function expectedOf(
  subjectFor: SubjectFor,
  { id }: Tenant,
  client: OAuthClientRecord,
  { expected }: Interaction,
  login: BrowserLogin | undefined,
): Promise<UserId | undefined> {
  if (expected === undefined) return undefined;
  const subject = login && (await subjectFor(id, client, login.userId));
  return login && subject === expected ? login.userId : ANOTHER;
}

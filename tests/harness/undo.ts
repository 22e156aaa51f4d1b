import type { PasskeyRequestOptions } from '@keywright/contract/records/passkey';
import type { Clock } from '@keywright/server/platform/clock';
import { newIdentifier } from './credentials.ts';
import { expectStatus } from './http.ts';
import type { Keywright } from './keywright.ts';
import { mailedTo, undoTokenTo } from './mailed.ts';
import type { MailSink } from './mail-sink.ts';
import { addPasskey, type TestPasskey } from './passkey.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { enrollTotp } from './totp.ts';

/** A user whose verified address got a notice that another address was added. */
export interface ChangedUser {
  readonly user: TestUser;
  /** The address that was added. */
  readonly added: string;
  /** What undoes that. */
  readonly undoToken: string;
}

/** Verifies a user's address, and adds another address with the user's session. */
export async function addAddress(
  sink: MailSink,
  tenant: TestTenant,
  user: TestUser,
): Promise<ChangedUser> {
  const { token, identifier } = user;
  const emails = [{ type: 'email', identifier, verified: true }];
  const options = { token: await tenant.adminToken(), body: { identifiers: emails } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
  const added = newIdentifier();
  const addition = { token, body: { identifier: added } };
  expectStatus(200, await tenant.request('POST', '/me/identifiers', addition));
  const { code } = await mailedTo(sink, added);
  const proven = { token, body: { identifier: added, code } };
  expectStatus(200, await tenant.request('POST', '/me/identifiers/verification', proven));
  return { user, added, undoToken: await undoTokenTo(sink, identifier) };
}

/**
 * Records that the account had an authenticator before its change. With a real one, adding an address would require
 * another login.
 * @returns the secret of the authenticator
 */
export async function recordTotp(
  keywright: Keywright,
  tenant: TestTenant,
  change: ChangedUser,
  clock: Clock,
): Promise<string> {
  const { secret, factor } = await enrollTotp(tenant, change.user.token, clock);
  await recordFactor(keywright, tenant, change, factor.id);
  return secret;
}

/** Lets an account have had a passkey before its change. */
export async function recordPasskey(
  keywright: Keywright,
  tenant: TestTenant,
  change: ChangedUser,
): Promise<TestPasskey> {
  const { factor, passkey } = await addPasskey(tenant, change.user.token);
  await recordFactor(keywright, tenant, change, factor.id);
  return passkey;
}

async function recordFactor(
  { database }: Keywright,
  tenant: TestTenant,
  { user }: ChangedUser,
  id: string,
): Promise<void> {
  await database.query(
    'UPDATE identifier_undos SET factors = $3 WHERE tenant_id = $1 AND user_id = $2',
    [tenant.id, user.user.id, [id]],
  );
}

/** The options for a passkey that undoes a change. */
export async function undoOptions(
  tenant: TestTenant,
  undo_token: string,
): Promise<PasskeyRequestOptions> {
  const path = '/auth/identifiers/undo/passkey';
  const answer = await tenant.request<{ options: PasskeyRequestOptions }>('POST', path, {
    body: { undo_token },
  });
  return expectStatus(200, answer).options;
}

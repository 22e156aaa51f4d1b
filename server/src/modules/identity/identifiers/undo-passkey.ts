import type { UserId } from '@keywright/contract/ids';
import type { PasskeyAssertion, PasskeyRequestOptions } from '@keywright/contract/records/passkey';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  suspicionOf,
  isUndoChallenge,
  readClientData,
  requestOptions,
  undoChallenge,
  verifyAssertion,
} from '../../authentication/passkeys/index.ts';
import { type RelyingParty, relyingPartyOf } from '../../../tenancy/login-methods.ts';
import { anonymous, record } from '../../events/journal/index.ts';
import { findPasskey, usePasskey, type StoredUndo } from './undo-store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
}

/** The passkeys are not listed, because only the mailbox is proven. */
export async function passkeyOptions(
  { clock, dataKeys }: Dependencies,
  tenant: Tenant,
  undoToken: string,
  party: RelyingParty,
): Promise<PasskeyRequestOptions> {
  const of = { undoToken, rpId: party.id };
  const challenge = await dataKeys.use(tenant.id, (key) => undoChallenge(key, of, clock.now()));
  return requestOptions(party, challenge, []);
}

interface Given {
  /** Of the message. */
  readonly token: string;
  readonly userId: UserId;
  readonly assertion: PasskeyAssertion;
}

/** A passkey that was added after the change may be the stranger's. Signatures cannot be guessed, so none is counted. */
export async function isPasskeyOfBefore(
  { gate, clock, dataKeys }: Dependencies,
  tenant: Tenant,
  { factors }: StoredUndo,
  { token, userId, assertion }: Given,
  from: Origin,
): Promise<boolean> {
  const party = relyingPartyOf(tenant);
  const clientData =
    party && readClientData(assertion.response.clientDataJSON, 'webauthn.get', party);
  if (!party || !clientData) return false;
  const of = { undoToken: token, rpId: party.id };
  const { challenge } = clientData;
  const isOurs = await dataKeys.use(tenant.id, (key) =>
    isUndoChallenge(key, of, challenge, clock.now()),
  );
  if (!isOurs) return false;
  return gate.into(tenant.id).transaction(async (tx) => {
    const passkey = await findPasskey(tx, userId, Buffer.from(assertion.id, 'base64url'));
    if (!passkey || passkey.rpId !== party.id || !factors.includes(passkey.id)) return false;
    const asserted = verifyAssertion(assertion, { clientData, party, passkey, isUserKnown: false });
    if (!asserted) return false;
    if (await usePasskey(tx, userId, passkey.id, asserted)) return true;
    await record(tx, anonymous(from), suspicionOf(passkey.id, userId));
    return false;
  });
}

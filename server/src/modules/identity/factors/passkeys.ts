import type { Fail } from '@keywright/contract/errors';
import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type {
  AcceptedPasskeys,
  PasskeyCreationOptions,
  PasskeyRegistration,
} from '@keywright/contract/records/passkey';
import { newFactorId } from '../../../platform/crypto/ids.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  acceptedPasskeys,
  authenticatorName,
  creationOptions,
  isRegistrationChallenge,
  type NewPasskey,
  registrationChallenge,
  type RegistrationOf,
  userHandleOf,
  verifyRegistration,
} from '../../authentication/passkeys/index.ts';
import { type RelyingParty, relyingPartyOf } from '../../../tenancy/login-methods.ts';
import { newRecoveryCodes } from '../../authentication/second-factors/index.ts';
import { completeEnrolment, type EnrolmentDependencies, hashesOf } from './totp-enrolment.ts';
import { lockOneself } from '../users/index.ts';
import {
  insertPasskey,
  listPasskeys,
  type FactorRow,
  findAccountName,
  listFactors,
} from './factor-store.ts';
import { presentFactor, MAX_FACTORS } from './factor-service.ts';

const PASSKEY_NAME = 'Passkey';

/** Who adds a passkey, and the flow that they do it in, if it is a flow. */
export interface Enroller {
  readonly userId: UserId;
  readonly authVersion: number;
  readonly within: LoginFlowId | undefined;
  /** The address of an account that is made with the passkey. */
  readonly newAccount?: string;
}

interface Added {
  readonly factor: FactorRecord;
  readonly recovery_codes: string[] | null;
  readonly accepted_passkeys: AcceptedPasskeys;
}

/** The options for a new passkey of the caller. */
export function offerPasskey(
  { dataKeys, gate }: EnrolmentDependencies,
  tenant: Tenant,
  caller: UserCaller,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'TOO_MANY_FACTORS' | 'METHOD_NOT_READY'>,
): Promise<PasskeyCreationOptions> {
  const party = relyingPartyOf(tenant) ?? fail('METHOD_NOT_READY');
  // The key first: within a transaction there may be no other connection.
  return dataKeys.use(tenant.id, (key) =>
    gate.into(tenant.id).transaction(async (tx) => {
      const { auth_version: authVersion } = await lockOneself(tx, caller, fail);
      if ((await listFactors(tx, caller.subject)).length >= MAX_FACTORS) fail('TOO_MANY_FACTORS');
      return optionsFor(key, tx, tenant, party, enrollerOf(caller, authVersion));
    }),
  );
}

/** Within a transaction: what a new passkey of this user is created with. @param key the data key of the tenant */
export async function optionsFor(
  key: Buffer,
  tx: TenantTx,
  tenant: Tenant,
  party: RelyingParty,
  enroller: Enroller,
): Promise<PasskeyCreationOptions> {
  const { userId, newAccount } = enroller;
  const existing = newAccount === undefined ? await listPasskeys(tx, userId) : [];
  const account = newAccount ?? (await findAccountName(tx, userId));
  const of = registrationOf(enroller, party);
  return creationOptions(tenant, party, {
    challenge: registrationChallenge(key, of, tx.now),
    userHandle: existing[0]?.userHandle ?? userHandleOf(key, enroller.userId),
    account,
    existing,
  });
}

/** Adds a passkey of the caller. The first factor comes with recovery codes. */
export async function addPasskey(
  dependencies: EnrolmentDependencies,
  tenant: Tenant,
  caller: UserCaller,
  given: { readonly credential: PasskeyRegistration; readonly name: string | undefined },
  fail: Fail<
    | 'TOKEN_INVALID'
    | 'STEP_UP_REQUIRED'
    | 'TOO_MANY_FACTORS'
    | 'METHOD_NOT_READY'
    | 'PASSKEY_REFUSED'
  >,
): Promise<Added> {
  const { gate, dataKeys, notify } = dependencies;
  const { subject: userId } = caller;
  const party = relyingPartyOf(tenant) ?? fail('METHOD_NOT_READY');
  const data = gate.into(tenant.id);
  const { auth_version: before } = await data.transaction((tx) => lockOneself(tx, caller, fail));
  const enroller = enrollerOf(caller, before);
  const verified = await verifyNew(dependencies, tenant, party, enroller, given.credential, fail);
  const codes = newRecoveryCodes();
  const hashes = await hashesOf(dataKeys, tenant.id, userId, codes);
  return data.transaction(async (tx) => {
    const { auth_version: now } = await lockOneself(tx, caller, fail);
    if (now !== before) fail('PASSKEY_REFUSED');
    if ((await listFactors(tx, userId)).length >= MAX_FACTORS) fail('TOO_MANY_FACTORS');
    const named = { ...verified, name: given.name };
    const put = await putPasskey(dependencies, tx, party, enroller, named);
    const { row, accepted } = put ?? fail('PASSKEY_REFUSED');
    const { hasNewCodes } = await completeEnrolment(tx, caller, row, hashes);
    await notify(tx, tenant, { userId, kind: 'notice.factor_added' });
    return {
      factor: presentFactor(tenant.id, row),
      recovery_codes: hasNewCodes ? codes : null,
      accepted_passkeys: accepted,
    };
  });
}

interface VerifiedPasskey {
  readonly passkey: NewPasskey;
  /** What authenticators know the user by who has no passkey yet. */
  readonly firstHandle: Buffer;
}

/** Before the transaction of the change: signatures and the library take milliseconds. */
export async function verifyNew(
  { dataKeys, clock }: EnrolmentDependencies,
  tenant: Tenant,
  party: RelyingParty,
  enroller: Enroller,
  credential: PasskeyRegistration,
  fail: Fail<'PASSKEY_REFUSED'>,
): Promise<VerifiedPasskey> {
  const of = registrationOf(enroller, party);
  return dataKeys.use(tenant.id, async (key) => {
    const passkey = await verifyRegistration(credential, {
      party,
      config: tenant.config,
      isChallenge: (challenge) => isRegistrationChallenge(key, of, challenge, clock.now()),
    });
    const firstHandle = userHandleOf(key, enroller.userId);
    return { passkey: passkey ?? fail('PASSKEY_REFUSED'), firstHandle };
  });
}

/** @returns undefined if the tenant has the credential already */
export async function putPasskey(
  { clock }: Pick<EnrolmentDependencies, 'clock'>,
  tx: TenantTx,
  party: RelyingParty,
  { userId }: Enroller,
  { passkey, firstHandle, name }: VerifiedPasskey & { readonly name: string | undefined },
): Promise<{ readonly row: FactorRow; readonly accepted: AcceptedPasskeys } | undefined> {
  const existing = await listPasskeys(tx, userId);
  const userHandle = existing[0]?.userHandle ?? firstHandle;
  const id = newFactorId(clock.now());
  const ownName = name ?? authenticatorName(passkey.aaguid) ?? PASSKEY_NAME;
  const owner = { id, userId, name: ownName, rpId: party.id, userHandle };
  const row = await insertPasskey(tx, owner, passkey);
  if (!row) return undefined;
  const ids = [...existing.map(({ credentialId }) => credentialId), passkey.credentialId];
  return { row, accepted: acceptedPasskeys(party, userHandle, ids) };
}

function enrollerOf({ subject: userId }: UserCaller, authVersion: number): Enroller {
  return { userId, authVersion, within: undefined };
}

function registrationOf(enroller: Enroller, { id: rpId }: RelyingParty): RegistrationOf {
  return { ...enroller, rpId };
}

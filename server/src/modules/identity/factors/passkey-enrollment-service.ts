import type { Fail } from '@keywright/contract/errors';
import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import type {
  AcceptedPasskeys,
  PasskeyCreationOptions,
  PasskeyRegistration,
} from '@keywright/contract/records/passkey';
import { newFactorId } from '../../../platform/crypto/ids.ts';
import type { Device, UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type RelyingParty, type Tenant, relyingPartyOf } from '../../../tenancy/tenant.ts';
import type { Core } from '../../../tenancy/module.ts';
import {
  type Flows,
  type FlowUser,
  inviteeOf,
  mayJoin,
  type StoredFlow,
  afterEnrollment,
  afterJoining,
} from '../../authentication/flows/index.ts';
import { settleInvitee } from '../../authentication/mailboxes/index.ts';
import {
  type RegistrationOf,
  acceptedPasskeys,
  authenticatorName,
  creationOptions,
  isRegistrationChallenge,
  registrationChallenge,
  userHandleOf,
  verifyRegistration,
} from '../../authentication/passkeys/index.ts';
import { passkeyMethodOf } from '../../authentication/proofs/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import {
  type FactorRow,
  type NewPasskey,
  findAccountName,
  findPasskeys,
  insertPasskey,
  listFactors,
  lockActiveUser,
  lockOneself,
} from '../users/index.ts';
import { MAX_FACTORS, presentFactor } from './factor-rules.ts';
import type { RecoveryCodeService } from './factor-service.ts';

const PASSKEY_NAME = 'Passkey';

/** The user who adds a passkey. */
interface Enroller {
  readonly userId: UserId;
  readonly authVersion: number;
  /** The flow that adds the passkey; undefined if a session adds it. */
  readonly within: LoginFlowId | undefined;
  /** The address of the account that is created together with the passkey. */
  readonly newAccount?: string;
}

interface Added {
  readonly factor: FactorRecord;
  readonly recovery_codes: string[] | null;
  readonly accepted_passkeys: AcceptedPasskeys;
}

interface FlowRef {
  readonly id: string;
  readonly token: string;
}

interface Registration {
  readonly credential: PasskeyRegistration;
  readonly name: string | undefined;
}

interface VerifiedPasskey {
  readonly passkey: NewPasskey;
  readonly name: string | undefined;
  /** The user handle for a user who has no other passkey. */
  readonly firstHandle: Buffer;
}

/** Adds passkeys: in a session, in a login that requires a second factor, and with an invitation. */
export class PasskeyEnrollmentService {
  readonly #core: Core;
  readonly #flows: Flows;
  readonly #notices: Notices;
  readonly #recoveryCodes: RecoveryCodeService;

  constructor(core: Core, flows: Flows, notices: Notices, recoveryCodes: RecoveryCodeService) {
    this.#core = core;
    this.#flows = flows;
    this.#notices = notices;
    this.#recoveryCodes = recoveryCodes;
  }

  /** Creates the options for a new passkey of the caller. */
  offer(
    tenant: Tenant,
    caller: UserCaller,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'TOO_MANY_FACTORS' | 'METHOD_NOT_READY'>,
  ): Promise<PasskeyCreationOptions> {
    const { dataKeys, gate } = this.#core;
    const party = relyingPartyOf(tenant) ?? fail('METHOD_NOT_READY');
    // The key is loaded before the transaction, which must not wait for another connection.
    return dataKeys.use(tenant.id, (key) =>
      gate.into(tenant.id).transaction(async (tx) => {
        const { auth_version: authVersion } = await lockOneself(tx, caller, fail);
        if ((await listFactors(tx, caller.subject)).length >= MAX_FACTORS) fail('TOO_MANY_FACTORS');
        const enroller = { userId: caller.subject, authVersion, within: undefined };
        return optionsFor(key, tx, tenant, party, enroller);
      }),
    );
  }

  /** Adds a passkey to the caller's account. */
  async add(
    tenant: Tenant,
    caller: UserCaller,
    registration: Registration,
    fail: Fail<
      | 'TOKEN_INVALID'
      | 'STEP_UP_REQUIRED'
      | 'TOO_MANY_FACTORS'
      | 'METHOD_NOT_READY'
      | 'PASSKEY_REFUSED'
    >,
  ): Promise<Added> {
    const { subject: userId } = caller;
    const party = relyingPartyOf(tenant) ?? fail('METHOD_NOT_READY');
    const data = this.#core.gate.into(tenant.id);
    const { auth_version: authVersion } = await data.transaction((tx) =>
      lockOneself(tx, caller, fail),
    );
    const enroller = { userId, authVersion, within: undefined };
    const verified = await this.#verify(tenant, party, enroller, registration, fail);
    const draft = await this.#recoveryCodes.draft(tenant.id, userId);
    return data.transaction(async (tx) => {
      const locked = await lockOneself(tx, caller, fail);
      if (locked.auth_version !== authVersion) fail('PASSKEY_REFUSED');
      if ((await listFactors(tx, userId)).length >= MAX_FACTORS) fail('TOO_MANY_FACTORS');
      const inserted = await this.#insert(tx, party, userId, verified);
      const { row, accepted } = inserted ?? fail('PASSKEY_REFUSED');
      const enrolled = await this.#recoveryCodes.completeEnrollment(tx, caller, row, draft);
      await this.#notices.notify(tx, tenant, { userId, kind: 'notice.factor_added' });
      return {
        factor: presentFactor(tenant.id, row),
        recovery_codes: enrolled.recoveryCodes,
        accepted_passkeys: accepted,
      };
    });
  }

  /** Creates the options for a new passkey of the user of a flow. */
  async offerInFlow(
    tenant: Tenant,
    ref: FlowRef,
    fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
  ): Promise<{ flow: LoginFlow; options: PasskeyCreationOptions }> {
    const { dataKeys, gate } = this.#core;
    const flow = await this.#flows.open(tenant, ref.id, ref.token, 'enroll', fail, 'passkey');
    const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
    const enroller = enrollerOf(flow, fail);
    const options = await dataKeys.use(tenant.id, (key) =>
      gate.into(tenant.id).transaction((tx) => optionsFor(key, tx, tenant, party, enroller)),
    );
    return { flow: await this.#flows.present(tenant, flow), options };
  }

  /** Adds a passkey for the user of a flow, which also counts as a proof in the flow. */
  async addInFlow(
    tenant: Tenant,
    ref: FlowRef,
    registration: Registration,
    device: Device,
    fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'PASSKEY_REFUSED' | 'NOT_FOUND'>,
  ): Promise<FlowAnswer & Added> {
    const flow = await this.#flows.open(tenant, ref.id, ref.token, 'enroll', fail, 'passkey');
    const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
    const enroller = enrollerOf(flow, fail);
    const verified = await this.#verify(tenant, party, enroller, registration, fail);
    const draft = await this.#recoveryCodes.draft(tenant.id, enroller.userId);
    let added: Added | undefined;
    const enroll = async (tx: TenantTx, { id: userId, authVersion, hasSecondFactor }: FlowUser) => {
      const locked = await lockActiveUser(tx, userId);
      const isUnchanged = locked?.has_second_factor === hasSecondFactor;
      if (!isUnchanged || locked.auth_version !== authVersion) return fail('FLOW_ENDED');
      const inserted = await this.#insert(tx, party, enroller.userId, verified);
      const { row, accepted } = inserted ?? fail('PASSKEY_REFUSED');
      const by = anonymous(device.from);
      const completed = await this.#recoveryCodes.completeEnrollment(tx, by, row, draft);
      const kind = 'notice.factor_added';
      await this.#notices.notify(tx, tenant, { userId, kind, device });
      added = {
        factor: presentFactor(tenant.id, row),
        recovery_codes: completed.recoveryCodes,
        accepted_passkeys: accepted,
      };
      return completed.authVersion;
    };
    const method = passkeyMethodOf(verified.passkey.isBackupEligible);
    const notifying = { notices: this.#notices, from: device.from };
    const joins = mayJoin(flow);
    const change = joins ? afterJoining : afterEnrollment;
    const expected = joins ? inviteeOf(flow) : (flow.user ?? fail('FLOW_ENDED'));
    const effect = async (tx: TenantTx) => {
      const user = joins ? await settleInvitee(tx, tenant, flow, notifying, fail) : expected;
      return change(user, method, await enroll(tx, user));
    };
    const commit = { effect, expected: change(expected, method, expected.authVersion) };
    const answer = await this.#flows.commit(tenant, flow, commit, device, fail);
    return { ...answer, ...(added ?? fail('FLOW_ENDED')) };
  }

  /** Called before the transaction, because verifying the signature takes the library milliseconds. */
  #verify(
    tenant: Tenant,
    party: RelyingParty,
    enroller: Enroller,
    { credential, name }: Registration,
    fail: Fail<'PASSKEY_REFUSED'>,
  ): Promise<VerifiedPasskey> {
    const { dataKeys, clock } = this.#core;
    const of = registrationOf(enroller, party);
    return dataKeys.use(tenant.id, async (key) => {
      const passkey = await verifyRegistration(credential, {
        party,
        config: tenant.config,
        isChallenge: (challenge) => isRegistrationChallenge(key, of, challenge, clock.now()),
      });
      const firstHandle = userHandleOf(key, enroller.userId);
      return { passkey: passkey ?? fail('PASSKEY_REFUSED'), name, firstHandle };
    });
  }

  /** @returns undefined if the tenant already has the credential */
  async #insert(
    tx: TenantTx,
    party: RelyingParty,
    userId: UserId,
    { passkey, firstHandle, name }: VerifiedPasskey,
  ): Promise<{ readonly row: FactorRow; readonly accepted: AcceptedPasskeys } | undefined> {
    const existing = await findPasskeys(tx, userId);
    const userHandle = existing[0]?.userHandle ?? firstHandle;
    const factor = {
      id: newFactorId(this.#core.clock.now()),
      userId,
      name: name ?? authenticatorName(passkey.aaguid) ?? PASSKEY_NAME,
      rpId: party.id,
      userHandle,
    };
    const row = await insertPasskey(tx, factor, passkey);
    if (!row) return undefined;
    const ids = [...existing.map(({ credentialId }) => credentialId), passkey.credentialId];
    return { row, accepted: acceptedPasskeys(party, userHandle, ids) };
  }
}

/** The options for creating a passkey of this user in a browser. @param key the data key of the tenant */
async function optionsFor(
  key: Buffer,
  tx: TenantTx,
  tenant: Tenant,
  party: RelyingParty,
  enroller: Enroller,
): Promise<PasskeyCreationOptions> {
  const { userId, newAccount } = enroller;
  const existing = newAccount === undefined ? await findPasskeys(tx, userId) : [];
  const account = newAccount ?? (await findAccountName(tx, userId));
  const of = registrationOf(enroller, party);
  return creationOptions(tenant, party, {
    challenge: registrationChallenge(key, of, tx.now),
    userHandle: existing[0]?.userHandle ?? userHandleOf(key, enroller.userId),
    account,
    existing,
  });
}

/** An invitee adds a passkey before the user exists. The options name no other user who registered the address. */
function enrollerOf(flow: StoredFlow, fail: Fail<'FLOW_ENDED'>): Enroller {
  const within = flow.id;
  if (mayJoin(flow)) {
    const { id: userId, authVersion } = inviteeOf(flow);
    return { userId, authVersion, within, newAccount: flow.identifier };
  }
  const { id: userId, authVersion } = flow.user ?? fail('FLOW_ENDED');
  return { userId, authVersion, within };
}

function registrationOf(enroller: Enroller, { id: rpId }: RelyingParty): RegistrationOf {
  return { ...enroller, rpId };
}

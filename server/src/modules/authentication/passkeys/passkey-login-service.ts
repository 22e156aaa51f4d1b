import type { Fail } from '@keywright/contract/errors';
import type { FactorId, UserId } from '@keywright/contract/ids';
import type { FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import type {
  AcceptedPasskeys,
  PasskeyAssertion,
  PasskeyRequestOptions,
} from '@keywright/contract/records/passkey';
import type { Device } from '../../../tenancy/caller.ts';
import type { Core } from '../../../tenancy/module.ts';
import { type RelyingParty, type Tenant, relyingPartyOf } from '../../../tenancy/tenant.ts';
import { anonymous, type Change, type Notes, record } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import { type Asserted, findPasskeys } from '../../identity/users/index.ts';
import type { DeviceTokens, Flows, StoredFlow, TakenPasskey } from '../flows/index.ts';
import { passkeyMethodOf } from '../proofs/index.ts';
import {
  acceptedPasskeys,
  challengeHash,
  newChallenge,
  requestOptions,
} from './passkey-options.ts';
import { readClientData, verifyAssertion } from './webauthn.ts';

type Refuse = Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'PASSKEY_REFUSED' | 'NOT_FOUND'>;

interface FlowRef {
  readonly id: string;
  readonly token: string;
}

interface PresentedPasskey {
  readonly credential: PasskeyAssertion;
  readonly device: Device;
  /** The token of a known device; if undefined, the token of the request is used. */
  readonly deviceToken: string | undefined;
}

interface Accepted {
  readonly outcome: 'accepted';
  readonly flow: StoredFlow;
  readonly passkey: TakenPasskey;
  readonly authVersion: number;
  /** The IDs of all passkeys of the user. */
  readonly credentials: readonly Buffer[];
}

interface Refused {
  readonly outcome: 'refused';
  readonly flow: StoredFlow;
  readonly reason: 'invalid' | 'challenge' | 'unknown' | 'other_user' | 'counter';
  readonly passkey?: TakenPasskey;
}

/** The step of a flow that proves a passkey. */
export class PasskeyLoginService {
  readonly #core: Core;
  readonly #flows: Flows;
  readonly #deviceTokens: DeviceTokens;
  readonly #notes: Notes;
  readonly #notices: Notices;

  constructor(
    core: Core,
    flows: Flows,
    deviceTokens: DeviceTokens,
    notes: Notes,
    notices: Notices,
  ) {
    this.#core = core;
    this.#flows = flows;
    this.#deviceTokens = deviceTokens;
    this.#notes = notes;
    this.#notices = notices;
  }

  /** The options for requesting a passkey in a browser. They list a user's passkeys only after another proof. */
  async start(
    tenant: Tenant,
    { id, token }: FlowRef,
    fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
  ): Promise<{ flow: LoginFlow; options: PasskeyRequestOptions }> {
    const challenge = newChallenge(this.#core.clock.now());
    const flow = await this.#flows.startPasskey(tenant, id, token, challenge, fail);
    const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
    const data = this.#core.gate.into(tenant.id);
    const userId = provenUserOf(flow);
    const allowed =
      userId === undefined ? [] : await data.transaction((tx) => findPasskeys(tx, userId));
    const options = requestOptions(party, challenge.challenge, allowed);
    return { flow: await this.#flows.present(tenant, flow), options };
  }

  /** Verifies an assertion, and advances the flow. */
  async prove(
    tenant: Tenant,
    ref: FlowRef,
    { credential, device, deviceToken }: PresentedPasskey,
    fail: Refuse,
  ): Promise<FlowAnswer & { accepted_passkeys: AcceptedPasskeys }> {
    const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
    const presentedToken = deviceToken ?? device.token;
    const now = this.#core.clock.now();
    const knownDevice = this.#deviceTokens.read(tenant.id, presentedToken, now);
    const checked = await this.#check(tenant, party, ref, credential, fail);
    if (checked.outcome === 'refused') {
      await this.#reportRefusal(tenant, checked, device);
      if (checked.reason !== 'unknown') return fail('PASSKEY_REFUSED');
      const unknownPasskey = { rpId: party.id, credentialId: credential.id };
      return fail('PASSKEY_REFUSED', { unknownPasskey });
    }
    const { flow, passkey, authVersion, credentials } = checked;
    const method = passkeyMethodOf(passkey.isBackupEligible);
    const proof = { method, userId: passkey.userId, authVersion };
    const step = { ...device, knownDevice };
    const answer = await this.#flows.commit(tenant, flow, { proof }, step, fail);
    const accepted = acceptedPasskeys(party, passkey.userHandle, credentials);
    return { ...answer, accepted_passkeys: accepted };
  }

  async #check(
    tenant: Tenant,
    party: RelyingParty,
    { id, token }: FlowRef,
    credential: PasskeyAssertion,
    fail: Refuse,
  ): Promise<Accepted | Refused> {
    const clientData = readClientData(credential.response.clientDataJSON, 'webauthn.get', party);
    if (!clientData) {
      return refusal(await this.#flows.open(tenant, id, token, 'passkey', fail), 'invalid');
    }
    const presented = {
      challengeHash: challengeHash(clientData.challenge),
      credential: Buffer.from(credential.id, 'base64url'),
    };
    const taken = await this.#flows.takePasskey(tenant, id, token, presented, fail);
    const { flow, passkey } = taken;
    if (!taken.isTaken) return refusal(flow, 'challenge');
    if (!passkey) return refusal(flow, 'unknown');
    const isUserProven = isProvenBy(flow, passkey.userId);
    const asserted = verifyAssertion(credential, { clientData, party, passkey, isUserProven });
    if (!asserted || passkey.rpId !== party.id) return refusal(flow, 'invalid', passkey);
    // After an identifier, known or unknown, only a passkey of that identifier's user is accepted.
    const isOtherUser = flow.identifier !== '' && flow.user?.id !== passkey.userId;
    if (isOtherUser || !passkey.isActive) return refusal(flow, 'other_user', passkey);
    return this.#use(tenant, flow, passkey, asserted, fail);
  }

  /** Stores the counter of the assertion, which must be greater than the previous one. */
  async #use(
    tenant: Tenant,
    flow: StoredFlow,
    passkey: TakenPasskey,
    { counter, isBackedUp }: Asserted,
    fail: Refuse,
  ): Promise<Accepted | Refused> {
    const { userId, factorId } = passkey;
    const verified = { userId, factorId, counter, isBackedUp };
    const used = (await this.#flows.usePasskey(tenant, flow, verified)) ?? fail('FLOW_ENDED');
    const { authVersion, credentials } = used;
    if (authVersion !== undefined) {
      return { outcome: 'accepted', flow: used.flow, passkey, authVersion, credentials };
    }
    return used.isRegistered ? refusal(flow, 'counter', passkey) : refusal(flow, 'unknown');
  }

  /** Records a refused passkey and a possible copy of it, and notifies its user of a refused second factor. */
  async #reportRefusal(
    tenant: Tenant,
    { flow, reason, passkey }: Refused,
    device: Device,
  ): Promise<void> {
    const { from } = device;
    this.#notes.note(tenant.id, anonymous(from), {
      action: 'auth.login_failed',
      method: 'passkey',
      device,
      target: { kind: flow.user ? 'user' : 'identifier', id: flow.user?.id ?? null },
      outcome: 'failure',
      details: { reason: `passkey_${reason}`, identifier: null, flow_id: flow.id },
    });
    const copied = reason === 'counter' ? passkey : undefined;
    const userId = copied?.userId ?? provenUserOf(flow);
    if (userId === undefined || (!copied && !tenant.sendsMail)) return;
    await this.#core.gate.into(tenant.id).transaction(async (tx) => {
      if (copied) await record(tx, anonymous(from), copiedPasskey(copied.factorId, userId));
      if (!tenant.sendsMail) return;
      const kind = 'notice.second_factor_refused';
      await this.#notices.notify(tx, tenant, { userId, kind, device, oncePerSeconds: 3600 });
    });
  }
}

/** Whether the user has proven anything in the flow. */
function isProvenBy({ proofs }: StoredFlow, userId: UserId): boolean {
  return proofs.some((proof) => proof.user_id === userId);
}

function provenUserOf(flow: StoredFlow): UserId | undefined {
  return flow.user && isProvenBy(flow, flow.user.id) ? flow.user.id : undefined;
}

function refusal(flow: StoredFlow, reason: Refused['reason'], passkey?: TakenPasskey): Refused {
  return { outcome: 'refused', flow, reason, ...(passkey && { passkey }) };
}

/**
 * The audit record of a possible passkey copy. If the counter did not increase, a copy sent this assertion or the
 * previous one (WebAuthn Level 3 §6.1.1).
 */
export function copiedPasskey(id: FactorId, userId: UserId): Change {
  const reason = 'counter_not_increased';
  return {
    action: 'factor.suspicious',
    target: { kind: 'factor', id },
    details: { user_id: userId, reason },
    events: [{ type: 'factor.suspicious', data: { factor_id: id, user_id: userId, reason } }],
  };
}

import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { AcceptedPasskeys, PasskeyAssertion } from '@keywright/contract/records/passkey';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Notes, record } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import type { Flows, Step, StoredFlow } from '../flows/index.ts';
import {
  acceptedPasskeys,
  type Asserted,
  challengeHash,
  passkeyMethodOf,
  readClientData,
  type RelyingParty,
  relyingPartyOf,
  verifyAssertion,
} from '../passkeys/index.ts';
import { suspicionOf } from './recorded.ts';
import { takePasskey, type TakenPasskey, usePasskey } from './store.ts';

export interface StepDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly flows: Flows;
  readonly notes: Notes;
  readonly notify: Notify;
}

type Refuse = Fail<'FLOW_ENDED' | 'PASSKEY_REFUSED' | 'NOT_FOUND'>;
type Reason = 'invalid' | 'challenge' | 'unknown' | 'other_user' | 'counter';

/** What was found out about an assertion. */
type Checked =
  | {
      readonly outcome: 'right';
      readonly taken: TakenPasskey;
      readonly authVersion: number;
      readonly credentials: readonly Buffer[];
    }
  | { readonly outcome: 'refused'; readonly reason: Reason; readonly taken?: TakenPasskey };

type PasskeyAnswer = FlowAnswer & { accepted_passkeys: AcceptedPasskeys };

/** A step with a passkey: checks it, and advances the flow. */
export function createPasskeyStep(dependencies: StepDependencies) {
  const { flows, notes } = dependencies;
  return async (
    tenant: Tenant,
    flow: StoredFlow,
    credential: PasskeyAssertion,
    step: Step,
    fail: Refuse,
  ): Promise<PasskeyAnswer> => {
    const party = relyingPartyOf(tenant) ?? fail('PASSKEY_REFUSED');
    const checked = await check(dependencies, tenant, party, flow, credential);
    if (checked.outcome === 'refused') {
      notes.note(tenant.id, anonymous(step.from), {
        action: 'auth.login_failed',
        target: { kind: flow.user ? 'user' : 'identifier', id: flow.user?.id ?? null },
        outcome: 'failure',
        details: { reason: `passkey_${checked.reason}`, identifier: null, flow_id: flow.id },
      });
      await tell(dependencies, tenant, flow, checked, step);
      if (checked.reason !== 'unknown') return fail('PASSKEY_REFUSED');
      const unknownPasskey = { rpId: party.id, credentialId: credential.id };
      return fail('PASSKEY_REFUSED', { unknownPasskey });
    }
    const { taken, authVersion, credentials } = checked;
    const method = passkeyMethodOf(taken.backup_eligible);
    const shown = { method, userId: taken.user_id, authVersion } as const;
    const known = flow.user ? flow : await flows.reload(tenant, flow);
    const answer = await flows.advance(tenant, known ?? fail('FLOW_ENDED'), shown, step, fail);
    const accepted = acceptedPasskeys(party, taken.user_handle, credentials);
    return { ...answer, accepted_passkeys: accepted };
  };
}

async function check(
  { gate, clock }: StepDependencies,
  tenant: Tenant,
  party: RelyingParty,
  flow: StoredFlow,
  credential: PasskeyAssertion,
): Promise<Checked> {
  const data = gate.into(tenant.id);
  const clientData = readClientData(credential.response.clientDataJSON, 'webauthn.get', party);
  if (!clientData) return refusal('invalid');
  const row = await takePasskey(data, {
    flow: flow.id,
    challengeHash: challengeHash(clientData.challenge),
    credential: Buffer.from(credential.id, 'base64url'),
    now: clock.now(),
  });
  if (!row) return refusal('challenge');
  if (row.factor_id === null) return refusal('unknown');
  const taken: TakenPasskey = row;
  // With an identifier, known or not, only a passkey of its user is accepted.
  const isOther = flow.identifier !== '' && flow.user?.id !== taken.user_id;
  const isUserKnown = isProvenBy(flow, taken.user_id);
  const passkey = {
    publicKey: taken.public_key,
    algorithm: taken.algorithm,
    isBackupEligible: taken.backup_eligible,
    userHandle: taken.user_handle,
  };
  const asserted = verifyAssertion(credential, { clientData, party, passkey, isUserKnown });
  if (!asserted || taken.rp_id !== party.id) return refusal('invalid', taken);
  if (isOther || !taken.is_active) return refusal('other_user', taken);
  return accept(data, flow, taken, asserted, clock.now());
}

async function accept(
  data: Parameters<typeof usePasskey>[0],
  { id: flow }: StoredFlow,
  taken: TakenPasskey,
  { counter, isBackedUp: backedUp }: Asserted,
  now: Date,
): Promise<Checked> {
  const { user_id: user, factor_id: factor } = taken;
  const used = await usePasskey(data, { flow, user, factor, counter, backedUp, now });
  const { auth_version: authVersion, credentials } = used;
  if (authVersion !== null) return { outcome: 'right', taken, authVersion, credentials };
  return used.is_known ? refusal('counter', taken) : refusal('unknown');
}

/** Whether the user has proven something in the flow. */
export function isProvenBy({ proofs }: StoredFlow, userId: UserId): boolean {
  return proofs.some((proof) => proof.user_id === userId);
}

function refusal(reason: Reason, taken?: TakenPasskey): Checked {
  return { outcome: 'refused', reason, ...(taken && { taken }) };
}

/** Records a possible copy of a passkey, and tells its user of it, and of a second factor that was refused. */
async function tell(
  { gate, notify }: StepDependencies,
  tenant: Tenant,
  flow: StoredFlow,
  { reason, taken }: Extract<Checked, { readonly outcome: 'refused' }>,
  { from, userAgent: device }: Step,
): Promise<void> {
  const isCopy = reason === 'counter' && taken !== undefined;
  const proven = flow.user && isProvenBy(flow, flow.user.id) ? flow.user.id : undefined;
  const userId = isCopy ? taken.user_id : proven;
  if (userId === undefined || (!isCopy && !tenant.sendsMail)) return;
  await gate.into(tenant.id).transaction(async (tx) => {
    if (isCopy) await record(tx, anonymous(from), suspicionOf(taken.factor_id, userId));
    if (!tenant.sendsMail) return;
    const kind = 'notice.second_factor_refused';
    await notify(tx, tenant, { userId, kind, device, oncePerSeconds: 3600 });
  });
}

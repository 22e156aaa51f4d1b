import type { Fail } from '@keywright/contract/errors';
import type { FactorId, UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { AcceptedPasskeys, PasskeyAssertion } from '@keywright/contract/records/passkey';
import type { Gate } from '../../../tenancy/gate.ts';
import { type RelyingParty, relyingPartyOf } from '../../../tenancy/login-methods.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Change, anonymous, type Notes, record } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import type { Flows, Step, StoredFlow, TakenPasskey } from '../flows/index.ts';
import { passkeyMethodOf } from '../proofs/index.ts';
import { acceptedPasskeys, challengeHash } from './passkey-options.ts';
import { type Asserted, readClientData, verifyAssertion } from './webauthn.ts';

/** Signatures of a passkey are counted: one that counts less than before is made by a copy, or was (WebAuthn Level 3 §6.1.1). */
export function suspicionOf(id: FactorId, userId: UserId): Change {
  const reason = 'counter_not_increased';
  return {
    action: 'factor.suspicious',
    target: { kind: 'factor', id },
    details: { user_id: userId, reason },
    events: [{ type: 'factor.suspicious', data: { factor_id: id, user_id: userId, reason } }],
  };
}

export interface StepDependencies {
  readonly gate: Gate;
  readonly flows: Flows;
  readonly notes: Notes;
  readonly notify: Notify;
}

type Refuse = Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'PASSKEY_REFUSED' | 'NOT_FOUND'>;
type Reason = 'invalid' | 'challenge' | 'unknown' | 'other_user' | 'counter';

interface FlowRef {
  readonly id: string;
  readonly token: string;
}

/** What was found out about an assertion. */
type Checked = { readonly flow: StoredFlow } & (
  | {
      readonly outcome: 'right';
      readonly taken: TakenPasskey;
      readonly authVersion: number;
      readonly credentials: readonly Buffer[];
    }
  | { readonly outcome: 'refused'; readonly reason: Reason; readonly taken?: TakenPasskey }
);

type PasskeyAnswer = FlowAnswer & { accepted_passkeys: AcceptedPasskeys };

/** A step with a passkey: checks it, and advances the flow. */
export function createPasskeyStep(dependencies: StepDependencies) {
  const { flows, notes } = dependencies;
  return async (
    tenant: Tenant,
    ref: FlowRef,
    credential: PasskeyAssertion,
    step: Step,
    fail: Refuse,
  ): Promise<PasskeyAnswer> => {
    const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
    const checked = await check(flows, tenant, party, ref, credential, fail);
    const { flow } = checked;
    if (checked.outcome === 'refused') {
      notes.note(tenant.id, anonymous(step.from), {
        action: 'auth.login_failed',
        method: 'passkey',
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
    const method = passkeyMethodOf(taken.isBackupEligible);
    const shown = { method, userId: taken.userId, authVersion } as const;
    const answer = await flows.advance(tenant, flow, shown, step, fail);
    const accepted = acceptedPasskeys(party, taken.userHandle, credentials);
    return { ...answer, accepted_passkeys: accepted };
  };
}

async function check(
  flows: Flows,
  tenant: Tenant,
  party: RelyingParty,
  { id, token }: FlowRef,
  credential: PasskeyAssertion,
  fail: Refuse,
): Promise<Checked> {
  const clientData = readClientData(credential.response.clientDataJSON, 'webauthn.get', party);
  if (!clientData) {
    return refusal(await flows.open(tenant, id, token, 'passkey', fail), 'invalid');
  }
  const presented = {
    challengeHash: challengeHash(clientData.challenge),
    credential: Buffer.from(credential.id, 'base64url'),
  };
  const found = await flows.takePasskey(tenant, id, token, presented, fail);
  const { flow, passkey: taken } = found;
  if (!found.isTaken) return refusal(flow, 'challenge');
  if (!taken) return refusal(flow, 'unknown');
  // With an identifier, known or not, only a passkey of its user is accepted.
  const isOther = flow.identifier !== '' && flow.user?.id !== taken.userId;
  const isUserKnown = isProvenBy(flow, taken.userId);
  const asserted = verifyAssertion(credential, { clientData, party, passkey: taken, isUserKnown });
  if (!asserted || taken.rpId !== party.id) return refusal(flow, 'invalid', taken);
  if (isOther || !taken.isActive) return refusal(flow, 'other_user', taken);
  return accept(flows, tenant, flow, taken, asserted, fail);
}

async function accept(
  flows: Flows,
  tenant: Tenant,
  flow: StoredFlow,
  taken: TakenPasskey,
  { counter, isBackedUp }: Asserted,
  fail: Refuse,
): Promise<Checked> {
  const { userId, factorId } = taken;
  const right = { userId, factorId, counter, isBackedUp };
  const used = (await flows.usePasskey(tenant, flow, right)) ?? fail('FLOW_ENDED');
  const { authVersion, credentials } = used;
  if (authVersion !== undefined) {
    return { outcome: 'right', flow: used.flow, taken, authVersion, credentials };
  }
  return used.isKnown ? refusal(flow, 'counter', taken) : refusal(flow, 'unknown');
}

/** Whether the user has proven something in the flow. */
export function isProvenBy({ proofs }: StoredFlow, userId: UserId): boolean {
  return proofs.some((proof) => proof.user_id === userId);
}

function refusal(flow: StoredFlow, reason: Reason, taken?: TakenPasskey): Checked {
  return { outcome: 'refused', flow, reason, ...(taken && { taken }) };
}

/** Records a possible copy of a passkey, and tells its user of it, and of a second factor that was refused. */
async function tell(
  { gate, notify }: StepDependencies,
  tenant: Tenant,
  flow: StoredFlow,
  { reason, taken }: Pick<Extract<Checked, { readonly outcome: 'refused' }>, 'reason' | 'taken'>,
  { from, userAgent: device }: Step,
): Promise<void> {
  const isCopy = reason === 'counter' && taken !== undefined;
  const proven = flow.user && isProvenBy(flow, flow.user.id) ? flow.user.id : undefined;
  const userId = isCopy ? taken.userId : proven;
  if (userId === undefined || (!isCopy && !tenant.sendsMail)) return;
  await gate.into(tenant.id).transaction(async (tx) => {
    if (isCopy) await record(tx, anonymous(from), suspicionOf(taken.factorId, userId));
    if (!tenant.sendsMail) return;
    const kind = 'notice.second_factor_refused';
    await notify(tx, tenant, { userId, kind, device, oncePerSeconds: 3600 });
  });
}

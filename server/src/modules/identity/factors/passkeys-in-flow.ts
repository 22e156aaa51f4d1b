import type { Fail } from '@keywright/contract/errors';
import { lockActiveUser } from '../users/index.ts';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import type {
  AcceptedPasskeys,
  PasskeyCreationOptions,
  PasskeyRegistration,
} from '@keywright/contract/records/passkey';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  type Flows,
  type FlowUser,
  inviteeOf,
  mayJoin,
  type StoredFlow,
} from '../../authentication/flows/index.ts';
import { settleInvitee } from '../../authentication/mailboxes/index.ts';
import { passkeyMethodOf } from '../../authentication/proofs/index.ts';
import { relyingPartyOf } from '../../../tenancy/login-methods.ts';
import { newRecoveryCodes } from '../../authentication/second-factors/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import {
  completeEnrolment,
  hashesOf,
  type AskedInFlow,
  type FlowDependencies,
} from './totp-enrolment.ts';
import { type Enroller, optionsFor, putPasskey, verifyNew } from './passkeys.ts';
import { presentFactor } from './factor-service.ts';

/** The options for a new passkey of the user of a flow. */
export async function offerPasskeyInFlow(
  dependencies: FlowDependencies,
  tenant: Tenant,
  asked: AskedInFlow,
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
): Promise<{ flow: LoginFlow; options: PasskeyCreationOptions }> {
  const { dataKeys, gate, flows } = dependencies;
  const flow = await openEnrolment(flows, tenant, asked, fail);
  const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
  const enroller = enrollerOf(flow, fail);
  const options = await dataKeys.use(tenant.id, (key) =>
    gate.into(tenant.id).transaction((tx) => optionsFor(key, tx, tenant, party, enroller)),
  );
  return { flow: await flows.present(tenant, flow), options };
}

interface Enrolled extends FlowAnswer {
  factor: FactorRecord;
  recovery_codes: string[] | null;
  accepted_passkeys: AcceptedPasskeys;
}

/** Adds the passkey, which proves itself in the flow. */
export async function enrolPasskeyInFlow(
  dependencies: FlowDependencies,
  tenant: Tenant,
  {
    credential,
    name,
    device,
    ...asked
  }: AskedInFlow & {
    readonly credential: PasskeyRegistration;
    readonly name: string | undefined;
    readonly device: Device;
  },
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'PASSKEY_REFUSED' | 'NOT_FOUND'>,
): Promise<Enrolled> {
  const { dataKeys, flows, notify } = dependencies;
  const flow = await openEnrolment(flows, tenant, asked, fail);
  const party = relyingPartyOf(tenant) ?? fail('STEP_NOT_NEEDED');
  const enroller = enrollerOf(flow, fail);
  const verified = await verifyNew(dependencies, tenant, party, enroller, credential, fail);
  const codes = newRecoveryCodes();
  const hashes = await hashesOf(dataKeys, tenant.id, enroller.userId, codes);
  let added: Omit<Enrolled, keyof FlowAnswer> | undefined;
  const enrol = async (tx: TenantTx, { id: userId, authVersion, hasSecondFactor }: FlowUser) => {
    const locked = await lockActiveUser(tx, userId);
    const isUnchanged = locked?.has_second_factor === hasSecondFactor;
    if (!isUnchanged || locked.auth_version !== authVersion) return fail('FLOW_ENDED');
    const put = await putPasskey(dependencies, tx, party, enroller, { ...verified, name });
    const { row, accepted } = put ?? fail('PASSKEY_REFUSED');
    const by = anonymous(device.from);
    const done = await completeEnrolment(tx, by, row, hashes);
    await notify(tx, tenant, { userId, kind: 'notice.factor_added', device: device.userAgent });
    added = {
      factor: presentFactor(tenant.id, row),
      recovery_codes: done.hasNewCodes ? codes : null,
      accepted_passkeys: accepted,
    };
    return done.authVersion;
  };
  const method = passkeyMethodOf(verified.passkey.isBackupEligible);
  const { from } = device;
  const settle = (tx: TenantTx) => settleInvitee(tx, tenant, flow, { notify, from }, fail);
  const answer = mayJoin(flow)
    ? await flows.join(tenant, flow, { method, settle, add: enrol }, device, fail)
    : await flows.enrol(tenant, flow, method, device, enrol, fail);
  return { ...answer, ...(added ?? fail('FLOW_ENDED')) };
}

function openEnrolment(
  flows: Flows,
  tenant: Tenant,
  { flowId, token }: AskedInFlow,
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
): Promise<StoredFlow> {
  return flows.open(tenant, flowId, token, 'enrol', fail, 'passkey');
}

/** Whoever was invited gets a passkey before they are a user, and none of whoever registered their address is named. */
function enrollerOf(flow: StoredFlow, fail: Fail<'FLOW_ENDED'>): Enroller {
  const within = flow.id;
  if (mayJoin(flow)) {
    const { id: userId, authVersion } = inviteeOf(flow);
    return { userId, authVersion, within, newAccount: flow.identifier };
  }
  const { id: userId, authVersion } = flow.user ?? fail('FLOW_ENDED');
  return { userId, authVersion, within };
}

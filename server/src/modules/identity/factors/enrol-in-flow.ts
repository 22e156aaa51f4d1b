import type { Fail } from '@keywright/contract/errors';
import { lockActiveUser } from '../users/index.ts';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import { newFactorId } from '../../../platform/crypto/ids.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { giveBackAttempt } from '../../authentication/attempts/index.ts';
import type { Flows, FlowUser, StoredFlow } from '../../authentication/flows/index.ts';
import { newRecoveryCodes } from '../../authentication/recovery-codes/index.ts';
import { guessSubject, totpPlace } from '../../authentication/second-factors/index.ts';
import {
  findTotpStep,
  presentTotpSecret,
  totpSecretOfFlow,
} from '../../authentication/totp/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import {
  completeEnrolment,
  countGuess,
  type EnrolmentDependencies,
  hashesOf,
  TOTP_NAME,
} from './enrol.ts';
import { presentFactor } from './present.ts';
import { findAccountName, insertConfirmedTotp } from './store.ts';

export interface FlowDependencies extends EnrolmentDependencies {
  readonly flows: Flows;
}

export interface AskedInFlow {
  readonly flowId: string;
  readonly token: string;
}

/** The key of an authenticator that the user of a flow may add: the same until it is confirmed. */
export async function showTotpOfFlow(
  { gate, dataKeys, flows }: FlowDependencies,
  tenant: Tenant,
  asked: AskedInFlow,
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
): Promise<{ flow: LoginFlow; secret: string; uri: string }> {
  const { flow, user } = await openTotp(flows, tenant, asked, fail);
  const secret = await dataKeys.use(tenant.id, (key) => totpSecretOfFlow(key, flow.id, user.id));
  const account = await gate.into(tenant.id).transaction((tx) => findAccountName(tx, user.id));
  const shown = await presentTotpSecret(secret, { issuer: tenant.name, account });
  return { flow: await flows.present(tenant, flow), ...shown };
}

interface Enrolled extends FlowAnswer {
  factor: FactorRecord;
  recovery_codes: string[];
}

/** Confirms that authenticator by a code of it, which proves it in the flow. */
export async function confirmTotpOfFlow(
  dependencies: FlowDependencies,
  tenant: Tenant,
  {
    name,
    code,
    device,
    ...asked
  }: AskedInFlow & {
    readonly name: string | undefined;
    readonly code: string;
    readonly device: Device;
  },
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'CODE_WRONG' | 'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'>,
): Promise<Enrolled> {
  const { gate, dataKeys, clock, flows, notify } = dependencies;
  const { flow, user } = await openTotp(flows, tenant, asked, fail);
  await countGuess(dependencies, tenant, user.id, fail);
  const id = newFactorId(clock.now());
  const [secret, sealed] = await dataKeys.use(tenant.id, (key) => {
    const plain = totpSecretOfFlow(key, flow.id, user.id);
    return [plain, seal(key, plain, totpPlace(tenant.id, id))] as const;
  });
  const step = (await findTotpStep(secret, code, clock.now())) ?? fail('CODE_WRONG');
  await giveBackAttempt(gate.into(tenant.id), guessSubject('totp', user.id), clock.now());
  const codes = newRecoveryCodes();
  const hashes = await hashesOf(dataKeys, tenant.id, user.id, codes);
  let factor: FactorRecord | undefined;
  const enrol = async (tx: TenantTx, { id: userId, authVersion }: FlowUser) => {
    const locked = await lockActiveUser(tx, userId);
    if (locked?.auth_version !== authVersion || locked.has_second_factor) return fail('FLOW_ENDED');
    const totp = { id, userId, name: name ?? TOTP_NAME, secret: sealed };
    const row = await insertConfirmedTotp(tx, totp, step);
    factor = presentFactor(tenant.id, row);
    const { authVersion: raised } = await completeEnrolment(
      tx,
      anonymous(device.from),
      row,
      hashes,
    );
    const kind = 'notice.factor_added';
    await notify(tx, tenant, { userId, kind, device: device.userAgent });
    return raised;
  };
  const answer = await flows.enrol(tenant, flow, 'totp', device, enrol, fail);
  return { ...answer, factor: factor ?? fail('FLOW_ENDED'), recovery_codes: codes };
}

async function openTotp(
  flows: Flows,
  tenant: Tenant,
  asked: AskedInFlow,
  fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
): Promise<{ readonly flow: StoredFlow; readonly user: FlowUser }> {
  const { flowId, token } = asked;
  const flow = await flows.open(tenant, flowId, token, 'enrol', fail, 'totp');
  return { flow, user: flow.user ?? fail('FLOW_ENDED') };
}

import type { Fail } from '@keywright/contract/errors';
import { type FactorId, parseFactorId, type UserId } from '@keywright/contract/ids';
import type { CreatedTotp, FactorRecord } from '@keywright/contract/records/factor';
import type { FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import { newFactorId } from '../../../platform/crypto/ids.ts';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import type { Device, UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAttempt, giveBackAttempt, rateLimitOf } from '../../authentication/attempts/index.ts';
import {
  afterEnrollment,
  type Flows,
  type FlowUser,
  type StoredFlow,
} from '../../authentication/flows/index.ts';
import {
  findTotpStep,
  GUESS_LIMITS,
  guessSubject,
  newTotpSecret,
  presentTotpSecret,
  totpPlace,
  totpSecretOfFlow,
} from '../../authentication/second-factors/index.ts';
import { anonymous, record } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import {
  confirmTotp,
  findAccountName,
  findUnconfirmed,
  insertConfirmedTotp,
  insertTotp,
  listFactors,
  lockActiveUser,
  lockOneself,
} from '../users/index.ts';
import { MAX_FACTORS, factorChange, presentFactor } from './factor-rules.ts';
import type { RecoveryCodeService } from './factor-service.ts';

const TOTP_NAME = 'Authenticator';
const UNCONFIRMED_MS = 60 * 60 * 1000;

interface FlowRef {
  readonly id: string;
  readonly token: string;
}

interface ConfirmationInFlow {
  readonly name: string | undefined;
  readonly code: string;
  readonly device: Device;
}

interface Enrolled extends FlowAnswer {
  factor: FactorRecord;
  recovery_codes: string[];
}

/** Adds authenticator apps: in a session, and in a login that requires a second factor. */
export class TotpEnrollmentService {
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

  /** Adds an authenticator, which has no effect until it is confirmed. */
  async add(
    { id: tenantId, name: issuer }: Tenant,
    caller: UserCaller,
    name: string | undefined,
    fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'TOO_MANY_FACTORS'>,
  ): Promise<CreatedTotp> {
    const { gate, dataKeys, clock } = this.#core;
    const { subject: userId } = caller;
    const plain = newTotpSecret();
    const id = newFactorId(clock.now());
    const secret = await dataKeys.use(tenantId, (key) => seal(key, plain, totpPlace(tenantId, id)));
    const [row, account] = await gate.into(tenantId).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      if ((await listFactors(tx, userId)).length >= MAX_FACTORS) fail('TOO_MANY_FACTORS');
      const expiresAt = new Date(tx.now.getTime() + UNCONFIRMED_MS);
      const added = await insertTotp(tx, {
        id,
        userId,
        name: name ?? TOTP_NAME,
        secret,
        expiresAt,
      });
      await record(tx, caller, factorChange('factor.begun', added));
      return [added, await findAccountName(tx, userId)] as const;
    });
    const shown = await presentTotpSecret(plain, { issuer, account });
    return { ...presentFactor(tenantId, row), ...shown };
  }

  /** Confirms an authenticator by one of its codes. */
  async confirm(
    tenant: Tenant,
    caller: UserCaller,
    { id: factorId, code }: { readonly id: string; readonly code: string },
    fail: Fail<
      'TOKEN_INVALID' | 'STEP_UP_REQUIRED' | 'NOT_FOUND' | 'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'
    >,
  ): Promise<{ readonly factor: FactorRecord; readonly recovery_codes: string[] | null }> {
    const { subject: userId } = caller;
    const id = parseFactorId(factorId) ?? fail('NOT_FOUND');
    const step = await this.#requireRightCode(tenant, userId, id, code, fail);
    const draft = await this.#recoveryCodes.draft(tenant.id, userId);
    return this.#core.gate.into(tenant.id).transaction(async (tx) => {
      await lockOneself(tx, caller, fail);
      const row = (await confirmTotp(tx, userId, id, step)) ?? fail('NOT_FOUND');
      const enrolled = await this.#recoveryCodes.completeEnrollment(tx, caller, row, draft);
      await this.#notices.notify(tx, tenant, { userId, kind: 'notice.factor_added' });
      return {
        factor: presentFactor(tenant.id, row),
        recovery_codes: enrolled.recoveryCodes,
      };
    });
  }

  /** The secret of an authenticator that the user of a flow can add. It does not change until it is confirmed. */
  async showInFlow(
    tenant: Tenant,
    ref: FlowRef,
    fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
  ): Promise<{ flow: LoginFlow; secret: string; uri: string }> {
    const { gate, dataKeys } = this.#core;
    const { flow, user } = await this.#openFlow(tenant, ref, fail);
    const secret = await dataKeys.use(tenant.id, (key) => totpSecretOfFlow(key, flow.id, user.id));
    const account = await gate.into(tenant.id).transaction((tx) => findAccountName(tx, user.id));
    const shown = await presentTotpSecret(secret, { issuer: tenant.name, account });
    return { flow: await this.#flows.present(tenant, flow), ...shown };
  }

  /** Confirms the authenticator of the flow by one of its codes, which also counts as a proof in the flow. */
  async confirmInFlow(
    tenant: Tenant,
    ref: FlowRef,
    { name = TOTP_NAME, code, device }: ConfirmationInFlow,
    fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED' | 'CODE_WRONG' | 'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'>,
  ): Promise<Enrolled> {
    const { dataKeys, clock } = this.#core;
    const { flow, user } = await this.#openFlow(tenant, ref, fail);
    await this.#countGuess(tenant, user.id, fail);
    const id = newFactorId(clock.now());
    const [plain, secret] = await dataKeys.use(tenant.id, (key) => {
      const unsealed = totpSecretOfFlow(key, flow.id, user.id);
      return [unsealed, seal(key, unsealed, totpPlace(tenant.id, id))] as const;
    });
    const step = (await findTotpStep(plain, code, clock.now())) ?? fail('CODE_WRONG');
    await this.#giveBackGuess(tenant, user.id);
    const draft = await this.#recoveryCodes.draft(tenant.id, user.id);
    let factor: FactorRecord | undefined;
    const { id: userId, authVersion } = user;
    const effect = async (tx: TenantTx) => {
      const locked = await lockActiveUser(tx, userId);
      const isUnchanged = locked?.auth_version === authVersion && !locked.has_second_factor;
      if (!isUnchanged) return fail('FLOW_ENDED');
      const row = await insertConfirmedTotp(tx, { id, userId, name, secret }, step);
      factor = presentFactor(tenant.id, row);
      const by = anonymous(device.from);
      const completed = await this.#recoveryCodes.completeEnrollment(tx, by, row, draft);
      const kind = 'notice.factor_added';
      await this.#notices.notify(tx, tenant, { userId, kind, device });
      return afterEnrollment(user, 'totp', completed.authVersion);
    };
    const commit = { effect, expected: afterEnrollment(user, 'totp', authVersion) };
    const answer = await this.#flows.commit(tenant, flow, commit, device, fail);
    return { ...answer, factor: factor ?? fail('FLOW_ENDED'), recovery_codes: draft.codes };
  }

  async #openFlow(
    tenant: Tenant,
    { id, token }: FlowRef,
    fail: Fail<'FLOW_ENDED' | 'STEP_NOT_NEEDED'>,
  ): Promise<{ readonly flow: StoredFlow; readonly user: FlowUser }> {
    const flow = await this.#flows.open(tenant, id, token, 'enroll', fail, 'totp');
    return { flow, user: flow.user ?? fail('FLOW_ENDED') };
  }

  /** The time step of a code from an unconfirmed authenticator. */
  async #requireRightCode(
    tenant: Tenant,
    userId: UserId,
    id: FactorId,
    code: string,
    fail: Fail<'NOT_FOUND' | 'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>,
  ): Promise<number> {
    const { gate, dataKeys, clock } = this.#core;
    const row = await gate.into(tenant.id).transaction((tx) => findUnconfirmed(tx, userId, id));
    const sealed = row?.totp_secret ?? fail('NOT_FOUND');
    await this.#countGuess(tenant, userId, fail);
    const place = totpPlace(tenant.id, id);
    const secret = await dataKeys.use(tenant.id, (key) => unseal(key, sealed, place));
    const step = (await findTotpStep(secret, code, clock.now())) ?? fail('CODE_WRONG');
    await this.#giveBackGuess(tenant, userId);
    return step;
  }

  /** Counts the attempt before the code is compared, so that concurrent guesses cannot exceed the limit. */
  async #countGuess(
    tenant: Tenant,
    userId: UserId,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<void> {
    const { gate, clock } = this.#core;
    const subject = guessSubject('totp', userId);
    const wait = await countAttempt(gate.into(tenant.id), GUESS_LIMITS, subject, clock.now());
    if (wait === undefined) return;
    const limits = [rateLimitOf('user', GUESS_LIMITS)];
    fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait, limits });
  }

  async #giveBackGuess(tenant: Tenant, userId: UserId): Promise<void> {
    const { gate, clock } = this.#core;
    await giveBackAttempt(gate.into(tenant.id), guessSubject('totp', userId), clock.now());
  }
}

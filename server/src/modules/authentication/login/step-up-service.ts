import type { Acr } from '@keywright/contract/authentication';
import type { Fail } from '@keywright/contract/errors';
import type { SessionId } from '@keywright/contract/ids';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findCapturedAddress, findFirstIdentifier } from '../../identity/users/index.ts';
import type { Flows } from '../flows/index.ts';

/** A session with a login that the tenant would no longer accept. */
interface WeakSession {
  readonly sessionId: SessionId;
  readonly identifier: string;
  /** The assurance level that the session must be raised to. */
  readonly acr: Acr;
}

/** Steps existing sessions up with stronger or more recent logins (RFC 9470). */
export class StepUpService {
  readonly #gate: Gate;
  readonly #flows: Flows;

  constructor(gate: Gate, flows: Flows) {
    this.#gate = gate;
    this.#flows = flows;
  }

  /** Starts a flow that steps up the caller's session. */
  async start(
    tenant: Tenant,
    { subject, sessionId: stepsUp }: UserCaller,
    acr: Acr | undefined,
    locale: string | undefined,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<StartedFlow> {
    const data = this.#gate.into(tenant.id);
    const identifier =
      (await findCapturedAddress(data, tenant, subject)) ??
      (await data.transaction((tx) => findFirstIdentifier(tx, subject))) ??
      fail('TOKEN_INVALID');
    const request = { purpose: 'step_up', identifier, workspaceId: undefined } as const;
    return this.#flows.start(tenant, { ...request, stepsUp, acr, locale });
  }

  /** Rejects a refresh, and offers the flow that steps up its session. */
  async offer(
    tenant: Tenant,
    { sessionId: stepsUp, identifier, acr }: WeakSession,
    fail: Fail<'STEP_UP_REQUIRED'>,
  ): Promise<never> {
    const request = { purpose: 'step_up', identifier, workspaceId: undefined } as const;
    const { flow, flow_token } = await this.#flows.start(tenant, { ...request, stepsUp, acr });
    return fail('STEP_UP_REQUIRED', { stepUp: { acr }, flow: { ...flow, flow_token } });
  }
}

import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import { finishTestLogin } from '@keywright/contract/routes/test-logins';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { SpentStatements } from '../../tokens/proofs/index.ts';
import type { Seals } from '../grants/index.ts';

/** A test login, sealed into its URL. */
export interface TestLogin {
  readonly id: string;
  readonly clientId: OAuthClientId;
  /** The administrator who started the test. */
  readonly by: { readonly userId: UserId; readonly sessionId: SessionId };
  /** Undefined: all scopes of the client. */
  readonly scopes?: readonly string[] | undefined;
  readonly prompt?: string | undefined;
  /** Epoch seconds. */
  readonly exp: number;
}

/** A test login in progress, sealed to the flow cookie of the browser that opened it. */
export interface OpenedTest extends TestLogin {
  /** RFC 7636 §4.1. */
  readonly verifier: string;
  readonly requested: readonly string[];
}

/** Seals test logins, so that they need not be stored. Only their used steps are. */
export class SealedTests {
  readonly #seals: Seals;
  readonly #spentStatements: SpentStatements;
  readonly #clock: Clock;

  constructor(seals: Seals, spentStatements: SpentStatements, clock: Clock) {
    this.#seals = seals;
    this.#spentStatements = spentStatements;
    this.#clock = clock;
  }

  /** @param flow the cookie of the only browser that can use the result; undefined: any browser */
  seal({ id: tenantId }: Tenant, test: TestLogin, flow?: string): Promise<string> {
    return this.#seals.seal(test, contextOf(tenantId, flow));
  }

  /** @returns undefined if the test has expired, or was sealed for another tenant or browser */
  async open(tenant: Tenant, sealed: string): Promise<TestLogin | undefined>;
  async open(tenant: Tenant, sealed: string, flow: string): Promise<OpenedTest | undefined>;
  async open({ id }: Tenant, sealed: string, flow?: string): Promise<TestLogin | undefined> {
    const test = (await this.#seals.open(sealed, contextOf(id, flow))) as TestLogin | undefined;
    return test && epochSeconds(this.#clock.now()) < test.exp ? test : undefined;
  }

  /** @returns false if this step of the test was already taken */
  take({ id: tenantId }: Tenant, step: 'start' | 'result', { id, exp }: TestLogin) {
    const statement = { maker: `test login: ${step}`, jti: id, endsAt: new Date(exp * 1000) };
    return this.#spentStatements.spend({ tenantId, ...statement });
  }
}

function contextOf(tenantId: Tenant['id'], flow: string | undefined) {
  return { tenantId, purpose: 'test login', ...(flow && { boundTo: flow }) } as const;
}

/** The URL to which the browser returns with the code. */
export function resultUrl({ id, issuer }: Tenant): string {
  return new URL(finishTestLogin.path.replace(':tenant_id', id), issuer).href;
}

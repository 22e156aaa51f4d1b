import type { LoginFlowId, TenantId, UserId } from '@keywright/contract/ids';
import { Challenges } from '@keywright/server/modules/authentication/flows/challenge-service';
import type { Shown } from '@keywright/server/modules/authentication/proofs/proof-rules';
import { messageSecrets } from '@keywright/server/modules/events/messages/message-secrets';
import { newLoginFlowId, newUserId } from '@keywright/server/platform/crypto/ids';
import { type Core, defineModule } from '@keywright/server/tenancy/module';
import { redeemChallenge } from '../../server/sql/authentication/kw_redeem_challenge.ts';
import type { Tenant } from '@keywright/server/tenancy/tenant';
import { type Keywright, type KeywrightOptions, startKeywright } from './keywright.ts';

type Sending = Parameters<Challenges['send']>[1];

/** Challenges that return the owner of a redeemed code or link, or undefined for a link that proved nothing. */
interface RedeemableChallenges extends Pick<
  Challenges,
  'send' | 'guess' | 'compare' | 'use' | 'find'
> {
  redeemCode(
    tenant: Tenant,
    sending: Sending,
    code: string,
  ): Promise<{ readonly outcome: string; readonly shown?: Shown | undefined }>;
  redeemLink(tenant: Tenant, sending: Sending, linkToken: string): Promise<Shown | undefined>;
}

/** The service, and the challenges of each node. */
export interface WithChallenges {
  readonly keywright: Keywright;
  readonly nodes: readonly RedeemableChallenges[];
  /** The secrets sent in a flow. */
  readonly secretsOf: (
    flowId: string,
    tenantId?: TenantId,
  ) => Promise<{ code: string; linkToken: string }>;
}

export const HOME = { id: 'org_default' as TenantId } as Tenant;

let flows = 0;

/** A login of a user with a unique address. */
export function newSending(fields: Partial<Sending> = {}): Sending {
  flows += 1;
  return {
    flowId: newLoginFlowId(new Date()),
    kind: 'login',
    identifier: `user-${flows}@example.org`,
    user: { userId: newUserId(new Date()) satisfies UserId, authVersion: 0 },
    isDecoy: 'user' in fields && fields.user === undefined,
    locale: undefined,
    from: { address: `2001:db8:0:${flows}::1`, requestId: 'a test' },
    ...fields,
  };
}

export async function startWithChallenges(options: KeywrightOptions): Promise<WithChallenges> {
  const cores: Core[] = [];
  const spy = defineModule('a test of challenges', (core) => {
    cores.push(core);
    return {};
  });
  const keywright = await startKeywright({ ...options, modules: [spy] });
  const nodes = keywright.nodes.map(({ messages }, place) => {
    const core = cores[place] as Core;
    const challenges = new Challenges(core, messages.queue, messages.limits);
    return redeemable(keywright, core, challenges);
  });
  return {
    keywright,
    nodes,
    async secretsOf(flowId, tenantId = HOME.id) {
      const [row] = await keywright.database.query<{ id: string; kind: string }>(
        'SELECT id, kind FROM challenges WHERE flow_id = $1',
        [flowId],
      );
      if (!row) throw new Error('Nothing was sent.');
      return (cores[0] as Core).dataKeys.use(tenantId, (key) => messageSecrets(key, row));
    },
  };
}

/** Adds what the steps of a flow do with a valid code or link. */
function redeemable(
  { database }: Keywright,
  { gate, clock }: Core,
  challenges: Challenges,
): RedeemableChallenges {
  async function redeem({ id: tenant }: Tenant, flow: LoginFlowId, challenge: string) {
    const params = { flow, version: 0, challenge, proof: null, now: clock.now() };
    const [row] = await gate.into(tenant).call(redeemChallenge, params);
    return row?.answer === true;
  }
  return {
    guess: (...args) => challenges.guess(...args),
    compare: (...args) => challenges.compare(...args),
    use: (...args) => challenges.use(...args),
    find: (...args) => challenges.find(...args),
    async send(tenant, sending) {
      await database.query(
        `INSERT INTO login_flows (tenant_id, id, purpose, token_hash, identifier, created_at, expires_at)
         VALUES ($1, $2, 'login', '', '', now(), now() + interval '1 year') ON CONFLICT DO NOTHING`,
        [tenant.id, sending.flowId],
      );
      return challenges.send(tenant, sending);
    },
    async redeemCode(tenant, sending, code) {
      const guess = await challenges.guess(tenant, sending, code);
      if (guess.outcome !== 'right') return guess;
      const { id, sentTo: shown } = guess.challenge;
      const isProven = shown && (await redeem(tenant, sending.flowId, id));
      return isProven ? { outcome: 'proven', shown } : { outcome: 'used' };
    },
    async redeemLink(tenant, sending, linkToken) {
      const link = await challenges.find(tenant, linkToken);
      const isIts = link?.kind === sending.kind;
      return isIts && (await redeem(tenant, sending.flowId, link.id)) ? link.sentTo : undefined;
    },
  };
}

import type { TenantId, UserId } from '@keywright/contract/ids';
import {
  type Challenges,
  createChallenges,
} from '@keywright/server/modules/authentication/challenges/service';
import { messageSecrets } from '@keywright/server/modules/authentication/message-codes/index';
import { newLoginFlowId, newUserId } from '@keywright/server/platform/crypto/ids';
import { type Core, defineModule } from '@keywright/server/tenancy/module';
import type { Tenant } from '@keywright/server/tenancy/tenant';
import { type Keywright, type KeywrightOptions, startKeywright } from './keywright.ts';

type Sending = Parameters<Challenges['send']>[1];

/** The service, and the challenges of each node. */
export interface WithChallenges {
  readonly keywright: Keywright;
  readonly nodes: readonly Challenges[];
  /** What was sent in a flow. */
  readonly secretsOf: (flowId: string) => Promise<{ code: string; linkToken: string }>;
}

export const HOME = { id: 'org_default' as TenantId } as Tenant;

let flows = 0;

/** A login of somebody with this address, whom nobody else names. */
export function newSending(fields: Partial<Sending> = {}): Sending {
  flows += 1;
  return {
    flowId: newLoginFlowId(new Date()),
    kind: 'login',
    identifier: `user-${flows}@example.org`,
    user: { userId: newUserId(new Date()) satisfies UserId, authVersion: 0 },
    locale: undefined,
    from: { address: `2001:db8:0:${flows}::1`, isShared: false, requestId: 'a test' } as const,
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
  const nodes = keywright.nodes.map(({ messages }, place) =>
    createChallenges({ ...(cores[place] as Core), ...messages }),
  );
  return {
    keywright,
    nodes,
    async secretsOf(flowId) {
      const [row] = await keywright.database.query<{ id: string; kind: string }>(
        'SELECT id, kind FROM challenges WHERE flow_id = $1',
        [flowId],
      );
      if (!row) throw new Error('Nothing was sent.');
      return (cores[0] as Core).dataKeys.use(HOME.id, (key) => messageSecrets(key, row));
    },
  };
}

import type { TenantId } from '@keywright/contract/ids';
import {
  invitationTokenOf,
  isInvitationId,
  type MessageSecrets,
  messageSecrets,
  undoTokenOf,
} from '@keywright/server/modules/events/messages/message-secrets';
import { type Core, defineModule, type Module } from '@keywright/server/tenancy/module';
import type { Keywright } from './keywright.ts';

/** The secrets sent in a flow. */
export type SecretsOf = (tenantId: TenantId, flowId: string) => Promise<MessageSecrets>;

/** Derives secrets that are not stored, from the service's own keys. */
export interface SecretsWatch {
  /** Passed to the options of the service. */
  readonly module: Module;
  /** The token of an invitation or of an undo, by its id. */
  readonly tokenOf: (tenantId: TenantId, id: string) => Promise<string>;
  readonly of: (keywright: Pick<Keywright, 'database'>) => SecretsOf;
}

export function watchSecrets(): SecretsWatch {
  let core: Core | undefined;
  return {
    module: defineModule('a test that reads messages', (moduleCore) => {
      core ??= moduleCore;
      return {};
    }),
    async tokenOf(tenantId, id) {
      if (!core) throw new Error('Nothing was started.');
      return core.dataKeys.use(tenantId, (key) =>
        isInvitationId(id) ? invitationTokenOf(key, id) : undoTokenOf(key, id),
      );
    },
    of:
      ({ database }) =>
      async (tenantId, flowId) => {
        const [row] = await database.query<{ id: string; kind: string }>(
          'SELECT id, kind FROM challenges WHERE tenant_id = $1 AND flow_id = $2',
          [tenantId, flowId],
        );
        if (!row || !core) throw new Error('Nothing was sent.');
        return core.dataKeys.use(tenantId, (key) => messageSecrets(key, row));
      },
  };
}

import type { TenantId } from '@keywright/contract/ids';
import type { Messages } from '@keywright/server/modules/events/messages/module';
import type { NewMessage } from '@keywright/server/modules/events/messages/message';
import { type Core, defineModule } from '@keywright/server/tenancy/module';
import { sql } from 'kysely';
import { type Keywright, type KeywrightOptions, startKeywright } from './keywright.ts';

type Row = Readonly<Record<string, unknown>>;
type Wanted = Partial<NewMessage> & Pick<NewMessage, 'destination'>;

const TEN_MINUTES_MS = 600_000;

/** The service, and its messages. */
export interface WithMessages {
  readonly keywright: Keywright;
  readonly core: Core;
  readonly messages: Messages;
  /** A login message, unless the wanted one says otherwise. */
  readonly message: (wanted: Wanted, now: Date) => NewMessage;
  readonly queue: (tenantId: TenantId, wanted: Wanted) => Promise<void>;
  /** Queues a message on a node that dies before it sends it. */
  readonly abandon: (tenantId: TenantId, wanted: Wanted) => Promise<void>;
  /** Many in one transaction. */
  readonly abandonAll: (tenantId: TenantId, wanted: readonly Wanted[]) => Promise<void>;
  /** The stored rows, oldest first. */
  readonly rows: (tenantId: TenantId) => Promise<readonly Row[]>;
}

export async function startWithMessages(options: KeywrightOptions): Promise<WithMessages> {
  let core: Core | undefined;
  const spy = defineModule('a test of messages', (given) => {
    core ??= given;
    return {};
  });
  const keywright = await startKeywright({ ...options, modules: [spy] });
  const [node] = keywright.nodes;
  if (!core || !node) throw new Error('There is no node.');
  return around(keywright, core, node.messages);
}

function around(keywright: Keywright, core: Core, messages: Messages): WithMessages {
  const message = (wanted: Wanted, now: Date): NewMessage => ({
    kind: 'login',
    channel: 'email',
    userId: null,
    challengeId: null,
    locale: undefined,
    vars: {},
    expiresAt: new Date(now.getTime() + TEN_MINUTES_MS),
    ...wanted,
  });
  const queue: WithMessages['queue'] = async (tenantId, wanted) => {
    await core.gate
      .into(tenantId)
      .transaction((tx) => messages.queue.enqueue(tx, message(wanted, tx.now)));
  };
  const abandonAll: WithMessages['abandonAll'] = (tenantId, all) =>
    core.gate.into(tenantId).transaction(async (tx) => {
      const deaf = { ...tx, afterCommit: () => undefined };
      for (const wanted of all) await messages.queue.enqueue(deaf, message(wanted, tx.now));
    });
  return {
    keywright,
    core,
    messages,
    message,
    queue,
    abandon: (tenantId, wanted) => abandonAll(tenantId, [wanted]),
    abandonAll,
    rows: (tenantId) =>
      core.gate.into(tenantId).transaction(async ({ db }) => {
        const { rows } = await sql<Row>`SELECT * FROM messages ORDER BY id`.execute(db);
        return rows;
      }),
  };
}

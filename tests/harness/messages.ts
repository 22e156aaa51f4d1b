import type { TenantId } from '@keywright/contract/ids';
import type { Messages } from '@keywright/server/modules/events/messages/module';
import type { NewMessage } from '@keywright/server/modules/events/messages/message';
import { type Core, defineModule } from '@keywright/server/tenancy/module';
import { sql } from 'kysely';
import { type Keywright, type KeywrightOptions, startKeywright } from './keywright.ts';

type Row = Readonly<Record<string, unknown>>;
type MessageInput = Partial<NewMessage> & Pick<NewMessage, 'destination'>;

const TEN_MINUTES_MS = 600_000;

/** The service, and its messages. */
export interface WithMessages {
  readonly keywright: Keywright;
  readonly core: Core;
  readonly messages: Messages;
  /** A login message, unless the wanted one says otherwise. */
  readonly message: (input: MessageInput, now: Date) => NewMessage;
  readonly queue: (tenantId: TenantId, input: MessageInput) => Promise<void>;
  /** Queues a message on a node that dies before it sends it. */
  readonly abandon: (tenantId: TenantId, input: MessageInput) => Promise<void>;
  /** Many in one transaction. */
  readonly abandonAll: (tenantId: TenantId, inputs: readonly MessageInput[]) => Promise<void>;
  /** The stored rows, oldest first. */
  readonly rows: (tenantId: TenantId) => Promise<readonly Row[]>;
}

export async function startWithMessages(options: KeywrightOptions): Promise<WithMessages> {
  let core: Core | undefined;
  const spy = defineModule('a test of messages', (moduleCore) => {
    core ??= moduleCore;
    return {};
  });
  const keywright = await startKeywright({ ...options, modules: [spy] });
  const [node] = keywright.nodes;
  if (!core || !node) throw new Error('There is no node.');
  return around(keywright, core, node.messages);
}

function around(keywright: Keywright, core: Core, messages: Messages): WithMessages {
  const message = (input: MessageInput, now: Date): NewMessage => ({
    kind: 'login',
    channel: 'email',
    userId: null,
    challengeId: null,
    locale: undefined,
    vars: {},
    expiresAt: new Date(now.getTime() + TEN_MINUTES_MS),
    ...input,
  });
  const queue: WithMessages['queue'] = async (tenantId, input) => {
    await core.gate
      .into(tenantId)
      .transaction((tx) => messages.queue.enqueue(tx, message(input, tx.now)));
  };
  const abandonAll: WithMessages['abandonAll'] = (tenantId, all) =>
    core.gate.into(tenantId).transaction(async (tx) => {
      const deaf = { ...tx, afterCommit: () => undefined };
      for (const input of all) await messages.queue.enqueue(deaf, message(input, tx.now));
    });
  return {
    keywright,
    core,
    messages,
    message,
    queue,
    abandon: (tenantId, input) => abandonAll(tenantId, [input]),
    abandonAll,
    rows: (tenantId) =>
      core.gate.into(tenantId).transaction(async ({ db }) => {
        const { rows } = await sql<Row>`SELECT * FROM messages ORDER BY id`.execute(db);
        return rows;
      }),
  };
}

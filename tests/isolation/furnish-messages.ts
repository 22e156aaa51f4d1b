// What the world of the matrix has for messages.

import { newMessageId } from '@keywright/server/platform/crypto/ids';
import { expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';

export interface MessageFurniture {
  readonly suppressionId: string;
  /** The token in the URL that email providers report to. */
  readonly feedbackToken: string;
  /** Returns the id of the suppression. */
  suppress(address: string): Promise<string>;
}

/** Two suppressed addresses, and two messages that are never sent. */
export async function furnishMessages(
  { nodes, database }: Keywright,
  tenant: TestTenant,
  slug: string,
): Promise<MessageFurniture> {
  const suppress = async (address: string) => {
    await nodes[0]?.messages.messageLog.suppress(tenant.id, address, 'bounce');
    const token = await tenant.adminToken();
    const path = `/messaging/suppressions/${address}`;
    return String(expectStatus(200, await tenant.request('GET', path, { token }))['id']);
  };
  for (const index of [1, 2]) {
    const id = newMessageId(new Date());
    await database.query(
      `INSERT INTO messages
         (tenant_id, id, kind, channel, destination, masked_destination, vars, queue_key, status, due_at, expires_at, created_at)
       VALUES ($1, $2, 'login', 'email', '', $3, '{}', 'email', 'expired', now(), now(), now())`,
      [tenant.id, id, `${index}…@${slug}….example`],
    );
  }
  await suppress(`other@${slug}.example.com`);
  const options = { token: await tenant.adminToken() };
  const { url } = expectStatus(200, await tenant.request('GET', '/messaging/feedback', options));
  const feedbackToken = String(url).split('/').at(-1) ?? '';
  return {
    suppressionId: await suppress(`gone@${slug}.example.com`),
    feedbackToken,
    suppress,
  };
}

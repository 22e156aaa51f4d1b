import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';
import type { JobRow } from '../../../tenancy/jobs/store.ts';
import type { Clients } from '../clients/index.ts';
import type { LogoutToken } from './logout-token.ts';
import { judgeTelling } from './rules.ts';

const TIMEOUT_MS = 10_000;
/** Nothing of the answer is read. */
const MAX_BYTES = 1024;

/** What a client is to be told. */
export interface LogoutRow extends JobRow {
  /** The session that ended. */
  readonly id: SessionId;
  /** The client. */
  readonly queue_key: OAuthClientId;
  readonly user_id: UserId;
}

interface TellDependencies {
  readonly clients: Clients;
  readonly directory: TenantDirectory;
  readonly egress: Egress;
  readonly logoutToken: LogoutToken;
}

/** Tells a client that a session of it has ended. Never throws because of the client. */
export type Tell = (job: LogoutRow) => Promise<Outcome>;

export function createTell({ clients, directory, egress, logoutToken }: TellDependencies): Tell {
  return async ({ tenant_id: tenantId, queue_key: clientId, id: sessionId, user_id: userId }) => {
    const tenant = await directory.findById(tenantId);
    const client = await clients.find(tenantId, clientId);
    if (!tenant || !client?.backchannel_logout_uri)
      return { outcome: 'failed', reason: NO_ADDRESS };
    const token = await logoutToken({ tenant, client, userId, sessionId });
    const outcome = await egress.send({
      method: 'POST',
      url: client.backchannel_logout_uri,
      onBehalfOf: tenantId,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      truncate: true,
    });
    return judgeTelling(outcome);
  };
}

const NO_ADDRESS = 'no_address: The client has no backchannel_logout_uri any more.';

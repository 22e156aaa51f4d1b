// Sessions that are opened from others, as an OAuth client will open them.

import { randomBytes } from 'node:crypto';
import type { SessionId, TenantId, UserId } from '@keywright/contract/ids';
import { serializeChanges } from '@keywright/server/modules/events/journal/index';
import type { NewSession, SessionUse } from '@keywright/server/modules/tokens/sessions/store';
import { newSessionId } from '@keywright/server/platform/crypto/ids';
import { passwordPermit } from './permit.ts';
import type { openSessionParts } from './session-parts.ts';

const LIFE_MS = 3_600_000;

const DIRECT = { clientId: null, parentId: null, scopes: null };
export const API: SessionUse = { kind: 'api', ...DIRECT };
export const BROWSER: SessionUse = { kind: 'browser', ...DIRECT };

/** @param parentId the browser session that it ends with */
export function ofClient(parentId: SessionId | null, clientId = 'client_one'): SessionUse {
  return { kind: 'client', clientId, parentId, scopes: ['read:users'] };
}

type Parts = Awaited<ReturnType<typeof openSessionParts>>['parts'];

/** A session as it is handed to the statement that opens it. */
export async function draftSession(
  { keys }: Parts,
  tenantId: TenantId,
  userId: UserId,
  use: SessionUse,
  { secretHash = randomBytes(32), refreshKid = 'kid' } = {},
): Promise<NewSession> {
  const now = new Date();
  const id = newSessionId(now);
  const auditKey = await keys.auditKeys.find(tenantId);
  if (!auditKey) throw new Error(`The tenant ${tenantId} has no data key.`);
  const from = { address: '192.0.2.1', requestId: 'test' };
  const entry = {
    action: 'auth.login',
    target: { kind: 'session', id },
    details: { workspace_id: 'ws_default' },
  } as const;
  const end = new Date(now.getTime() + LIFE_MS);
  return {
    id,
    tenantId,
    permit: passwordPermit(tenantId, userId, 0, now),
    use,
    workspaceId: undefined,
    userAgent: null,
    address: from.address,
    now,
    changes: serializeChanges(
      auditKey,
      tenantId,
      { kind: 'user', subject: userId, sessionId: id, from },
      [entry],
      now,
    ),
    expiresAt: end,
    endsAt: end,
    secretHash,
    refreshKid: use.kind === 'browser' ? null : refreshKid,
    bit: 0,
    attempts: [],
  };
}

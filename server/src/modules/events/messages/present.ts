import type {
  MessageRecord,
  MessageState,
  SuppressionRecord,
} from '@keywright/contract/records/message';
import type { LoggedMessage } from './log-store.ts';
import type { SuppressionRow } from './suppressions-store.ts';

const REASON_CHARACTERS = 200;

export function presentMessage(row: LoggedMessage): MessageRecord {
  const isPending = row.status === 'pending';
  const dueAt = row.due_at.toISOString();
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    user_id: row.user_id,
    kind: row.kind as MessageRecord['kind'],
    channel: row.channel as MessageRecord['channel'],
    to: row.masked_destination,
    status: stateOf(row),
    attempts: row.attempts,
    smtp_code: codeIn(row.reason),
    reason: row.reason?.slice(0, REASON_CHARACTERS) ?? null,
    next_attempt_at: isPending ? dueAt : null,
    ended_at: isPending ? null : dueAt,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}

function stateOf({ status, reason }: LoggedMessage): MessageState {
  if (status === 'done') return reason === null ? 'sent' : 'not_sent';
  return status as MessageState;
}

/** `smtp_550: …`, or `login_refused: … (535)`. */
function codeIn(reason: string | null): number | null {
  const [, code] = /^smtp_(\d{3}):/.exec(reason ?? '') ?? /\((\d{3})\)$/.exec(reason ?? '') ?? [];
  return code === undefined ? null : Number(code);
}

export function presentSuppression(row: SuppressionRow): SuppressionRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    to: row.masked_destination,
    reason: row.reason as SuppressionRecord['reason'],
    created_at: row.created_at.toISOString(),
  };
}

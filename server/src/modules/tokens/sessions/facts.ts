import type { SessionId, UserId } from '@keywright/contract/ids';
import type { AuthenticationRow, SessionFacts } from './store.ts';

interface ToldRow extends AuthenticationRow {
  /** Null unless it was asked for. */
  readonly metadata: {
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly updated_at: number;
  } | null;
}

export function factsOf(id: SessionId, userId: UserId, row: ToldRow): SessionFacts {
  const { auth_time: authTime, acr, amr, metadata: told } = row;
  const { metadata = {}, updated_at: updatedAt } = told ?? {};
  return { id, userId, authTime, acr, amr, metadata, updatedAt };
}

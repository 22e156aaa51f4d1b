import type { FactorId, UserId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { Change } from '../../events/journal/index.ts';

/** A factor, as records of changes name it. */
interface ChangedFactor {
  readonly id: FactorId;
  readonly user_id: UserId;
  readonly type: string;
  readonly confirmed_at: Date | null;
}

/** The records of a factor that was begun, added or removed. Events are about factors that count. */
export function factorChange(
  action: 'factor.begun' | 'factor.added' | 'factor.removed',
  { id, user_id, type: asText, confirmed_at: confirmedAt }: ChangedFactor,
): Change {
  const type = asText as FactorRecord['type'];
  const data = { factor_id: id, user_id, type };
  return {
    action,
    target: { kind: 'factor', id },
    details: { user_id, type },
    events: action === 'factor.begun' || confirmedAt === null ? [] : [{ type: action, data }],
  };
}

/** The record of a factor that was renamed, or whose codes were replaced. */
export function factorUpdate(
  { id, user_id }: Pick<ChangedFactor, 'id' | 'user_id'>,
  fields: string[],
): Change {
  return {
    action: 'factor.updated',
    target: { kind: 'factor', id },
    details: { user_id, fields },
  };
}

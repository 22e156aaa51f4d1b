import type { ApiKeyId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { createUses, type NoteUse, type Uses } from '../../../tenancy/uses.ts';
import { writeUses } from './uses-store.ts';

export type NoteKeyUse = NoteUse<ApiKeyId>;

/** When keys were last used, to the minute. */
export function createKeyUses(gate: Gate, clock: Clock, log: Log): Uses<ApiKeyId> {
  const write = writeUses.bind(undefined, gate);
  return createUses({ clock, log }, { what: 'API keys', periodMs: 60_000, write });
}

import { batched } from '../../../platform/db/batch.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { findAllEffectivePermissions, type Question, type EffectivePermissions } from './store.ts';

/**
 * The current permissions of a subject, and its membership, read from the database each time; many in one statement.
 */
export type FindEffectivePermissions = (question: Question) => Promise<EffectivePermissions>;

export function createFindEffectivePermissions(gate: Gate): FindEffectivePermissions {
  return batched((questions: readonly Question[]) => findAllEffectivePermissions(gate, questions), {
    size: 256,
    flights: 2,
  });
}

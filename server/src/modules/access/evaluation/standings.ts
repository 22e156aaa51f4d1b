import { batched } from '../../../platform/db/batch.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { findStandings, type Question, type Standing } from './store.ts';

/** What somebody holds now and where they are, asked of the database each time; many in one statement. */
export type FindStanding = (question: Question) => Promise<Standing>;

export function createFindStanding(gate: Gate): FindStanding {
  return batched((questions: readonly Question[]) => findStandings(gate, questions), {
    size: 256,
    flights: 2,
  });
}

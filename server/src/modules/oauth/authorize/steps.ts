import type { Router } from '../../../tenancy/router.ts';
import { createBeginnings } from './beginnings.ts';
import { createFactorProofs } from './factor-proofs.ts';
import { createProofs } from './proofs.ts';
import type { Step } from './step-call.ts';

/** The steps of a login, by the name of their button. Each does what the route of that name does. */
export function createSteps({ perform }: Pick<Router, 'perform'>): ReadonlyMap<string, Step> {
  const proofs = createProofs(perform);
  const beginnings = createBeginnings(perform, proofs);
  const all = { ...beginnings, ...proofs, ...createFactorProofs(perform) };
  return new Map(Object.entries(all));
}

import type { Router } from '../../../tenancy/router.ts';
import type { Challenges, Flows } from '../../authentication/flows/index.ts';
import type { DeviceGrants } from '../device-grants/index.ts';
import type { FindLook } from '../../branding/brand/index.ts';
import type { EntryDependencies } from './entry.ts';
import type { FactorPages } from './factor-pages.ts';
import type { createSteps } from './steps.ts';

export interface JourneyDependencies extends EntryDependencies {
  readonly flows: Flows;
  readonly challenges: Challenges;
  readonly perform: Router['perform'];
  readonly steps: ReturnType<typeof createSteps>;
  readonly factorPages: FactorPages;
  readonly findLook: FindLook;
  readonly deviceGrants: DeviceGrants;
}

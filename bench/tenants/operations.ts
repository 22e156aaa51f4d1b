import type { Traffic } from '../measure/traffic.ts';
import { keySetsOf } from '../rows/key-set.ts';
import { loginsOf } from '../rows/login.ts';
import { meOf } from '../rows/me.ts';
import { refreshesOf } from '../rows/refresh.ts';
import type { Person } from '../target/seed.ts';
import type { Installation } from './installation.ts';

/** A request that is measured on every installation. */
export interface Operation {
  readonly name: string;
  readonly traffic: (people: readonly Person[], password: string, connections: number) => Traffic;
}

export const OPERATIONS: readonly Operation[] = [
  { name: 'login', traffic: loginsOf },
  { name: 'refresh', traffic: (people, _, connections) => refreshesOf(people, connections) },
  { name: 'me', traffic: (people, _, connections) => meOf(people, connections) },
  {
    name: 'key-set',
    traffic: (people, _, connections) => keySetsOf(tenantsOf(people), connections),
  },
];

const SOME = 1000;

/** Whom the requests come from. The two have nobody in common: a refresh token is good for one use. */
export const REACHES = [
  { name: 'some', people: ({ people }: Installation) => people.slice(0, SOME) },
  { name: 'all', people: ({ people }: Installation) => people.slice(SOME) },
] as const;
export type Reach = (typeof REACHES)[number];

function tenantsOf(people: readonly Person[]): string[] {
  return [...new Set(people.map((person) => person.tenantId))];
}

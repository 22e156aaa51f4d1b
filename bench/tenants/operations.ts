import { cycles, type Traffic } from '../measure/traffic.ts';
import { keysOf } from '../rows/api-key.ts';
import { keySetsOf } from '../rows/key-set.ts';
import { loginsOf } from '../rows/login.ts';
import { meOf } from '../rows/me.ts';
import { refreshesOf } from '../rows/refresh.ts';
import type { TenantKey } from '../target/machines.ts';
import type { Person } from '../target/seed.ts';
import type { Installation } from './installation.ts';

/** The senders of requests. */
interface Senders {
  readonly people: readonly Person[];
  readonly keys: readonly TenantKey[];
  readonly authorizations: readonly string[];
  /** Of every person. */
  readonly password: string;
  readonly connections: number;
}

/** A request that is measured on every installation. */
export interface Operation {
  readonly name: string;
  readonly traffic: (askers: Senders) => Traffic;
}

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'login',
    traffic: ({ people, password, connections }) => loginsOf(people, password, connections),
  },
  { name: 'refresh', traffic: ({ people, connections }) => refreshesOf(people, connections) },
  { name: 'me', traffic: ({ people, connections }) => meOf(people, connections) },
  { name: 'api-key', traffic: ({ keys, connections }) => keysOf(keys, connections) },
  {
    name: 'key-set',
    traffic: ({ people, connections }) => keySetsOf(tenantsOf(people), connections),
  },
  {
    name: 'authorize',
    traffic: ({ authorizations, connections }) => ({
      scripts: cycles(authorizations, connections),
      expected: { status: 303, contains: '/oauth/continue?request=' },
    }),
  },
];

const SOME = 1000;

/** The two are disjoint, because a refresh token can be used only once. */
export const REACHES = [
  { name: 'some', of: <One>(all: readonly One[]) => all.slice(0, SOME) },
  { name: 'all', of: <One>(all: readonly One[]) => all.slice(SOME) },
] as const;
export type Reach = (typeof REACHES)[number];

/** @param reach absent: everyone sends requests */
export function sendersOf(
  { bench, people, keys, authorizations }: Installation,
  reach?: Reach,
): Senders {
  const { connections } = bench.options;
  const { password } = bench.seed;
  if (!reach) return { people, keys, authorizations, password, connections };
  return {
    people: reach.of(people),
    keys: reach.of(keys),
    authorizations: reach.of(authorizations),
    password,
    connections,
  };
}

function tenantsOf(people: readonly Person[]): string[] {
  return [...new Set(people.map((person) => person.tenantId))];
}

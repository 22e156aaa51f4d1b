import { cycles, httpRequest, type Traffic } from '../measure/traffic.ts';
import { keysOf } from '../rows/api-key.ts';
import { keySetsOf } from '../rows/key-set.ts';
import { loginsOf } from '../rows/login.ts';
import { meOf } from '../rows/me.ts';
import { exchangesOf } from '../rows/oauth.ts';
import { refreshesOf } from '../rows/refresh.ts';
import { API, tenantHeaders } from '../rows/row.ts';
import type { TenantKey } from '../target/machines.ts';
import type { Person } from '../target/seed.ts';
import type { Installation } from './installation.ts';
import type { BrowserRequests } from './browser-requests.ts';

/** The senders of requests. */
interface Senders {
  readonly people: readonly Person[];
  readonly keys: readonly TenantKey[];
  readonly browserRequests: BrowserRequests;
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
    traffic: ({ browserRequests, connections }) => ({
      scripts: cycles(browserRequests.authorizations, connections),
      expected: { status: 303, contains: '/oauth/continue?request=' },
    }),
  },
  {
    name: 'code',
    traffic: ({ browserRequests, connections }) => exchangesOf(browserRequests.codes, connections),
  },
  {
    name: 'methods',
    traffic: ({ people, connections }) => ({
      scripts: cycles(people.map(methodsRequest), connections),
      expected: { status: 200, contains: '"Corporate"' },
    }),
  },
  {
    name: 'provider',
    traffic: ({ browserRequests, connections }) => ({
      scripts: cycles(browserRequests.providerLogins, connections),
      expected: { status: 200, contains: '"authorize_url":"' },
    }),
  },
];

const SUBSET_PEOPLE = 1000;

export const REACHES = ['some', 'all'] as const;
export type Reach = (typeof REACHES)[number];

/** @param reach absent: everyone sends requests */
export function sendersOf(
  { bench, people, keys, browserRequests }: Installation,
  reach?: Reach,
): Senders {
  const { connections } = bench.options;
  const { password } = bench.seed;
  const of = <Item>(all: readonly Item[]) => reached(all, reach, people.length);
  const { authorizations, codes, providerLogins } = browserRequests;
  return {
    people: of(people),
    keys: of(keys),
    browserRequests: {
      authorizations: of(authorizations),
      codes: of(codes),
      providerLogins: of(providerLogins),
    },
    password,
    connections,
  };
}

/** The two reaches are disjoint, because a refresh token can be used only once. @param all users of several rounds */
function reached<Item>(all: readonly Item[], reach: Reach | undefined, people: number): Item[] {
  if (reach === undefined) return [...all];
  return all.filter((_item, index) => index % people < SUBSET_PEOPLE === (reach === 'some'));
}

/** The request for a tenant's login methods, including its identity provider. */
export function methodsRequest({ tenantId }: Person): string {
  return httpRequest('GET', `${API}/auth/methods`, tenantHeaders(tenantId));
}

function tenantsOf(people: readonly Person[]): string[] {
  return [...new Set(people.map((person) => person.tenantId))];
}

import { cycles, httpRequest, type Traffic } from '../measure/traffic.ts';
import { MILLION, emailOf, nameOf } from '../target/users.ts';
import { betterAuth } from './peers.ts';
import { API, bearer, type Row, type Scene } from './row.ts';

const CALLERS = 100;
const PAGE = 20;
/** Enough that most are requested only once. */
const SEARCHES = 2000;
/** A node counts the users of a large tenant when it first lists them. */
const WARM_UP_SECONDS = 6;
const DEEP = MILLION / PAGE;

/** The newest 20 of a million. */
export const usersFirstPage: Row = {
  name: 'users-page-1',
  floor: 'verify',
  bar: { peerTimes: 100 },
  peers: { 'better-auth': betterAuth.usersPage(1) },
  traffic: (scene) =>
    lists(
      scene,
      callersOf(scene).map(() => 'page=1'),
    ),
};

/** Pages 49,900 to 50,000 by number, near the end of the list. */
export const usersDeepPage: Row = {
  name: `users-page-${DEEP}`,
  floor: 'verify',
  bar: { peerTimes: 100 },
  warmUpSeconds: WARM_UP_SECONDS,
  peers: { 'better-auth': betterAuth.usersPage(DEEP) },
  traffic: (scene) =>
    lists(
      scene,
      callersOf(scene).map((_, index) => `page=${DEEP - index}`),
    ),
};

/** Typical search terms: a name and a number, a company, a last name. One at a time. */
export const usersSearch: Row = {
  name: 'users-search',
  floor: 'verify',
  connections: 1,
  bar: { peerTimes: 100, p50Ms: 5 },
  warmUpSeconds: WARM_UP_SECONDS,
  peers: { 'better-auth': betterAuth.usersSearch },
  traffic: (scene) => lists(scene, searches()),
};

/** The same for names: whole ones, last ones, and parts of them. */
export const usersSearchByName: Row = {
  name: 'users-search-name',
  floor: 'verify',
  connections: 1,
  bar: { p50Ms: 100 },
  warmUpSeconds: WARM_UP_SECONDS,
  traffic: (scene) => lists(scene, namesSearched()),
};

/** Terms of one and two characters, frequent and rare, and terms without a match. */
export const usersSearchShort: Row = {
  ...usersSearchByName,
  name: 'users-search-short',
  traffic: (scene) =>
    lists(
      scene,
      SHORT_TERMS.map((term) => `search=${encodeURIComponent(term)}`),
    ),
};

/** Names in another order or with another filter. */
export const usersSearchSorted: Row = {
  ...usersSearchByName,
  name: 'users-search-sorted',
  traffic: (scene) =>
    lists(
      scene,
      namesSearched().map((query, index) => `${query}&${CONDITIONS[index % CONDITIONS.length]}`),
    ),
};

const SHORT_TERMS = [
  'a',
  'q',
  'ad',
  'zq',
  'x9',
  'q.',
  '-7',
  '#',
  'ñ',
  '山田',
  'zebediah',
  'unknown@nowhere.invalid',
];
const CONDITIONS = ['sort=name', 'sort=-last_login_at', 'is_active=true'];

function namesSearched(): string[] {
  return Array.from({ length: SEARCHES }, (_, index) => {
    const name = nameOf((index * 7919) % MILLION);
    const [first = '', last = '', rest = ''] = name.split(' ');
    const parts = [name, `${first} ${last}`, last, rest, `${last} ${rest.slice(0, 3)}`];
    return `search=${encodeURIComponent(parts[index % parts.length] ?? '')}`;
  });
}

function searches(): string[] {
  return Array.from({ length: SEARCHES }, (_, index) => {
    const email = emailOf((index * 7919) % MILLION);
    const [name = '', domain = ''] = email.split('@');
    const [first = '', last = ''] = name.split('.');
    const parts = [
      email,
      name,
      `${last}.${name.split('.')[2]?.slice(0, 3)}`,
      `@${domain}`,
      last,
      `${first}.${last}`,
    ];
    return `email=${encodeURIComponent(parts[index % parts.length] ?? '')}`;
  });
}

function callersOf({ seed }: Scene) {
  return seed.people.slice(0, CALLERS);
}

function lists(scene: Scene, queries: readonly string[]): Traffic {
  const callers = callersOf(scene);
  const requests = queries.map((query, index) => {
    const caller = callers[index % callers.length];
    if (!caller) throw new Error('There are no callers.');
    return httpRequest('GET', `${API}/users?limit=${PAGE}&${query}`, bearer(caller));
  });
  return {
    scripts: cycles(requests, scene.connections),
    expected: { status: 200, contains: '"total"' },
  };
}

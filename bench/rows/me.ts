import { dealt, type Traffic } from '../measure/traffic.ts';
import type { Person } from '../target/seed.ts';
import { getMe, type Row } from './row.ts';

const PEOPLE = 500;

/** GET /me with the access tokens of many people. */
export const me: Row = {
  name: 'me',
  floor: 'verify',
  traffic: ({ seed, connections }) => meOf(seed.people.slice(0, PEOPLE), connections),
};

export function meOf(people: readonly Person[], connections: number): Traffic {
  return {
    scripts: dealt(people, connections).map(getMe),
    expected: { status: 200, contains: '"identifiers"' },
  };
}

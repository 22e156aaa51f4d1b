import type { Cost } from './meter.ts';

export interface RouteCost extends Cost {
  /** Of the response: status line, headers and body. */
  readonly bytes: number;
}

/**
 * The exact cost of each request, independent of the machine. An added statement on one of these routes is an added
 * wait for each of its clients.
 */
export const COSTS: Readonly<Record<string, RouteCost>> = {
  login: {
    statements: ['kw_start_logins', 'kw_complete_logins'],
    roundTrips: 2,
    signatures: 2,
    verifications: 0,
    hashes: 1,
    // 133 more than a refresh, for `device_token`.
    bytes: 2106,
  },
  refresh: {
    statements: ['kw_refresh_sessions'],
    roundTrips: 1,
    signatures: 2,
    verifications: 0,
    hashes: 0,
    bytes: 1973,
  },
  'me, with a token': {
    statements: ['kw_live_grants', 'kw_find_users'],
    roundTrips: 1,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 541,
  },
  'me, with a token never seen': {
    statements: ['kw_live_grants', 'kw_find_users'],
    roundTrips: 1,
    signatures: 0,
    verifications: 1,
    hashes: 0,
    bytes: 541,
  },
  'me, with an API key': {
    statements: ['kw_find_api_keys'],
    roundTrips: 1,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 533,
  },
  'verify-token, seen before': {
    statements: ['kw_live_grants'],
    roundTrips: 1,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 807,
  },
  'verify-token, never seen': {
    statements: ['kw_live_grants'],
    roundTrips: 1,
    signatures: 0,
    verifications: 1,
    hashes: 0,
    bytes: 807,
  },
  'verify-token, about an API key': {
    statements: ['kw_live_grants', 'kw_find_api_keys'],
    roundTrips: 1,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 653,
  },
  'client credentials': {
    statements: ['kw_find_api_keys'],
    roundTrips: 1,
    signatures: 1,
    verifications: 0,
    hashes: 0,
    bytes: 1234,
  },
  'key set': {
    statements: [],
    roundTrips: 0,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 578,
  },
  'key set, unchanged': {
    statements: [],
    roundTrips: 0,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 365,
  },
  logout: {
    statements: [
      'kw_live_grants',
      'begin',
      'SELECT kw_enter($1)',
      'update "sessions" set "is_active" = $1, "end_reason" = $2 wh',
      'SELECT kw_record($1, $2, $3) AS answer',
      'commit',
    ],
    roundTrips: 6,
    signatures: 0,
    verifications: 1,
    hashes: 0,
    bytes: 333,
  },
  evaluation: {
    statements: ['kw_live_grants', 'kw_effective_permissions'],
    roundTrips: 2,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 407,
  },
  'evaluations, 100 at once': {
    statements: ['kw_live_grants', 'kw_effective_permissions'],
    roundTrips: 2,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 14287,
  },
  'users, first page': {
    statements: ['kw_live_grants', 'kw_list_users'],
    roundTrips: 2,
    signatures: 0,
    verifications: 0,
    hashes: 0,
    bytes: 889,
  },
};

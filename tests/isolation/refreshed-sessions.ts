// Sessions in each relevant state whose refresh tokens are presented, and the outcomes.

export const NOW = new Date('2026-01-15T00:00:00Z');
export const RETRY_SECONDS = 30;
export const PRESENTED = Buffer.from('presented');

export type Changes = Readonly<Record<string, unknown>>;

/** The earliest rotation for which the previous token can still be retried. */
const TRADED_LAST = new Date(NOW.getTime() - (RETRY_SECONDS - 1) * 1000);

export const INACTIVE = { is_active: false };
export const BROWSER = { kind: 'browser', refresh_kid: null };
const CLIENT = { kind: 'client', client_id: 'client_one', scopes: [] };
/** The token was rotated, and its successor is not used yet. */
const TRADED = { previous_refresh_hash: PRESENTED, refresh_issued_at: TRADED_LAST };
const SHOWN = { refresh_hash: PRESENTED, ...CLIENT };
const REPEATED = { ...TRADED, ...CLIENT };

/** The states of a session's parent; undefined: its row is deleted. */
export const PARENTS: Readonly<Record<string, Changes | undefined>> = {
  living: {},
  ended: INACTIVE,
  expired: { expires_at: NOW },
  deleted: undefined,
};

/** An active parent in one tenant has the id of an ended one in another. */
export function parentId(state: string, turn: number): string {
  const states = Object.keys(PARENTS);
  return `session:parent-${(states.indexOf(state) + turn) % states.length}`;
}

/** The states of the presented refresh token and its session. */
export const REFRESHED = {
  current: { refresh_hash: PRESENTED },
  forged: { previous_refresh_hash: Buffer.from('another'), refresh_issued_at: TRADED_LAST },
  repeated: TRADED,
  reused: {
    previous_refresh_hash: PRESENTED,
    refresh_issued_at: new Date(NOW.getTime() - RETRY_SECONDS * 1000),
  },
  ended: { refresh_hash: PRESENTED, ...INACTIVE },
  'ended, repeated': { ...TRADED, ...INACTIVE },
  expired: { refresh_hash: PRESENTED, expires_at: NOW },
  'expired, repeated': { ...TRADED, expires_at: NOW },
  // Sessions of a client, presented by that client, without a client, and by another client; then a browser's and a
  // direct login's, each presented by a client.
  'of the client': SHOWN,
  'of the client, repeated': REPEATED,
  'of an inactive client': { ...SHOWN, client_id: 'client_inactive' },
  'of the client, which has changed': SHOWN,
  'of the client, which has changed, repeated': REPEATED,
  'of a client, shown directly': SHOWN,
  'of a client, repeated directly': REPEATED,
  'of another client': { ...SHOWN, client_id: 'client_other' },
  'of another client, repeated': { ...REPEATED, client_id: 'client_other' },
  'of a browser': { refresh_hash: PRESENTED, ...BROWSER },
  'of a browser, repeated': { ...TRADED, ...BROWSER },
  'of a login, shown by a client': { refresh_hash: PRESENTED },
  'of a login, repeated by a client': TRADED,
  // Opened from another session.
  'of the client, with a living parent': { ...SHOWN, parent: 'living' },
  'of the client, repeated with a living parent': { ...REPEATED, parent: 'living' },
  'of the client, with an ended parent': { ...SHOWN, parent: 'ended' },
  'of the client, repeated with an ended parent': { ...REPEATED, parent: 'ended' },
  'of the client, with an expired parent': { ...SHOWN, parent: 'expired' },
  'of the client, with a deleted parent': { ...SHOWN, parent: 'deleted' },
} as const satisfies Readonly<Record<string, Changes>>;

/** The clients of each tenant: how they differ from the seeded one. */
export const CLIENTS = {
  [CLIENT.client_id]: { version: 2 },
  client_inactive: { version: 2, ...INACTIVE },
};

/** The client that presents the token of such a session; null: a direct login. */
export function presenterOf(state: string): string | null {
  if (state === 'of an inactive client') return 'client_inactive';
  const isClient = /^of (the client|another client)|by a client$/.test(state);
  return isClient ? CLIENT.client_id : null;
}

/** The version of the client that presents the token; null: a direct login. */
export function presentedVersionOf(state: string): number | null {
  if (presenterOf(state) === null) return null;
  return state.includes('which has changed') ? 1 : 2;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  current: 'rotated',
  'of the client': 'rotated',
  'of the client, with a living parent': 'rotated',
  repeated: 'repeated',
  'of the client, repeated': 'repeated',
  'of the client, repeated with a living parent': 'repeated',
  'of an inactive client': 'stale',
  'of the client, which has changed': 'stale',
  'of the client, which has changed, repeated': 'stale',
  forged: 'other',
  reused: 'other',
};

/** Returns the outcome of kw_refresh_sessions. Sessions of others are reported as ended. */
export function outcomeOf(state: string): string {
  return OUTCOMES[state] ?? 'ended';
}

import type { Traffic } from './traffic.ts';

/** The party that a record is about. */
export type Party = 'keywright' | 'keywright-embedded' | PeerName;
export const PEER_NAMES = ['better-auth', 'oidc-provider'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

/** Builds a peer's requests for a row from its seed data. */
export type PeerTraffic = (filled: PeerFilling, connections: number) => Traffic;

/** Strings such as tokens, by kind; created by the peer's program. */
export type PeerFilling = Readonly<Record<string, readonly string[]>>;

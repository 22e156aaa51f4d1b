import type { Traffic } from './traffic.ts';

/** The party that a record is about. */
export type Party = 'keywright' | 'keywright-embedded' | PeerName;
export const PEER_NAMES = ['better-auth', 'oidc-provider'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

/** A peer's requests for a row, from what it was seeded with. */
export type PeerTraffic = (filled: PeerFilling, connections: number) => Traffic;

/** Strings by what they are, such as tokens; made by the program of the peer. */
export type PeerFilling = Readonly<Record<string, readonly string[]>>;

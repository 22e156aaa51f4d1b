import type { Traffic } from './traffic.ts';

/** Whose figures a record tells. */
export type Party = 'keywright' | 'keywright-embedded' | PeerName;
export const PEER_NAMES = ['better-auth', 'oidc-provider'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

/** What a row asks of a peer, from what the peer tells of what it was filled with. */
export type PeerTraffic = (filled: PeerFilling, connections: number) => Traffic;

/** Strings by what they are, such as tokens; made by the program of the peer. */
export type PeerFilling = Readonly<Record<string, readonly string[]>>;

import type { Traffic } from './traffic.ts';

/** The party that a record is about. */
export type Party = 'keywright' | 'keywright-embedded' | PeerName;
/** The peers of every run, unless the command line selects others. */
export const STANDARD_PEERS = ['better-auth', 'oidc-provider'] as const;
export const PEER_NAMES = [...STANDARD_PEERS, 'keycloak'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

/** Whether bars compare with this party. */
export function isStandardPeer(party: Party): boolean {
  const standard: readonly Party[] = STANDARD_PEERS;
  return standard.includes(party);
}

/** Builds a peer's requests for a row from its seed data. */
export type PeerTraffic = (filled: PeerFilling, connections: number) => Traffic;

/** Strings such as tokens, by kind; created by the peer's program. */
export type PeerFilling = Readonly<Record<string, readonly string[]>>;

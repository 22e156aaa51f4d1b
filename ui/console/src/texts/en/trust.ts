import type { Message } from '../format.ts';

export const trust = {
  // How an agent authenticates
  trust: 'Keys and issuers',
  publicKeys: 'Public keys',
  publicKeysEmpty:
    'None. With a key pair, the agent signs what it sends, and its secret stays on its machine.',
  publicKeyRemoveTitle: 'Remove the public key {name}?',
  publicKeyRemoveHint:
    'What is signed with it is rejected at once, and every token that the agent has.',
  issuersTrusted: 'Trusted issuers',
  issuersEmpty:
    'None. A CI job or a pod can authenticate with a token that it already has, without a stored secret.',
  audience: 'Audience',
  tokenSubject: 'Subject',
  claims: 'Claims',
  singleUse: 'Each token once',
  issuerRemoveTitle: 'Stop trusting {name}?',
  issuerRemoveHint:
    'Its tokens no longer authenticate the agent, and every token that the agent has is rejected at once.',
  reach: 'Reach',
  // Keys
  overlap: 'How long the present key works',
  overlapNone: 'It is revoked at once',
  days: { one: '{count} day', other: '{count} days' },
  leak: 'Report a leaked key',
  leakHint:
    'Paste a key that was found where it should not be. If it works, it is revoked at once. It is not kept here.',
  leakKey: 'The key',
  leakReport: 'Report and revoke',
  leakFound: 'Revoked. It was this key:',
  leakUnknown: 'Reported. It is no key of this tenant that worked.',
} as const satisfies Readonly<Record<string, Message>>;

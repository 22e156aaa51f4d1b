import type { Message } from '../format.ts';

export const tokens = {
  'group.claims': 'Custom claims',
  tokenPreview: 'Token preview',
  tokenPreviewHint:
    'What the tokens of a user would say, with the claims above as they are now, saved or not. Nobody is logged in, and no token is made.',
  tokenPreviewShow: 'Show',
  tokenPreviewDirect: 'None: a direct login',
  tokenAccess: 'Access token',
  tokenId: 'ID token',
  claim: 'Claim',
  claimValue: 'Value',
  claimFrom: 'From',
  claimOutcome: 'Result',
  claimHidden: 'known to this application alone',
  'claim.added': 'In the access token',
  'claim.no_value': 'Left out: no value',
  'claim.refused': 'Refused',
  'origin.service': 'service',
  'origin.login': 'each login, here an example',
  'origin.identifier': 'address of the user',
  'origin.metadata': 'metadata, written by administrators',
  'origin.user_metadata': 'user metadata, written by the user',
  'origin.constant': 'these settings',
} as const satisfies Readonly<Record<string, Message>>;

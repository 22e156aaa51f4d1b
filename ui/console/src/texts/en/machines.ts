import type { Message } from '../format.ts';

export const machines = {
  // Agents
  agentsEmpty: 'An agent is a program with permissions of its own.',
  workspace: 'Workspace',
  owner: 'Owner',

  // Agents and their keys
  agent: 'Agent',
  agentCreate: 'Create agent',
  enableAgentHint: 'Its keys that have not expired work again.',
  disableAgentHint: 'Neither its keys nor its tokens work until it is enabled again:',
  deleteAgentHint:
    'Its keys, and the delegations to it, are deleted with it. This cannot be undone.',
  apiKeyCreate: 'Create API key',
  apiKeysEmpty: 'No keys yet. A key is a secret that the agent calls the API with.',
  allOfAgent: 'all of the agent',
  addresses: 'Addresses',
  rotateKeyHint: 'A new key is made and shown once. The present one works for seven more days.',
  revokeKeyHint:
    'It is rejected from the next request on. Offline verifiers learn of it within seconds.',

  // Signing keys
  signingKeysHint: 'They sign the tokens that every service verifies by itself.',
  algorithm: 'Algorithm',
  signsFrom: 'Signs from',
  'key.next': 'Next',
  'key.current': 'Signs',
  'key.previous': 'Previous',
  'key.retired': 'Retired',
  rotateSigningHint: 'A new key is published now, and signs once every verifier knows it.',
  rotateNow: 'Rotate at once',
  rotateNowTitle: 'Rotate {name} at once?',
  rotateNowHint:
    'For a compromised key. The new one signs at once: verifiers with an older copy of the key set reject its tokens until they fetch it again.',
  retire: 'Retire',
  retireTitle: 'Retire this key?',
  retireHint:
    'Every token that it signed is rejected from now on, and its private key is destroyed. Sessions go on by refreshing.',
  retired: 'Retired the key.',

  // OAuth clients
  clientCreate: 'Register client',
  clientsEmpty: 'A client is an application that users log in to.',
  redirectUris: 'Redirect URIs',
  'client.web': 'Web, on a server',
  'client.spa': 'In a browser',
  'client.native': 'On a device',
  secrets: 'Secrets',
  secretsEmpty: 'It has no secret.',
  secretCreate: 'Create secret',
  secretCreateTitle: 'Create a further secret?',
  secretCreateHint: 'For a rotation: both work until one is deleted.',
  secretCreated: 'Created the secret.',
  secretDeleteTitle: 'Delete this secret?',
  secretDeleteHint: 'It is rejected from the next request on.',
  secretDeleted: 'Deleted the secret.',
  deleteClientHint:
    'Its secrets and the consents of users are deleted with it, and its sessions end. This cannot be undone.',

  // Webhooks
  webhookCreate: 'Register webhook',
  webhooksEmpty: 'A webhook is an address that events are sent to.',
  address: 'Address',
  events: 'Events',
  event: 'Event',
  failing: 'Failing',
  failingSince: 'Failing since',
  disabledByService: 'Disabled by the service',
  disabledReason: 'Why the service disabled it',
  overlapEnds: 'The previous secret works until',
  deliveries: 'Deliveries',
  deliveriesEmpty: 'Nothing was sent yet.',
  'delivery.pending': 'Pending',
  'delivery.delivered': 'Delivered',
  'delivery.failed': 'Failed',
  attempts: 'Attempts',
  answer: 'Answer',
  lastAttempt: 'Last attempt',
  nextAttempt: 'Next attempt',
  webhookTest: 'Send a test',
  webhookTestTitle: 'Send a test event?',
  webhookTestHint:
    'A webhook.test event is sent to this address only. Its delivery shows the result.',
  webhookTested: 'Queued the test event.',
  webhookRotate: 'Rotate secret',
  webhookRotateHint: 'A new secret is made and shown once. Both sign for the next 24 hours.',
  deleteWebhookHint: 'Nothing more is sent to it, and its deliveries can no longer be read.',
  sendAgain: 'Send again',
  sendAgainTitle: 'Send this event again?',
  sendAgainHint: 'It starts over with the first attempt, whatever the result was.',
  sentAgain: 'Queued the event.',
  replayAfter: 'Replay from here',
  replayTitle: 'Send everything after this event again?',
  replayHint: 'Up to 1,000 events that the webhook subscribes to are sent again, in order.',
  replayed: { one: 'Queued {count} event.', other: 'Queued {count} events.' },
  replayMore: 'There are more: replay from the last of them.',
} as const satisfies Readonly<Record<string, Message>>;

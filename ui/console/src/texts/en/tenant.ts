import type { Message } from '../format.ts';

export const tenant = {
  // Audit
  action: 'Action',
  outcome: 'Outcome',
  'outcome.success': 'Success',
  'outcome.failure': 'Failure',
  'outcome.denied': 'Denied',
  actor: 'Who',
  onBehalfOf: 'for',
  target: 'On what',
  when: 'When',
  auditEmpty: 'Nothing yet.',
  ipAddress: 'Address',
  chainPosition: 'Place in the chain',
  notSealed: 'sealed within seconds',
  hash: 'Hash',
  around: 'Everything around this',
  auditHint: 'Each entry is sealed into a chain: none can be changed or left out unseen.',
  from: 'From',
  to: 'Until',
  export: 'Export',
  exporting: 'Exporting …',

  // Settings
  'group.logins': 'Logging in',
  'group.passwords': 'Passwords',
  'group.oauth': 'OAuth',
  'group.limits': 'Limits',
  'group.others': 'Others',
  branding: 'Branding',
  issuer: 'Issuer',
  domains: 'Domains',

  // Overview
  overviewNothing:
    'Your roles let you read nothing of this tenant here. An administrator can give you others.',
  inNumbers: 'In numbers',
  liveSessions: 'Live sessions',
  setUp: 'To set up',
  stepDone: 'Done',
  stepOpen: 'Open',
  'step.mail': 'A mail server, so that links and codes reach users',
  'step.domain': 'A domain of your own',
  'step.branding': 'The name and the colors of your pages',
  'step.client': 'A first application that users log in to',
  'step.administrator': 'A second administrator',
  welcome: 'Welcome',
  welcomeLead:
    'You are logged in as {name}. A link like yours works once: with a passkey you need neither it nor the printed secret again.',
  passkeyCreate: 'Create a passkey',
  notNow: 'Not now',
  passkeyAdded: 'Passkey added. It logs you in from now on.',
  recoveryCodes: 'Your recovery codes',
  passkeyFailed: 'This browser made no passkey. Try again, or do it later in your account.',
  recent: 'Recent changes',
} as const satisfies Readonly<Record<string, Message>>;

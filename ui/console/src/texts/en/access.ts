import type { Message } from '../format.ts';

export const access = {
  // Explain
  explain: 'Explain',
  explainHint:
    'May somebody do something, and why? Each link of the chain is shown, and the one that refuses is marked.',
  explainWhom: 'User or agent: an id, or an e-mail address',
  explainAsk: 'Explain',
  explainAllowed: 'Allowed',
  explainRefused: 'Refused',
  explainNobody: 'Nobody has this address.',
  explainOpen: 'Not reached',
  explainHolds: 'Passes',
  explainRefuses: 'Refuses here',
  'link.user': 'User',
  'link.agent': 'Agent',
  'link.workspace': 'Workspace',
  'link.role': 'Role',
  'link.nothing': 'No role or scope of theirs grants it',
  'link.scope': 'Permission',
  explainBy: 'by {scope}',
  explainRemoved: 'It was taken away by this change:',
  // Roles
  matrix: 'Matrix',
  matrixEmpty: 'nothing',
  compare: 'Compare',
  compareFirst: 'First role',
  compareSecond: 'Second role',
  compareOnly: 'Only {name}',
  compareBoth: 'Both',
  whatIf: 'What this changes',
  whatIfNobody: 'Nobody has this role yet.',
  whatIfCount: {
    one: '{count} user has this role. Their tokens are rejected, and refreshing returns new ones.',
    other:
      '{count} users have this role. Their tokens are rejected, and refreshing returns new ones.',
  },
  whatIfAgents:
    'Agents have scopes of their own, and keep them. What users delegated to them follows what the users hold.',
  gains: 'Gains',
  loses: 'Loses',
  // Bulk actions on users
  select: 'Select {name}',
  selected: { one: '{count} selected', other: '{count} selected' },
  selectPage: 'Select this page',
  clearSelection: 'Clear selection',
  giveRole: 'Give a role',
  bulkTitle: { one: '{verb}: {count} user', other: '{verb}: {count} users' },
  bulkDependents: 'What ends with them, summed:',
  bulkProgress: '{done} of {count}',
  bulkDone: { one: 'Done: {count} user.', other: 'Done: {count} users.' },
  bulkFailed: {
    one: '{count} failed, and stays selected:',
    other: '{count} failed, and stay selected:',
  },
  columnsShown: 'Columns',
  // A user
  consents: 'Connected apps',
  consentsEmpty: 'No application is allowed anything.',
  application: 'Application',
  consentEnd: 'Disconnect',
  consentEndTitle: 'Disconnect {name}?',
  consentEndHint: 'Its sessions for this user end at once, and it has to ask again.',
  consentEnded: 'Disconnected {name}.',
  delegationsEmpty: 'No live delegations.',
  recoverSend: 'Send a recovery link',
  recoverTitle: 'Send {name} a recovery link?',
  recoverHint:
    'It goes to their first verified address. With it they set a new password, after their second factor if they have one. Nothing changes before.',
  recoverSent: 'Sent to {address}.',
} as const satisfies Readonly<Record<string, Message>>;

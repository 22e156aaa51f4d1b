import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const INVITATIONS_MODULE = 'server/src/modules/identity/invitations';
const FLOWS_MODULE = 'server/src/modules/authentication/flows';
const ACCEPT = `${INVITATIONS_MODULE}/accept.test.ts`;
const OPENING = `${INVITATIONS_MODULE}/opening.test.ts`;
const REFUSED = `${INVITATIONS_MODULE}/refused.test.ts`;

export const INVITATIONS: readonly DirectedBreaks[] = [
  breaksIn(`${INVITATIONS_MODULE}/accept.ts`, REFUSED, [
    ['if (refusal) refuse(refusal);', '', 'grants what the inviter may no longer grant'],
    [
      'roles.some((role) => role.name === SYSTEM_ADMIN)',
      'true',
      'grants for somebody who was a system administrator',
    ],
    ['[TO_INVITE, TO_ADMIT] : [TO_INVITE]', '[TO_INVITE] : [TO_INVITE]', 'admits to workspaces'],
  ]),
  breaksIn('server/src/modules/identity/roles/deferred-grants.ts', REFUSED, [
    [
      'missingScopes(held.scopes, scopes).length === 0 &&',
      '',
      'grants for an inviter who may no longer invite',
    ],
    ['[...roles, ...outranked]', 'outranked', 'grants what the inviter has lost'],
    ['[...roles, ...outranked]', 'roles', 'grants to whoever holds more than the inviter'],
    ['isEntitled && !isLent', 'isEntitled', 'passes on what was lent to an agent'],
    [
      'return [own, scopesOnly(lent), scopesOnly(await findAgentScopes(tx, by.agentId))];',
      'return [own];',
      'grants for an agent whose delegation has ended',
    ],
  ]),
  breaksIn('server/src/modules/events/messages/secrets.ts', OPENING, [
    [
      'areEqual(invitationTokenOf(dataKey, id), given) ? (id as InvitationId) : undefined',
      'id as InvitationId',
      'accepts any token of an invitation',
    ],
  ]),
  breaksIn(`${FLOWS_MODULE}/rules.ts`, OPENING, [
    [
      "(purpose !== 'invitation' || isInvited)",
      'true',
      'goes on after an invitation was revoked, up to its session',
    ],
    [
      '!user || (user.isActive && !user.isVerified && !user.isReserved)',
      'true',
      'lets a token take the account of a verified user over',
    ],
  ]),
  breaksIn(`${FLOWS_MODULE}/invited.ts`, ACCEPT, [
    ['await acceptance.accept(tx, permit.userId);', '', 'opens a session and accepts nothing'],
  ]),
  breaksIn(`${FLOWS_MODULE}/next.ts`, ACCEPT, [
    [', invitation?.roles', '', 'forgets the second factor that a granted role requires'],
  ]),
  breaksIn('server/src/modules/authentication/mailboxes/invitee.ts', ACCEPT, [
    [
      'await reclaim(tx, user, identifier, from);',
      '{ authVersion: user.authVersion } as Awaited<ReturnType<typeof reclaim>>;',
      'leaves the credentials of whoever registered the address',
    ],
  ]),
];

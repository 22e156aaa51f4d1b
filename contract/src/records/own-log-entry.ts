import Type, { type Static } from 'typebox';
import { AuditEntry } from './audit-entry.ts';

const { id, tenant_id, created_at, actor, action, target, outcome, count } = AuditEntry.properties;

export const OwnLogEntry = Type.Object(
  {
    id,
    tenant_id,
    created_at,
    actor: Type.Object(
      {
        kind: actor.properties.kind,
        id: Type.Union([Type.String(), Type.Null()], {
          description: 'The user, an agent or an application; null for anybody else.',
          examples: ['user:01m817qnm0e599bza8yqh63kxq'],
        }),
      },
      { description: 'Who did it.' },
    ),
    action,
    target,
    outcome,
    address: Type.Union([Type.String(), Type.Null()], {
      description:
        'The IP address that the request came from; null where somebody else acted as who they are.',
      examples: ['203.0.113.7'],
    }),
    count,
  },
  {
    $id: 'OwnLogEntry',
    description:
      'An entry of the audit log about the user who reads it, without what it says of others.',
  },
);
export type OwnLogEntry = Static<typeof OwnLogEntry>;

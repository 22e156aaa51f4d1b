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
          description: 'A user, an agent or an application; `null` for all others.',
          examples: ['user:01m817qnm0e599bza8yqh63kxq'],
        }),
      },
      { description: 'The actor that performed the action.' },
    ),
    action,
    target,
    outcome,
    address: Type.Union([Type.String(), Type.Null()], {
      description:
        'IP address of the request; `null` if another user, such as an administrator, sent it.',
      examples: ['203.0.113.7'],
    }),
    count,
  },
  {
    $id: 'OwnLogEntry',
    description: 'An audit log entry about the user who reads it, without details about others.',
  },
);
export type OwnLogEntry = Static<typeof OwnLogEntry>;

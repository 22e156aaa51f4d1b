import Type from 'typebox';
import { AUDIT_ACTION_NAMES, OUTCOMES } from '../audit.ts';
import { listOf, listQuery } from '../list.ts';
import { AuditCheckpoint, AuditEntry } from '../records/audit-entry.ts';
import { API_BASE, route } from '../route.ts';
import { closed, LINE_OF_TEXT } from '../shape.ts';

const Id = Type.String({ minLength: 1, maxLength: 128, ...LINE_OF_TEXT });
const Moment = Type.String({ maxLength: 40, description: 'A time (RFC 3339).' });

/** What an answer in JSON lines is asked for by, and sent as. */
export const JSON_LINES = 'application/x-ndjson';

export const listAudit = route({
  id: 'audit.list',
  method: 'GET',
  path: `${API_BASE}/audit`,
  access: { scope: 'read:audit' },
  summary: 'Read the audit log',
  description: `The newest first. With \`Accept: ${JSON_LINES}\` it is exported instead: one entry a line, whole, in the order of the chain, and without filters a signed checkpoint in the last line.`,
  query: closed({
    ...listQuery,
    actor: Type.Optional(Id),
    on_behalf_of: Type.Optional(Id),
    action: Type.Optional(Type.Enum([...AUDIT_ACTION_NAMES])),
    target: Type.Optional(Id),
    outcome: Type.Optional(Type.Enum([...OUTCOMES])),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  }),
  ok: { status: 200, body: listOf(AuditEntry) },
  errors: ['VALIDATION_FAILED'],
});

export const listCheckpoints = route({
  id: 'audit.list_checkpoints',
  method: 'GET',
  path: `${API_BASE}/audit/checkpoints`,
  access: { scope: 'read:audit' },
  summary: 'List signed heads of the audit log',
  description:
    'The newest first. Whoever keeps one elsewhere can tell later whether the log still begins as it did.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(AuditCheckpoint) },
  errors: ['VALIDATION_FAILED'],
});

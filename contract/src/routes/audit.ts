import Type from 'typebox';
import { AUDIT_ACTION_NAMES, OUTCOMES } from '../audit.ts';
import { exampleOf } from '../example.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { AuditCheckpoint, AuditEntry } from '../records/audit-entry.ts';
import { OwnLogEntry } from '../records/own-log-entry.ts';
import { API_BASE, route } from '../route.ts';
import { closed, LINE_OF_TEXT } from '../shape.ts';
import { JSON_LINES, moment } from './fields.ts';

const idText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, ...LINE_OF_TEXT, description });

const ExportedLines = Type.String({
  description: 'One `AuditEntry` per line. The last line is an `AuditCheckpoint`.',
  examples: [`${JSON.stringify(exampleOf(AuditEntry))}\n`],
});

export const listAudit = route({
  id: 'audit.list',
  method: 'GET',
  path: `${API_BASE}/audit`,
  access: { scope: 'read:audit' },
  summary: 'List audit log entries',
  description: `Newest first. With \`Accept: ${JSON_LINES}\`, exports the log instead: one complete entry per line in chain order, and without filters, a signed checkpoint as the last line.`,
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    actor: Type.Optional(idText('Actor that performed the action: `user:<id>` or `service:<id>`.')),
    on_behalf_of: Type.Optional(idText('The user that a delegate acted for.')),
    action: Type.Optional(Type.Enum([...AUDIT_ACTION_NAMES], { description: 'The action.' })),
    target: Type.Optional(idText('ID or name of the target.')),
    request_id: Type.Optional(
      idText(
        'The `x-request-id` of a response, to get all entries of that request. In a large log, also send `from` and `to`.',
      ),
    ),
    outcome: Type.Optional(Type.Enum([...OUTCOMES], { description: 'The outcome.' })),
    from: Type.Optional(moment('Only entries at or after this time (RFC 3339).')),
    to: Type.Optional(moment('Only entries before this time (RFC 3339).')),
  }),
  ok: {
    status: 200,
    body: listOf(AuditEntry),
    alternative: { contentType: JSON_LINES, body: ExportedLines },
  },
  errors: ['VALIDATION_FAILED'],
});

export const listCheckpoints = route({
  id: 'audit.list_checkpoints',
  method: 'GET',
  path: `${API_BASE}/audit/checkpoints`,
  access: { scope: 'read:audit' },
  summary: 'List signed checkpoints of the audit log',
  description:
    'Newest first. Store copies elsewhere to prove later that the start of the log has not changed.',
  query: closed({ ...listQuery, ...OF_TENANT }),
  ok: { status: 200, body: listOf(AuditCheckpoint) },
  errors: ['VALIDATION_FAILED'],
});

export const listOwnLog = route({
  id: 'audit.list_own',
  method: 'GET',
  path: `${API_BASE}/me/audit`,
  access: 'user',
  summary: 'List audit log entries about the caller',
  description:
    'What the caller did, what others did in the caller’s name, and what was done to the caller’s account. Newest first. Administrators are not named.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(OwnLogEntry) },
  errors: ['VALIDATION_FAILED'],
});

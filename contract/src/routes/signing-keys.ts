import Type from 'typebox';
import { pathId, SigningKeyIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { KEY_ALGORITHMS, SigningKeyRecord } from '../records/signing-key.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { booleanText, revoked } from './fields.ts';

const BASE = `${API_BASE}/keys` as const;

export const listKeys = route({
  id: 'keys.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:keys' },
  summary: 'List signing keys',
  description: 'Includes retired keys. Private keys are never shown.',
  query: closed({ ...listQuery, ...OF_TENANT }),
  ok: { status: 200, body: listOf(SigningKeyRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const rotateKeys = route({
  id: 'keys.rotate',
  method: 'POST',
  path: `${BASE}/rotate`,
  access: { scope: 'write:keys' },
  summary: 'Rotate the signing key of an algorithm',
  description:
    'The new key is published immediately and starts to sign after the key sets cached by verifiers have expired. With `immediately=true`, for a compromised key, it signs now. Keys of other algorithms do not change.',
  query: closed({
    algorithm: Type.Optional(
      Type.Enum([...KEY_ALGORITHMS], { description: 'Algorithm of the new key. Default: EdDSA.' }),
    ),
    immediately: Type.Optional(booleanText('With `true`, the new key signs immediately.')),
  }),
  idempotent: true,
  ok: { status: 201, body: SigningKeyRecord },
  errors: ['VALIDATION_FAILED', 'ROTATION_IN_PROGRESS'],
});

export const retireKey = route({
  id: 'keys.retire',
  method: 'DELETE',
  path: `${BASE}/:key_id`,
  access: { scope: 'delete:keys' },
  summary: 'Retire a signing key immediately',
  description:
    'All access tokens signed with the key are rejected immediately; sessions continue after a refresh. The private key is destroyed. The current key of an algorithm cannot be retired: rotate it first.',
  params: Type.Object({ key_id: pathId(SigningKeyIdSchema) }),
  ok: { status: 200, body: revoked(SigningKeyIdSchema) },
  errors: ['NOT_FOUND', 'KEY_IN_USE'],
});

import Type from 'typebox';
import { pathId, SigningKeyIdSchema } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { SigningKeyRecord } from '../records/signing-key.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { booleanText, deleted } from './fields.ts';

const BASE = `${API_BASE}/keys` as const;

export const listKeys = route({
  id: 'keys.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:keys' },
  summary: 'List signing keys',
  description: 'Retired ones too. Their private halves are never shown.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(SigningKeyRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const rotateKeys = route({
  id: 'keys.rotate',
  method: 'POST',
  path: `${BASE}/rotate`,
  access: { scope: 'write:keys' },
  summary: 'Bring in a new signing key',
  description:
    'The new key is published at once and signs as soon as every verifier that keeps the key set has had to fetch it again. `immediately=true`, for a key that is compromised, lets it sign now.',
  query: closed({
    immediately: Type.Optional(booleanText('With `true` the new key signs at once.')),
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
  summary: 'Retire a signing key at once',
  description:
    'Every access token signed with it is rejected from then on; sessions continue by refreshing. Its private half is destroyed. The key that signs cannot be retired: rotate first.',
  params: Type.Object({ key_id: pathId(SigningKeyIdSchema) }),
  ok: { status: 200, body: deleted(SigningKeyIdSchema) },
  errors: ['NOT_FOUND', 'KEY_IN_USE'],
});

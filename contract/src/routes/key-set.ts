import Type from 'typebox';
import { PathId } from '../ids.ts';
import { route } from '../route.ts';

const JsonWebKeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ description: 'The public key, base64url.' }),
        kid: Type.String(),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
      }),
    ),
  },
  { $id: 'JsonWebKeySet', description: 'Public signing keys of a tenant (RFC 7517, RFC 8037).' },
);

export const NOT_MODIFIED = {
  status: 304,
  description: 'If-None-Match names what the caller has.',
} as const;

export const getKeySet = route({
  id: 'key_set.get',
  method: 'GET',
  path: '/.well-known/jwks.json',
  access: 'tenant',
  summary: 'Public keys of the tenant that the request names',
  ok: { status: 200, body: JsonWebKeySet },
  other: [NOT_MODIFIED],
  cors: 'any',
  errors: [],
});

export const getIssuerKeySet = route({
  id: 'key_set.get_by_issuer',
  method: 'GET',
  path: '/t/:tenant_id/.well-known/jwks.json',
  access: 'open',
  summary: 'Public keys at the address of the issuer',
  params: Type.Object({ tenant_id: PathId }),
  ok: { status: 200, body: JsonWebKeySet },
  other: [NOT_MODIFIED],
  cors: 'any',
  errors: ['TENANT_NOT_FOUND', 'TENANT_INACTIVE'],
});

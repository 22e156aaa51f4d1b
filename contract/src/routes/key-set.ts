import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { SigningKeyIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { route } from '../route.ts';
import { NOT_MODIFIED } from './fields.ts';

const JsonWebKeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP', { description: 'The type of the key (RFC 8037).' }),
        crv: Type.Literal('Ed25519', { description: 'The curve.' }),
        x: Type.String({
          description: 'The public key, base64url.',
          examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
        }),
        kid: Type.String({
          description: 'Key id, as in the header of tokens.',
          examples: [exampleOf(SigningKeyIdSchema)],
        }),
        alg: Type.Literal('EdDSA', { description: 'With Ed25519.' }),
        use: Type.Literal('sig', { description: 'For signatures.' }),
      }),
      { description: 'Those that sign, will sign, or have signed tokens that are still valid.' },
    ),
  },
  { $id: 'JsonWebKeySet', description: 'Public signing keys of a tenant (RFC 7517, RFC 8037).' },
);

export const getKeySet = route({
  id: 'key_set.get',
  method: 'GET',
  path: '/.well-known/jwks.json',
  access: 'tenant',
  summary: 'Public keys of the tenant that the request names',
  description: 'All that verifiers need to verify tokens offline.',
  ok: { status: 200, body: JsonWebKeySet },
  other: [NOT_MODIFIED],
  cors: 'any',
  errors: [],
});

export const getIssuerKeySet = atIssuer(getKeySet, {
  id: 'key_set.get_by_issuer',
  path: `${ISSUER_PATH}${getKeySet.path}`,
  summary: 'Public keys at the address of the issuer',
  description: 'For verifiers that know only the issuer.',
});

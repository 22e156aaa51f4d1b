import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { SigningKeyIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { KEY_ALGORITHMS } from '../records/signing-key.ts';
import { route } from '../route.ts';
import { NOT_MODIFIED } from './fields.ts';

const member = (description: string) =>
  Type.Optional(Type.String({ description: `${description} Base64url.` }));

const PublicKey = Type.Object(
  {
    kty: Type.Enum(['OKP', 'RSA', 'EC'], {
      description: 'The type of the key (RFC 7518 §6.1, RFC 8037).',
    }),
    crv: Type.Optional(
      Type.Enum(['Ed25519', 'P-256'], { description: 'The curve of a key of type OKP or EC.' }),
    ),
    x: member('The public key of type OKP, or the x coordinate of one of type EC.'),
    y: member('The y coordinate of a key of type EC.'),
    n: member('The modulus of a key of type RSA.'),
    e: member('The exponent of a key of type RSA.'),
    kid: Type.String({ description: 'Key id, as in the header of tokens.' }),
    alg: Type.Enum([...KEY_ALGORITHMS], {
      description:
        'Algorithm that the key signs with. Access tokens are signed with EdDSA (Ed25519) only: accept no other there.',
    }),
    use: Type.Literal('sig', { description: 'For signatures.' }),
  },
  {
    examples: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        kid: exampleOf(SigningKeyIdSchema),
        alg: 'EdDSA',
        use: 'sig',
      },
    ],
  },
);

const JsonWebKeySet = Type.Object(
  {
    keys: Type.Array(PublicKey, {
      description: 'Those that sign, will sign, or have signed tokens that are still valid.',
    }),
  },
  {
    $id: 'JsonWebKeySet',
    description: 'Public signing keys of a tenant (RFC 7517, RFC 7518, RFC 8037).',
  },
);

export const getKeySet = route({
  id: 'key_set.get',
  method: 'GET',
  path: '/.well-known/jwks.json',
  access: 'tenant',
  summary: 'Public keys of the tenant that the request names',
  description: 'All that verifiers need to verify tokens offline.',
  query: Type.Object({
    alg: Type.Optional(
      Type.Enum([...KEY_ALGORITHMS], {
        description:
          'Only the keys of this algorithm: for libraries that reject a key set because of an unknown key type.',
        examples: ['RS256'],
      }),
    ),
  }),
  ok: { status: 200, body: JsonWebKeySet },
  other: [NOT_MODIFIED],
  cors: 'any',
  errors: ['VALIDATION_FAILED'],
});

export const getIssuerKeySet = atIssuer(getKeySet, {
  id: 'key_set.get_by_issuer',
  path: `${ISSUER_PATH}${getKeySet.path}`,
  summary: 'Public keys at the address of the issuer',
  description: 'For verifiers that know only the issuer.',
});

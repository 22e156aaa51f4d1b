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
      description: 'The key type (RFC 7518 §6.1, RFC 8037).',
    }),
    crv: Type.Optional(
      Type.Enum(['Ed25519', 'P-256'], { description: 'The curve of an OKP or EC key.' }),
    ),
    x: member('The public key of an OKP key, or the x coordinate of an EC key.'),
    y: member('The y coordinate of an EC key.'),
    n: member('The modulus of an RSA key.'),
    e: member('The exponent of an RSA key.'),
    kid: Type.String({ description: 'Key ID, as in the header of tokens.' }),
    alg: Type.Enum([...KEY_ALGORITHMS], {
      description:
        'Algorithm that the key signs with. Access tokens are signed only with EdDSA (Ed25519): accept no other algorithm for them.',
    }),
    use: Type.Literal('sig', { description: 'Use of the key: signatures.' }),
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
      description:
        'Keys that sign now, will sign soon, or have signed tokens that are still valid.',
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
  summary: 'Get the public keys of a tenant',
  description:
    'Everything that verifiers need to verify tokens of the tenant offline. The request names the tenant.',
  query: Type.Object({
    alg: Type.Optional(
      Type.Enum([...KEY_ALGORITHMS], {
        description:
          'Only keys of this algorithm, for libraries that reject a key set with an unknown key type.',
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
  summary: 'Get the public keys of a tenant, at the issuer URL',
  description: 'For verifiers that know only the issuer.',
});

import Type, { type Static } from 'typebox';
import { closed, LINE_OF_TEXT } from '../shape.ts';
import { EXPECTS, EXPECTS_NAMES } from '../expectation.ts';

const CLAIM_NAME_IN_WORDS =
  'a letter, followed by up to 127 letters, digits and characters of _ . : / -';

const base64url = (minLength: number, maxLength: number, description: string) =>
  Type.String({
    description,
    minLength,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    [EXPECTS]: 'base64url without padding',
  });

/** The algorithms of agents' signatures. RFC 9864 §2.2: Ed25519 is another name for EdDSA with that curve. */
export const PROOF_ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'RS256', 'PS256'] as const;

/** RFC 7517 §4. Other members, including private ones, are rejected. */
const keyMembers = {
  kid: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      ...LINE_OF_TEXT,
      description:
        'Key ID, as in the header of an assertion. One key in a set can omit it; its assertions must then omit it as well.',
    }),
  ),
  use: Type.Optional(Type.Literal('sig', { description: 'Use of the key: signatures.' })),
  alg: Type.Optional(
    Type.Enum([...PROOF_ALGORITHMS], {
      description:
        'The only algorithm that the key is used with. Default: any algorithm that fits the key type.',
    }),
  ),
};

const AgentKey = Type.Union(
  [
    closed({
      kty: Type.Literal('OKP', { description: 'Key type (RFC 8037).' }),
      crv: Type.Literal('Ed25519', { description: 'The curve.' }),
      x: base64url(43, 43, 'The public key, in base64url.'),
      ...keyMembers,
    }),
    closed({
      kty: Type.Literal('EC', { description: 'Key type (RFC 7518 §6.2).' }),
      crv: Type.Literal('P-256', { description: 'The curve.' }),
      x: base64url(43, 43, 'The x coordinate, in base64url.'),
      y: base64url(43, 43, 'The y coordinate, in base64url.'),
      ...keyMembers,
    }),
    closed({
      kty: Type.Literal('RSA', { description: 'Key type (RFC 7518 §6.3).' }),
      n: base64url(342, 684, 'The modulus, in base64url: 2048 to 4096 bits.'),
      e: base64url(2, 6, 'The exponent, in base64url.'),
      ...keyMembers,
    }),
  ],
  {
    $id: 'AgentKey',
    description: 'A public key (RFC 7517).',
    // RFC 8037 appendix A.2
    examples: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        kid: 'importer-2026',
        use: 'sig',
        alg: 'EdDSA',
      },
    ],
  },
);

/** Public keys for the agent's assertions (RFC 7523): Ed25519, P-256, or RSA of 2048 to 4096 bits. */
export const AgentKeySet = closed(
  {
    keys: Type.Array(AgentKey, {
      minItems: 1,
      maxItems: 10,
      description:
        'Keys of type Ed25519, P-256 or RSA with 2048 to 4096 bits. Add a second key during a rotation.',
    }),
  },
  { $id: 'AgentKeySet', description: 'Public keys that verify assertions.' },
);
export type AgentKeySet = Static<typeof AgentKeySet>;

const ClaimValue = Type.Union([Type.String({ maxLength: 512 }), Type.Integer(), Type.Boolean()]);
export type ClaimValue = Static<typeof ClaimValue>;

export const AgentTrust = closed(
  {
    issuer: Type.String({
      minLength: 9,
      maxLength: 512,
      pattern: '^https?://[^\\s?#]+$',
      [EXPECTS]: 'an https or http URL without query and fragment',
      description:
        'Exact `iss` of the tokens. The issuer’s keys are found through OpenID discovery.',
    }),
    audience: Type.String({
      minLength: 1,
      maxLength: 512,
      ...LINE_OF_TEXT,
      description: 'The only accepted `aud` of the tokens.',
    }),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        ...LINE_OF_TEXT,
        description: 'Exact `sub` of the tokens.',
      }),
    ),
    claims: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.:/-]{0,127}$' }),
        Type.Union([ClaimValue, Type.Array(ClaimValue, { minItems: 1, maxItems: 20 })], {
          $id: 'TrustedClaim',
          description: 'The required value of the claim, or a list of accepted values.',
        }),
        {
          minProperties: 1,
          maxProperties: 10,
          [EXPECTS_NAMES]: CLAIM_NAME_IN_WORDS,
          description:
            'Additional required claims, each with its value or a list of accepted values.',
        },
      ),
    ),
    single_use: Type.Optional(
      Type.Boolean({
        description:
          'Whether a token with a `jti` is accepted only once. Default: true. Set it to false if the workload cannot get a new token, as in Kubernetes.',
      }),
    ),
  },
  {
    $id: 'AgentTrust',
    examples: [
      {
        issuer: 'https://token.actions.githubusercontent.com',
        audience: 'https://id.example.com/t/org_acme',
        subject: 'repo:acme/importer:ref:refs/heads/main',
        claims: { environment: ['staging', 'production'] },
      },
    ],
    description: 'An external issuer, and the tokens from it that authenticate the agent.',
  },
);
export type AgentTrust = Static<typeof AgentTrust>;

export const AgentTrusts = Type.Array(AgentTrust, {
  maxItems: 10,
  description:
    'External issuers whose tokens authenticate the agent. A token must match one entry. Each entry needs a `subject` or `claims`.',
});

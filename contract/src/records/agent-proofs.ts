import Type, { type Static } from 'typebox';
import { closed, LINE_OF_TEXT } from '../shape.ts';
import { EXPECTS, EXPECTS_NAMES } from '../expectation.ts';

const CLAIM_NAME_IN_WORDS =
  'a letter, and up to 127 letters, digits and characters of _ . : / - behind it';

const base64url = (minLength: number, maxLength: number) =>
  Type.String({
    minLength,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    [EXPECTS]: 'base64url without padding',
  });

/** Algorithms that agents sign with. RFC 9864 §2.2: Ed25519 is the other name of EdDSA with that curve. */
export const PROOF_ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'RS256', 'PS256'] as const;

/** RFC 7517 §4. Members that are not named here, private ones among them, are refused. */
const keyMembers = {
  kid: Type.String({ minLength: 1, maxLength: 128, ...LINE_OF_TEXT }),
  use: Type.Optional(Type.Literal('sig')),
  alg: Type.Optional(Type.Enum([...PROOF_ALGORITHMS])),
};

const AgentKey = Type.Union(
  [
    closed({
      kty: Type.Literal('OKP'),
      crv: Type.Literal('Ed25519'),
      x: base64url(43, 43),
      ...keyMembers,
    }),
    closed({
      kty: Type.Literal('EC'),
      crv: Type.Literal('P-256'),
      x: base64url(43, 43),
      y: base64url(43, 43),
      ...keyMembers,
    }),
    closed({
      kty: Type.Literal('RSA'),
      n: base64url(342, 684),
      e: base64url(2, 6),
      ...keyMembers,
    }),
  ],
  { $id: 'AgentKey', description: 'A public key (RFC 7517).' },
);

/** Public keys that the agent signs its assertions with (RFC 7523): Ed25519, P-256, or RSA of 2048 to 4096 bits. */
export const AgentKeySet = closed(
  { keys: Type.Array(AgentKey, { minItems: 1, maxItems: 10 }) },
  { $id: 'AgentKeySet', description: 'Public keys that the agent signs its assertions with.' },
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
      [EXPECTS]: 'an https or http address without query and fragment',
      description:
        'The `iss` of the tokens, letter by letter; its keys are found by OpenID discovery.',
    }),
    audience: Type.String({
      minLength: 1,
      maxLength: 512,
      ...LINE_OF_TEXT,
      description: 'The one `aud` of the tokens.',
    }),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        ...LINE_OF_TEXT,
        description: 'The `sub` of the tokens, letter by letter.',
      }),
    ),
    claims: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.:/-]{0,127}$' }),
        Type.Union([ClaimValue, Type.Array(ClaimValue, { minItems: 1, maxItems: 20 })]),
        {
          minProperties: 1,
          maxProperties: 10,
          [EXPECTS_NAMES]: CLAIM_NAME_IN_WORDS,
          description: 'What else a token has to say: a claim and its value, or a list of values.',
        },
      ),
    ),
    single_use: Type.Optional(
      Type.Boolean({
        description:
          'Default true: a token with a `jti` is good once. False where the workload can not get a new one, as with Kubernetes.',
      }),
    ),
  },
  {
    $id: 'AgentTrust',
    description: 'An outside issuer, and which of its tokens stand for the agent.',
  },
);
export type AgentTrust = Static<typeof AgentTrust>;

export const AgentTrusts = Type.Array(AgentTrust, {
  maxItems: 10,
  description:
    'Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a `subject` or `claims`.',
});

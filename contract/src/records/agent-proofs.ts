import Type, { type Static } from 'typebox';
import { closed, LINE } from '../shape.ts';

const base64url = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

/** RFC 7517 §4. Members that are not named here, private ones among them, are refused. */
const keyMembers = {
  kid: Type.String({ minLength: 1, maxLength: 128, pattern: LINE }),
  use: Type.Optional(Type.Literal('sig')),
  alg: Type.Optional(Type.Enum(['EdDSA', 'Ed25519', 'ES256', 'RS256', 'PS256'])),
};

const AgentKey = Type.Union([
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
]);

/** Public keys that the agent signs its assertions with (RFC 7523): Ed25519, P-256, or RSA of 2048 to 4096 bits. */
export const AgentKeySet = closed({ keys: Type.Array(AgentKey, { minItems: 1, maxItems: 10 }) });
export type AgentKeySet = Static<typeof AgentKeySet>;

const ClaimValue = Type.Union([Type.String({ maxLength: 512 }), Type.Integer(), Type.Boolean()]);
export type ClaimValue = Static<typeof ClaimValue>;

export const AgentTrust = closed({
  issuer: Type.String({
    minLength: 9,
    maxLength: 512,
    pattern: '^https?://[^\\s?#]+$',
    description:
      'The `iss` of the tokens, letter by letter; its keys are found by OpenID discovery.',
  }),
  audience: Type.String({
    minLength: 1,
    maxLength: 512,
    pattern: LINE,
    description: 'The one `aud` of the tokens.',
  }),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      pattern: LINE,
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
});
export type AgentTrust = Static<typeof AgentTrust>;

export const AgentTrusts = Type.Array(AgentTrust, {
  maxItems: 10,
  description:
    'Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a `subject` or `claims`.',
});

import Type from 'typebox';

/**
 * How sure the service is of who authenticated: one factor, two of different kinds, or a phishing-resistant one that is
 * two by itself (NIST SP 800-63B-4 §2).
 */
const ACR_VALUES = ['aal1', 'aal2', 'phr'] as const;
export type Acr = (typeof ACR_VALUES)[number];

export const AcrSchema = Type.Enum([...ACR_VALUES], {
  description:
    'How the user authenticated (OpenID Connect Core §2): `aal1` with one factor, `aal2` with two of different kinds, `phr` with a phishing-resistant one.',
  examples: ['aal1'],
});

export const AmrSchema = Type.Array(Type.String(), {
  description: 'By which methods the user authenticated (RFC 8176): `pwd` is a password.',
  examples: [['pwd']],
});

/** What the secret of a session is: a refresh token of a login, a cookie, or a refresh token of a client. */
export const SESSION_KINDS = ['api', 'browser', 'client'] as const;

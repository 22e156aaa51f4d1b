import Type from 'typebox';
import { ACR_VALUES } from './assurance.ts';

export type { Acr } from './assurance.ts';

export const AcrSchema = Type.Enum([...ACR_VALUES], {
  description:
    'Assurance of the authentication (OpenID Connect Core §2): `aal1` with one factor, `aal2` with two of different kinds, `phr` with a phishing-resistant one.',
  examples: ['aal1'],
});

export const AmrSchema = Type.Array(Type.String(), {
  description: 'Authentication methods of the user (RFC 8176): `pwd` is a password.',
  examples: [['pwd']],
});

/** The secret that continues a session: a login's refresh token, a cookie, or a client's refresh token. */
export const SESSION_KINDS = ['api', 'browser', 'client'] as const;

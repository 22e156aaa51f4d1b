import Type from 'typebox';
import { ACR_VALUES } from './assurance.ts';

export type { Acr } from './assurance.ts';

export const AcrSchema = Type.Enum([...ACR_VALUES], {
  description:
    'Authentication assurance (OpenID Connect Core §2): `aal1` for one factor, `aal2` for two factors of different types, `phr` for phishing-resistant authentication.',
  examples: ['aal1'],
});

export const AmrSchema = Type.Array(Type.String(), {
  description: 'Authentication methods that the user used (RFC 8176). `pwd` is a password.',
  examples: [['pwd']],
});

/** The secret that continues a session: a login's refresh token, a cookie, or a client's refresh token. */
export const SESSION_KINDS = ['api', 'browser', 'client'] as const;

import Type from 'typebox';
import { presentedToken, secret } from '../records/tokens.ts';

/** RFC 7523 §2.2. */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const text = (description: string) => Type.Optional(Type.String({ maxLength: 512, description }));

/**
 * How a client authenticates in the body (RFC 6749 §2.3.1, RFC 7523 §2.2). It can use HTTP Basic authentication
 * instead.
 */
export const CLIENT_AUTHENTICATION = {
  client_id: text('ID of the agent or application.'),
  client_secret: Type.Optional(
    secret({
      maxLength: 512,
      description: 'An API key of the agent, or a secret of the application.',
    }),
  ),
  client_assertion_type: text(`\`${CLIENT_ASSERTION_TYPE}\`.`),
  client_assertion: Type.Optional(
    presentedToken('A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2).'),
  ),
};

/** The token in a revocation or introspection request (RFC 7009 §2.1, RFC 7662 §2.1). */
export const PRESENTED = {
  token_type_hint: text('Ignored. The token itself shows its type.'),
  ...CLIENT_AUTHENTICATION,
};

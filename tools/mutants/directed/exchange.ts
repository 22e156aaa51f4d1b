import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const ENDPOINT = 'server/src/modules/oauth/token-endpoint';
const APPLICATIONS = `${ENDPOINT}/application-exchange.test.ts`;
const TOKENS = `${ENDPOINT}/exchanged-tokens.test.ts`;

export const EXCHANGE: readonly DirectedBreaks[] = [
  breaksIn(`${ENDPOINT}/application-exchange.ts`, APPLICATIONS, [
    ['requireGrant(client, EXCHANGE_GRANT, fail);', '', 'exchanges without the grant'],
    [
      "if (!mayExchange(claims, client.id, resources)) return refuse('subject_token_of_another');",
      '',
      'exchanges what a client found',
    ],
    [' || claims.exp * 1000 <= clock.now().getTime()', '', 'exchanges an expired token'],
    [
      'grantEndsAt: new Date(claims.exp * 1000),',
      'grantEndsAt: new Date(8.64e15),',
      'lets the new token outlive the first',
    ],
    [
      'commonScopes(claims.scopes, client.scopes)',
      'client.scopes.slice()',
      'gives the client more than the token allows',
    ],
    [
      'commonScopes(claims.scopes, client.scopes)',
      'claims.scopes.slice()',
      'gives the client more than it may ask for',
    ],
    [
      'scopesAt(resource, common, held)',
      "scopesAt(resource, common, ['*:*'])",
      'gives what the user does not hold',
    ],
    ['resource && others.length === 0 && ', 'resource && ', 'chooses one of several resources'],
  ]),
  breaksIn(`${ENDPOINT}/application-exchange.ts`, TOKENS, [
    [
      "if (isBoundElsewhere(claims, client.id, key?.jkt)) return refuse('subject_token_bound');",
      '',
      'exchanges a bound token for somebody without its key',
    ],
    [
      "if (!(await isUsable(claims))) return refuse('subject_token_ended');",
      '',
      'exchanges the token of a session that has ended',
    ],
    ['claims.cnf !== undefined || needsKey', 'needsKey', 'makes a bound token a bearer token'],
  ]),
  breaksIn(`${ENDPOINT}/exchange-rules.ts`, APPLICATIONS, [
    [
      "return countActors(chain) > MAX_ACTORS ? 'full' : chain;",
      'return chain;',
      'lets chains grow without end',
    ],
    ['act: act ?? { sub: owner }', '...(act && { act })', 'forgets where the user logged in'],
    ['if (owner === clientId) return act;', '', 'makes a client act for itself'],
  ]),
  breaksIn('server/src/modules/tokens/grants/grant-rules.ts', TOKENS, [
    ['act && !isApplication(act)', 'act', 'takes an application for an impersonator'],
  ]),
  breaksIn('server/src/modules/oauth/introspection/revocation-service.ts', TOKENS, [
    [
      'return act ? firstActor(act).sub : clientId;',
      'return clientId;',
      'lets an application end the session of another one',
    ],
  ]),
  breaksIn('server/src/modules/oauth/clients/client-rules.ts', APPLICATIONS, [
    ["if (authentication === 'none') {", 'if (false) {', 'lets public ones exchange'],
  ]),
];

import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const AUTHORIZE = 'server/src/modules/oauth/authorize';

export const SIGNED_REQUESTS: readonly DirectedBreaks[] = [
  breaksIn(`${AUTHORIZE}/request-object.ts`, `${AUTHORIZE}/signed-requests.test.ts`, [
    [
      'if (!key || !outsideSignatureIsValid(token, key)) return refused(parameters, object, FORGED);',
      '',
      'accepts what nobody signed',
    ],
    [
      "if (clientId !== id) return { flaw: 'client_id' };",
      '',
      'accepts the request of another client',
    ],
    ["if (iss !== id) return { flaw: 'iss' };", '', 'accepts what another issuer says'],
    ["if (sub === id) return { flaw: 'sub' };", '', 'accepts a client assertion as a request'],
    [
      "if (![aud].flat().includes(issuer)) return { flaw: 'aud' };",
      '',
      'accepts a request to another service',
    ],
    ['if (flaw) return { flaw };', '', 'accepts an old request'],
    [
      'if (nested !== undefined) return { flaw: nested };',
      '',
      'accepts a request within a request',
    ],
  ]),
];

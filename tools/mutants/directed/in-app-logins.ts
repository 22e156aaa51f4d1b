import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const LOGINS = 'server/src/modules/oauth/in-app-logins';
const SESSIONS = `${LOGINS}/auth-sessions.test.ts`;
const REQUESTS = `${LOGINS}/requests.test.ts`;
const SETTING = `${LOGINS}/setting.test.ts`;
const WEB = `${LOGINS}/web.test.ts`;

export const IN_APP_LOGINS: readonly DirectedBreaks[] = [
  breaksIn(`${LOGINS}/auth-sessions.ts`, SESSIONS, [
    ['boundTo: `${clientId} ${jkt}`', 'boundTo: `${jkt} `', 'binds to no client'],
    ['boundTo: `${clientId} ${jkt}`', 'boundTo: `${clientId} `', 'binds to no key'],
  ]),
  breaksIn(`${LOGINS}/service.ts`, REQUESTS, [
    [
      "if (!mayLogInInApp(client)) return fail('CLIENT_UNAUTHORIZED', { detail: NOT_LET });",
      '',
      'lets any client log users in',
    ],
    [
      "(await authSessions.open(text, holder)) ?? fail('AUTH_SESSION_INVALID');\n    await key?.requireUnused(fail);",
      "(await authSessions.open(text, holder)) ?? fail('AUTH_SESSION_INVALID');",
      'takes a proof of a key twice',
    ],
    [
      "if (step === 'several') return fail('VALIDATION_FAILED', SEVERAL);",
      "if (step === 'several') throw new Error('several');",
      'fails at two proofs',
    ],
  ]),
  breaksIn(`${LOGINS}/progress.ts`, SESSIONS, [
    ["if (status !== 'needs') return fail('AUTH_SESSION_INVALID');", '', 'goes on with what ended'],
  ]),
  breaksIn(`${LOGINS}/progress.ts`, WEB, [
    ['await perform(cancelFlow, given);', '', 'lets a login go on here and in a browser'],
    ["if (request.redirectUri === '')", "if (request.redirectUri !== '')", 'pushes to no address'],
  ]),
  breaksIn('server/src/modules/oauth/authorize/in-app.ts', REQUESTS, [
    ["if (prompts.includes('none')) return refuse(AT_ONCE, fail);", '', 'takes prompt=none'],
    [
      'return idTokenHint === undefined ? request : refuse(HINTED, fail);',
      'return request;',
      'takes id_token_hint',
    ],
    [
      'return form.length <= LONGEST ? form : refuse(TOO_LONG, fail);',
      'return form;',
      'seals any length',
    ],
  ]),
  breaksIn('server/src/modules/oauth/authorize/in-app.ts', WEB, [
    [
      'filter(([name]) => NAMES.includes(name))',
      'filter(([name]) => name !== "")',
      'keeps what was typed',
    ],
  ]),
  breaksIn('server/src/modules/oauth/authorize/asked.ts', REQUESTS, [
    ['pkceOfAll || isStrict || isInApp', 'pkceOfAll || isStrict', 'needs no PKCE'],
  ]),
  breaksIn('server/src/modules/oauth/token-endpoint/code-grant.ts', REQUESTS, [
    ['? mayLogInInApp(client)', '? true', 'redeems codes of who may not log users in any more'],
  ]),
  breaksIn('server/src/modules/oauth/clients/client-rules.ts', SETTING, [
    [
      "client.first_party && kind === 'native' && hasBrowser",
      "kind === 'native' && hasBrowser",
      'lets others see passwords',
    ],
    [
      "client.first_party && kind === 'native' && hasBrowser",
      'client.first_party && hasBrowser',
      'lets pages see passwords',
    ],
  ]),
  breaksIn('server/src/modules/oauth/clients/client-rules.ts', SETTING, [
    ["if (client.in_app_login) add('/in_app_login', 'must be false');", '', 'lets banks do it'],
  ]),
];

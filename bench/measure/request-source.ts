import { codeLogins } from './code-source.ts';
import { passkeyLogins } from './passkey-source.ts';
import { provenRequests } from './proof-source.ts';
import {
  type RefreshableSession,
  type RequestSource,
  type Script,
  withForm,
  withJson,
} from './traffic.ts';

export function requestSource(script: Script): RequestSource {
  switch (script.kind) {
    case 'cycle':
      return cycle(script.requests);
    case 'once':
      return once(script.requests);
    case 'refresh':
      return refreshes(script.sessions);
    case 'passkey':
      return passkeyLogins(script.logins);
    case 'code':
      return codeLogins(repeatedly(script.logins));
    case 'proof':
      return provenRequests(script.requests, script.key);
  }
}

function* repeatedly<Item>(items: readonly Item[]): Generator<Item, void> {
  while (items.length > 0) yield* items;
}

function cycle(requests: readonly string[]): RequestSource {
  let at = -1;
  return {
    next() {
      at = (at + 1) % requests.length;
      return requests[at];
    },
    learn() {},
  };
}

function once(requests: readonly string[]): RequestSource {
  let at = -1;
  return {
    next() {
      at += 1;
      return requests[at];
    },
    learn() {},
  };
}

const TOKEN_BEFORE = '"refresh_token":"';

function refreshes(sessions: readonly RefreshableSession[]): RequestSource {
  const tokens = sessions.map((session) => session.token);
  let at = -1;
  return {
    next() {
      at = (at + 1) % tokens.length;
      const { head = '', form } = sessions[at] ?? {};
      if (form === undefined) return withJson(head, `{"refresh_token":"${tokens[at]}"}`);
      return withForm(head, `${form}&refresh_token=${tokens[at]}`);
    },
    learn(answer) {
      const start = answer.indexOf(TOKEN_BEFORE) + TOKEN_BEFORE.length;
      tokens[at] = answer.slice(start, answer.indexOf('"', start));
    },
  };
}

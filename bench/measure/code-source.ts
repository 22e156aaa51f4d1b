import { type CodeLogin, type RequestSource, withForm } from './traffic.ts';

const CODE = /\r\nlocation: [^\r]*[?&]code=([^&\r]+)/i;

/** Two requests for each login, repeatedly: for a code, and for its tokens. */
export function codeLogins(logins: readonly CodeLogin[]): RequestSource {
  let at = -1;
  let code: string | undefined;
  return {
    next() {
      if (code !== undefined) {
        const { head = '', form = '' } = logins[at] ?? {};
        return withForm(head, `${form}&code=${code}`);
      }
      at = (at + 1) % logins.length;
      return logins[at]?.authorize;
    },
    learn(answer) {
      const isExchanged = code !== undefined;
      code = isExchanged ? undefined : CODE.exec(answer)?.[1];
      const isRight = isExchanged ? answer.includes('"id_token":"') : code !== undefined;
      if (!isRight) throw new Error(`neither a code nor tokens:\n${answer}`);
    },
  };
}

import { type CodeLogin, type RequestSource, withForm } from './traffic.ts';

const CODE = /\r\nlocation: [^\r]*[?&]code=([^&\r]+)/i;

/** Two requests for each login: for a code, and for its tokens. */
export function codeLogins(logins: Iterator<CodeLogin>): RequestSource {
  let current: CodeLogin | undefined;
  let code: string | undefined;
  return {
    next() {
      if (current && code !== undefined) {
        return withForm(current.head, `${current.form}&code=${code}`);
      }
      const { value, done } = logins.next();
      current = done === true ? undefined : value;
      return current?.authorize;
    },
    learn(answer) {
      const isExchanged = code !== undefined;
      code = isExchanged ? undefined : CODE.exec(answer)?.[1];
      const isRight = isExchanged ? answer.includes('"id_token":"') : code !== undefined;
      if (!isRight) throw new Error(`no code and no tokens:\n${answer}`);
    },
  };
}

import { listFactors } from '@keywright/contract/routes/factors';
import { listIdentifiers } from '@keywright/contract/routes/identifiers';
import { listSessions } from '@keywright/contract/routes/sessions';
import { html } from '../../../platform/http/pages/html.ts';
import { time } from './parts.ts';
import { type Section, WHOLE } from './section.ts';

/** Who you are, what protects you, and where you are logged in. */
export const overview: Section = {
  actions: {},
  async show(api) {
    const [{ identifiers }, factors, sessions] = await Promise.all([
      api.call(listIdentifiers, { params: {}, query: {}, body: undefined }),
      api.call(listFactors, WHOLE),
      api.call(listSessions, WHOLE),
    ]);
    const strong = factors.items.filter((one) => one.confirmed_at !== null);
    const kinds = new Set(strong.map(({ type }) => type));
    const protection = kinds.has('passkey')
      ? 'A passkey protects your account.'
      : kinds.has('totp')
        ? 'A second factor protects your account.'
        : 'Only a first factor protects your account. Add a passkey or an authenticator app.';
    return html`<h2>You</h2>
      <ul>
        ${identifiers.map(({ identifier, verified: isVerified }) => html`<li><bdi>${identifier}</bdi>${isVerified ? undefined : ' (not verified)'}</li>`)}
      </ul>
      <h2>Protection</h2>
      <p>${protection} <a href="account?section=security">Ways to log in</a></p>
      <h2>Logins</h2>
      <p>
        You logged in here at ${time(api.login.authTime)}. Open
        <a href="account?section=sessions">sessions</a>: ${sessions.meta.total}.
      </p>`;
  },
};

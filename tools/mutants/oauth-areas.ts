import type { Area } from './area.ts';

const OAUTH = 'server/src/modules/oauth';

/** The code of OAuth, and of what applications do with it. */
const IN_APP = `${OAUTH}/in-app-logins`;

export const OAUTH_AREAS: Readonly<Record<string, Area>> = {
  'signed-requests': {
    sources: ['server/src/modules/oauth/authorize/request-object.ts'],
    tests: ['server/src/modules/oauth/authorize/signed-requests.test.ts'],
  },
  pkce: {
    sources: ['server/src/modules/oauth/token-endpoint/client-proof.ts'],
    tests: [
      'server/src/modules/oauth/token-endpoint/request.test.ts',
      'server/src/modules/oauth/token-endpoint/basic-names.test.ts',
    ],
  },
  fapi: {
    sources: [
      'server/src/tenancy/oauth-profile.ts',
      'server/src/modules/oauth/clients/client-rules.ts',
      'server/src/modules/oauth/token-endpoint/fapi2.ts',
      'server/src/modules/oauth/token-endpoint/refresh-policy.ts',
      'server/src/modules/tokens/sessions/session-refresh.ts',
    ],
    functions: ['kw_find_fixed_sessions'],
    tests: [
      'tests/conformance/fapi2-security-profile.test.ts',
      'tests/conformance/fapi2-message-signing.test.ts',
      'server/src/modules/oauth/clients/profile.test.ts',
      'server/src/modules/oauth/token-endpoint/fixed-refresh.test.ts',
      'tests/isolation/mixed-batches.test.ts',
    ],
  },
  devices: {
    sources: [
      'server/src/modules/oauth/authorize/device.ts',
      'server/src/modules/oauth/device-grants/device-grants.ts',
      'server/src/modules/oauth/device-grants/store.ts',
    ],
    functions: ['kw_poll_devices'],
    tests: [
      'server/src/modules/oauth/device-grants/device-grants.test.ts',
      'server/src/modules/oauth/authorize/device-page.test.ts',
      'tests/races/devices.test.ts',
    ],
  },
  dpop: {
    sources: [
      'server/src/modules/tokens/access-tokens/dpop-rules.ts',
      'server/src/modules/tokens/access-tokens/dpop.ts',
    ],
    tests: [
      'server/src/modules/tokens/access-tokens/dpop-rules.test.ts',
      'server/src/modules/oauth/token-endpoint/dpop.test.ts',
      'server/src/modules/oauth/token-endpoint/dpop-nonces.test.ts',
    ],
  },
  exchange: {
    sources: [
      'server/src/modules/oauth/token-endpoint/application-exchange.ts',
      'server/src/modules/oauth/token-endpoint/exchange-rules.ts',
    ],
    tests: [
      'server/src/modules/oauth/token-endpoint/application-exchange.test.ts',
      'server/src/modules/oauth/token-endpoint/exchanged-tokens.test.ts',
    ],
  },
  'identity-assertions': {
    sources: [
      'server/src/modules/oauth/identity-assertions/rules.ts',
      'server/src/modules/oauth/identity-assertions/verify.ts',
    ],
    tests: ['server/src/modules/oauth/identity-assertions/attacks.test.ts'],
  },
  registration: {
    sources: [
      `${OAUTH}/clients/document.ts`,
      `${OAUTH}/clients/documents.ts`,
      `${OAUTH}/clients/published-clients.ts`,
      `${OAUTH}/clients/published.ts`,
      `${OAUTH}/clients/registration-store.ts`,
      `${OAUTH}/clients/sector.ts`,
      `${OAUTH}/registration/change.ts`,
      `${OAUTH}/registration/due-store.ts`,
      `${OAUTH}/registration/manage.ts`,
      `${OAUTH}/registration/metadata.ts`,
      `${OAUTH}/registration/register.ts`,
      `${OAUTH}/registration/registrant.ts`,
      `${OAUTH}/registration/secrets.ts`,
      `${OAUTH}/registration/sweep.ts`,
      `${OAUTH}/registration/tokens-store.ts`,
      `${OAUTH}/registration/tokens.ts`,
    ],
    tests: [
      `${OAUTH}/registration/registration.test.ts`,
      `${OAUTH}/registration/anybody.test.ts`,
      `${OAUTH}/registration/manage.test.ts`,
      `${OAUTH}/clients/documents.test.ts`,
      `${OAUTH}/clients/unusable-documents.test.ts`,
      `${OAUTH}/clients/sector.test.ts`,
      'tests/races/registrations.test.ts',
    ],
  },
  signals: {
    sources: [
      `${OAUTH}/signal-tokens/signal-tokens.ts`,
      `${OAUTH}/signals/administration.ts`,
      `${OAUTH}/signals/polling.ts`,
      `${OAUTH}/signals/receiver.ts`,
      `${OAUTH}/signals/rules.ts`,
      `${OAUTH}/signals/set.ts`,
      `${OAUTH}/signals/signals-store.ts`,
      `${OAUTH}/signals/stream-fields.ts`,
      `${OAUTH}/signals/streams-store.ts`,
      `${OAUTH}/signals/streams.ts`,
      `${OAUTH}/signals/telling.ts`,
      `${OAUTH}/signals/waiting-store.ts`,
      `${OAUTH}/signals/waiting.ts`,
    ],
    functions: ['kw_signal', 'kw_find_signal_streams'],
    tests: [
      `${OAUTH}/signals/streams.test.ts`,
      `${OAUTH}/signals/told.test.ts`,
      `${OAUTH}/signals/polling.test.ts`,
      `${OAUTH}/signals/retries.test.ts`,
      `${OAUTH}/signals/refusals.test.ts`,
      `${OAUTH}/signals/bound-tokens.test.ts`,
      `${OAUTH}/signals/unchanged.test.ts`,
      'tests/races/signals.test.ts',
    ],
  },
  'in-app-logins': {
    sources: ['service', 'progress', 'auth-sessions'].map((name) => `${IN_APP}/${name}.ts`),
    tests: ['auth-sessions', 'requests', 'setting', 'web'].map(
      (name) => `${IN_APP}/${name}.test.ts`,
    ),
  },
};

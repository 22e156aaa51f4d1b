// Frameworks that log in by configuration.

import { quoted, type Template } from './values.ts';

/** A JSON string is also a valid YAML string. */
const quotedInYaml = (text: string): string => JSON.stringify(text);

export const nextjs: Template = {
  packages: 'next-auth@beta',
  path: '/api/auth/callback/keywright',
  text: ({
    client,
    issuer,
    uri,
    scope,
  }) => `// auth.js; app/api/auth/[...nextauth]/route.js exports GET and POST of its handlers.
// AUTH_KEYWRIGHT_SECRET and AUTH_SECRET come from the environment, and so do
//   AUTH_KEYWRIGHT_ISSUER=${issuer}
//   AUTH_KEYWRIGHT_ID=${client.id}
//   AUTH_URL=${new URL(uri).origin}
import NextAuth from 'next-auth';

export const { handlers, signIn, signOut, auth } = NextAuth({
  providers: [
    {
      id: 'keywright',
      name: 'Keywright',
      type: 'oidc',
      checks: ['pkce', 'state', 'nonce'],
      authorization: { params: { scope: ${quoted(scope)} } },${
        client.token_endpoint_auth_method === 'client_secret_basic'
          ? ''
          : `\n      client: { token_endpoint_auth_method: ${quoted(client.token_endpoint_auth_method)} },`
      }
    },
  ],
});
`,
};

export const spring: Template = {
  packages: 'spring-boot-starter-security-oauth2-client',
  path: '/login/oauth2/code/keywright',
  text: ({ client, issuer, scope }) => `# application.yaml, with Spring Boot 4
spring:
  security:
    oauth2:
      client:
        registration:
          keywright:
            client-id: ${quotedInYaml(client.id)}${
              client.token_endpoint_auth_method.startsWith('client_secret')
                ? '\n            client-secret: ${CLIENT_SECRET}'
                : ''
            }${
              client.token_endpoint_auth_method === 'client_secret_basic'
                ? ''
                : `\n            client-authentication-method: ${client.token_endpoint_auth_method}`
            }
            scope: ${quotedInYaml(scope.replaceAll(' ', ','))}
        provider:
          keywright:
            issuer-uri: ${quotedInYaml(issuer)}
`,
};

// Server applications: Express, and any other framework with openid-client.

import { ATTEMPT, authorization, discovery } from './openid-client.ts';
import { quoted, type Template } from './values.ts';

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

/** Returns the route of an address. An address with a custom scheme might have none. */
function pathOf(uri: string): string {
  const { pathname } = new URL(uri);
  return pathname.startsWith('/') ? pathname : '/callback';
}

export const express: Template = {
  packages: 'express express-session openid-client',
  text: (values) => `import express from 'express';
import session from 'express-session';
import * as oidc from 'openid-client';

${discovery(values)}

const app = express();
app.use(
  session({
    secret: process.env.SESSION_SECRET,
    resave: false,
    saveUninitialized: false,
    proxy: true,
    cookie: { httpOnly: true, sameSite: 'lax', secure: ${values.uri.startsWith('https:')} },
  }),
);

app.get('/login', async (request, response) => {
${indented(ATTEMPT)}
${indented(authorization(quoted(values.uri), values.scope))}
  request.session.attempt = attempt;
  response.redirect(url.href);
});

app.get(${quoted(pathOf(values.uri))}, async (request, response) => {
  const { attempt } = request.session;
  if (attempt) {
    const url = new URL(request.originalUrl, ${quoted(values.uri)});
    const tokens = await oidc.authorizationCodeGrant(config, url, attempt);
    // A new id, so that an attacker cannot prepare a session for another user to log in to.
    await new Promise((done) => request.session.regenerate(done));
    request.session.user = tokens.claims().sub;
  }
  response.redirect('/');
});

app.listen(process.env.PORT);
`,
};

export const openid: Template = {
  packages: 'openid-client',
  text: (values) => `import * as oidc from 'openid-client';

${discovery(values)}

// Keep the attempt with the browser, and send the browser to the url.
${ATTEMPT}
${authorization(quoted(values.uri), values.scope)}

// At ${values.uri}, with the address that the browser came back to:
const tokens = await oidc.authorizationCodeGrant(config, new URL(currentUrl), attempt);
const { sub } = tokens.claims();
`,
};

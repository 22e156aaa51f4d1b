// A site whose users log in by Passport: `node server.mjs passport-openidconnect`, or `openid-client`.

import express from 'express';
import session from 'express-session';
import * as oidc from 'openid-client';
import { Strategy as OpenidClientStrategy } from 'openid-client/passport';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';

const { ISSUER, ORIGIN, CLIENT_ID, CLIENT_SECRET } = process.env;
const SCOPES = ['openid', 'profile', 'email', 'offline_access'];

/** With PKCE and discovery. */
async function openidClient() {
  const config = await oidc.discovery(
    new URL(ISSUER),
    CLIENT_ID,
    undefined,
    oidc.ClientSecretBasic(CLIENT_SECRET),
    { execute: [oidc.allowInsecureRequests] },
  );
  const options = { config, scope: SCOPES.join(' '), callbackURL: `${ORIGIN}/callback` };
  return new OpenidClientStrategy(options, (tokens, done) => {
    void profileOf(config, tokens).then((user) => done(null, user), done);
  });
}

/** Reads the profile with a refreshed access token. */
async function profileOf(config, tokens) {
  const next = await oidc.refreshTokenGrant(config, tokens.refresh_token);
  const profile = await oidc.fetchUserInfo(config, next.access_token, tokens.claims().sub);
  return { sub: profile.sub, name: profile.name, email: profile.email };
}

/** Without PKCE, and therefore with a nonce. */
function openidConnect() {
  const options = {
    issuer: ISSUER,
    authorizationURL: `${ISSUER}/oauth/authorize`,
    tokenURL: `${ISSUER}/auth/token`,
    userInfoURL: `${ISSUER}/oauth/userinfo`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    callbackURL: `${ORIGIN}/callback`,
    scope: SCOPES.slice(1),
    nonce: true,
  };
  return new OpenIDConnectStrategy(options, (_issuer, { id, displayName, emails }, done) =>
    done(null, { sub: id, name: displayName, email: emails?.[0]?.value }),
  );
}

const strategy = process.argv[2] === 'openid-client' ? await openidClient() : openidConnect();
passport.use('keywright', strategy);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: 'only for a test', resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get('/', (request, response, next) => {
  if (request.user) response.json(request.user);
  else passport.authenticate('keywright')(request, response, next);
});
app.get('/callback', passport.authenticate('keywright', { successRedirect: '/' }));
app.listen(Number(new URL(ORIGIN).port));

// A site whose users sign in with Keywright. Tokens remain on the server; the browser only has a cookie of the site.

import { randomBytes } from 'node:crypto';
import express from 'express';
import session from 'express-session';
import {
  beginLogin,
  endedSession,
  finishLogin,
  isOver,
  logoutUrl,
  profileOf,
  refreshed,
} from './login.mjs';
import { homePage, problemPage, welcomePage } from './pages.mjs';

const {
  ORIGIN = 'http://localhost:3000',
  PORT = new URL(ORIGIN).port,
  SESSION_SECRET = randomBytes(32).toString('hex'),
} = process.env;

const app = express();
app.use(
  session({
    // Sessions are in memory here; in production they are in a store that all processes share.
    secret: SESSION_SECRET,
    resave: false,
    saveUninitialized: false,
    proxy: true,
    cookie: { httpOnly: true, sameSite: 'lax', secure: ORIGIN.startsWith('https:') },
  }),
);

/** Keywright sessions that ended while their users were signed in here. In production, use the same store for them. */
const ended = new Set();

app.get('/', async ({ session: browserSession }, response) => {
  if (ended.has(browserSession.login?.sid)) delete browserSession.login;
  if (!browserSession.login) {
    response.send(welcomePage());
    return;
  }
  try {
    browserSession.login = await refreshed(browserSession.login);
    response.send(homePage(await profileOf(browserSession.login)));
  } catch (error) {
    if (!isOver(error)) throw error;
    delete browserSession.login;
    response.send(welcomePage());
  }
});

app.get('/login', async ({ session: browserSession }, response) => {
  const { url, attempt } = await beginLogin();
  browserSession.attempt = attempt;
  response.redirect(url.href);
});

app.get('/callback', async (request, response) => {
  const { attempt } = request.session;
  if (attempt) {
    const login = await finishLogin(new URL(request.originalUrl, ORIGIN), attempt);
    // A new ID, so that an attacker cannot prepare a session for the victim to sign in to.
    await new Promise((done) => request.session.regenerate(done));
    request.session.login = login;
  }
  response.redirect('/');
});

app.post('/logout', ({ session: browserSession }, response) => {
  const to = browserSession.login ? logoutUrl(browserSession.login).href : '/';
  browserSession.destroy(() => response.redirect(303, to));
});

// Keywright calls this route when a user signs out, so that they are signed out of all applications.
app.post('/backchannel-logout', express.urlencoded(), async (request, response) => {
  try {
    const sid = await endedSession(request.body?.logout_token);
    ended.add(sid);
    console.log(`session ${sid} ended`);
    response.status(204).end();
  } catch (error) {
    console.warn(error);
    response.status(400).end();
  }
});

/** @type {express.ErrorRequestHandler} */
const showProblem = (error, _request, response, _next) => {
  console.error(error);
  response.status(500).send(problemPage());
};
app.use(showProblem);

const server = app.listen(Number(PORT), () => console.log(`listening at ${ORIGIN}`));
process.once('SIGTERM', () => server.close());

import { issuer } from './config.js';
import * as login from './login.js';

const element = (id) => document.getElementById(id);

function show(user) {
  element('hello').textContent = user ? `Hello ${user.name ?? user.email ?? user.sub}` : 'Welcome';
  element('login').hidden = user !== undefined;
  element('call').hidden = user === undefined;
  element('logout').hidden = user === undefined;
}

/** Uses the access token. This example calls userinfo; your app calls your own services. */
async function call() {
  const token = await login.accessToken();
  const response = await fetch(`${issuer}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  element('answer').textContent = JSON.stringify(await response.json(), null, 2);
}

/** Shows that no user is signed in, or that the login has ended. */
function showProblem(error) {
  if (!(error instanceof login.LoginError)) throw error;
  // `login_required` from prompt=none is not a problem.
  element('answer').textContent = error.code === 'login_required' ? '' : error.message;
  show(undefined);
}

element('login').addEventListener('click', () => void login.begin());
element('logout').addEventListener('click', () => login.logOut());
element('call').addEventListener('click', () => void call().catch(showProblem));

if (login.isBack()) {
  await login.finish().catch(showProblem);
  show(login.user());
} else {
  await login.begin({ prompt: 'none' });
}

/** @param {string} title @param {string} body */
const page = (title, body) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  <h1>${title}</h1>
  ${body}
</html>
`;

/** @param {unknown} text */
function escaped(text) {
  return String(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const welcomePage = () => page('Welcome', '<p><a id="login" href="/login">Sign in</a></p>');

/** @param {{ sub: string, name?: string, email?: string }} profile */
export const homePage = ({ sub, name, email }) =>
  page(
    `Hello ${escaped(name ?? email ?? sub)}`,
    `<p>You are <code id="sub">${escaped(sub)}</code>.</p>
  <form method="post" action="/logout"><button id="logout">Sign out</button></form>`,
  );

export const problemPage = () =>
  page('Sign-in failed', '<p>You are not signed in. <a href="/login">Try again</a>.</p>');

// Only here can a refreshed token be put into the cookie: a page that is being rendered cannot.
export { auth as proxy } from './auth.js';

export const config = { matcher: ['/((?!api|_next|favicon.ico).*)'] };

import type { Attempt, Login } from './login.mjs';

declare module 'express-session' {
  interface SessionData {
    attempt: Attempt;
    login: Login;
  }
}

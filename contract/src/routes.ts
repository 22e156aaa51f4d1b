import type { Route } from './route.ts';
import { login, logout, refresh, verifyToken } from './routes/auth.ts';
import { getIssuerKeySet, getKeySet } from './routes/key-set.ts';
import { getMe, updateMe } from './routes/me.ts';
import { health, live, openapi } from './routes/service.ts';
import { deleteSession, deleteSessions, listSessions } from './routes/sessions.ts';
import { createUser, deleteUser, getUser, listUsers, updateUser } from './routes/users.ts';

/** Every route of the service, in the order of the reference. */
export const ROUTES: readonly Route[] = [
  login,
  refresh,
  logout,
  verifyToken,
  getMe,
  updateMe,
  listUsers,
  getUser,
  createUser,
  updateUser,
  deleteUser,
  listSessions,
  deleteSession,
  deleteSessions,
  getKeySet,
  getIssuerKeySet,
  health,
  live,
  openapi,
];

import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const FAMILIES = 'tests/races/child-sessions.test.ts';
const END_STORE = 'server/src/modules/tokens/sessions/administration-store.ts';
const FUNCTIONS = 'tests/isolation/database-functions.test.ts';
const MIXED = 'tests/isolation/mixed-batches.test.ts';
const RACES = 'tests/races/login.test.ts';
const THROTTLE = 'server/src/modules/authentication/login/throttle.test.ts';

export const SESSION_FUNCTIONS: readonly DirectedBreaks[] = [
  breaksIn('kw_refresh_sessions', MIXED, [
    [
      'SELECT sessions.is_active AND sessions.expires_at > asked.issued_at',
      'SELECT sessions.expires_at > asked.issued_at',
      'refreshes a session whose parent has ended',
    ],
    [
      'SELECT sessions.is_active AND sessions.expires_at > asked.issued_at',
      'SELECT sessions.is_active',
      'refreshes a session whose parent has expired',
    ],
    [
      "WHEN s.parent_id IS NOT NULL AND p.is_alive IS NOT TRUE THEN 'ended'",
      "WHEN s.parent_id IS NOT NULL AND NOT p.is_alive THEN 'ended'",
      'refreshes a session whose parent is gone',
    ],
    [
      "asked.outcome <> 'other'",
      "asked.outcome = 'rotated'",
      'repeats the tokens of a session whose parent has ended',
    ],
  ]),
  breaksIn('kw_finish_logins', RACES, [
    [
      'AND u.is_active AND u.auth_version = p_auth_versions[i]',
      'AND u.is_active',
      'opens a session after the password was changed',
    ],
    [
      '\n       FOR SHARE;\n    IF FOUND THEN',
      ';\n    IF FOUND THEN',
      'opens a session for a user that is being changed',
    ],
  ]),
  breaksIn('kw_open_client_sessions', FAMILIES, [
    [
      "asked.outcome = 'opened'\n       LIMIT 1 FOR SHARE\n    ) AS s",
      "asked.outcome = 'opened'\n       LIMIT 1\n    ) AS s",
      'opens a session whose parent is ending',
    ],
    [
      "asked.outcome = 'opened'\n       LIMIT 1 FOR SHARE\n    ) AS s",
      "asked.outcome = 'opened'\n       LIMIT 1 FOR KEY SHARE\n    ) AS s",
      'opens a session whose parent is ending, with too weak a lock',
    ],
    [" AND sessions.kind = 'browser'\n", '\n', 'opens a session from any other session'],
    [
      ' AND sessions.user_id = asked.user_id AND',
      ' AND',
      "opens a session from another user's session",
    ],
  ]),
  breaksIn(END_STORE, FAMILIES, [
    [
      'if (parents.length === 0) return ended;',
      'return ended;',
      'leaves a session that is opened while all are ended',
    ],
    [
      "row.kind === 'browser' ? ",
      "row.kind === 'client' ? ",
      'leaves the children of a session that ends',
    ],
    [
      "    .where('id', '=', id)\n    .where('is_active'",
      "    .where((eb) => eb.or([eb('id', '=', id), eb('parent_id', '=', id)]))\n    .where('is_active'",
      'ends its children first, in the same snapshot',
    ],
  ]),
  breaksIn('kw_finish_logins', FUNCTIONS, [
    [
      'AND u.is_active AND u.auth_version = p_auth_versions[i]',
      'AND u.auth_version = p_auth_versions[i]',
      'opens a session for an inactive user',
    ],
    [
      '\n       AND v_tenant = ANY (v_active)\n       FOR SHARE',
      '\n       FOR SHARE',
      'opens a session in an inactive tenant',
    ],
    [
      "      v_outcomes[i] := 'elsewhere';",
      '      NULL;',
      'records a workspace other than the opened one',
    ],
  ]),
  breaksIn('kw_finish_logins', THROTTLE, [
    [
      'UPDATE login_attempts a SET attempts = a.attempts - 1',
      'UPDATE login_attempts a SET attempts = a.attempts',
      'counts successful logins',
    ],
  ]),
];

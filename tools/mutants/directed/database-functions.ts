import { breaksIn, type DirectedBreaks } from '../breaks.ts';
import { SESSION_FUNCTIONS } from './session-functions.ts';
import { STATUS_FUNCTIONS } from './status-functions.ts';

const FUNCTIONS = 'tests/isolation/database-functions.test.ts';
const MIXED = 'tests/isolation/mixed-batches.test.ts';
const COUNTERS = 'tests/limits/counters.test.ts';
const THROTTLE = 'server/src/modules/authentication/login/throttle.test.ts';
const LOGIN = 'server/src/modules/authentication/login/login.test.ts';
const BEARER = 'server/src/modules/machines/api-keys/bearer.test.ts';

export const DATABASE_FUNCTIONS: readonly DirectedBreaks[] = [
  ...SESSION_FUNCTIONS,
  breaksIn('kw_find_api_keys', MIXED, [
    [
      'WHERE api_keys.tenant_id = entered.tenant_id AND secret_hash = asked.hash\n           AND kw_is_usable(revoked_at, expires_at, p_now) AND agent_is_active LIMIT 1',
      'WHERE api_keys.tenant_id = entered.tenant_id AND secret_hash = asked.hash\n           AND expires_at > p_now AND agent_is_active LIMIT 1',
      'finds revoked keys, in a batch of several tenants',
    ],
    [
      'WHERE api_keys.tenant_id = v_tenant AND secret_hash = asked.hash\n           AND kw_is_usable(revoked_at, expires_at, p_now) AND agent_is_active LIMIT 1',
      'WHERE api_keys.tenant_id = v_tenant AND secret_hash = asked.hash\n           AND revoked_at IS NULL AND agent_is_active LIMIT 1',
      'finds expired keys of one tenant',
    ],
  ]),
  breaksIn('kw_resolve_tenant', FUNCTIONS, [
    [
      'WHERE t.tenant_id = p_id AND t.deleted_at IS NULL',
      'WHERE t.tenant_id = p_id',
      'finds deleted tenants by their id',
    ],
    [
      'WHERE d.domain = p_domain AND t.deleted_at IS NULL',
      'WHERE d.domain = p_domain',
      'finds deleted tenants by their domain',
    ],
    ['IF p_id IS NOT NULL THEN', 'IF p_domain IS NULL THEN', 'looks up the domain first'],
    [
      "PERFORM set_config('role', 'keywright_resolver', true);",
      '',
      "looks up without the resolver's role",
    ],
  ]),
  breaksIn('kw_load_tenant', FUNCTIONS, [
    [
      'WHERE t.tenant_id = v_tenant AND t.deleted_at IS NULL',
      'WHERE t.tenant_id = v_tenant',
      'loads deleted tenants',
    ],
  ]),
  breaksIn('kw_start_logins', THROTTLE, [
    [
      'CONTINUE WHEN v_waits[v_login] IS NOT NULL;',
      '',
      'counts rejected attempts, and allows by the last count',
    ],
    [
      'CONTINUE WHEN p_attempt_of_device[i] <> v_known[v_login];',
      '',
      'counts a known device with unknown ones',
    ],
    [
      '\n           AND u.auth_version = p_device_versions[v_login]',
      '',
      'recognizes a device after the password was changed',
    ],
  ]),
  breaksIn('kw_start_logins', COUNTERS, [
    [
      'v_new[v_login] := v_wait IS NULL;',
      'v_new[v_login] := false;',
      'leaves no reserve to networks that are new to an identifier',
    ],
  ]),
  breaksIn('kw_admit_message', COUNTERS, [
    [
      'v_is_new := retry_after IS NULL;',
      'v_is_new := false;',
      'leaves no reserve to networks that are new to a recipient or a tenant',
    ],
  ]),
  breaksIn('kw_count_attempt', THROTTLE, [
    [
      'WHERE a.window_ends_at <= p_now OR a.attempts < p_limit;',
      'WHERE a.window_ends_at <= p_now OR a.attempts <= p_limit;',
      'allows one more than the limit',
    ],
    [
      'attempts = CASE WHEN a.window_ends_at <= p_now THEN 1 ELSE a.attempts + 1 END',
      'attempts = a.attempts + 1',
      'never resets the count',
    ],
  ]),
  breaksIn('kw_start_logins', FUNCTIONS, [
    [
      '\n           AND found.user_id = p_device_users[v_login]',
      '',
      "recognizes another user's device",
    ],
  ]),
  breaksIn('kw_count_attempt', FUNCTIONS, [
    [
      'window_ends_at = CASE WHEN a.window_ends_at <= p_now THEN v_ends_at ELSE a.window_ends_at END',
      'window_ends_at = v_ends_at',
      'extends the window with each attempt',
    ],
  ]),
  breaksIn('kw_login_workspace', LOGIN, [
    [' AND w.is_active', '', 'selects an inactive workspace'],
    [
      '\n     AND (p_asked IS NULL OR m.workspace_id = p_asked)',
      '',
      'selects the first workspace, whichever was requested',
    ],
  ]),
  breaksIn('kw_read_api_key', BEARER, [
    ['AND k.secret_hash = p_hash', '', 'reads any key of the tenant'],
    ['k.scopes, k.allowed_ips', 'a.scopes, k.allowed_ips', 'ignores the scopes of the key itself'],
  ]),
  ...STATUS_FUNCTIONS,
  breaksIn('kw_enter', FUNCTIONS, [
    [
      "PERFORM set_config('role', 'keywright_tenant', true);",
      '',
      "enters a tenant with the owner's privileges",
    ],
    ["PERFORM set_config('keywright.tenant_id', p_tenant, true);", '', 'enters no tenant'],
  ]),
  breaksIn('kw_application_keys', 'server/src/modules/tokens/signing-keys/algorithms.test.ts', [
    [" AND k.algorithm <> 'EdDSA'", '', 'publishes the keys of EdDSA twice'],
  ]),
  breaksIn('kw_signing_keys', 'server/src/modules/tokens/signing-keys/rotation.test.ts', [
    [
      'ORDER BY k.signs_from DESC, k.id DESC',
      'ORDER BY k.signs_from, k.id',
      'signs with the oldest key',
    ],
    [" AND k.algorithm = 'EdDSA'", '', 'signs its own tokens with any key'],
  ]),
];

import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const DEVICES = 'server/src/modules/oauth/device-grants';
const TESTS = `${DEVICES}/device-grants.test.ts`;

export const DEVICE_LOGINS: readonly DirectedBreaks[] = [
  breaksIn('kw_poll_devices', TESTS, [
    [
      'AND d.client_id = p_clients[i]\n         FOR UPDATE',
      'FOR UPDATE',
      'answers about the device of another client',
    ],
    ["WHEN d.expires_at <= p_now[i] THEN 'expired'\n", '\n', 'gives tokens after the end'],
    [
      "AND d.state = 'pending' AND d.expires_at > p_now[i]",
      "AND d.state = 'pending'",
      'lets a device wait for ever',
    ],
    [
      ', interval_seconds = d.interval_seconds + 5',
      '',
      'lets a device ask too soon again and again',
    ],
    [
      'AND (d.last_polled_at IS NULL\n            OR d.last_polled_at <= p_now[i] - make_interval(secs => d.interval_seconds - 1))',
      '',
      'lets a device ask too soon',
    ],
  ]),
  breaksIn(`${DEVICES}/store.ts`, TESTS, [
    [
      "decided?.state === 'approved' && decided.login_id === loginId ? 'before' : 'no'",
      "decided?.state === 'approved' ? 'before' : 'no'",
      'tells another user that the device is theirs',
    ],
    [
      "    .where('state', '=', 'pending')\n    .where('expires_at', '>', tx.now)\n    .executeTakeFirst();\n  if (!row)",
      "    .where('state', '=', 'pending')\n    .executeTakeFirst();\n  if (!row)",
      'finds a device after the end',
    ],
  ]),
];

import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const OAUTH = 'server/src/modules/oauth';
const SIGNALS = `${OAUTH}/signals`;
const STREAMS = `${SIGNALS}/streams.test.ts`;
const TOLD = `${SIGNALS}/told.test.ts`;
const POLLING = `${SIGNALS}/polling.test.ts`;
const RETRIES = `${SIGNALS}/retries.test.ts`;
const REFUSALS = `${SIGNALS}/refusals.test.ts`;
const BOUND = `${SIGNALS}/bound-tokens.test.ts`;

export const SHARED_SIGNALS: readonly DirectedBreaks[] = [
  breaksIn(`${SIGNALS}/receiver.ts`, STREAMS, [
    ["if (client.shared_signals === 'none') fail('SIGNALS_REFUSED');", '', 'lets any client in'],
    ['if (!client?.is_active) return', 'if (!client) return', 'lets inactive clients in'],
    [
      "if (!token.scopes.includes(scope) && !token.scopes.includes('ssf.manage')) {",
      'if (false) {',
      'needs no scope',
    ],
  ]),
  breaksIn(`${SIGNALS}/receiver.ts`, BOUND, [
    ['requireTenant(tenant, presented.token, fail);', '', 'does not tell tokens of other tenants'],
    [
      'await dpop.requireBinding(tenant, token, presented, fail);',
      '',
      'takes a bound token from whoever has it',
    ],
  ]),
  breaksIn(`${SIGNALS}/polling.ts`, POLLING, [
    ["stream?.method === 'poll' ? stream", 'stream ? stream', 'polls streams that are pushed'],
    ["status === 'enabled' && limit > 0", 'limit > 0', 'polls streams that are paused'],
  ]),
  breaksIn(`${SIGNALS}/signals-store.ts`, POLLING, [
    [' AND d.queue_key = ${streamId}', '', 'acknowledges events of other streams'],
  ]),
  breaksIn(`${SIGNALS}/signals-store.ts`, RETRIES, [
    [".where('status', 'in', LIVING)", ".where('status', '=', 'waiting')", 'keeps what is pushed'],
  ]),
  breaksIn(`${SIGNALS}/signals-store.ts`, POLLING, [
    ["       AND d.status = 'waiting'`.execute", '`.execute', 'ends an event a second time'],
  ]),
  breaksIn(`${SIGNALS}/streams.ts`, STREAMS, [
    [
      "if (others.length >= MOST_STREAMS) fail('TOO_MANY_STREAMS');",
      '',
      'has any number of streams',
    ],
    ['requireSame(shown, change, fail);', '', 'lets receivers change what is not theirs'],
    ["url.split('?', 1)[0] ?? ''", 'url', 'logs the query of an address'],
  ]),
  breaksIn(`${SIGNALS}/streams.ts`, TOLD, [
    [
      'if (!(await store.beginVerification(tx, row.id, notSince))) {',
      'await store.beginVerification(tx, row.id, notSince);\n    if (false) {',
      'verifies as often as it is asked to',
    ],
  ]),
  breaksIn(`${SIGNALS}/streams.ts`, RETRIES, [
    ["if (row.status === 'disabled') return dropSignals(tx, row.id);", '', 'keeps events of none'],
  ]),
  breaksIn(`${SIGNALS}/stream-fields.ts`, STREAMS, [
    [
      'if (before.authorization_header === null || url === undefined) return;',
      'if (before.authorization_header !== undefined) return;',
      'sends the header to another address',
    ],
  ]),
  breaksIn(`${SIGNALS}/streams.ts`, REFUSALS, [
    ['requireDeliverable(means, change.delivery, fail);', '', 'changes to any address'],
  ]),
  breaksIn(`${SIGNALS}/stream-fields.ts`, REFUSALS, [
    ['if (objection) refuse(', 'if (false) refuse(', 'takes private addresses'],
    ["if (url.includes('#')) return refuse('must have no fragment');", '', 'takes fragments'],
  ]),
  breaksIn(`${SIGNALS}/rules.ts`, RETRIES, [
    ['if (status === 400) return', 'if (status === 401) return', 'repeats what is of no use'],
    ['.slice(0, MAX_DESCRIPTION)', '', 'stores as much as a receiver says'],
  ]),
  breaksIn(`${SIGNALS}/telling.ts`, RETRIES, [
    [
      "!client?.is_active || client.shared_signals === 'none'",
      '!client',
      'tells clients that may not know any more',
    ],
  ]),
  breaksIn(`${SIGNALS}/telling.ts`, RETRIES, [
    ['await settleSignals(tx, streamId, false);', '', 'goes on to push to the dead'],
  ]),
  breaksIn(`${SIGNALS}/set.ts`, TOLD, [
    ['typ: SET_TYP', "typ: 'JWT'", 'signs events that other tokens can be taken for'],
    [
      'sub: await subjectFor(tenant.id, client, userId),',
      'sub: userId,',
      'tells receivers the id of the user',
    ],
  ]),
  breaksIn(`${SIGNALS}/rules.ts`, POLLING, [
    ["text.replaceAll(/[\\p{Cc}\\p{Cs}]+/gu, ' ')", 'text', 'stores the lines of a receiver'],
  ]),
  breaksIn(`${SIGNALS}/waiting.ts`, POLLING, [
    [' || ofStream >= MOST_OF_STREAM', '', 'lets one stream wait as often as it likes'],
  ]),
  breaksIn('kw_signal', RETRIES, [[' AND c.is_active', '', 'tells inactive clients']]),
  breaksIn('kw_signal', TOLD, [
    ['coalesce(p_client = c.id, false)', 'true', 'tells clients of the sessions of others'],
    [' AND p_type = ANY (s.events_delivered)', '', 'tells what was not asked for'],
    ['AND n.revoked_at IS NULL', '', 'tells clients that the user has left'],
  ]),
  breaksIn('kw_signal_session', TOLD, [
    ["v_cause IS DISTINCT FROM 'replaced'", 'true', 'tells of sessions that go on'],
  ]),
];

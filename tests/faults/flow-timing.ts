import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import { startSink } from '../../bench/mail/sink.ts';
import { Authority } from '../harness/certificate.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import type { Random } from '../harness/random.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';
import { Fleet } from './fleet.ts';
import type { Figures, Run, Scenario } from './scenario.ts';
import { welchT } from './welch.ts';

const SAMPLES = 2000;
const WARM_UP = 50;
/** Two durations differ if |t| exceeds this value (Goodwill et al. 2011, on leakage tests). */
const MOST_T = 4.5;
const REFERENCE = 'known';

/** An identifier for each account state that a login by email must not disclose. */
type Kinds = ReadonlyMap<string, string>;
/** Durations in ms by step, then by kind. */
type Durations = Map<string, Map<string, number[]>>;

/** The duration of the steps of a flow does not disclose who has an account. */
export const flowTiming: Scenario = {
  name: 'flow-timing',
  about: `steps of logins and recoveries by mail, Welch's |t| < ${MOST_T}; a round is each step for each kind of user`,
  rounds: SAMPLES,
  async run({ random, rounds, say }: Run) {
    const authority = new Authority();
    // In a separate process: receiving emails must not affect the duration of a response.
    const sink = await startSink(authority.issue(['localhost']));
    const ca = join(await temporaryDirectory('authority'), 'ca.pem');
    await writeFile(ca, authority.ca);
    const fleet = await Fleet.start({
      nodes: 1,
      env: {
        KEYWRIGHT_SMTP_URL: `smtps://localhost:${sink.port}`,
        KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
        NODE_EXTRA_CA_CERTS: ca,
      },
    });
    try {
      await omitFlushes(fleet);
      const kinds = await openAccounts(fleet);
      await measure(fleet, kinds, random, WARM_UP);
      const durations = await measure(fleet, kinds, random, rounds, say);
      return judge(durations);
    } finally {
      await fleet.close();
      await sink.close();
    }
  },
};

/** Avoids waiting for the disk, which would take longest and vary by more than the difference to be detected. */
async function omitFlushes(fleet: Fleet): Promise<void> {
  await fleet.database.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`,
  );
  // For new connections.
  await fleet.kill(0);
}

/** Two kinds are equal, to show that the measurement itself introduces no difference. */
async function openAccounts(fleet: Fleet): Promise<Kinds> {
  const create = async (verified: boolean) => {
    const identifier = newIdentifier();
    const { id } = await fleet.asAdmin<{ id: string }>('POST', '/users', {
      identifier,
      password: newPassword(),
    });
    const identifiers = [{ type: 'email', identifier, verified }];
    await fleet.asAdmin('PATCH', `/users/${id}`, { identifiers });
    return { id, identifier };
  };
  const [existing, again, unverified, disabled, suppressed] = [
    await create(true),
    await create(true),
    await create(false),
    await create(true),
    await create(true),
  ];
  await fleet.asAdmin('PATCH', `/users/${disabled.id}`, { is_active: false });
  const { url } = await fleet.asAdmin<{ url: string }>('GET', '/messaging/feedback');
  const { http } = await fleet.node(0);
  const at = new Date().toISOString();
  const report = { type: 'bounce', id: 'report', email: suppressed.identifier, at };
  const answer = await http.request('POST', new URL(url).pathname, { body: report });
  assert.equal(answer.status, 200);
  return new Map([
    [REFERENCE, existing.identifier],
    ['known, another', again.identifier],
    ['unknown', newIdentifier()],
    ['unverified', unverified.identifier],
    ['disabled', disabled.identifier],
    ['suppressed', suppressed.identifier],
  ]);
}

/**
 * In each round every kind takes each step once, in a random order, one request at a time. Codes are guessed after all
 * messages of the round are sent: sending concurrently would slow down the kinds that get a message.
 */
async function measure(
  fleet: Fleet,
  kinds: Kinds,
  random: Random,
  rounds: number,
  say?: (line: string) => void,
): Promise<Durations> {
  const durations: Durations = new Map();
  const note = (kind: string) => (step: string, ms: number) =>
    samplesOf(durations, step, kind).push(ms);
  for (let round = 0; round < rounds; round += 1) {
    for (const purpose of ['login', 'recovery']) {
      // The limits allow few messages an hour.
      await fleet.database.query('DELETE FROM login_attempts');
      const started: { readonly kind: string; readonly flow: StartedFlow }[] = [];
      for (const [kind, identifier] of random.shuffled([...kinds])) {
        const flow = await startFlow(fleet, purpose, identifier, note(kind));
        started.push({ kind, flow });
      }
      await untilSent(fleet);
      for (const { kind, flow } of random.shuffled(started)) {
        await guess(fleet, purpose, flow, note(kind));
      }
    }
    if ((round + 1) % 250 === 0) say?.(`${round + 1} of ${rounds}`);
  }
  return durations;
}

function samplesOf(durations: Durations, step: string, kind: string): number[] {
  const ofStep = durations.get(step) ?? new Map<string, number[]>();
  const samples = ofStep.get(kind) ?? [];
  durations.set(step, ofStep.set(kind, samples));
  return samples;
}

type NoteDuration = (step: string, ms: number) => void;

async function startFlow(fleet: Fleet, purpose: string, identifier: string, note: NoteDuration) {
  const body = { identifier, purpose };
  const startedFlow = await take<StartedFlow>(
    fleet,
    `${purpose}: begin`,
    note,
    201,
    '/auth/flows',
    body,
  );
  const path = `/auth/flows/${startedFlow.flow.id}/message`;
  await take(fleet, `${purpose}: message`, note, 200, path, { flow_token: startedFlow.flow_token });
  return startedFlow;
}

async function guess(fleet: Fleet, purpose: string, startedFlow: StartedFlow, note: NoteDuration) {
  const path = `/auth/flows/${startedFlow.flow.id}/code`;
  const body = { flow_token: startedFlow.flow_token, code: '00000000' };
  await take(fleet, `${purpose}: wrong code`, note, 400, path, body);
}

async function take<Body>(
  fleet: Fleet,
  step: string,
  note: NoteDuration,
  status: number,
  path: string,
  body: object,
): Promise<Body> {
  const { http } = await fleet.node(0);
  const startedAt = performance.now();
  const answer = await http.request<Body>('POST', path, { body });
  note(step, performance.now() - startedAt);
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body;
}

async function untilSent({ database }: Fleet): Promise<void> {
  await until('nothing waits to be sent', async () => {
    const pending = await database.query(`SELECT FROM messages WHERE status = 'pending' LIMIT 1`);
    return pending.length === 0;
  });
}

/** @returns Welch's t of each kind and step, compared with the reference */
function judge(durations: Durations): Figures {
  const figures: Record<string, number> = {};
  for (const [step, ofStep] of durations) {
    const reference = ofStep.get(REFERENCE) ?? [];
    for (const [kind, samples] of ofStep) {
      if (kind === REFERENCE) continue;
      figures[`${step}, ${kind}`] = Number(welchT(samples, reference).toFixed(2));
    }
  }
  const differing = Object.entries(figures).filter(([, t]) => Math.abs(t) >= MOST_T);
  assert.deepEqual(differing, [], JSON.stringify(figures, undefined, 1));
  return figures;
}

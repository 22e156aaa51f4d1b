import type { SignalStreamId } from '@keywright/contract/ids';
import { randomId } from '../../../platform/crypto/ids.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';
import type { Core } from '../../../tenancy/module.ts';
import { record } from '../../events/journal/index.ts';
import type { Clients } from '../clients/index.ts';
import type { SecurityEvents, SignalRow } from './security-event.ts';
import {
  headerPlace,
  hopelessSince,
  judgePush,
  MAX_ANSWER_BYTES,
  streamDue,
} from './signal-queue.ts';
import {
  expediteSignals,
  loadStreams,
  insertStreamEvent,
  type LoadedStream,
  lockIfPushing,
  parkSignal,
  pauseHopeless,
  recordFailing,
  settleSignals,
  type StreamName,
} from './signal-store.ts';

export const TIMEOUT_MS = 10_000;

const GONE = {
  code: 'no_receiver',
  detail:
    'The stream or its client no longer exists, or the client is no longer allowed to have a stream.',
};
const HOPELESS = 'Every push has failed for a day.';
const SYSTEM = { kind: 'system', name: 'shared signals' } as const;

/** Pushes events to receivers (RFC 8935). */
export class SignalPush {
  readonly #core: Core;
  readonly #clients: Clients;
  readonly #events: SecurityEvents;
  readonly #findStream: (name: StreamName) => Promise<LoadedStream | undefined>;

  constructor(core: Core, clients: Clients, events: SecurityEvents) {
    this.#core = core;
    this.#clients = clients;
    this.#events = events;
    this.#findStream = batched((names: readonly StreamName[]) => loadStreams(core.gate, names), {
      size: 64,
      flights: 1,
    });
  }

  /** Never throws on errors of the receiver. */
  async push(job: SignalRow): Promise<Outcome> {
    const { tenant_id: tenantId, queue_key: streamId } = job;
    const tenant = await this.#core.directory.findById(tenantId);
    const stream = await this.#findStream([tenantId, streamId]);
    const client = stream && (await this.#clients.find(tenantId, stream.client_id));
    if (!stream || !tenant || !client?.is_active || client.shared_signals === 'none') {
      return { outcome: 'failed', reason: GONE };
    }
    if (!isPushed(stream, job) && (await this.#park(job))) {
      return { outcome: 'released', reason: { code: 'paused' } };
    }
    const { endpoint_url: url } = stream;
    if (url === null) return { outcome: 'failed', reason: GONE };
    const authorization = await this.#authorizationOf(tenantId, stream);
    const response = await this.#core.egress.send({
      method: 'POST',
      url,
      onBehalfOf: tenantId,
      headers: {
        'content-type': 'application/secevent+jwt',
        accept: 'application/json',
        ...(authorization !== undefined && { authorization }),
      },
      body: await this.#events.sign(tenant, client, job),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      truncate: true,
    });
    const outcome = judgePush(response);
    await this.#recordOutcome(job, stream, outcome);
    return outcome;
  }

  async #authorizationOf(
    tenantId: SignalRow['tenant_id'],
    { id, authorization_header: header }: LoadedStream,
  ): Promise<string | undefined> {
    if (header === null) return undefined;
    return this.#core.dataKeys.use(tenantId, (key) =>
      unseal(key, header, headerPlace(tenantId, id)).toString(),
    );
  }

  /** Sets the event to wait, unless its stream pushes again. */
  #park({ tenant_id, id, queue_key }: SignalRow): Promise<boolean> {
    return this.#core.gate.into(tenant_id).transaction(async (tx) => {
      if (await lockIfPushing(tx, queue_key)) return false;
      await parkSignal(tx, id);
      return true;
    });
  }

  /** Updates the stream if this outcome differs from the previous one. */
  async #recordOutcome(
    { tenant_id: tenantId, queue_key: streamId }: SignalRow,
    { failing_since: since }: LoadedStream,
    { outcome }: Outcome,
  ): Promise<void> {
    const { gate, clock } = this.#core;
    const data = gate.into(tenantId);
    // A rejected event was also received.
    if (outcome === 'done' || outcome === 'failed') {
      if (since === null) return;
      await data.transaction(async (tx) => {
        if (!(await recordFailing(tx, streamId, false))) return;
        await expediteSignals(tx, streamId);
        tx.publish(streamDue, { tenantId, key: streamId });
      });
    } else if (outcome === 'retry') {
      if (since === null) {
        await data.transaction((tx) => recordFailing(tx, streamId, true));
      } else if (since <= hopelessSince(clock.now())) {
        await pauseStream(gate, tenantId, streamId);
      }
    }
  }
}

/** Whether the event is pushed. A `stream-updated` event is pushed even while the stream is paused. */
function isPushed({ method, status }: LoadedStream, { type }: SignalRow): boolean {
  return method === 'push' && (status === 'enabled' || type === 'stream-updated');
}

/** Pauses a stream whose receiver does not respond. Its remaining events wait until the stream is enabled again. */
function pauseStream(
  gate: Gate,
  tenantId: SignalRow['tenant_id'],
  streamId: SignalStreamId,
): Promise<void> {
  return gate.into(tenantId).transaction(async (tx) => {
    const row = await pauseHopeless(tx, streamId, hopelessSince(tx.now), HOPELESS);
    if (!row) return;
    await settleSignals(tx, streamId, false);
    // Shared Signals Framework §8.1.5.
    await insertStreamEvent(tx, {
      id: `set_${randomId()}`,
      streamId,
      type: 'stream-updated',
      data: { status: 'paused', reason: HOPELESS },
      isPushed: true,
    });
    await record(tx, SYSTEM, {
      action: 'signals.stream_paused',
      target: { kind: 'client', id: row.client_id },
      details: { stream_id: streamId, reason: HOPELESS },
      events: [],
    });
  });
}

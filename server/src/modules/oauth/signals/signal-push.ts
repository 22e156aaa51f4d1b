import type { SignalStreamId } from '@keywright/contract/ids';
import { randomId } from '../../../platform/crypto/ids.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';
import { record } from '../../events/journal/index.ts';
import type { Clients } from '../clients/index.ts';
import {
  streamDue,
  headerPlace,
  hopelessSince,
  judgePush,
  MAX_ANSWER_BYTES,
} from './signal-queue.ts';
import type { SecurityEvent, SignalRow } from './security-event.ts';
import {
  hastenSignals,
  insertStreamEvent,
  parkSignal,
  settleSignals,
  holdsPushing,
  type KnownStream,
  noteEnd,
  pauseHopeless,
} from './signal-store.ts';

const TIMEOUT_MS = 10_000;

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly clients: Clients;
  readonly directory: TenantDirectory;
  readonly dataKeys: DataKeys;
  readonly egress: Egress;
  readonly securityEvent: SecurityEvent;
  readonly findStream: (
    one: readonly [SignalRow['tenant_id'], SignalStreamId],
  ) => Promise<KnownStream | undefined>;
}

/** Pushes an event to its receiver (RFC 8935). Never throws because of the receiver. */
type Push = (job: SignalRow) => Promise<Outcome>;

const GONE = 'no_receiver: The stream or its client is gone, or the client may have none any more.';
const HOPELESS = 'Every push has failed for a day.';
const WHO = { kind: 'system', name: 'shared signals' } as const;

export function createPush(dependencies: Dependencies): Push {
  const { clients, directory, dataKeys, egress, securityEvent, findStream } = dependencies;
  return async (job) => {
    const { tenant_id: tenantId, queue_key: streamId } = job;
    const tenant = await directory.findById(tenantId);
    const stream = await findStream([tenantId, streamId]);
    const client = stream && (await clients.find(tenantId, stream.client_id));
    if (!stream || !tenant || !client?.is_active || client.shared_signals === 'none') {
      return { outcome: 'failed', reason: GONE };
    }
    if (!isPushed(stream, job) && (await park(dependencies, job))) {
      return { outcome: 'released', reason: 'paused' };
    }
    const { endpoint_url: url, authorization_header: header } = stream;
    if (url === null) return { outcome: 'failed', reason: GONE };
    const authorization =
      header === null
        ? undefined
        : await dataKeys.use(tenantId, (key) =>
            unseal(key, Buffer.from(header, 'base64'), headerPlace(tenantId, streamId)).toString(),
          );
    const outcome = await egress.send({
      method: 'POST',
      url,
      onBehalfOf: tenantId,
      headers: {
        'content-type': 'application/secevent+jwt',
        accept: 'application/json',
        ...(authorization !== undefined && { authorization }),
      },
      body: await securityEvent(tenant, client, job),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      truncate: true,
    });
    const judged = judgePush(outcome);
    await follow(dependencies, job, stream, judged);
    return judged;
  };
}

/** That it is paused is told before all goes quiet. */
function isPushed({ method, status }: KnownStream, { type }: SignalRow): boolean {
  return method === 'push' && (status === 'enabled' || type === 'stream-updated');
}

/** Lets it wait, unless its stream pushes again. */
function park({ gate }: Dependencies, { tenant_id, id, queue_key }: SignalRow): Promise<boolean> {
  return gate.into(tenant_id).transaction(async (tx) => {
    if (await holdsPushing(tx, queue_key)) return false;
    await parkSignal(tx, id);
    return true;
  });
}

/** What an end says about the stream, where it is not as the one before. */
async function follow(
  { gate, clock }: Dependencies,
  { tenant_id: tenantId, queue_key: streamId }: SignalRow,
  { failing_since: since }: KnownStream,
  { outcome }: Outcome,
): Promise<void> {
  const data = gate.into(tenantId);
  // Rejected, but received.
  if (outcome === 'done' || outcome === 'failed') {
    if (since === null) return;
    await data.transaction(async (tx) => {
      if (!(await noteEnd(tx, streamId, false))) return;
      await hastenSignals(tx, streamId);
      tx.publish(streamDue, { tenantId, key: streamId });
    });
  } else if (outcome === 'retry') {
    if (since === null) await data.transaction((tx) => noteEnd(tx, streamId, true));
    else if (new Date(since) <= hopelessSince(clock.now()))
      await giveUpOn(gate, tenantId, streamId);
  }
}

/** Pauses a stream whose receiver is dead. What is left waits until it is enabled again. */
function giveUpOn(
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
    await record(tx, WHO, {
      action: 'signals.stream_paused',
      target: { kind: 'client', id: row.client_id },
      details: { stream_id: streamId, reason: HOPELESS },
      events: [],
    });
  });
}

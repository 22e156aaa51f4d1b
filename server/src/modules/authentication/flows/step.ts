import type { Clock } from '../../../platform/clock.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import type { SessionService } from '../../tokens/sessions/index.ts';
import type { Attempt } from '../attempts/index.ts';
import type { DeviceTokens, KnownDevice } from './device-tokens.ts';
import type { TellOfDevice } from './new-device.ts';
import type { StoredFlow } from './store.ts';

/** What came of a proof. */
export interface Step extends Device {
  /** What it was counted by, which is given back when the flow is complete. */
  readonly attempts?: readonly Attempt[];
  readonly knownDevice?: KnownDevice | undefined;
  /** What the proof was, which is used with the completion of the flow. */
  readonly challenge?: string;
}

/** A step that presents no token is made on the device that its flow was begun on. */
export function stepIn({ secret }: Pick<StoredFlow, 'secret'>, step: Step): Step {
  return { ...step, knownDevice: step.knownDevice ?? secret.device };
}

export interface CompletionDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly sessions: SessionService;
  readonly deviceTokens: DeviceTokens;
  readonly tellOfDevice: TellOfDevice;
  readonly notes: Notes;
  readonly notify: Notify;
}

import type { SignalStreamId } from '@keywright/contract/ids';
import { topic } from '../../../tenancy/after-commit.ts';
import type { KeyRef } from '../../../tenancy/jobs/definition.ts';

/** Something of this stream is due. The next poll makes up for a lost message. */
export const streamDue = topic<KeyRef<SignalStreamId>>('stream of signals due');

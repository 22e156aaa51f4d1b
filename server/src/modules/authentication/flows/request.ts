import type { Acr } from '@keywright/contract/authentication';
import type { LoginFlowId, SessionId, WorkspaceId } from '@keywright/contract/ids';
import type { FlowPurpose } from '@keywright/contract/records/login-flow';
import type { Origin } from '../../../tenancy/caller.ts';
import type { InvitationRow } from '../../identity/invitations/index.ts';
import type { KnownDevice } from './device-tokens.ts';
import type { ShownProof } from './rules.ts';

/** What a flow begins with. */
export interface NewFlowRequest {
  readonly purpose: FlowPurpose;
  /** Normalised. Empty: a passkey or a provider will tell whose login it is. */
  readonly identifier: string;
  readonly workspaceId: WorkspaceId | undefined;
  /** The least assurance that it has to lead to. */
  readonly acr?: Acr | undefined;
  /** The session that it continues. */
  readonly stepsUp?: SessionId | undefined;
  readonly registers?: boolean | undefined;
  readonly locale?: string | undefined;
  readonly userAgent?: string | null;
  /** The flow whose message this one redeems. */
  readonly continues?: LoginFlowId;
  /** That its session accepts. */
  readonly invitation?: InvitationRow;
  /** The known device that it is begun on. */
  readonly known?: KnownDevice | undefined;
  /** The same, sealed, for the token of the flow. */
  readonly carried?: string;
  /** Where it is begun, if its session or an administrator does not tell. */
  readonly from?: Origin;
  /** With which it begins. */
  readonly proof?: ShownProof;
}

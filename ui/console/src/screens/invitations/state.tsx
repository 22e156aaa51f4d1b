import type { Invitation } from '@keywright/sdk';
import { State, type Tone } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';

const TONES: Readonly<Record<Invitation['status'], Tone>> = {
  pending: 'brass',
  accepted: 'ok',
  revoked: 'plain',
  expired: 'plain',
};

export function InvitationState({ status }: { readonly status: Invitation['status'] }) {
  const { say } = useTexts();
  return <State word={say(`invitation.${status}`)} tone={TONES[status]} />;
}

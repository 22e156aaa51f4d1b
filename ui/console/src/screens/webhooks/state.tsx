import type { Webhook } from '@keywright/sdk';
import { ActiveState, State } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { say } = useTexts();
  if (webhook.disabled_reason !== null) return <State word={say('disabledByService')} tone="bad" />;
  if (webhook.is_active && webhook.failing_since !== null) {
    return <State word={say('failing')} tone="bad" />;
  }
  return <ActiveState isActive={webhook.is_active} />;
}

import type { Webhook } from '@keywright/sdk';
import { useState } from 'react';
import { ActionDialog } from '../../parts/action.tsx';
import { Select } from '../../parts/form/select.tsx';
import { MenuItem, useMenuDialog } from '../../parts/menu.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Hours for which the previous secret remains valid. */
const OVERLAPS = ['0', '1', '24', '72', '168'] as const;

interface Props {
  readonly webhook: Webhook;
  readonly onRotated: (secret: string) => void;
}

/** Replaces the secret of a webhook. An item of a menu. */
export function Rotate(props: Props) {
  const { say } = useTexts();
  const show = useMenuDialog();
  const open = () => show?.(<Rotation {...props} onClose={() => show(undefined)} />);
  return (
    <MenuItem icon="refresh-cw" onChoose={open}>
      {say('webhookRotate')}
    </MenuItem>
  );
}

/** Asks how long both secrets work. */
function Rotation({
  webhook: { id, url },
  onRotated,
  onClose,
}: Props & { readonly onClose: () => void }) {
  const { say } = useTexts();
  const [hours, setHours] = useState<(typeof OVERLAPS)[number]>('24');
  const wordOf = (overlap: string) =>
    overlap === '0'
      ? say('webhookOverlapNone')
      : say('webhookOverlapHours', { count: Number(overlap) });
  return (
    <ActionDialog
      route="webhooks.rotate"
      input={{ params: { webhook_id: id }, body: { overlap_hours: Number(hours) } }}
      verb={say('webhookRotate')}
      title={say('rotateTitle', { name: url })}
      done={say('rotated', { name: url })}
      then={({ secret }) => onRotated(secret)}
      isBad={false}
      onClose={onClose}
    >
      <p>{say('webhookRotateHint')}</p>
      <div className="choices">
        <Select
          label={say('webhookOverlap')}
          value={hours}
          choices={OVERLAPS.map((overlap) => [overlap, wordOf(overlap)])}
          onChoose={setHours}
        />
      </div>
    </ActionDialog>
  );
}

import type { ApiKey } from '@keywright/sdk';
import { useState } from 'react';
import { ActionDialog } from '../../parts/action.tsx';
import { Select } from '../../parts/form/select.tsx';
import { MenuItem, useMenuDialog } from '../../parts/menu.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Days for which the previous key continues to work. The service accepts up to 30, and 7 by default. */
const OVERLAPS = ['0', '1', '7', '14', '30'] as const;

interface Props {
  readonly apiKey: ApiKey;
  readonly onRotated: (shown: { readonly name: string; readonly key: string }) => void;
}

/** Creates the successor of a key. An item of a menu. */
export function Rotate(props: Props) {
  const { say } = useTexts();
  const show = useMenuDialog();
  const open = () => show?.(<Rotation {...props} onClose={() => show(undefined)} />);
  return (
    <MenuItem icon="refresh-cw" onChoose={open}>
      {say('rotate')}
    </MenuItem>
  );
}

/** Asks how long both keys work. */
function Rotation({
  apiKey: { id, name },
  onRotated,
  onClose,
}: Props & { readonly onClose: () => void }) {
  const { say } = useTexts();
  const [days, setDays] = useState<(typeof OVERLAPS)[number]>('7');
  const wordOf = (overlap: string) =>
    overlap === '0' ? say('overlapNone') : say('days', { count: Number(overlap) });
  return (
    <ActionDialog
      route="apikeys.rotate"
      input={{ params: { key_id: id }, body: { overlap_days: Number(days) } }}
      verb={say('rotate')}
      title={say('rotateTitle', { name })}
      done={say('rotated', { name })}
      then={({ key }) => onRotated({ name, key })}
      isBad={false}
      onClose={onClose}
    >
      <p>{say('rotateKeyHint')}</p>
      <div className="choices">
        <Select
          label={say('overlap')}
          value={days}
          choices={OVERLAPS.map((overlap) => [overlap, wordOf(overlap)])}
          onChoose={setDays}
        />
      </div>
    </ActionDialog>
  );
}

import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { GROUPS } from '../shell/nav.tsx';
import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { areLettersOn, GO, turnLetters } from './shortcuts.ts';

const KEYS: readonly (readonly [keys: string, does: TextKey])[] = [
  ['Ctrl K', 'palette'],
  ['/', 'keySearch'],
  ['c', 'keyCreate'],
  ['j k', 'keyRows'],
  ['x', 'keyPick'],
  ['?', 'keyboard'],
];
const PLACES = GROUPS.flatMap(({ items }) => items);

/** Shows all keys, and the switch for single-letter keys. */
export function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  const { say } = useTexts();
  const [isOn, setOn] = useState(areLettersOn);
  const places = Object.entries(GO).flatMap(([key, to]) => {
    const place = PLACES.find((item) => item.to === to);
    return place ? [[`g ${key}`, place.title] as const] : [];
  });
  return (
    <Dialog title={say('keyboard')} isOpen onClose={onClose}>
      <dl className="keys">
        {[...KEYS, ...places].map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd dir="ltr">{keys}</kbd>
            </dt>
            <dd>{say(does)}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target: { checked } }) => {
            turnLetters(checked);
            setOn(checked);
          }}
        />
        {say('lettersOn')}
      </label>
      <div className="actions">
        <Button kind="solid" onClick={onClose}>
          {say('close')}
        </Button>
      </div>
    </Dialog>
  );
}

import { useCallback, useId, useRef, useState } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isInside } from '../../url/inside.ts';
import { useCaller } from '../caller.tsx';
import { useClosing } from '../panel.ts';
import { TenantName } from './name.tsx';
import { TenantSearch } from './search.tsx';

/** Shows the current tenant and, to callers who can list tenants, a way to another one. */
export function TenantSwitcher() {
  const { say } = useTexts();
  const { isSystemAdministrator } = useCaller();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useClosing(frame, isOpen, close);
  if (!isSystemAdministrator && !isInside) {
    return (
      <div className="current">
        <TenantName />
      </div>
    );
  }
  return (
    <div
      ref={frame}
      className="switcher"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        frame.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        className="current"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-haspopup="dialog"
        aria-describedby={`${id}-hint`}
        onClick={() => setOpen(!isOpen)}
      >
        <TenantName />
        <Icon name="chevrons-up-down" />
      </button>
      <span id={`${id}-hint`} hidden>
        {say('switchTenant')}
      </span>
      {isOpen && (
        <div id={id} className="panel" role="dialog" aria-label={say('switchTenant')}>
          <TenantSearch onChosen={close} />
        </div>
      )}
    </div>
  );
}

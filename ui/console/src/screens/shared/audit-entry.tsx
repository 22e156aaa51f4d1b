import type { AuditEntry } from '@keywright/sdk';
import { useState } from 'react';
import { Button, classesOf } from '../../parts/button.tsx';
import { Sheet } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/id.tsx';
import { Json } from '../../parts/json.tsx';
import { Place } from '../../parts/place.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';

const AROUND_MS = 5 * 60 * 1000;

/** Shows the whole entry, and links to what happened around it. */
export function EntryDetails({ entry }: { readonly entry: AuditEntry }) {
  const { say } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const moment = Date.parse(entry.created_at);
  const around = {
    from: new Date(moment - AROUND_MS).toISOString(),
    to: new Date(moment + AROUND_MS).toISOString(),
  };
  return (
    <>
      <Button
        isSmall
        aria-label={`${say('details')} ${entry.action}`}
        onClick={() => setOpen(true)}
      >
        {say('details')}
      </Button>
      <Sheet title={entry.action} isOpen={isOpen} onClose={close}>
        <Entry entry={entry} />
        <Json value={entry.details} label={say('details')} />
        <div className="actions">
          <Place to="/audit" search={around} className={classesOf('plain')} onFollow={close}>
            {say('around')}
          </Place>
          <Button kind="solid" onClick={close}>
            {say('close')}
          </Button>
        </div>
      </Sheet>
    </>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { say } = useTexts();
  return (
    <Facts
      rows={[
        [say('when'), <Time key="when" at={entry.created_at} isWhole />],
        [say('ipAddress'), <bdi key="address">{entry.address ?? say('none')}</bdi>],
        [
          say('requestId'),
          entry.request_id ? <Id key="r" id={entry.request_id} canCopy /> : say('none'),
        ],
        [say('chainPosition'), entry.position === null ? say('notSealed') : String(entry.position)],
        [
          say('hash'),
          <bdi key="hash" className="mono">
            {entry.hash ?? say('none')}
          </bdi>,
        ],
      ]}
    />
  );
}

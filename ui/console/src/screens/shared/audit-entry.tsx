import type { AuditEntry } from '@keywright/sdk';
import { useState } from 'react';
import { classesOf } from '../../parts/button.tsx';
import { Sheet } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/id.tsx';
import { Json } from '../../parts/json.tsx';
import { Place } from '../../parts/place.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import { RowButton } from '../../parts/table/row-button.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { SentenceLine, SentenceText } from './sentences/sentence-line.tsx';
import { sentenceOfEntry } from './sentences/sentence.ts';
import { Subject } from './subject.tsx';

const AROUND_MS = 5 * 60 * 1000;

const TONES: Readonly<Record<AuditEntry['outcome'], Tone>> = {
  success: 'ok',
  failure: 'bad',
  denied: 'bad',
};

/** The sentence of an entry. It opens the details. */
export function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const { say } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isBad = entry.outcome !== 'success';
  const sentence = sentenceOfEntry(entry);
  return (
    <>
      <RowButton onOpen={() => setOpen(true)}>
        <SentenceLine sentence={sentence} type={entry.action} isBad={isBad} />
      </RowButton>
      <Sheet title={say('details')} isOpen={isOpen} onClose={close}>
        <p>
          <SentenceText sentence={sentence} />
        </p>
        <Entry entry={entry} />
        <Json value={entry.details} label={say('details')} />
        <div className="actions">
          <Place to="/audit" search={around(entry)} className={classesOf('plain')} onFollow={close}>
            {say('around')}
          </Place>
        </div>
      </Sheet>
    </>
  );
}

function around({ created_at: at }: AuditEntry) {
  const moment = Date.parse(at);
  return {
    from: new Date(moment - AROUND_MS).toISOString(),
    to: new Date(moment + AROUND_MS).toISOString(),
  };
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { say, name } = useTexts();
  const { actor, target, outcome, position, hash } = entry;
  const none = say('none');
  return (
    <Facts
      rows={[
        [say('when'), <Time key="when" at={entry.created_at} isWhole />],
        [
          say('outcome'),
          <State key="outcome" word={say(`outcome.${outcome}`)} tone={TONES[outcome]} />,
        ],
        [
          say('actor'),
          actor.id === null ? name(actor.kind) : <Subject key="actor" id={actor.id} />,
        ],
        ...(actor.on_behalf_of === null
          ? []
          : [[say('onBehalfOf'), <Subject key="principal" id={actor.on_behalf_of} />] as const]),
        [
          say('target'),
          target.id === null ? name(target.kind) : <Subject key="target" id={target.id} />,
        ],
        [say('ipAddress'), <bdi key="address">{entry.address ?? none}</bdi>],
        [
          say('eventType'),
          <bdi key="action" className="mono">
            {entry.action}
          </bdi>,
        ],
        [say('requestId'), entry.request_id ? <Id key="r" id={entry.request_id} canCopy /> : none],
        [say('entryId'), <Id key="id" id={entry.id} canCopy />],
        [say('chainPosition'), position === null ? say('notSealed') : String(position)],
        [
          say('hash'),
          <bdi key="hash" className="mono">
            {hash ?? none}
          </bdi>,
        ],
      ]}
    />
  );
}

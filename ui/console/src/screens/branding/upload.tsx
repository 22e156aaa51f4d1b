import { type FormEvent, useId, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/form/select.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { MAX_LOGO_BYTES, readFile } from './file.ts';

const ROUTE = 'branding.put_logo';
const KINDS = ['logo', 'logo_dark'] as const;

type Kind = (typeof KINDS)[number];

/** The chosen file. Without an address, it is too large to be read. */
interface Chosen {
  /** A `data:` URL, which `<img>` shows without running anything in it. */
  readonly address: string | undefined;
}

/** Uploads a logo from the user's computer, as an alternative to an address. */
export function LogoUpload() {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:tenant')) return null;
  return (
    <Card title={say('logoUpload')}>
      <Upload />
    </Card>
  );
}

function Upload() {
  const { say } = useTexts();
  const toast = useToast();
  const [kind, setKind] = useState<Kind>('logo');
  const [chosen, setChosen] = useState<Chosen>();
  // Another key empties it.
  const [turn, setTurn] = useState(0);
  const change = useChange(useTenant(), ROUTE, () => {
    setChosen(undefined);
    setTurn(turn + 1);
    toast(say('logoStored'));
  });
  const image = chosen?.address?.split(',', 2)[1];
  const choose = async (file: File | undefined) => {
    change.reset();
    const isSmall = file !== undefined && file.size <= MAX_LOGO_BYTES;
    setChosen(file && { address: isSmall ? await readFile(file) : undefined });
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (image) change.mutate({ params: { kind }, body: { image } });
  };
  const isRefused = change.error?.code === 'VALIDATION_FAILED';
  const isTooLarge = chosen !== undefined && chosen.address === undefined;
  const wrong = isTooLarge ? say('logoTooLarge') : isRefused ? say('logoRefused') : undefined;
  return (
    <form className="form" onSubmit={send}>
      <Select
        label={say('logoWhere')}
        value={kind}
        choices={KINDS.map((logoKind) => [logoKind, say(`logo.kind.${logoKind}`)])}
        onChoose={setKind}
      />
      <FileField key={turn} wrong={wrong} onChoose={(file) => void choose(file)} />
      {chosen?.address !== undefined && !isRefused && (
        <img className="logo" src={chosen.address} alt={say('logoChosen')} height={40} />
      )}
      {change.error && !isRefused && <ProblemNote problem={change.error} route={ROUTE} />}
      <div className="actions">
        <Button type="submit" kind="solid" disabled={!image || change.isPending}>
          {say('logoSend')}
        </Button>
      </div>
      <ApiCall route={ROUTE} input={{ params: { kind }, body: { image: '…' } }} />
    </form>
  );
}

interface FileProps {
  readonly wrong: string | undefined;
  readonly onChoose: (file: File | undefined) => void;
}

function FileField({ wrong, onChoose }: FileProps) {
  const { say } = useTexts();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{say('logoFile')}</label>
      <input
        id={id}
        className="input"
        type="file"
        accept=".png,.webp,.avif,.svg"
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={wrong === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
      <p id={`${id}-hint`} className="hint">
        {say('logoFileHint')}
      </p>
      {wrong !== undefined && (
        <p id={`${id}-error`} className="error" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}

import { type ReactNode, useId, useState } from 'react';
import { readHashConfig } from '@keywright/contract/user-exports/firebase';
import { Card } from '../../parts/card.tsx';
import { DropZone } from '../../parts/form/drop-zone.tsx';
import { RolesNote } from '../../parts/form/choice-notes.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useRoles } from '../../parts/form/role-facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { LINES, ORIGINS } from './origins.ts';

/** Many times the size of such a file. */
const MAX_HASH_CONFIG = 64 * 1024;
export const HASH_FIELDS = ['base64_signer_key', 'rounds', 'mem_cost'];

export interface Chosen {
  readonly file: File | undefined;
  /** The hash configuration as the Firebase console shows it. It is never shown here. */
  readonly hashConfig: string | undefined;
  /** The role of each user; empty: as in the file. */
  readonly role: string;
}

interface Props {
  readonly origin: string;
  readonly chosen: Chosen;
  readonly isLocked: boolean;
  readonly onOrigin: (origin: string) => void;
  readonly onChoose: (changed: Partial<Chosen>) => void;
}

export function FileCard({ origin, chosen, isLocked, onOrigin, onChoose }: Props) {
  const { say } = useTexts();
  const ids = useId();
  return (
    <Card title={say('importFile')}>
      <fieldset className="field" disabled={isLocked} aria-label={say('importFile')}>
        <div className="stack narrow">
          <div className="field">
            <label htmlFor={`${ids}-from`}>{say('importFrom')}</label>
            <select
              id={`${ids}-from`}
              className="select"
              value={origin}
              onChange={(event) => onOrigin(event.target.value)}
            >
              {ORIGINS.map(({ id, product }) => (
                <option key={id} value={id}>
                  {product ?? say(id === LINES ? 'importFromApi' : 'importFromColumns')}
                </option>
              ))}
            </select>
          </div>
          <FileField
            label={say('importFile')}
            accept=".csv,.json,.ndjson,.jsonl,.txt"
            onChoose={(file) => onChoose({ file })}
          >
            <p className="hint">CSV, JSON, JSON Lines</p>
          </FileField>
          {origin === 'firebase' && <HashConfig chosen={chosen} onChoose={onChoose} />}
          <RoleChoice role={chosen.role} onChoose={onChoose} />
        </div>
      </fieldset>
    </Card>
  );
}

function HashConfig({ chosen, onChoose }: Pick<Props, 'chosen' | 'onChoose'>) {
  const { say } = useTexts();
  const found = chosen.hashConfig === undefined ? undefined : readHashConfig(chosen.hashConfig);
  const isWrong = found !== undefined && !HASH_FIELDS.every((field) => field in found);
  const read = async (file: File | undefined) =>
    onChoose({ hashConfig: await file?.slice(0, MAX_HASH_CONFIG).text() });
  return (
    <FileField
      label={say('importHashConfig')}
      isWrong={isWrong}
      onChoose={(file) => void read(file)}
    >
      {isWrong && (
        <p className="error" role="alert">
          {say('importHashConfigWrong')}
        </p>
      )}
    </FileField>
  );
}

interface FileFieldProps {
  readonly label: string;
  /** The extensions of files that can be chosen. */
  readonly accept?: string;
  readonly isWrong?: boolean;
  readonly onChoose: (file: File | undefined) => void;
  /** The hint or the error. */
  readonly children: ReactNode;
}

/** Shows the chosen file in the language of the console. The browser's own control is hidden. */
function FileField({ label, accept, isWrong = false, onChoose, children }: FileFieldProps) {
  const { say } = useTexts();
  const id = useId();
  const [name, setName] = useState<string>();
  const choose = (file: File | undefined) => {
    setName(file?.name);
    onChoose(file);
  };
  return (
    <div className="field">
      <strong>{label}</strong>
      <DropZone onDrop={choose}>
        {name === undefined ? <Icon name="upload" /> : <bdi className="value">{name}</bdi>}
        <span>{say(name === undefined ? 'imageChoose' : 'imageReplace')}</span>
        <input
          className="unseen"
          type="file"
          accept={accept}
          aria-label={label}
          aria-invalid={isWrong || undefined}
          aria-describedby={id}
          onChange={({ target }) => {
            choose(target.files?.[0]);
            // The same file can be chosen again.
            target.value = '';
          }}
        />
      </DropZone>
      <div id={id}>{children}</div>
    </div>
  );
}

function RoleChoice({ role, onChoose }: Pick<Chosen, 'role'> & Pick<Props, 'onChoose'>) {
  const { say } = useTexts();
  const id = useId();
  const roles = useRoles().data?.items ?? [];
  return (
    <div className="field">
      <RolesNote />
      <label htmlFor={id}>{say('importRole')}</label>
      <select
        id={id}
        className="select"
        value={role}
        onChange={(event) => onChoose({ role: event.target.value })}
      >
        <option value="">{say('importRoleUsual')}</option>
        {roles.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}

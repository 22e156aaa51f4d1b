import { useState } from 'react';
import { readHashConfig } from '@keywright/contract/user-exports/firebase';
import { Button } from '../../parts/button.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { guessMapping, hasIdentifier, type Mapping } from './columns.ts';
import { ColumnCard } from './column-card.tsx';
import { type Chosen, FileCard, HASH_FIELDS } from './file-card.tsx';
import { COLUMNS, ORIGINS, sourceOf } from './origins.ts';
import { FailureNote, Outcome } from './outcome.tsx';
import { Leaving } from './leaving.tsx';
import { columnsOf } from './pieces.ts';
import type { Plan } from './run.ts';
import { type Failure, failureOf, useImport } from './use-import.ts';

const NOTHING_CHOSEN: Chosen = { file: undefined, hashConfig: undefined, role: '' };
const NO_COLUMNS: Mapping = {};

/** Imports users of another product: a file, the meaning of its columns, a dry run, and then the import. */
export function UserImport() {
  const { say } = useTexts();
  const { chosen, mapping, unread, origin, choose, map, go, ...rest } = useChoices();
  const { run, start, stop } = rest;
  const isLocked = run?.state === 'running';
  const plan = planOf(origin, chosen, mapping);
  const startRun = (isDry: boolean) => plan && start(plan, isDry);
  return (
    <Page
      title={say('importUsers')}
      about={say('importHint')}
      from={{ to: '/users', title: say('users') }}
    >
      <Leaving isRunning={isLocked} />
      <div className="stack">
        <FileCard {...{ origin, chosen, isLocked }} onOrigin={go} onChoose={choose} />
        {unread && <FailureNote failure={unread} isDry />}
        {origin === COLUMNS && chosen.file && !unread && (
          <ColumnCard {...{ mapping, isLocked }} onMap={map} />
        )}
        <div className="actions">
          <Button
            kind={run === undefined ? 'solid' : 'plain'}
            disabled={plan === undefined || isLocked}
            onClick={() => startRun(true)}
          >
            {say('importTry')}
          </Button>
          <span className="muted">{say('importTryHint')}</span>
        </div>
        {run && (
          <Outcome
            run={run}
            size={chosen.file?.size ?? 0}
            onStop={stop}
            onImport={() => startRun(false)}
          />
        )}
        <ApiCall route="users.import" input={{ query: { dry_run: true }, file: 'users.ndjson' }} />
      </div>
    </Page>
  );
}

/** The user's choices, and the run. Another choice discards the result of the previous run. */
function useChoices() {
  const { search, go } = useView();
  const { run, start, stop, forget } = useImport();
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  const [mapping, setMapping] = useState(NO_COLUMNS);
  const [unread, setUnread] = useState<Failure | undefined>();
  const readColumns = async (file: File) => {
    setUnread(undefined);
    try {
      setMapping(guessMapping(await columnsOf(file)));
    } catch (error) {
      setMapping(NO_COLUMNS);
      setUnread(failureOf(error));
    }
  };
  const choose = (changed: Partial<Chosen>) => {
    forget();
    setChosen((before) => ({ ...before, ...changed }));
    if (changed.file) void readColumns(changed.file);
  };
  return {
    run,
    start,
    stop,
    chosen,
    mapping,
    unread,
    choose,
    origin: ORIGINS.find(({ id }) => id === search['from'])?.id ?? COLUMNS,
    map: (changed: Mapping) => {
      forget();
      setMapping((before) => ({ ...before, ...changed }));
    },
    go: (from: string) => {
      forget();
      go({ from });
    },
  };
}

/** @returns undefined while something is missing */
function planOf(origin: string, chosen: Chosen, mapping: Mapping): Plan | undefined {
  const { file, role } = chosen;
  if (!file || (origin === COLUMNS && !hasIdentifier(mapping))) return undefined;
  const hashConfig =
    origin === 'firebase' && chosen.hashConfig !== undefined
      ? readHashConfig(chosen.hashConfig)
      : undefined;
  if (hashConfig && !HASH_FIELDS.every((field) => field in hashConfig)) return undefined;
  return {
    file,
    source: sourceOf(origin, mapping),
    hashConfig,
    roles: role === '' ? [] : [role],
  };
}

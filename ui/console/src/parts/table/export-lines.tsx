import { useState } from 'react';
import { fetchAs } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import type { RouteId } from '../../api/routes.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { Button } from '../button.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { saveAs } from '../save.ts';

const JSON_LINES = 'application/x-ndjson';

interface Props {
  /** Exports a list as lines of JSON. */
  readonly route: RouteId;
  /** The first part of the file's name. */
  readonly of: string;
  readonly filters: readonly { readonly name: string }[];
}

/** Downloads all records that match the filters. */
export function ExportLines({ route, of, filters }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const { search } = useView();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const query = Object.fromEntries(filters.map(({ name }) => [name, search[name]]));
  const run = async () => {
    setPending(true);
    setProblem(undefined);
    try {
      const answer = await fetchAs(tenant, route, { query }, JSON_LINES);
      saveAs(`${of}-${tenant}.jsonl`, await answer.blob());
    } catch (error) {
      setProblem(asProblem(error));
    }
    setPending(false);
  };
  return (
    <>
      <Button kind="ghost" icon="download" disabled={isPending} onClick={() => void run()}>
        <span className="word">{say(isPending ? 'exporting' : 'export')}</span>
      </Button>
      {problem && <ProblemNote problem={problem} route={route} />}
    </>
  );
}

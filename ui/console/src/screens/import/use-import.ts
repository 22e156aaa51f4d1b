import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ExportProblem } from '@keywright/contract/user-exports/source';
import { asProblem, Problem } from '../../api/problem.ts';
import { useTenant } from '../../url/params.ts';
import { type Plan, runImport } from './run.ts';
import { NOTHING, type Tally } from './tally.ts';

/** Why a run ended before the end of its file. */
export type Failure =
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'export' }
  | { readonly kind: 'not_text' }
  | { readonly kind: 'stopped' };

export interface Run {
  readonly isDry: boolean;
  readonly state: 'running' | 'done' | 'failed';
  readonly tally: Tally;
  /** Number of bytes read from the file. */
  readonly bytes: number;
  readonly failure?: Failure;
}

/** Runs an import: a dry run first, then the real one. The run ends when the user leaves the screen. */
export function useImport() {
  const tenant = useTenant();
  const queries = useQueryClient();
  const [run, setRun] = useState<Run | undefined>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (plan: Plan, isDry: boolean): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    setRun({ isDry, state: 'running', tally: NOTHING, bytes: 0 });
    const update = (changed: Partial<Run>) =>
      setRun((before) => (before === undefined ? before : { ...before, ...changed }));
    try {
      const onProgress = (tally: Tally, bytes: number) => update({ tally, bytes });
      await runImport(plan, { tenant, isDry, signal, onProgress });
      update({ state: 'done' });
    } catch (error) {
      update({ state: 'failed', failure: failureOf(error, signal) });
    }
    if (!isDry) await queries.invalidateQueries({ queryKey: [tenant] });
  };
  return {
    run,
    start: (plan: Plan, isDry: boolean) => void start(plan, isDry),
    stop: () => abort.current?.abort(),
    forget: () => {
      abort.current?.abort();
      setRun(undefined);
    },
  };
}

export function failureOf(error: unknown, signal?: AbortSignal): Failure {
  if (signal?.aborted) return { kind: 'stopped' };
  if (error instanceof ExportProblem) return { kind: 'export' };
  if (error instanceof Problem) return { kind: 'problem', problem: error };
  // Decoders throw this for bytes that are not text.
  if (error instanceof TypeError) return { kind: 'not_text' };
  return { kind: 'problem', problem: asProblem(error) };
}

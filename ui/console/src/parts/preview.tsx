import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { Problem } from '../api/problem.ts';
import type { AnswerOf, InputOf } from '../api/routes.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { ProblemNote } from './problem-note.tsx';
import { useSettled } from './settled.ts';

type Draft = InputOf<'branding.preview'>['body'];
type Preview = AnswerOf<'branding.preview'>;

/** Less than the lifetime of a preview's address. */
const FRESH_MS = 9 * 60_000;

/** Returns the address of a preview once typing has paused. The previous draft's address remains until then. */
export function usePreview(draft: Draft): UseQueryResult<Preview, Problem> {
  const tenant = useTenant();
  const body = useSettled(draft);
  return useQuery<Preview, Problem>({
    queryKey: [tenant, 'branding.preview', body],
    queryFn: ({ signal }) => call(tenant, 'branding.preview', { body }, signal),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: 0,
  });
}

interface Props {
  readonly preview: UseQueryResult<Preview, Problem>;
  readonly title: string;
  readonly device: 'phone' | 'desk';
}

/**
 * Shows the page itself in a frame that can neither run nor send anything. Without `allow-scripts`, the frame cannot
 * use its origin, which lets it load the style and the logo of the pages.
 */
export function PreviewFrame({ preview: { data, error, refetch }, title, device }: Props) {
  const { say } = useTexts();
  if (error) {
    const retry = () => void refetch();
    return <ProblemNote problem={error} route="branding.preview" onRetry={retry} />;
  }
  if (!data) {
    const label = say('loading');
    return <div className={`stage ${device}`} role="status" aria-busy="true" aria-label={label} />;
  }
  const { pathname, search } = new URL(data.url);
  return (
    <div className={`stage ${device}`}>
      {/* Each page has its own frame, so that Back leaves the screen rather than returning to a previous page. */}
      <iframe
        key={search}
        src={`${pathname}${search}`}
        title={title}
        sandbox="allow-same-origin"
        referrerPolicy="no-referrer"
      />
    </div>
  );
}

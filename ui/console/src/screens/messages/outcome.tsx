import type { Message } from '@keywright/sdk';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { MessageState } from './log.tsx';

/** Between two checks: a first attempt takes moments, a further one is due in seconds or minutes. */
const FIRST_PAUSE_MS = 700;
const PAUSE_MS = 4000;
/** This many messages can have been sent since. */
const NEWEST = 50;

type Page = AnswerOf<'messaging.list_messages'>;

interface Props {
  readonly id: string;
}

/** Shows the mail server's response to a message as soon as there is one. */
export function Outcome({ id }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const find = (page: Page | undefined) => page?.items.find((item) => item.id === id);
  const query = useQuery<Page, Problem>({
    queryKey: [tenant, 'messaging.list_messages', id],
    queryFn: ({ signal }) =>
      call(tenant, 'messaging.list_messages', { query: { limit: NEWEST } }, signal),
    refetchInterval: ({ state }) => pauseOf(find(state.data)),
  });
  const message = find(query.data);
  if (query.error) return <ProblemNote problem={query.error} route="messaging.list_messages" />;
  return (
    <div role="status" className="stack">
      {message && (
        <>
          <div>
            <MessageState status={message.status} />
          </div>
          {message.status === 'sent' && <p>{say('mailAccepted')}</p>}
          {message.reason !== null && (
            <p lang="en" dir="auto" translate="no">
              {message.reason}
            </p>
          )}
        </>
      )}
    </div>
  );
}

function pauseOf(message: Message | undefined): number | false {
  if (message && message.status !== 'pending') return false;
  return message && message.attempts > 0 ? PAUSE_MS : FIRST_PAUSE_MS;
}

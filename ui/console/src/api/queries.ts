import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { HOME } from '../url/home.ts';
import { goToLogin } from '../url/login.ts';
import { call } from './call.ts';
import { type Due, pauseOf } from './pause.ts';
import { asProblem, isPassing, type Problem } from './problem.ts';
import type { AnswerOf, InputOf, ItemOf, ListId, RouteId } from './routes.ts';

const STALE_MS = 5000;
const MAX_RETRIES = 2;
const MAX_RETRY_SECONDS = 10;

export function createQueries(): QueryClient {
  const refreshImpersonations = (error: Error) => {
    // The data about which tenant the caller is inside is out of date.
    if (asProblem(error).code !== 'IMPERSONATION_REQUIRED') return;
    void queries.invalidateQueries({ queryKey: [HOME, 'impersonations.list'] });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        redirectWithoutSession(error, query);
        refreshImpersonations(error);
      },
    }),
    mutationCache: new MutationCache({ onError: refreshImpersonations }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (count, error) => {
          const problem = asProblem(error);
          const isSoon = (problem.retryAfter ?? 0) <= MAX_RETRY_SECONDS;
          return count < MAX_RETRIES && isPassing(problem) && isSoon;
        },
        retryDelay: (count, error) => (asProblem(error).retryAfter ?? 0.5 * 2 ** count) * 1000,
        refetchOnWindowFocus: false,
      },
    },
  });
  return queries;
}

/** Redirects to the login. The user loses no work, because a query only reads. */
function redirectWithoutSession(
  error: Error,
  { queryKey: [tenant] }: { queryKey: readonly unknown[] },
): void {
  const { status, code } = asProblem(error);
  if (status !== 401 || typeof tenant !== 'string') return;
  goToLogin(tenant, code === 'STEP_UP_REQUIRED');
}

/** Returns the response of a route, cached for a few seconds. */
export function useCall<Id extends RouteId>(
  tenant: string,
  id: Id,
  input: InputOf<Id>,
  isEnabled = true,
): UseQueryResult<AnswerOf<Id>, Problem> {
  return useQuery<AnswerOf<Id>, Problem>({
    queryKey: [tenant, id, input],
    queryFn: ({ signal }) => call(tenant, id, input, signal),
    enabled: isEnabled,
  });
}

/** The pending work in a list. The list is read again while there is any, as long as the page is visible. */
export type PendingIn<Item> = (items: readonly Item[]) => readonly Due[];

function pauseIn<Item>(items: readonly Item[] | undefined, pendingIn?: PendingIn<Item>) {
  return items && pendingIn ? pauseOf(pendingIn(items), Date.now()) : false;
}

/** Returns a page of a list. The previous page remains until the next one has loaded. */
export function useList<Id extends ListId>(
  tenant: string,
  id: Id,
  input: InputOf<Id>,
  pendingIn?: PendingIn<ItemOf<Id>>,
): UseQueryResult<AnswerOf<Id>, Problem> {
  return useQuery<AnswerOf<Id>, Problem>({
    queryKey: [tenant, id, input],
    queryFn: ({ signal }) => call(tenant, id, input, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pauseIn<ItemOf<Id>>(state.data?.items, pendingIn),
  });
}

/** Changes something, and then reads the tenant's data again. */
export function useChange<Id extends RouteId>(
  tenant: string,
  id: Id,
  onDone?: (answer: AnswerOf<Id>) => void,
): UseMutationResult<AnswerOf<Id>, Problem, InputOf<Id>> {
  const queries = useQueryClient();
  return useMutation<AnswerOf<Id>, Problem, InputOf<Id>>({
    mutationFn: (input) => call(tenant, id, input),
    onSuccess: async (answer) => {
      onDone?.(answer);
      await queries.invalidateQueries({ queryKey: [tenant] });
    },
  });
}

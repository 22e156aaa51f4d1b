// The types of calls, derived from the SDK's client: a route `users.get` is its method `client.users.get`.

import type { Api, ApiPromise, EventsApi, Listing, ListMeta } from '@keywright/sdk';
import type { ROUTES } from '../generated/routes.ts';

type Routes = typeof ROUTES;
export type RouteId = keyof Routes;

export type AnswerOf<Id extends RouteId> = Answers[Id];
/** The path parameters, body and query of a request. */
export type InputOf<Id extends RouteId> = Inputs[Id];

/** Computed for each route, so that generic code can access the fields that all responses share. */
type Answers = {
  readonly [Id in RouteId as Id]: ReturnType<MethodOf<Id>> extends Listing<infer Item>
    ? { readonly items: readonly Item[]; readonly meta: ListMeta }
    : Awaited<ReturnType<MethodOf<Id>>>;
};
type Inputs = {
  readonly [Id in RouteId as Id]: ParamsOf<NameOfParam<Routes[Id]>> &
    FieldsOf<Routes[Id], WithoutParams<Parameters<MethodOf<Id>>, Routes[Id]>>;
};

/** The SDK has no method for a stream of events and an export, so their query is that of the list. */
type MethodOf<Id extends RouteId> = Id extends 'events.stream'
  ? (query?: Parameters<EventsApi['list']>[0], options?: never) => ApiPromise<unknown>
  : Id extends 'users.export'
    ? (query?: Parameters<Api['users']['list']>[0], options?: never) => ApiPromise<unknown>
    : Id extends `${infer Group}.${infer Name}`
      ? MethodIn<Api[CamelCase<Group> & keyof Api], CamelCase<Name>>
      : never;

type Method = (...args: never[]) => unknown;
type MethodIn<Group, Name extends string> = Name extends keyof Group
  ? Group[Name] extends Method
    ? Group[Name]
    : never
  : never;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The parameter names after the colons of a path. A route is `METHOD /path scope`. */
type NameOfParam<Route extends string> = Route extends `${string}/:${infer Name}/${infer Rest}`
  ? NameUntilSpace<Name> | NameOfParam<`/${Rest}`>
  : Route extends `${string}/:${infer Name}`
    ? NameUntilSpace<Name>
    : never;
type NameUntilSpace<Text extends string> = Text extends `${infer Name} ${string}` ? Name : Text;

/** The arguments after the path parameters. */
type WithoutParams<
  Args extends readonly unknown[],
  Route extends string,
> = Route extends `${string}/:${infer Rest}`
  ? Args extends readonly [string, ...infer Others]
    ? WithoutParams<Others, Rest>
    : never
  : Args;

type ParamsOf<Name extends string> = [Name] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<Name, string>> };

/** The type of each line, if the body consists of lines. */
type LineOf<Body> = Body extends readonly (infer Line)[] ? Line : Body;

/**
 * The last argument contains the call options. Before it is the body, which can be followed by a query, or only a
 * query.
 */
type FieldsOf<Route extends string, Args extends readonly unknown[]> = Args extends readonly [
  unknown?,
]
  ? { readonly body?: undefined; readonly query?: undefined }
  : Args extends readonly [infer Required, ...infer Others]
    ? Route extends `${'GET' | 'DELETE'} ${string}`
      ? { readonly body?: undefined; readonly query: Required }
      : { readonly body: LineOf<Required> } & Omit<FieldsOf<Route, Others>, 'body'>
    : { readonly body?: undefined; readonly query?: NonNullable<Args[0]> };

import { useParams } from '@tanstack/react-router';

/** The tenant of the address. */
export function useTenant(): string {
  const { tenant = '' } = useParams({ strict: false }) as { readonly tenant?: string };
  return tenant;
}

/** A further part of the address, such as an id. */
export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  return params[name] ?? '';
}

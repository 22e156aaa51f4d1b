import { useLocation, useParams } from '@tanstack/react-router';

/** Returns the tenant in the URL. */
export function useTenant(): string {
  const { tenant = '' } = useParams({ strict: false }) as { readonly tenant?: string };
  return tenant;
}

/** Returns another part of the URL, such as an ID. */
export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  return params[name] ?? '';
}

/** Returns the path below the tenant. */
export function usePath(): string {
  const tenant = useTenant();
  const { pathname } = useLocation();
  return pathname.slice(`/t/${tenant}`.length) || '/';
}

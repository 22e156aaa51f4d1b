import { useTexts } from '../texts/texts.tsx';

/** The service counts up to this number. */
const MOST = 10_000;

export function Count({ count }: { readonly count: number }) {
  const { say, number } = useTexts();
  return count > MOST ? say('moreThan', { count: number(MOST) }) : number(count);
}

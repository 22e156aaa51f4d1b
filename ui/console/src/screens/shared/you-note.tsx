import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly text: 'youLoseAccess' | 'youAreOneOfThem' | 'youLosePermissions';
}

/** Warns callers who are about to remove their own access. */
export function YouNote({ text }: Props) {
  const { say } = useTexts();
  return (
    <p className="note brass" role="alert">
      {say(text)}
    </p>
  );
}

import sprite from 'virtual:icons';
import type ICONS from '../look/icons.json';

/** A name of Lucide; `node ui/console/icons.mjs <name>` adds one. */
export type IconName = keyof typeof ICONS;

/** Icons that point in the direction of reading. */
const MIRRORED: ReadonlySet<IconName> = new Set([
  'arrow-right',
  'chevron-right',
  'external-link',
  'log-in',
  'log-out',
  'panel-left',
  'send',
  'undo-2',
]);

/** Decorates a text, or is the content of a button that has a label. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={MIRRORED.has(name) ? 'icon mirrored' : 'icon'} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

import { Menu } from '@base-ui/react/menu';
import { Button, classesOf } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Place } from '../parts/place.tsx';
import { useShownTitle } from '../parts/title.ts';
import { useTexts } from '../texts/texts.tsx';
import { usePath } from '../url/params.ts';
import { itemOf } from './nav.tsx';
import { Popup } from './person.tsx';
import { useTenantName } from './switcher/name.tsx';

interface Props {
  readonly isNarrow: boolean;
  readonly onNarrow: () => void;
  readonly onKeyboard: () => void;
}

/** Shows where the screen is, and leads to the documentation. */
export function CrumbLine({ isNarrow, onNarrow, onKeyboard }: Props) {
  const { say } = useTexts();
  return (
    <header className="crumb-line">
      <div className="rail-toggle">
        <Button
          kind="ghost"
          isSmall
          icon="panel-left"
          label={say(isNarrow ? 'railExpand' : 'railCollapse')}
          onClick={onNarrow}
        />
      </div>
      <Crumbs />
      <div className="end">
        <a className={classesOf('ghost', true)} href="/docs/" target="_blank" rel="noreferrer">
          <Icon name="book-open" />
          {say('docs')}
        </a>
        <Help onKeyboard={onKeyboard} />
      </div>
    </header>
  );
}

/** A name that does not fit loses its end, in either direction. `auto` ignores the text of a `bdi`. */
const BY_TEXT = { dir: 'auto' };

function Crumbs() {
  const { say } = useTexts();
  const name = useTenantName();
  const path = usePath();
  const { title, from } = useShownTitle();
  const item = itemOf(path);
  // A longer name would move the others, and so would the end of the path.
  if (name === undefined || title === undefined) return null;
  return (
    <nav aria-label={say('breadcrumb')}>
      <ol className="crumbs">
        <li>
          <Place to="/" rest={BY_TEXT}>
            <span>{name}</span>
          </Place>
        </li>
        {item && item.to !== path && (
          <li>
            <Place to={item.to} rest={BY_TEXT}>
              <span>{say(item.title)}</span>
            </Place>
          </li>
        )}
        {from && from.to !== item?.to && (
          <li>
            <Place to={from.to} rest={BY_TEXT}>
              <span>{from.title}</span>
            </Place>
          </li>
        )}
        <li aria-current="page">
          <span className="here" {...BY_TEXT}>
            <span>{item?.to === path ? say(item.title) : title}</span>
          </span>
        </li>
      </ol>
    </nav>
  );
}

const HELP = [
  { href: '/docs/guide/console', title: 'helpConsole', icon: 'book-open' },
  { href: '/reference', title: 'helpReference', icon: 'code' },
] as const;

function Help({ onKeyboard }: Pick<Props, 'onKeyboard'>) {
  const { say } = useTexts();
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={classesOf('ghost', true, true)} aria-label={say('help')}>
        <Icon name="circle-question-mark" />
      </Menu.Trigger>
      <Popup side="bottom" align="end">
        {HELP.map(({ href, title, icon }) => (
          <Menu.LinkItem key={href} href={href} target="_blank" rel="noreferrer">
            <Icon name={icon} />
            {say(title)}
          </Menu.LinkItem>
        ))}
        <Menu.Item onClick={onKeyboard}>
          <Icon name="keyboard" />
          {say('keyboard')}
          <kbd>?</kbd>
        </Menu.Item>
      </Popup>
    </Menu.Root>
  );
}

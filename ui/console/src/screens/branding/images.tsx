import type { ClientBranding, Logo } from '@keywright/sdk';
import { useChange, useList } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { type ImageKind, KINDS } from '../shared/image-limits.ts';
import { ImageSlot } from './image-slot.tsx';

/** The pending fetches of images, which can finish at any moment. */
const fetchesOf = (logos: readonly Logo[]) =>
  logos.flatMap(({ status }) => (status === 'pending' ? [null] : []));

/** The images that are stored for the tenant, and its URLs of others. */
export function useLogos() {
  return useList(useTenant(), 'branding.list_logos', {}, fetchesOf);
}

/** The images of the tenant: files can be dropped on them, and the form has the URLs of others. */
export function TenantImages() {
  const { say } = useTexts();
  const query = useLogos();
  const hasUrl = query.data?.items.some(({ url }) => url !== null) === true;
  return (
    <Card title={say('images')} about={say('imagesHint')} actions={hasUrl && <Fetch />}>
      <Loaded query={query} route="branding.list_logos" rows={2}>
        {({ items }) => (
          <ul className="image-slots">
            {KINDS.map((kind) => (
              <TenantSlot key={kind} kind={kind} logo={items.find((logo) => logo.kind === kind)} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

interface TenantSlotProps {
  readonly kind: ImageKind;
  readonly logo: Logo | undefined;
}

function TenantSlot({ kind, logo }: TenantSlotProps) {
  const { say } = useTexts();
  const { can } = useCaller();
  const toast = useToast();
  const name = say(`logo.kind.${kind}`);
  const change = useChange(useTenant(), 'branding.put_logo', () => toast(say('imageStored')));
  const isWriter = can('write:tenant');
  return (
    <ImageSlot
      kind={kind}
      digest={logo?.sha256 ?? undefined}
      note={logo && <Note logo={logo} />}
      isBusy={change.isPending}
      problem={change.error}
      route="branding.put_logo"
      onChoose={
        isWriter ? (image) => change.mutate({ params: { kind }, body: { image } }) : undefined
      }
      deletion={
        logo &&
        isWriter && (
          <Action
            route="branding.delete_logo"
            input={{ params: { kind } }}
            icon="trash-2"
            verb={say('delete')}
            title={say('deleteTitle', { name })}
            done={say('deleted', { name })}
            isSmall
          >
            <p>{say('logoDeleteHint')}</p>
          </Action>
        )
      }
    />
  );
}

/** The URL of a fetched image, and the reason if there is none. */
function Note({ logo: { url, status, reason } }: { readonly logo: Logo }) {
  const { say } = useTexts();
  if (url === null) return null;
  return (
    <>
      <p className="hint">
        {status !== 'stored' && `${say(`logo.${status}`)}: `}
        <bdi>{url}</bdi>
      </p>
      {reason !== null && <p className="error">{say('logo.failedHint')}</p>}
    </>
  );
}

function Fetch() {
  const { say } = useTexts();
  const { can } = useCaller();
  const toast = useToast();
  const fetching = useChange(useTenant(), 'branding.fetch_logos', ({ logos }) => {
    const isStored = logos.every(({ status, reason }) => status === 'stored' && reason === null);
    toast(say(isStored ? 'logosFetched' : 'logosNotFetched'));
  });
  if (!can('write:tenant')) return null;
  return (
    <>
      <Button isSmall disabled={fetching.isPending} onClick={() => fetching.mutate({})}>
        {say('logosFetch')}
      </Button>
      {fetching.error && <ProblemNote problem={fetching.error} route="branding.fetch_logos" />}
    </>
  );
}

/** The images of an application, which replace those of the tenant. */
export function ClientImages({ record }: { readonly record: ClientBranding }) {
  const { say } = useTexts();
  return (
    <Card title={say('images')} about={say('imagesOfClientHint')}>
      <ul className="image-slots">
        {KINDS.map((kind) => (
          <ClientSlot key={kind} kind={kind} record={record} />
        ))}
      </ul>
    </Card>
  );
}

interface ClientSlotProps {
  readonly kind: ImageKind;
  readonly record: ClientBranding;
}

function ClientSlot({ kind, record: { client_id, images } }: ClientSlotProps) {
  const { say } = useTexts();
  const { can } = useCaller();
  const toast = useToast();
  const name = say(`logo.kind.${kind}`);
  const params = { client_id, kind };
  const change = useChange(useTenant(), 'clients.put_image', () => toast(say('imageStored')));
  const isWriter = can('write:clients');
  return (
    <ImageSlot
      kind={kind}
      digest={images[kind]}
      isBusy={change.isPending}
      problem={change.error}
      route="clients.put_image"
      onChoose={isWriter ? (image) => change.mutate({ params, body: { image } }) : undefined}
      deletion={
        images[kind] !== undefined &&
        isWriter && (
          <Action
            route="clients.delete_image"
            input={{ params }}
            icon="trash-2"
            verb={say('delete')}
            title={say('deleteTitle', { name })}
            done={say('deleted', { name })}
            isSmall
          >
            <p>{say('imageOfClientDeleteHint')}</p>
          </Action>
        )
      }
    />
  );
}

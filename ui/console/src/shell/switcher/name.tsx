import { useCall } from '../../api/queries.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { useTenant } from '../../url/params.ts';
import { useCaller } from '../caller.tsx';

/** Returns the name of the tenant in the URL. Undefined until it is known. */
export function useTenantName(): string | undefined {
  const tenant = useTenant();
  const { can, tenantName } = useCaller();
  // A record that was changed on this page is newer.
  const record = useCall(
    tenant,
    'tenants.get',
    { params: { tenant_id: tenant } },
    can('read:tenant'),
  );
  return record.data?.name ?? tenantName;
}

/** As high as a name. */
const NO_BREAK_SPACE = '\u{a0}';

/** Shows the avatar, the name and the ID of the tenant. */
export function TenantName() {
  const tenant = useTenant();
  const name = useTenantName();
  return (
    <>
      <Avatar id={tenant} name={name ?? ''} isSquare />
      {/* If there is not enough room, the end of the name is cut, whatever its direction. */}
      <span className="name tenant" dir="auto">
        <span>
          <span>{name ?? NO_BREAK_SPACE}</span>
        </span>
        {name !== tenant && (
          <span dir="ltr">
            <span>{tenant}</span>
          </span>
        )}
      </span>
    </>
  );
}

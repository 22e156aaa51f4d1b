import { useCall } from '../../api/queries.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { useTenant } from '../../url/params.ts';
import { useCaller } from '../caller.tsx';

/** Returns the name of the tenant in the URL, or its ID if the caller cannot read the name. */
export function useTenantName(): string {
  const tenant = useTenant();
  const { can, isLoaded } = useCaller();
  const input = { params: { tenant_id: tenant } };
  const record = useCall(tenant, 'tenants.get', input, isLoaded && can('read:tenant')).data;
  return record?.name ?? tenant;
}

/** Shows the avatar, the name and the ID of the tenant. */
export function TenantName() {
  const tenant = useTenant();
  const name = useTenantName();
  return (
    <>
      <Avatar id={tenant} name={name} isSquare />
      {/* If there is not enough room, the end of the name is cut, whatever its direction. */}
      <span className="name tenant" dir="auto">
        <span>
          <span>{name}</span>
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

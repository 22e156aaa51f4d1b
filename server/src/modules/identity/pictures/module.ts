import * as contract from '@keywright/contract/routes/pictures';
import { defineModule } from '../../../tenancy/module.ts';
import { PictureService } from './picture-service.ts';

export const picturesModule = defineModule('pictures', ({ gate }) => ({
  routes(router) {
    const pictures = new PictureService(gate);
    router.add(contract.putOwnPicture, ({ tenant, caller, body: { image } }, fail) =>
      pictures.put(tenant, caller, { id: caller.subject, image }, fail),
    );
    router.add(contract.deleteOwnPicture, ({ tenant, caller }, fail) =>
      pictures.delete(tenant, caller, caller.subject, fail),
    );
    router.add(contract.putPicture, ({ tenant, caller, params, body: { image } }, fail) =>
      pictures.put(tenant, caller, { id: params.user_id, image }, fail),
    );
    router.add(contract.deletePicture, ({ tenant, caller, params }, fail) =>
      pictures.delete(tenant, caller, params.user_id, fail),
    );
    router.addAll(
      [contract.getPicture, contract.getIssuerPicture],
      async ({ tenant, params }, fail) =>
        (await pictures.find(tenant.id, params.digest)) ?? fail('NOT_FOUND'),
    );
  },
}));

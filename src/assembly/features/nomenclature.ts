/** Words for an NCM. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import { nomenclatureRoutes } from '../../nomenclature/routes.ts';
import { Nomenclature } from '../../nomenclature/service.ts';
import { NomenclatureStore } from '../../nomenclature/store.ts';

export function openNomenclature({ db, writer, reads, clock }: Ground) {
  const service = new Nomenclature({ store: new NomenclatureStore(db), writer, reads, clock });
  const feature: Feature = {
    operations: () => nomenclatureRoutes(service),
    prepare: () => service.prepare(),
  };
  return { ...feature, service };
}

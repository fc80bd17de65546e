/** Nomenclature: the descriptions of NCM codes. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { originSettings } from '../../catalogue/attribute/origin/from-settings.ts';
import { Origin } from '../../catalogue/attribute/origin/origin.ts';
import { NOMENCLATURE_MAX_BYTES, Nomenclature } from '../../nomenclature/service.ts';
import { NomenclatureStore } from '../../nomenclature/store.ts';
import { SYSTEM } from '../../session/model.ts';

export function openNomenclature(appContext: AppContext) {
  const { db, writer, reads, clock } = appContext;
  const service = new Nomenclature(new NomenclatureStore(db), writer, reads, clock);
  const origin = new Origin({
    name: 'nomenclature',
    subject: 'A nomenclatura',
    db,
    writer,
    clock,
    ...originSettings(appContext, 'ncm.origem', NOMENCLATURE_MAX_BYTES),
    process: (file, by) => service.take(file, by, { user: SYSTEM }),
  });
  const feature: Feature = {
    lateOperations: ({ nomenclatureRoutes }) => nomenclatureRoutes(service, origin),
    prepare: () => service.prepare(),
    jobs: [
      {
        name: 'nomenclatura-da-origem',
        about: 'Busca a nomenclatura em ncm.origem, às atributos.horario; depois de uma falha, a cada hora.',
        pattern: origin.pattern,
        isDue: () => origin.isDue,
        atStart: () => origin.isDue,
        runOnce: () => origin.runOnce(),
      },
    ],
    close: () => origin.close(),
  };
  return {
    ...feature,
    service,
    origin,
    /** Returns the state of its origin. `undefined`: no origin is set. */
    fetched: () => (origin.isSet ? { origin: origin.state(), loadedAt: service.loadedAt() } : undefined),
  };
}

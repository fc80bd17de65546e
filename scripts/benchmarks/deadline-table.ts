/**
 * Puts a table in force in a data folder: `deadline-table.ts FOLDER`. It has the NCMs of the bench, and of each a pair that is
 * optional up to the same day. Written past the sweep: the invented products have other attributes, and would fall.
 */
import { SYSTEM } from '../../src/session/model.ts';
import { BEFORE_ALL } from '../../src/catalogue/product/active-store.ts';
import { ActivationStore } from '../../src/catalogue/attribute/activation/activation-store.ts';
import { type OpenFolder, withFolder } from '../../src/cli/open.ts';
import { dayOf } from '../../src/validation/calendar.ts';
import { publicTable } from '../../test/support/public-table.ts';
import { ncmOf } from './products.ts';

const LAST_OPTIONAL_DAY = '2099-12-31';

async function putInForce({ catalogue, db, clock }: OpenFolder): Promise<void> {
  const table = JSON.parse(publicTable());
  for (const detail of table.detalhesAtributos)
    Object.assign(detail, { dataFimVigencia: '', objetivos: [{ codigo: 7, descricao: 'Produto' }] });
  for (const [place, ncm] of table.listaNcm.entries()) {
    ncm.codigoNcm = ncmOf(place);
    ncm.listaAtributos.forEach((pair: object, index: number) => {
      const turns = index === 0 && { modalidade: 'Importação', dataFimVigencia: LAST_OPTIONAL_DAY };
      Object.assign(pair, { obrigatorio: false, dataFimVigencia: '', ...turns });
    });
  }
  const file = new TextEncoder().encode(JSON.stringify(table));
  const { id } = await catalogue.attribute.service.load(file, SYSTEM);
  const activations = new ActivationStore(db);
  const [now, day] = [clock.now(), dayOf(clock.now())];
  const activation = activations.insert(id, day, SYSTEM, now);
  const sweep = activations.insertSweep(activation.id, day, null, now);
  const done = { step: 1, after: BEFORE_ALL, unpublished: [], deactivated: 0, events: 0 };
  activations.save(sweep, done, 'complete', now);
}

await withFolder({ data: Bun.argv[2] ?? '' }, putInForce);

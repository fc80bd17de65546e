/**
 * Puts tables in force in a data folder: `deadline-table.ts FOLDER one|two|three|some|all`. They have the NCMs of
 * the bench, each with a pair that is optional up to the same day. The previous table had another day; the third
 * is a future table that confirms it. `some` and `all` are one table whose day comes within the 30 days of a
 * warning, for one NCM in a hundred or for all. The sweep is bypassed: the invented products have other
 * attributes and would be deactivated.
 */
import { SYSTEM } from '../../src/session/model.ts';
import { BEFORE_ALL } from '../../src/catalogue/product/active-store.ts';
import { ActivationStore } from '../../src/catalogue/attribute/activation/activation-store.ts';
import { type OpenFolder, withFolder } from '../../src/cli/open.ts';
import { dayOf, daysAfter, nextDay } from '../../src/validation/calendar.ts';
import { publicTable } from '../../test/support/public-table.ts';
import { ncmOf } from './products.ts';

const LAST_OPTIONAL_DAY = '2099-12-31';
const COMES_IN_DAYS = 10;
/** `some`: each NCM of this number has a near deadline. */
const SOME_NCMS = 100;

type PairWords = Readonly<Record<string, string | boolean>>;
const optionalUpTo = (day: string): PairWords => ({ modalidade: 'Importação', dataFimVigencia: day });
const MANDATORY = {
  modalidade: 'Importação',
  dataInicioVigencia: nextDay(LAST_OPTIONAL_DAY),
  obrigatorio: true,
};

/**
 * `first`: the difference of the first pair of an NCM from the others, which are and stay optional. `every`: one
 * NCM of this number has it.
 */
function tableFile(versao: string, first: PairWords, every = 1): Uint8Array {
  const table = JSON.parse(publicTable({ versao }));
  for (const detail of table.detalhesAtributos)
    Object.assign(detail, { dataFimVigencia: '', objetivos: [{ codigo: 7, descricao: 'Produto' }] });
  for (const [place, ncm] of table.listaNcm.entries()) {
    ncm.codigoNcm = ncmOf(place);
    ncm.listaAtributos.forEach((pair: object, index: number) =>
      Object.assign(pair, {
        obrigatorio: false,
        dataFimVigencia: '',
        ...(index === 0 && place % every === 0 && first),
      }),
    );
  }
  return new TextEncoder().encode(JSON.stringify(table));
}

const tablesFor = (howMany: string | undefined, today: string) => {
  const near = { versao: '1', first: optionalUpTo(daysAfter(today, COMES_IN_DAYS)), on: today, every: 1 };
  if (howMany === 'all') return [near];
  if (howMany === 'some') return [{ ...near, every: SOME_NCMS }];
  const inForce = { versao: '2', first: optionalUpTo(LAST_OPTIONAL_DAY), on: today, every: 1 };
  const past = {
    ...inForce,
    versao: '1',
    first: optionalUpTo('2099-06-30'),
    on: daysAfter(today, -COMES_IN_DAYS),
  };
  const coming = { ...inForce, versao: '3', first: MANDATORY, on: daysAfter(today, COMES_IN_DAYS) };
  return [past, inForce, coming].slice(howMany === 'one' ? 1 : 0, howMany === 'three' ? 3 : 2);
};

async function putInForce({ catalogue, db, clock }: OpenFolder): Promise<void> {
  const activations = new ActivationStore(db);
  for (const { versao, first, on, every } of tablesFor(Bun.argv[3], dayOf(clock.now()))) {
    const { id } = await catalogue.attribute.service.load(tableFile(versao, first, every), SYSTEM);
    const activation = activations.insert(id, on, SYSTEM, clock.now());
    if (on > dayOf(clock.now())) continue;
    const sweep = activations.insertSweep(activation.id, on, null, clock.now());
    const done = { step: 1, after: BEFORE_ALL, unpublished: [], deactivated: 0, events: 0 };
    activations.save(sweep, done, 'complete', clock.now());
  }
}

await withFolder({ data: Bun.argv[2] ?? '' }, putInForce);

/** Fills a development instance at its first start, and again after a reset. */
import { type ItemApplier, batchRunner } from '../catalogue/batch.ts';
import type { Core } from '../assembly/core.ts';
import { CATALOGUE_PROFILE, type Caller, SYSTEM } from '../session/model.ts';
import attributeTable from './attribute-table-1.json' with { type: 'json' };
import { FolderMarks, INVENTED_TABLE } from '../db/folder-mark.ts';
import links from './links.json' with { type: 'json' };
import nomenclature from './nomenclature.json' with { type: 'json' };
import operators from './operators.json' with { type: 'json' };
import { addPeople } from './people.ts';
import products from './products.json' with { type: 'json' };

export interface SeedOptions {
  /** Adds only users and companies. */
  readonly empty: boolean;
}

export async function seedDevelopment(core: Core, { empty }: SeedOptions): Promise<void> {
  const file = core.settings['atributos.arquivo'];
  // The invented products would not fit a table that the operator configured.
  const isToBeFilled = !empty && file === '';
  const [table] = await Promise.all([isToBeFilled ? loadTable(core) : undefined, addPeople(core)]);
  // Runs after the users exist: an error about an invalid file needs users who can authenticate and read it.
  await core.catalogue.attribute.service.loadFirst(file);
  if (table !== undefined) await addCatalogue(core, table);
}

/** The user who includes the products. */
const DEMO: Caller = {
  documento: '00000000191',
  nome: 'Maria Demonstração',
  tipo: 'PRIV',
  orgao: null,
  administrador: false,
  perfil: CATALOGUE_PROFILE,
  companies: new Map(products.map(({ cpfCnpjRaiz }) => [cpfCnpjRaiz, 'aprovacao'])),
  key: 'demo',
};

/** Adds users and companies and activates the table, before `catp seed` adds records. */
export async function seedBasics(core: Core): Promise<void> {
  const [table] = await Promise.all([loadTable(core), addPeople(core)]);
  await activate(core, table);
}

/** Loads the invented nomenclature and the invented attribute table. Returns the id of the table. */
async function loadTable({ catalogue, nomenclature: words }: Core): Promise<number> {
  await words.load(bytesOf(nomenclature), SYSTEM, { user: SYSTEM });
  const { id } = await catalogue.attribute.service.load(bytesOf(attributeTable), SYSTEM);
  return id;
}

const bytesOf = (file: object): Uint8Array => new TextEncoder().encode(JSON.stringify(file));

async function activate({ catalogue: { attribute }, db, writer }: Core, table: number): Promise<void> {
  await attribute.service.activate(table, undefined, SYSTEM, { user: SYSTEM });
  const sha256 = attribute.serving.current()?.sha256 ?? '';
  await writer.write(() => new FolderMarks(db).put(INVENTED_TABLE, sha256));
}

/** Activates the invented table and adds the catalogue, without products that the profile refuses (AMBOS). */
async function addCatalogue(core: Core, table: number): Promise<void> {
  const { product, operator, link } = core.catalogue;
  await activate(core, table);
  const batch = (items: readonly object[], applier: ItemApplier): Promise<object[]> =>
    batchRunner(core.writer, applier)(DEMO, items);
  const included = await batch(products, product.items);
  const partners = await batch(operators, operator.items);
  const items = links.map(({ produto, operador, cpfCnpjFabricante }, index) => {
    const operator = operators.find(({ seq }) => seq === operador);
    return {
      seq: index + 1,
      cpfCnpjRaiz: products.find(({ seq }) => seq === produto)?.cpfCnpjRaiz,
      codigoProduto: Number(codigoOf(included, produto)),
      conhecido: true,
      vincular: true,
      codigoPais: operator?.codigoPais ?? 'BR',
      ...(operador === undefined
        ? { cpfCnpjFabricante }
        : { codigoOperadorEstrangeiro: codigoOf(partners, operador) }),
    };
  });
  await batch(items, link.items);
}

const codigoOf = (results: readonly object[], seq: number): string | undefined =>
  (results as readonly { readonly seq: number; readonly codigo: string }[]).find((one) => one.seq === seq)
    ?.codigo;

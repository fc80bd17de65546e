/** What a development instance has at its first start, and again after a reset. */
import type { Core } from '../core.ts';
import { CATALOGUE_PROFILE, type Caller, SYSTEM } from '../session/model.ts';
import attributeTable from './attribute-table-1.json' with { type: 'json' };
import { addPeople } from './people.ts';
import products from './products.json' with { type: 'json' };

export interface SeedOptions {
  /** Users and companies only. */
  readonly empty: boolean;
}

export async function seedDevelopment(core: Core, { empty }: SeedOptions): Promise<void> {
  // Where somebody chose a table of their own (setting `atributos.arquivo`), the invented products would not fit it.
  const isToBeFilled = !empty && core.catalogue.attribute.service.list().length === 0;
  const [table] = await Promise.all([isToBeFilled ? loadTable(core) : undefined, addPeople(core)]);
  if (table !== undefined) await addCatalogue(core, table);
}

/** Who includes the products. */
const DEMO: Caller = {
  documento: '00000000191',
  nome: 'Maria Demonstração',
  tipo: 'PRIV',
  orgao: null,
  administrador: false,
  perfil: CATALOGUE_PROFILE,
  companies: new Set(products.map(({ cpfCnpjRaiz }) => cpfCnpjRaiz)),
  key: null,
};

/** Users, companies and the table in force: what `catp seed` sows in. */
export async function seedGround(core: Core): Promise<void> {
  const [table] = await Promise.all([loadTable(core), addPeople(core)]);
  await core.catalogue.attribute.service.activate(table, undefined, SYSTEM);
}

async function loadTable({ catalogue }: Core): Promise<number> {
  const { id } = await catalogue.attribute.service.load(
    new TextEncoder().encode(JSON.stringify(attributeTable)),
    SYSTEM,
  );
  return id;
}

/** The invented table in force, and the products; those that the profile in use refuses (AMBOS) stay out. */
async function addCatalogue({ catalogue }: Core, table: number): Promise<void> {
  await catalogue.attribute.service.activate(table, undefined, SYSTEM);
  await catalogue.product.service.runBatch(DEMO, products);
}

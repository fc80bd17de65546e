/** The records of a side, by the names that the drill gave; a duplicate record has its name twice. */
import { COMPANY, type Side } from './sides.ts';

export type Kind = 'produto' | 'operador';

export interface Standing {
  readonly kind: Kind;
  readonly codigo: string;
  readonly versao: string;
  readonly situacao: string;
  /** All compared members except the situation. */
  readonly content: string;
}

export interface Catalogue {
  readonly records: ReadonlyMap<string, readonly Standing[]>;
  /** `product → operator`, by their names. */
  readonly links: ReadonlySet<string>;
}

const PAGE = 500;
const PATHS: Readonly<Record<Kind, string>> = {
  produto: '/appliance/api/products',
  operador: '/appliance/api/foreign-operators',
};
const PRODUCT_MEMBERS = ['denominacao', 'descricao', 'modalidade', 'ncm'] as const;
const OPERATOR_MEMBERS = ['nome', 'logradouro', 'nomeCidade', 'codigoPais', 'tin', 'codigoInterno'] as const;

type Item = Readonly<Record<string, unknown>>;

/** Reads the API of the appliance's own pages: no hourly limit counts it. */
export async function catalogueOf(side: Side, who: string): Promise<Catalogue> {
  const records = new Map<string, Standing[]>();
  const names = new Map<string, string>();
  for (const kind of ['produto', 'operador'] as const)
    for (const item of await items(side, who, PATHS[kind])) {
      const codigo = String(item['codigo']);
      const name = String(item[kind === 'produto' ? 'denominacao' : 'nome']);
      const members = kind === 'produto' ? PRODUCT_MEMBERS : OPERATOR_MEMBERS;
      const codes = kind === 'produto' ? (item['codigosInterno'] as string[]).toSorted() : [];
      const content = JSON.stringify([...members.map((member) => item[member] ?? null), codes]);
      const { versao, situacao } = item as { versao: string; situacao: string };
      records.set(name, [...(records.get(name) ?? []), { kind, codigo, versao, situacao, content }]);
      names.set(`${kind} ${codigo}`, name);
    }
  const links = new Set<string>();
  for (const { codigoProduto, codigoOperadorEstrangeiro } of await items(
    side,
    who,
    '/appliance/api/manufacturer-links',
  ))
    links.add(
      linkName(
        names.get(`produto ${String(codigoProduto)}`) ?? '?',
        names.get(`operador ${String(codigoOperadorEstrangeiro)}`) ?? '?',
      ),
    );
  return { records, links };
}

export const linkName = (product: string, operator: string): string => `${product} → ${operator}`;

async function items(side: Side, who: string, path: string): Promise<Item[]> {
  const all: Item[] = [];
  let after = '';
  do {
    const hidden = path.includes('operators') ? '&exibirDesativados=true' : '';
    const query = `?cpfCnpjRaiz=${COMPANY}&limit=${PAGE}${hidden}${after}`;
    const page = await side.done<{ items: Item[]; next: string | number | null }>(who, 'GET', path + query);
    all.push(...page.items);
    after = page.next === null ? '' : `&after=${encodeURIComponent(page.next)}`;
  } while (after !== '');
  return all;
}
